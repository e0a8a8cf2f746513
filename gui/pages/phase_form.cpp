// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/phase_form.h"

#include <QCoreApplication>
#include <algorithm>
#include <set>

#include "gui/convert.h"
#include "gui/pages/setting_form.h"
#include "plan/freezing.h"
#include "plan/phase_optimizer.h"
#include "plan/setting_reader.h"
#include "project/model_parameters.h"

namespace plumbline::gui {

using widgets::FieldSpec;
using widgets::FieldType;

const char* const kPhases = "training.phases";

namespace {

constexpr std::size_t kLongestName = 40;  ///< as the plan's check has it
const std::string kOptimizer = "training.optimizer.";

struct PhaseTr {
    Q_DECLARE_TR_FUNCTIONS(PhaseForm)
};

const Json& at(const Json& project, const std::string& pointer) {
    static const Json none;
    const Json::json_pointer place(pointer);
    return project.contains(place) ? project.at(place) : none;
}

std::string nameOf(const Json& phase) {
    return phase.is_object() && phase.contains("name") && phase.at("name").is_string()
               ? phase.at("name").get<std::string>()
               : std::string();
}

/// The losses that name a phase.
std::vector<std::size_t> lossesOf(const Json& project, const std::string& name) {
    std::vector<std::size_t> named;
    const Json& losses = at(project, "/training/losses");
    for (std::size_t i = 0; i < losses.size(); ++i) {
        if (losses[i].is_object() && losses[i].contains("phase") && losses[i]["phase"] == name) {
            named.push_back(i);
        }
    }
    return named;
}

std::string placeOf(std::size_t phase) {
    return pointerTo("/training/phases", phase);
}
std::string lossPlace(std::size_t loss) {
    return pointerTo("/training/losses", loss);
}

/// One setting of training.optimizer as it is in a phase, whose own settings are `own`.
std::optional<FieldSpec> optimizerRow(const plan::SettingSpec& spec, const Json& training, const Json& own,
                                      const std::string& prefix) {
    const std::string key = spec.path.substr(kOptimizer.size());
    Json others = own;
    others.erase(key);
    const Json inherited{{"optimizer", plan::phaseOptimizer(training, others)}};
    const auto inheritedAt = [&inherited](const std::string& path) -> const Json* {
        if (!path.starts_with(kOptimizer)) {
            return nullptr;
        }
        const auto found = inherited["optimizer"].find(path.substr(kOptimizer.size()));
        return found != inherited["optimizer"].end() ? &*found : nullptr;
    };
    const auto valueOf = [&](const QString& path) {
        const Json* stated = inheritedAt(bytes(path));
        const plan::SettingSpec* other = plan::findSetting(bytes(path));
        return stated != nullptr  ? toQt(*stated)
               : other != nullptr ? toQt(plan::defaultOf(*other, inheritedAt))
                                  : QJsonValue();
    };
    // What is stated in vain is shown, so that it can be taken away.
    if (!settingApplies(spec.when, valueOf) && !own.contains(key)) {
        return std::nullopt;
    }
    plan::SettingSpec placed = spec;
    placed.path = prefix + "optimizer." + key;
    placed.applies = "next_run";
    FieldSpec field = settingField(placed);
    const Json* taken = inheritedAt(spec.path);
    const Json& usual = taken != nullptr ? *taken : plan::defaultOf(spec, inheritedAt);
    field.defaultValue = usual.is_null() ? QJsonValue(QJsonValue::Undefined) : toQt(usual);
    field.label = text(key == "type" ? "optimizer.type" : key);
    field.nested = key == "type" ? 0 : 1;
    return field;
}

QList<FieldSpec> groupRows(const plan::SettingSpec& spec, const Json& training, const Json& own,
                           const std::string& prefix, const ListChoices& choices) {
    plan::SettingSpec placed = spec;
    placed.path = prefix + "optimizer.groups";
    const bool states = own.contains("groups");
    QList<FieldSpec> rows = listRows(placed, states ? own.at("groups") : Json(), choices);
    for (FieldSpec& row : rows) {
        ++row.nested;
    }
    FieldSpec& add = rows.first();
    add.optional = states;  // taken back, the phase has those of training.optimizer
    const Json& usual = at(training, "/optimizer/groups");
    if (!states && usual.is_array() && !usual.empty()) {
        add.applies = PhaseTr::tr("has the %n group(s) of training.optimizer", nullptr, static_cast<int>(usual.size()));
    }
    return rows;
}

QList<FieldSpec> optimizerRows(const Json& project, std::size_t phase, const Json& own, const ListChoices& choices) {
    const std::string prefix = std::string(kPhases) + "." + std::to_string(phase) + ".";
    const Json& training = at(project, "/training");
    QList<FieldSpec> rows;
    for (const plan::SettingSpec& spec : plan::settings()) {
        if (!spec.path.starts_with(kOptimizer)) {
            continue;
        }
        if (isListSetting(spec)) {
            rows += groupRows(spec, training, own, prefix, choices);
        } else if (const auto row = optimizerRow(spec, training, own, prefix)) {
            rows.append(*row);
        }
    }
    return rows;
}

QList<FieldSpec> lossRows(const Json& project, std::size_t phase) {
    QList<FieldSpec> rows;
    const Json& losses = at(project, "/training/losses");
    for (std::size_t i = 0; i < losses.size(); ++i) {
        FieldSpec row;
        row.path = QStringLiteral("%1.%2.minimises.%3").arg(QLatin1String(kPhases)).arg(phase).arg(i);
        row.type = FieldType::Boolean;
        row.label = PhaseTr::tr("loss %1").arg(i + 1);
        row.unit = losses[i].is_object() ? text(losses[i].value("type", std::string())) : QString();
        row.help = PhaseTr::tr("Whether the phase minimises this loss. Each loss has one phase.");
        for (const char* key : {"expression", "output"}) {  // what tells two losses of a type apart
            if (losses[i].is_object() && losses[i].contains(key) && losses[i][key].is_string()) {
                row.when = text(losses[i][key].get<std::string>());
                break;
            }
        }
        rows.append(row);
    }
    return rows;
}

/// The blocks of the root graph whose parameters no phase trains, and whether each is a composite; in the order of the
/// model.
std::vector<std::pair<std::string, bool>> untrainedBlocks(const plan::TrainingPlan& plan,
                                                          const graph::ResolvedModel& model) {
    std::vector<std::pair<std::string, bool>> blocks;
    std::set<std::string> trained;
    for (const project::ModelParameter& parameter : project::parametersOf(model)) {
        const std::string block = parameter.name.substr(0, parameter.name.find('.'));
        const bool inside = std::count(parameter.name.begin(), parameter.name.end(), '.') > 1;
        if (plan::phaseOf(plan, parameter.name) != nullptr) {
            trained.insert(block);
        } else if (!parameter.frozen &&
                   std::none_of(blocks.begin(), blocks.end(), [&](const auto& each) { return each.first == block; })) {
            blocks.emplace_back(block, inside);
        }
    }
    std::erase_if(blocks, [&](const auto& each) { return trained.contains(each.first); });
    return blocks;
}

/// Whether several phases are called so.
bool isShared(const Json& project, const std::string& name) {
    const Json& phases = at(project, "/training/phases");
    return std::count_if(phases.begin(), phases.end(), [&](const Json& each) { return nameOf(each) == name; }) > 1;
}

/// The series of a phase that is called `name` from now on; nothing of a series that is none of the phase's.
std::optional<std::string> ofOtherPhase(const std::string& series, const std::string& before, const std::string& name) {
    for (const std::string head : {"train.loss.", "val.loss.", "lr/"}) {
        if (!series.starts_with(head + before)) {
            continue;
        }
        const std::string rest = series.substr(head.size() + before.size());
        if (rest.empty() || (head == "lr/" && rest.starts_with(": "))) {  // the rate of one of its groups
            return head + name + rest;
        }
    }
    return std::nullopt;
}

}  // namespace

QList<FieldSpec> phaseRows(const plan::SettingSpec& spec, const Json& project, const ListChoices& choices) {
    const Json& phases = at(project, "/training/phases");
    QList<FieldSpec> rows = listRows(spec, phases, choices);
    const QString add = rows.first().path;
    QList<FieldSpec> all{rows.takeFirst()};
    for (std::size_t i = 0; phases.is_array() && i < phases.size(); ++i) {
        if (!phases[i].is_object()) {
            continue;
        }
        const QString prefix = QStringLiteral("%1.%2.").arg(add).arg(i);
        QList<FieldSpec> own;
        for (FieldSpec& row : rows) {
            if (row.path.startsWith(prefix)) {
                row.label = row.path.section(QLatin1Char('.'), -1);
                row.nested = 0;
                if (row.label == QLatin1String("train")) {
                    row.defaultValue = QJsonValue::Undefined;  // it has to be there
                }
                own.append(row);
            }
        }
        const auto every = std::find_if(
            own.begin(), own.end(), [](const FieldSpec& row) { return row.path.endsWith(QLatin1String(".every")); });
        const QList<FieldSpec> losses = lossRows(project, i);
        const qsizetype place = every - own.begin();
        for (qsizetype loss = 0; loss < losses.size(); ++loss) {
            own.insert(place + loss, losses[loss]);
        }
        const auto stated = phases[i].find("optimizer");
        own += optimizerRows(project, i, stated != phases[i].end() && stated->is_object() ? *stated : Json::object(),
                             choices);
        const std::string name = nameOf(phases[i]);
        for (FieldSpec& row : own) {
            row.group = PhaseTr::tr("Phase %1").arg(i + 1);
            row.heading = name.empty() ? row.group : PhaseTr::tr("Phase %1: %2").arg(i + 1).arg(text(name));
        }
        all += own;
    }
    return all;
}

std::optional<PhaseLoss> phaseLoss(const QString& path) {
    const QStringList parts = path.split(QLatin1Char('.'));
    const bool isOne =
        parts.size() == 5 && path.startsWith(QLatin1String(kPhases)) && parts[3] == QLatin1String("minimises");
    return isOne ? std::optional(PhaseLoss{parts[2].toUInt(), parts[4].toUInt()}) : std::nullopt;
}

bool minimises(const Json& project, const PhaseLoss& which) {
    const Json& loss = at(project, lossPlace(which.loss));
    return loss.is_object() && loss.contains("phase") && loss["phase"] == nameOf(at(project, placeOf(which.phase)));
}

Json addPhasePatch(const project::Project& project, const graph::ResolvedModel& model) {
    const Json& phases = at(project.json, "/training/phases");
    const bool first = !phases.is_array() || phases.empty();
    const std::vector<std::pair<std::string, bool>> blocks = untrainedBlocks(project.training, model);
    // A model in one piece is trained whole; one of a generator and a discriminator part by part.
    const bool parted =
        blocks.size() > 1 && std::all_of(blocks.begin(), blocks.end(), [](const auto& each) { return each.second; });
    const std::string block = !blocks.empty() && (!first || parted) ? blocks.front().first : "";
    const std::string base = block.empty() || block.size() > kLongestName - 4 ? "phase" : block;
    std::string name = base;
    const auto taken = [&] {
        return std::any_of(phases.begin(), phases.end(), [&](const Json& phase) { return nameOf(phase) == name; });
    };
    for (int number = 2; taken(); ++number) {
        name = base + "_" + std::to_string(number);
    }
    Json patch =
        appendPatch(project.json, kPhases, Json{{"name", name}, {"train", block.empty() ? "*" : block + ".*"}});
    for (std::size_t i = 0; i < project.training.losses.size(); ++i) {
        if (project.training.losses[i].phase.empty()) {
            patch.push_back(Json{{"op", "add"}, {"path", lossPlace(i) + "/phase"}, {"value", name}});
        }
    }
    return patch;
}

Json removePhasePatch(const Json& project, std::size_t phase) {
    Json patch = Json::array({Json{{"op", "remove"}, {"path", placeOf(phase)}}});
    const std::string name = nameOf(at(project, placeOf(phase)));
    if (isShared(project, name)) {
        return patch;  // the losses may be those of the other one
    }
    for (const std::size_t loss : lossesOf(project, name)) {
        patch.push_back(Json{{"op", "remove"}, {"path", lossPlace(loss) + "/phase"}});
    }
    return patch;
}

Json renamePhasePatch(const Json& project, std::size_t phase, const std::string& name) {
    const std::string before = nameOf(at(project, placeOf(phase)));
    Json patch = Json::array({Json{{"op", "add"}, {"path", placeOf(phase) + "/name"}, {"value", name}}});
    if (isShared(project, before)) {
        return patch;  // which of them is meant, nobody knows
    }
    for (const std::size_t loss : lossesOf(project, before)) {
        patch.push_back(Json{{"op", "replace"}, {"path", lossPlace(loss) + "/phase"}, {"value", name}});
    }
    for (const char* place : {"/training/early_stopping/series", "/training/stop/target/series",
                              "/training/checkpoints/best/series", "/training/scheduler/series"}) {
        const Json& series = at(project, place);
        if (!series.is_string()) {
            continue;
        }
        if (const auto renamed = ofOtherPhase(series.get<std::string>(), before, name)) {
            patch.push_back(Json{{"op", "replace"}, {"path", place}, {"value", *renamed}});
        }
    }
    return patch;
}

Json minimisePatch(const Json& project, const PhaseLoss& which, bool on) {
    const std::string place = lossPlace(which.loss) + "/phase";
    if (!on) {
        return Json::array({Json{{"op", "remove"}, {"path", place}}});
    }
    return Json::array({Json{{"op", "add"}, {"path", place}, {"value", nameOf(at(project, placeOf(which.phase)))}}});
}

}  // namespace plumbline::gui
