// SPDX-License-Identifier: GPL-3.0-or-later
// A window on the small project, with an engine of its own and a second project beside it.
#pragma once

#include "fake_engine.h"
#include "gui/file_controller.h"
#include "gui/main_window.h"
#include "gui/run_controller.h"
#include "support.h"

namespace plumbline::gui::test {

struct WindowFixture {
    WindowFixture() {
        OpenProject made;
        if (!made.document.saveAs(filePath(temporary.filePath("small"))) ||
            !made.document.saveAs(filePath(temporary.filePath("other"))) ||
            !window.files().openNow(temporary.filePath("small"))) {
            qFatal("no project");
        }
        bridge().setEngine(engine);
    }
    Workspace& workspace() { return window.workspace(); }
    ProjectDocument& document() { return workspace().document(); }
    RunBridge& bridge() { return workspace().bridge(); }
    /// Trains to the end; the run's id.
    QString train() {
        window.runs().run();
        return QTest::qWaitFor([this] { return !bridge().isActive(); }, 20000) ? bridge().runId() : QString();
    }
    template <class Widget>
    Widget* named(const char* name) {
        return window.findChild<Widget*>(QLatin1String(name));
    }

    QTemporaryDir temporary;
    std::shared_ptr<FakeEngine> engine = std::make_shared<FakeEngine>();
    MainWindow window;
};

}  // namespace plumbline::gui::test
