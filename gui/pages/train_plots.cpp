// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/train_plots.h"

#include <QAction>
#include <QActionGroup>
#include <QGridLayout>
#include <QMenu>
#include <QRubberBand>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/convert.h"
#include "gui/engine_sentence.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kColumns = 2;
constexpr double kDecades = 100;  ///< a rate that spans more is drawn over its logarithm

/// "lr.planned", "lr/generator.planned".
QString plannedId(const QString& series) {
    return series + QStringLiteral(".planned");
}
bool isRate(const QString& series) {
    return series == QLatin1String("lr") || series.startsWith(QLatin1String("lr/"));
}
const QString kChange = QStringLiteral("change:");  ///< begins the id of a mark that is no finding's
/// In the order of the choices.
const QStringList kGradientSeries{QStringLiteral("grad.norm"), QStringLiteral("grad.max")};

}  // namespace

TrainPlots::TrainPlots(QWidget* parent) : QWidget(parent), m_group(new PlotGroup(this)), m_grid(new QGridLayout(this)) {
    m_target = new QRubberBand(QRubberBand::Rectangle, this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(space::kSmall);
    const QString empty = tr("Nothing yet. Press F5 to train this model.");
    m_loss = addPlot(QStringLiteral("plot_loss"), tr("Loss"), tr("loss"), empty);
    m_metric = addPlot(QStringLiteral("plot_metric"), tr("Metric"), tr("metric"), empty);
    m_gradients = {
        addPlot(QStringLiteral("plot_gradient"), tr("Gradient norm"), tr("L2 norm"), empty),
        addPlot(QStringLiteral("plot_gradient_max"), tr("Largest gradient"), tr("largest magnitude"), empty)};
    m_rate = addPlot(QStringLiteral("plot_rate"), tr("Learning rate"), tr("learning rate"), empty);
    m_rate->setYLabel(tr("loss scale"), PlotSide::Right);
    m_throughput = addPlot(QStringLiteral("plot_throughput"), tr("Throughput"), tr("samples/s"), empty);
    m_throughput->setYLabel(tr("loader wait (ms)"), PlotSide::Right);
    m_memory = addPlot(QStringLiteral("plot_memory"), tr("Memory"), tr("MB"), empty);
    QStringList titles;
    for (PlotWidget* plot : m_gradients) {
        plot->setYLog(true);
        titles << plot->title();
        connect(plot, &PlotWidget::titleChosen, this, &TrainPlots::chooseGradient);
    }
    for (std::size_t i = 0; i < m_gradients.size(); ++i) {
        m_gradients[i]->setTitleChoices(titles, static_cast<int>(i));
    }
    makeRateMenu();
    for (const PlotWidget* plot : m_plots) {
        m_firstOrder << plot->objectName();
    }
    arrange();
}

void TrainPlots::chooseGradient(int statistic) {
    PlotWidget* before = m_gradients[static_cast<std::size_t>(m_gradient)];
    m_gradient = statistic;
    PlotWidget* now = m_gradients[static_cast<std::size_t>(m_gradient)];
    if (m_enlarged == before) {
        m_enlarged = now;
    }
    arrange();
    now->setFocus();
}

PlotWidget* TrainPlots::addPlot(const QString& name, const QString& title, const QString& unit, const QString& empty) {
    auto* plot = new PlotWidget(this);
    plot->setObjectName(name);
    plot->setTitle(title);
    plot->setAccessibleName(title);
    plot->setYLabel(unit);
    plot->setEmptyText(empty);
    plot->setPanelButtonsVisible(true);
    plot->setMovable(true);
    plot->setMinimumHeight(120);
    m_group->add(plot);
    m_plots.push_back(plot);
    connect(plot, &PlotWidget::markActivated, this, [this](const QString& id) {
        if (!id.startsWith(kChange)) {
            Q_EMIT findingActivated(id);
        }
    });
    connect(plot, &PlotWidget::enlargeRequested, this, [this, plot] { enlarge(plot); });
    connect(plot, &PlotWidget::closeRequested, this, [this, plot] {
        m_closed.insert(plot);
        m_enlarged = nullptr;
        arrange();
    });
    connect(plot, &PlotWidget::exportFailed, this, &TrainPlots::exportFailed);
    connect(plot, &PlotWidget::moveRequested, this, [this, plot](int places) {
        const std::vector<PlotWidget*> all = placed();
        const auto target = std::find(all.begin(), all.end(), plot) - all.begin() + places;
        if (target >= 0 && target < std::ssize(all)) {
            moveTo(plot, all[static_cast<std::size_t>(target)]);
        }
    });
    connect(plot, &PlotWidget::dragMoved, this, [this, plot](const QPoint& position) {
        const PlotWidget* target = plotAt(position);
        m_target->setVisible(target && target != plot);
        if (target) {
            m_target->setGeometry(target->geometry());
        }
    });
    connect(plot, &PlotWidget::dropped, this, [this, plot](const QPoint& position) {
        m_target->hide();
        if (const PlotWidget* target = plotAt(position)) {
            moveTo(plot, target);
        }
    });
    return plot;
}

std::vector<PlotWidget*> TrainPlots::placed() const {
    std::vector<PlotWidget*> shown;
    for (PlotWidget* plot : m_plots) {
        const bool waits = std::find(m_gradients.begin(), m_gradients.end(), plot) != m_gradients.end() &&
                           plot != m_gradients[static_cast<std::size_t>(m_gradient)];
        if (!waits && !m_closed.contains(plot)) {
            shown.push_back(plot);
        }
    }
    return shown;
}

PlotWidget* TrainPlots::plotAt(const QPoint& globalPosition) const {
    for (PlotWidget* plot : m_plots) {
        if (plot->isVisible() && plot->rect().contains(plot->mapFromGlobal(globalPosition))) {
            return plot;
        }
    }
    return nullptr;
}

void TrainPlots::moveTo(PlotWidget* plot, const PlotWidget* target) {
    QStringList names;
    for (const PlotWidget* each : m_plots) {
        names << each->objectName();
    }
    const auto from = names.indexOf(plot->objectName());
    const auto to = names.indexOf(target->objectName());
    if (plot == target || from < 0 || to < 0) {
        return;
    }
    names.move(from, to);
    sortAs(names);
    arrange();
    plot->setFocus();
}

void TrainPlots::sortAs(const QStringList& names) {
    const auto rank = [&](const PlotWidget* plot) {
        // The gradient's plots have one place: that of the one that is shown.
        const bool gradient = std::find(m_gradients.begin(), m_gradients.end(), plot) != m_gradients.end();
        const auto at =
            names.indexOf((gradient ? m_gradients[static_cast<std::size_t>(m_gradient)] : plot)->objectName());
        return at < 0 ? names.size() : at;
    };
    std::stable_sort(m_plots.begin(), m_plots.end(),
                     [&](const PlotWidget* a, const PlotWidget* b) { return rank(a) < rank(b); });
}

void TrainPlots::arrange() {
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item;
    }
    int index = 0;
    const std::vector<PlotWidget*> wanted = m_enlarged ? std::vector{m_enlarged} : placed();
    for (PlotWidget* plot : m_plots) {
        const bool shown = std::find(wanted.begin(), wanted.end(), plot) != wanted.end();
        plot->setVisible(shown);
        if (shown) {
            m_grid->addWidget(plot, index / kColumns, index % kColumns);
            ++index;
        }
    }
}

