// SPDX-License-Identifier: GPL-3.0-or-later
// The short experiments before a run: their actions, the button that has them, the dialog that they open.
#pragma once

#include <QList>
#include <QObject>

class QAction;
class QPushButton;

namespace plumbline::gui {

class Page;
class ProbeDialog;

class ProbeMenu : public QObject {
    Q_OBJECT

public:
    /// What is being typed on `page` becomes an edit before one begins.
    explicit ProbeMenu(Page& page);

    const QList<QAction*>& actions() const { return m_actions; }
    QPushButton* makeButton(QWidget* parent) const;

private:
    void update();

    Page& m_page;
    QList<QAction*> m_actions;
    ProbeDialog* m_dialog = nullptr;  ///< made when it is first wanted
};

}  // namespace plumbline::gui
