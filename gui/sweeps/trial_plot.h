// SPDX-License-Identifier: GPL-3.0-or-later
// What a parameter did to the objective: a dot a trial.
#pragma once

#include <QWidget>

#include "gui/sweeps/sweep_list.h"

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

Q_SIGNALS:
    void exportFailed(const QString& sentence);

private:
    void draw();

    SweepEntry m_sweep;
    QComboBox* m_parameter;
    widgets::PlotWidget* m_plot;
};

/// Where a trial stands on a parameter's axis: its value, or counted from 1 which of the listed values it has. Nothing where it has none.
std::optional<double> placeOnAxis(const sweep::Parameter& parameter, const sweep::Trial& trial);

}  // namespace plumbline::gui