void TrainPlots::enlarge(PlotWidget* plot) {
    m_enlarged = m_enlarged == plot ? nullptr : plot;
    arrange();
}

void TrainPlots::showAll() {
    m_enlarged = nullptr;
    m_closed.clear();
    arrange();
}

void TrainPlots::resetLayout() {
    m_gradient = 0;
    m_rateAxis = RateAxis::ByValues;
    fitRateAxis();
    sortAs(m_firstOrder);
    showAll();
}

QVariantMap TrainPlots::layoutState() const {
    QStringList order, closed;
    for (PlotWidget* plot : m_plots) {
        order << plot->objectName();
        if (m_closed.contains(plot)) {
            closed << plot->objectName();
        }
    }
    return {{QStringLiteral("order"), order},
            {QStringLiteral("closed"), closed},
            {QStringLiteral("gradient"), m_gradient},
            {QStringLiteral("rate_axis"), static_cast<int>(m_rateAxis)}};
}

void TrainPlots::restoreLayout(const QVariantMap& state) {
    const QStringList closed = state.value(QStringLiteral("closed")).toStringList();
    m_gradient =
        std::clamp(state.value(QStringLiteral("gradient")).toInt(), 0, static_cast<int>(m_gradients.size()) - 1);
    m_rateAxis = static_cast<RateAxis>(
        std::clamp(state.value(QStringLiteral("rate_axis")).toInt(), 0, static_cast<int>(m_rateChoices.size()) - 1));
    fitRateAxis();
    sortAs(state.value(QStringLiteral("order")).toStringList());
    m_enlarged = nullptr;
    m_closed.clear();
    for (PlotWidget* plot : m_plots) {
        if (closed.contains(plot->objectName())) {
            m_closed.insert(plot);
        }
    }
    arrange();
}

