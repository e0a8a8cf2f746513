// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "core/program_start.h"
#include "gui/application.h"
#include "gui/background.h"
#include "session/engine.h"

int main(int argc, char** argv) {
    plumbline::prepareProgram();
    plumbline::gui::letIdleThreadsSleep(argv);
    plumbline::session::prepareProcess();
    for (const std::string& remark : plumbline::session::takeOpeningRemarks()) {
        std::fprintf(stderr, "plumbline-gui: %s\n", remark.c_str());
    }
    try {
        plumbline::gui::setApplicationNames();
        QApplication application(argc, argv);
        QApplication::setDesktopFileName(QStringLiteral("plumbline"));
        const int code = plumbline::gui::runApplication(application, plumbline::gui::parseOptions(application));
        // LibTorch may still be loading: its constructors and its destructors, which exit() calls, must not meet.
        constexpr int kPatienceMs = 3000;
        if (!plumbline::gui::backgroundPool().waitForDone(kPatienceMs)) {
            std::fflush(nullptr);
            std::_Exit(code);
        }
        return code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plumbline-gui ended: %s\n", error.what());
        return 1;
    }
}
