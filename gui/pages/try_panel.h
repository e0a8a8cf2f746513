// SPDX-License-Identifier: GPL-3.0-or-later
// A trained model asked about one input.
#pragma once

#include <QWidget>

#include "core/error.h"
#include "session/engine.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace plumbline::widgets {
class BarChart;
}

namespace plumbline::gui {

class Workspace;

class TryPanel : public QWidget {
    Q_OBJECT

public:
    explicit TryPanel(Workspace& workspace, QWidget* parent = nullptr);
    /// Empty: none is chosen.
    void setRun(const QString& run);

private:
    void browse();
    void predict();
    void show(const Result<std::vector<session::Prediction>>& predictions);
    void update();

    Workspace& m_workspace;
    QString m_run;
    QLineEdit* m_input;
    QPushButton* m_predict;
    QLabel* m_answer;
    widgets::BarChart* m_chart;
    quint64 m_stamp = 0;
    bool m_busy = false;
};

}  // namespace plumbline::gui
