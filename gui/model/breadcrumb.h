// SPDX-License-Identifier: GPL-3.0-or-later
// "digits-cnn ▸ layers.0": the way in, each step a button.
#pragma once

#include <QStringList>
#include <QWidget>

class QHBoxLayout;

namespace plumbline::gui {

class Breadcrumb : public QWidget {
    Q_OBJECT

public:
    explicit Breadcrumb(QWidget* parent = nullptr);
    void setSteps(const QStringList& steps);

Q_SIGNALS:
    void chosen(int step);

private:
    QHBoxLayout* m_layout;
    QStringList m_steps;
};

}  // namespace plumbline::gui
