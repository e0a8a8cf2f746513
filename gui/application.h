// SPDX-License-Identifier: GPL-3.0-or-later
// From the command line to the window: options, language, theme, and pictures of a page.
#pragma once

#include <QString>
#include <optional>

#include "widgets/theme.h"

class QApplication;
class QPixmap;

namespace plumbline::gui {

class MainWindow;

struct ApplicationOptions {
    QString project;  ///< folder or project.json; empty = Welcome
    QString page;     ///< empty = Model with a project, else Welcome
    QString run;      ///< id, "latest" or "best"
    QString shot;     ///< file to draw the window into, then end
    std::optional<widgets::ThemeMode> theme;
    bool firstPaint = false;         ///< print the clock when the window is first drawn, then end
    int width = 1400, height = 900;  ///< of a picture
};

/// First thing in main(). libgomp reads its settings as it is loaded, and a dependency of Qt loads it with the program:
/// then the program starts once more with the setting that lets idle training threads sleep, else they spin beside the
/// window. Does nothing where OMP_WAIT_POLICY is set.
void letIdleThreadsSleep(char** arguments);
/// Names of the program as QSettings and paths use them. Before the QApplication.
void setApplicationNames();
/// The options, after the translations of the language asked for; a mistake ends the program with a sentence and exit
/// code 2, --help and --version with 0.
ApplicationOptions parseOptions(const QApplication& application);
/// Installs the program's and Qt's translations; false when there are none for this language.
bool installTranslations(const QString& language);
/// The window as it is now: what is drawn or told a moment later, to save time, is brought up to date first.
QPixmap pictureOf(MainWindow& window);
/// Shows the window and runs until it is closed. Exit code.
int runApplication(QApplication& application, const ApplicationOptions& options);

}  // namespace plumbline::gui