void TrainPlots::clear() {
    for (PlotWidget* plot : m_plots) {
        plot->clearSeries();
    }
    m_known.clear();
    m_curves.clear();
    m_blockCurves.clear();
    m_rateCurves.clear();
    m_plannedIds.clear();
    m_epochStarts.clear();
    m_lastEpoch = -1;
    m_skipped = 0;
    m_leastRate = m_largestRate = 0;
    m_group->setEpochStarts({});
    m_group->setMarks({});
    showPlannedRate();
}

void TrainPlots::makeRateMenu() {
    QMenu* axis = m_rate->menu()->addMenu(tr("Learning rate axis"));
    axis->setObjectName(QStringLiteral("rate_axis_menu"));
    auto* group = new QActionGroup(axis);
    const QString labels[] = {tr("By its values: logarithmic above two decades"), tr("Linear"), tr("Logarithmic")};
    const char* names[] = {"rate_axis_by_values", "rate_axis_linear", "rate_axis_log"};
    for (std::size_t i = 0; i < m_rateChoices.size(); ++i) {
        m_rateChoices[i] = group->addAction(axis->addAction(labels[i]));
        m_rateChoices[i]->setObjectName(QLatin1String(names[i]));
        m_rateChoices[i]->setCheckable(true);
        m_rateChoices[i]->setChecked(i == 0);
        connect(m_rateChoices[i], &QAction::triggered, this, [this, i] {
            m_rateAxis = static_cast<RateAxis>(i);
            fitRateAxis();
        });
    }
    // What every plot's menu has is a choice as well.
    if (auto* yLog = m_rate->findChild<QAction*>(QStringLiteral("plot_y_log"))) {
        connect(yLog, &QAction::triggered, this, [this](bool on) {
            m_rateAxis = on ? RateAxis::Logarithmic : RateAxis::Linear;
            fitRateAxis();
        });
    }
}

void TrainPlots::noteRates(const std::vector<double>& values) {
    for (const double value : values) {
        if (std::isfinite(value)) {
            const bool first = m_leastRate == 0 && m_largestRate == 0;
            m_leastRate = first ? value : std::min(m_leastRate, value);
            m_largestRate = first ? value : std::max(m_largestRate, value);
        }
    }
    fitRateAxis();
}

void TrainPlots::fitRateAxis() {
    bool log = m_rateAxis == RateAxis::Logarithmic;
    if (m_rateAxis == RateAxis::ByValues) {
        double least = m_leastRate, largest = m_largestRate;
        for (const PlannedRate::Curve& curve : std::as_const(m_planned.curves)) {
            if (!curve.value.empty()) {
                const auto [low, high] = std::minmax_element(curve.value.begin(), curve.value.end());
                least = largest > 0 ? std::min(least, *low) : *low;
                largest = std::max(largest, *high);
            }
        }
        log = least > 0 && largest / least > kDecades;
    }
    m_rate->setYLog(log);
    m_rateChoices[static_cast<std::size_t>(m_rateAxis)]->setChecked(true);
}

void TrainPlots::setPlannedRate(PlannedRate planned) {
    m_planned = std::move(planned);
    showPlannedRate();
    fitRateAxis();
}

