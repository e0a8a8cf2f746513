// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's tests share: settings of their own, a small project, running several test classes in one program.
#pragma once

#include <QApplication>
#include <QDir>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTranslator>
#include <QtTest>

#include "core/json.h"
#include "gui/application.h"
#include "gui/convert.h"
#include "gui/project_document.h"

namespace plumbline::gui::test {

/// input → conv → relu → pool → flatten → fc → logits, and a composite that is used twice in a chain.
inline Json smallProject() {
    return Json::parse(R"json({
      "schema_version": 1, "name": "small", "description": "for tests",
      "model": {
        "definitions": {
          "ConvBlock": {
            "parameters": {"channels": {"type": "int", "default": 16, "min": 1, "help": "Output channels"}},
            "inputs": {"x": {}},
            "nodes": {
              "conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=channels", "kernel_size": 3, "padding": 1}},
              "relu": {"type": "ReLU", "from": "conv"}
            },
            "outputs": {"y": "relu"}
          }
        },
        "graph": {
          "inputs": {"image": {"shape": ["B", 1, 8, 8], "dtype": "float32"}},
          "nodes": {
            "conv": {"type": "Conv2d", "from": "image", "params": {"out_channels": 8, "kernel_size": 3, "padding": 1}},
            "relu": {"type": "ReLU", "from": "conv"},
            "layers": {"type": "ConvBlock", "from": "relu", "repeat": 2, "params": {"channels": "=16 * (index + 1)"}},
            "pool": {"type": "AdaptiveAvgPool2d", "from": "layers", "params": {"output_size": 1}},
            "flatten": {"type": "Flatten", "from": "pool"},
            "fc": {"type": "Linear", "from": "flatten", "params": {"out_features": 10}}
          },
          "outputs": {"logits": "fc"}
        }
      },
      "data": {
        "sources": {"generated": {"type": "generated", "kind": "images", "samples": 60, "channels": 1, "size": 8, "classes": 10, "seed": 0}},
        "inputs": {"image": {"from": "generated.image"}},
        "targets": {"label": {"from": "generated.label"}},
        "splits": {"train": 0.7, "validation": 0.15, "test": 0.15, "seed": 0},
        "loader": {"batch_size": 16, "workers": 0}
      },
      "training": {
        "stop": {"epochs": 2},
        "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
        "metrics": [{"type": "accuracy", "output": "logits", "target": "label"}],
        "optimizer": {"type": "SGD", "lr": 0.1}
      }
    })json");
}

/// A folder with smallProject() in it, opened.
struct OpenProject {
    OpenProject() {
        folder = QDir(temporary.path()).filePath(QStringLiteral("small"));
        const Status made = document.create(smallProject(), filePath(folder));
        if (!made) {
            qFatal("%s", toSentence(made.error()).c_str());
        }
    }
    QTemporaryDir temporary;
    QString folder;
    ProjectDocument document;
};

/// English with its plurals, as the program speaks it, for as long as it lives.
struct English {
    English() {
        if (!plurals.load(QStringLiteral(":/i18n/plumbline_en.qm")) || !QCoreApplication::installTranslator(&plurals)) {
            qFatal("no English");
        }
    }
    ~English() { QCoreApplication::removeTranslator(&plurals); }
    QTranslator plurals;
};

/// Runs each class in turn; the sum of failures. Settings and recovery files go to a folder of this run.
template <class... Tests>
int runTests(int argc, char** argv) {
    QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
    qputenv("XDG_DATA_HOME", home.path().toUtf8());
    qputenv("XDG_CACHE_HOME", home.path().toUtf8());
    setApplicationNames();
    QApplication application(argc, argv);
    widgets::Theme::instance().install(application, widgets::ThemeMode::Light);
    int failures = 0;
    const auto run = [&](auto test) { failures += QTest::qExec(test.get(), argc, argv); };
    (run(std::make_unique<Tests>()), ...);
    return failures;
}

}  // namespace plumbline::gui::test
