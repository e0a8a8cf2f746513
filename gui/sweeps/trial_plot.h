// SPDX-License-Identifier: GPL-3.0-or-later
// What a parameter did to the objective: a dot a trial.
#pragma once

#include <QWidget>

#include "gui/sweeps/sweep_list.h"
#include "gui/sweeps/trial_axis.h"

class QComboBox;

namespace plumbline::widgets {
class PlotWidget;
}

namespace plumbline::gui {

class TrialPlot : public QWidget {
    Q_OBJECT

public:
    explicit TrialPlot(QWidget* parent = nullptr);
    /// The parameter that is looked at stays, where the sweep has it.
    void setSweep(const SweepEntry& sweep);
    /// Which parameter is looked at; whoever arranges the plot gives it a place.
    QWidget* chooser() const { return m_chooser; }

Q_SIGNALS:
    void exportFailed(const QString& sentence);

private:
    void draw();

    SweepEntry m_sweep;
    QWidget* m_chooser;
    QComboBox* m_parameter;
    widgets::PlotWidget* m_plot;
};

}  // namespace plumbline::gui