int TrainPlots::rateCurve(const QString& series) {
    // 0 is for "lr", of which there is one in each run; whatever else is in the plot has the next ones.
    return series == QLatin1String("lr")   ? 0
           : m_rateCurves.contains(series) ? m_rateCurves.value(series)
                                           : *m_rateCurves.insert(series, static_cast<int>(m_rateCurves.size()) + 1);
}

void TrainPlots::showPlannedRate() {
    // Epochs are no steps: beside the steps of a run they would say what is not so.
    const bool runs = std::any_of(m_known.keyBegin(), m_known.keyEnd(), isRate);
    const bool shows = !m_planned.isEmpty() && !(m_planned.countsEpochs && runs);
    QStringList ids;
    for (const PlannedRate::Curve& curve : std::as_const(m_planned.curves)) {
        if (shows) {
            ids << plannedId(curve.series);
        }
    }
    for (const QString& id : std::as_const(m_plannedIds)) {
        // What is added first is drawn below the others: beside a run's values a curve keeps its place.
        if (!ids.contains(id) && runs) {
            m_rate->setData(id, {});
            ids << id;
        } else if (!ids.contains(id)) {
            m_rate->removeSeries(id);
        }
    }
    m_plannedIds = ids;
    if (!shows) {
        return;
    }
    for (const PlannedRate::Curve& curve : std::as_const(m_planned.curves)) {
        PlotSeriesSpec spec;
        spec.id = plannedId(curve.series);
        spec.name = curve.name;
        spec.curve = rateCurve(curve.series);
        spec.style = Qt::DashLine;
        spec.smooth = false;
        spec.thin = true;
        spec.newest = false;
        m_rate->addSeries(spec);
        m_rate->setData(spec.id, {m_planned.step, m_planned.epoch, {}, curve.value});
    }
}

TrainPlots::Place TrainPlots::placeOf(const QString& series) {
    Place place;
    place.spec.id = series;
    const auto curveOf = [this](const QString& key) {
        return m_curves.contains(key) ? m_curves.value(key) : *m_curves.insert(key, static_cast<int>(m_curves.size()));
    };
    const bool validation = series.startsWith(QLatin1String("val."));
    if (series == QLatin1String("train.loss") || series == QLatin1String("val.loss")) {
        place.plot = m_loss;
        place.spec.curve = validation ? 1 : 0;
    } else if (series.startsWith(QLatin1String("train.loss.")) || series.startsWith(QLatin1String("val.loss."))) {
        place.plot = m_loss;  // a phase's own
        place.spec.curve = (curveOf(series.section(QLatin1Char('.'), 1)) + 1) * 2 + (validation ? 1 : 0);
    } else if (validation || series.startsWith(QLatin1String("train."))) {
        place.plot = m_metric;
        place.spec.curve = curveOf(series.section(QLatin1Char('.'), 1)) * 2 + (validation ? 1 : 0);
    } else if (const int statistic = kGradientSeries.indexOf(series.section(QLatin1Char('/'), 0, 0)); statistic >= 0) {
        place.plot = m_gradients[static_cast<std::size_t>(statistic)];
        const QString block = series.section(QLatin1Char('/'), 1);
        place.spec.name = block.isEmpty() ? tr("all") : block;
        // 0 is for all blocks together.
        place.spec.curve = block.isEmpty() ? 0
                           : m_blockCurves.contains(block)
                               ? m_blockCurves.value(block)
                               : *m_blockCurves.insert(block, static_cast<int>(m_blockCurves.size()) + 1);
    } else if (isRate(series)) {
        place.plot = m_rate;
        place.spec.curve = rateCurve(series);
        place.spec.front = series == QLatin1String("lr");  // groups that have the same rate do not cover it
        place.spec.smooth = false;
    } else if (series == QLatin1String("scaler.scale")) {
        place.plot = m_rate;
        place.spec.curve = rateCurve(series);
        place.spec.side = PlotSide::Right;
        place.spec.smooth = false;
    } else if (series == QLatin1String("throughput.samples_per_second")) {
        place.plot = m_throughput;
        place.spec.name = tr("samples/s");
    } else if (series == QLatin1String("loader.wait_ms")) {
        place.plot = m_throughput;
        place.spec.name = tr("loader wait");
        place.spec.unit = tr("ms");
        place.spec.side = PlotSide::Right;
    } else if (series.startsWith(QLatin1String("memory.")) && series.endsWith(QLatin1String("_bytes"))) {
        place.plot = m_memory;
        const QString part = series.mid(7).chopped(6);
        place.spec.name = part == QLatin1String("rss")                ? tr("process")
                          : part == QLatin1String("tensors")          ? tr("tensors")
                          : part == QLatin1String("gradients")        ? tr("gradients")
                          : part == QLatin1String("optimizer_state")  ? tr("optimizer state")
                          : part == QLatin1String("prefetch")         ? tr("batches ahead")
                          : part == QLatin1String("activations_peak") ? tr("activations, most so far")
                                                                      : part;
        place.spec.unit = tr("MB");
        place.spec.smooth = false;
    }
    if (validation) {
        place.spec.style = Qt::DashLine;
        place.spec.points = true;
        place.spec.smooth = false;
    }
    return place;
}

