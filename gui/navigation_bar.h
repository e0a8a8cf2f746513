// SPDX-License-Identifier: GPL-3.0-or-later
// The pages down the left.
#pragma once

#include <QButtonGroup>
#include <QList>
#include <QWidget>

class QToolButton;

namespace plumbline::gui {

class Page;

/// One checkable button a page; Ctrl+1 … Ctrl+9 go there.
class NavigationBar : public QWidget {
    Q_OBJECT

public:
    explicit NavigationBar(const QList<Page*>& pages, QWidget* parent = nullptr);

    void setCurrent(int index);
    void setPageEnabled(int index, bool enabled);
    QList<QAction*> actions() const { return m_actions; }

Q_SIGNALS:
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<QToolButton*> m_buttons;
    int m_current = -1;
    QList<QAction*> m_actions;
};

}  // namespace plumbline::gui
