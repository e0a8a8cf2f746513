// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/engine_text.h"

#include <QCoreApplication>

#include "blocks/register.h"
#include "diagnostics/detector.h"
#include "gui/convert.h"
#include "plan/plan.h"
#include "project/project.h"
#include "session/export_formats.h"

namespace plumbline::gui {

QString engineText(const std::string& english) {
    return english.empty() ? QString() : QCoreApplication::translate("Engine", english.c_str());
}

QString engineWord(const std::string& name) {
    return text(name);
}

QStringList allEngineTexts() {
    QStringList all;
    const auto add = [&all](const std::string& english) {
        if (!english.empty() && !all.contains(text(english))) {
            all << text(english);
        }
    };
    for (const auto& type : blocks::builtinBlocks().all()) {
        const graph::BlockSpec& spec = type->spec();
        add(spec.summary);
        for (const graph::ParameterSpec& parameter : spec.parameters) {
            add(parameter.help);
        }
        for (const auto* ports : {&spec.inputs, &spec.outputs}) {
            for (const graph::PortSpec& port : *ports) {
                add(port.help);
            }
        }
    }
    for (const plan::SettingSpec& setting : plan::settings()) {
        add(setting.help);
        add(setting.group);
        add(setting.unit);
    }
    for (const char* list : {"training.losses", "training.metrics", "training.optimizer.groups", "training.phases"}) {
        for (const plan::SettingSpec& key : plan::elementSettings(list)) {
            add(key.help);
        }
    }
    for (const project::TemplateInfo& info : project::templates()) {
        add(info.title);
        add(info.summary);
    }
    for (const diagnostics::DetectorEntry& entry : diagnostics::detectors()) {
        add(entry.spec.summary);
        for (const diagnostics::ThresholdSpec& threshold : entry.spec.thresholds) {
            add(threshold.help);
            add(threshold.unit);
        }
    }
    for (const session::ExportFormat& format : session::exportFormats()) {
        add(format.title);
        add(format.summary);
    }
    return all;
}

}  // namespace plumbline::gui
