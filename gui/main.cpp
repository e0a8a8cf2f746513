// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <cstdio>
#include <exception>

#include "core/program_start.h"
#include "gui/application.h"
#include "session/engine.h"

int main(int argc, char** argv) {
    plumbline::prepareProgram();
    plumbline::gui::letIdleThreadsSleep(argv);
    plumbline::session::prepareProcess();
    try {
        plumbline::gui::setApplicationNames();
        QApplication application(argc, argv);
        QApplication::setDesktopFileName(QStringLiteral("plumbline"));
        return plumbline::gui::runApplication(application, plumbline::gui::parseOptions(application));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plumbline-gui ended: %s\n", error.what());
        return 1;
    }
}