void TrainPlots::noteEpochs(const SeriesChunk& chunk) {
    bool changed = false;
    for (std::size_t i = 0; i < chunk.epoch.size(); ++i) {
        if (chunk.epoch[i] > m_lastEpoch) {
            m_lastEpoch = chunk.epoch[i];
            m_epochStarts.push_back(chunk.step[i]);
            changed = true;
        }
    }
    if (changed) {
        m_group->setEpochStarts(m_epochStarts);
    }
}

void TrainPlots::append(const QList<SeriesChunk>& chunks) {
    for (const SeriesChunk& chunk : chunks) {
        if (chunk.series == QLatin1String("scaler.skipped")) {
            std::vector<double> skipped;
            for (std::size_t i = 0; i < chunk.value.size(); ++i) {
                // A running count: a step was skipped where it grows. After a resume it may begin lower again.
                if (chunk.value[i] > m_skipped) {
                    skipped.push_back(chunk.step[i]);
                }
                m_skipped = chunk.value[i];
            }
            m_loss->appendSkippedSteps(skipped);
            m_rate->appendSkippedSteps(skipped);
            continue;
        }
        const Place place = placeOf(chunk.series);
        if (place.plot == nullptr) {
            continue;
        }
        if (!m_known.contains(chunk.series)) {
            m_known.insert(chunk.series, true);
            place.plot->addSeries(place.spec);
            if (isRate(chunk.series) && m_planned.countsEpochs) {
                showPlannedRate();
            }
        }
        if (place.plot == m_memory) {
            std::vector<double> megabytes(chunk.value);
            for (double& value : megabytes) {
                value /= 1e6;
            }
            place.plot->append(chunk.series, {chunk.step, chunk.epoch, chunk.seconds, megabytes});
        } else {
            place.plot->append(chunk.series, {chunk.step, chunk.epoch, chunk.seconds, chunk.value});
        }
        if (isRate(chunk.series)) {
            noteRates(chunk.value);
        }
        if (chunk.series == QLatin1String("train.loss")) {
            noteEpochs(chunk);
        }
    }
}

void TrainPlots::setMarks(const std::vector<diagnostics::Finding>& findings, const QList<LiveChange>& changes) {
    std::vector<PlotMark> marks;
    for (const LiveChange& change : changes) {
        marks.push_back(
            {kChange + change.path, change.step, Severity::Info,
             tr("%1 is %2 from step %3 on").arg(change.path, change.value, QString::number(change.step, 'f', 0))});
    }
    for (const diagnostics::Finding& finding : findings) {
        marks.push_back({text(finding.id), static_cast<double>(finding.step), toWidget(finding.severity),
                         engineSentence(finding.message)});
    }
    m_group->setMarks(marks);
}

void TrainPlots::setRunning(bool on) {
    if (m_running == on) {
        return;
    }
    m_running = on;
    for (PlotWidget* plot : m_plots) {
        plot->setEmptyText(!on                ? tr("Nothing yet. Press F5 to train this model.")
                           : plot == m_metric ? tr("Nothing yet: values come with the first validation.")
                                              : tr("Nothing yet: values come with the first steps."));
    }
}

void TrainPlots::setYLog(bool on) {
    m_loss->setYLog(on);
    for (PlotWidget* plot : m_gradients) {
        plot->setYLog(on);
    }
}

}  // namespace plumbline::gui
