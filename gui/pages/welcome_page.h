// SPDX-License-Identifier: GPL-3.0-or-later
// Where the program opens without a project: recent projects, samples, new, open.
#pragma once

#include "gui/page.h"

class QGridLayout;
class QListWidget;
class QVBoxLayout;

namespace plumbline::gui {

class FileController;

class WelcomePage : public Page {
    Q_OBJECT

public:
    WelcomePage(Workspace& workspace, FileController& files, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("welcome"); }
    QString title() const override { return tr("Start"); }
    QString iconName() const override { return QStringLiteral("home"); }
    bool needsProject() const override { return false; }
    void activated() override;
    bool isSettled() const override { return m_pending == 0; }

private:
    void fillRecent();
    void fillSamples();
    void drawNextPicture();

    FileController& m_files;
    QListWidget* m_recent;
    QWidget* m_noRecent;
    QListWidget* m_samples;
    QStringList m_toDraw;  ///< sample folders whose picture is still missing
    int m_pending = 0;
    bool m_filled = false;
};

}  // namespace plumbline::gui
