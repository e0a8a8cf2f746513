// SPDX-License-Identifier: GPL-3.0-or-later
// The live plots of a run: loss, metric, gradients (norm, largest value), learning rate with loss scale, throughput
// with loader wait.
#pragma once

#include <QHash>
#include <QSet>
#include <QVariantMap>
#include <QWidget>
#include <array>
#include <vector>

#include "gui/pages/planned_rate.h"
#include "gui/pages/run_series.h"
#include "gui/run_bridge.h"
#include "widgets/plot_widget.h"

class QAction;
class QGridLayout;
class QRubberBand;

namespace plumbline::gui {

/// Knows which series belongs where. One shared cursor and one shared step range; each plot can be enlarged, closed and
/// moved: its title is dragged onto another plot and takes that one's place, or its menu moves it.
class TrainPlots : public QWidget {
    Q_OBJECT

public:
    explicit TrainPlots(QWidget* parent = nullptr);

    void clear();
    void append(const QList<SeriesChunk>& chunks);
    /// What the settings plan, each curve below the rate of the run that it is the plan of and in its colour; an empty
    /// one takes them away. clear() leaves it.
    void setPlannedRate(PlannedRate planned);
    /// Marks of findings, and of settings that were changed while the run went on; a click on one of a finding emits
    /// findingActivated() with its id.
    void setMarks(const std::vector<diagnostics::Finding>& findings, const QList<LiveChange>& changes);
    widgets::PlotGroup& group() { return *m_group; }
    void setYLog(bool on);
    /// What an empty plot says: while a run is on, when its values come.
    void setRunning(bool on);
    /// Brings closed plots back and ends an enlargement.
    void showAll();
    /// showAll(), in the first order, with the first statistic.
    void resetLayout();
    /// Order, closed plots, statistic.
    QVariantMap layoutState() const;
    void restoreLayout(const QVariantMap& state);

Q_SIGNALS:
    /// The file chosen for a plot could not be written.
    void exportFailed(const QString& sentence);
    void findingActivated(const QString& id);

private:
    struct Place {
        widgets::PlotWidget* plot = nullptr;
        widgets::PlotSeriesSpec spec;
    };

    widgets::PlotWidget* addPlot(const QString& name, const QString& title, const QString& unit, const QString& empty);
    /// Where a series goes; no plot for what is not drawn here.
    Place placeOf(const QString& series);
    void arrange();
    void enlarge(widgets::PlotWidget* plot);
    /// Those that have a place now, in order, whether or not one is enlarged.
    std::vector<widgets::PlotWidget*> placed() const;
    widgets::PlotWidget* plotAt(const QPoint& globalPosition) const;
    /// Puts a plot where another one is; those in between move up.
    void moveTo(widgets::PlotWidget* plot, const widgets::PlotWidget* target);
    void sortAs(const QStringList& names);
    void chooseGradient(int statistic);
    void noteEpochs(const SeriesChunk& chunk);
    void showPlannedRate();
    /// The colour of a series in the rate's plot: a group keeps its own, planned and real.
    int rateCurve(const QString& series);
    void makeRateMenu();
    /// Logarithmic where the planned and the real rates span more than two decades, unless a person has chosen.
    void fitRateAxis();
    void noteRates(const std::vector<double>& values);

    widgets::PlotGroup* m_group;
    QGridLayout* m_grid;
    std::vector<widgets::PlotWidget*> m_plots;  ///< in the order shown
    QStringList m_firstOrder;
    QRubberBand* m_target;  ///< where a dragged plot would go
    widgets::PlotWidget* m_loss;
    widgets::PlotWidget* m_metric;
    std::array<widgets::PlotWidget*, 2> m_gradients;  ///< one place, one of them shown
    int m_gradient = 0;
    widgets::PlotWidget* m_rate;
    widgets::PlotWidget* m_throughput;
    widgets::PlotWidget* m_memory;
    widgets::PlotWidget* m_enlarged = nullptr;
    QSet<widgets::PlotWidget*> m_closed;
    QHash<QString, int> m_blockCurves;  ///< a block keeps its colour in all three
    QHash<QString, bool> m_known;
    QHash<QString, int> m_curves;  ///< curve of a metric or block, shared by train and validation
    std::vector<double> m_epochStarts;
    QHash<QString, int> m_rateCurves;
    PlannedRate m_planned;
    QStringList m_plannedIds;  ///< of the curves that are in the plot
    enum class RateAxis { ByValues, Linear, Logarithmic };
    RateAxis m_rateAxis = RateAxis::ByValues;
    std::array<QAction*, 3> m_rateChoices{};
    double m_leastRate = 0, m_largestRate = 0;  ///< of the run's own; 0, 0 while there is none
    bool m_running = false;
    double m_lastEpoch = -1;
    double m_skipped = 0;  ///< steps so far, as last told
};

}  // namespace plumbline::gui
