// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/trial_plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/convert.h"
#include "sweep/sweep_queue.h"
#include "widgets/plot_widget.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

const QString kTrials = QStringLiteral("trials"), kBest = QStringLiteral("best");
constexpr int kLetters = 12;
/// "1 SGD · 2 AdamW" below the axis of listed values that are no numbers.
QString axisName(const sweep::Parameter& parameter) {
    QString name = text(parameter.path);
    if (!parameter.isRange() && !allNumbers(parameter)) {
        QStringList all;
        for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
            all << QStringLiteral("%1 %2").arg(i + 1).arg(text(parameter.choices[i]));
        }
        name += QStringLiteral(": ") + all.join(QStringLiteral(" · "));
    }
    return name;
}

}  // namespace

TrialPlot::TrialPlot(QWidget* parent) : QWidget(parent) {
    m_chooser = new QWidget(this);
    auto* caption = new QLabel(tr("&Parameter"), m_chooser);
    m_parameter = new QComboBox(m_chooser);
    m_parameter->setObjectName(QStringLiteral("sweep_parameter"));
    m_parameter->setAccessibleName(tr("Parameter of the plot"));
    m_parameter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_parameter->setMinimumContentsLength(kLetters);
    caption->setBuddy(m_parameter);
    m_plot = new PlotWidget(this);
    m_plot->setObjectName(QStringLiteral("sweep_plot"));
    m_plot->setAccessibleName(tr("Objective over a parameter, a dot a trial"));
    m_plot->setTitle(tr("Trials"));
    m_plot->setEmptyText(tr("A dot appears here as each trial ends."));
    auto* row = new QHBoxLayout(m_chooser);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::kSmall);
    row->addWidget(caption);
    row->addWidget(m_parameter, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot, 1);
    connect(m_parameter, &QComboBox::currentIndexChanged, this, &TrialPlot::draw);
    connect(m_plot, &PlotWidget::exportFailed, this, &TrialPlot::exportFailed);
}

void TrialPlot::setSweep(const SweepEntry& sweep) {
    const QString chosen = m_parameter->currentText();
    m_sweep = sweep;
    QStringList paths;
    for (const sweep::Parameter& parameter : m_sweep.parameters) {
        paths << text(parameter.path);
    }
    {
        const QSignalBlocker quiet(m_parameter);
        m_parameter->clear();
        m_parameter->addItems(paths);
        m_parameter->setCurrentIndex(paths.isEmpty() ? -1 : std::max(0, static_cast<int>(paths.indexOf(chosen))));
    }
    draw();
}

void TrialPlot::draw() {
    m_plot->clearSeries();
    const int index = m_parameter->currentIndex();
    if (index < 0) {
        return;
    }
    const sweep::Parameter& parameter = m_sweep.parameters[static_cast<std::size_t>(index)];
    const auto best = sweep::bestTrial(m_sweep.plan, m_sweep.trials);
    std::vector<std::pair<double, double>> dots;
    std::vector<double> bestPlace, bestValue;
    for (const sweep::Trial& trial : m_sweep.trials) {
        const auto place = placeOnAxis(parameter, trial);
        if (!place || !trial.value || trial.status == "failed") {
            continue;
        }
        if (best && trial.number == best->number) {
            bestPlace = {*place};
            bestValue = {*trial.value};
        } else {
            dots.emplace_back(*place, *trial.value);
        }
    }
    std::sort(dots.begin(), dots.end());
    std::vector<double> places, values;
    for (const auto& [place, value] : dots) {
        places.push_back(place);
        values.push_back(value);
    }
    m_plot->setXName(axisName(parameter));
    m_plot->setXLog(isDrawnByLogarithm(parameter));
    m_plot->setYLabel(text(m_sweep.plan.series));
    const auto add = [&](const QString& id, const QString& name, int curve, const std::vector<double>& x,
                         const std::vector<double>& y) {
        if (x.empty()) {
            return;
        }
        PlotSeriesSpec spec;
        spec.id = id;
        spec.name = name;
        spec.curve = curve;
        spec.style = Qt::NoPen;
        spec.smooth = false;
        spec.points = true;
        spec.newest = id == kBest;
        m_plot->addSeries(spec);
        m_plot->setData(id, {x, {}, {}, y});
    };
    add(kTrials, tr("trials"), 0, places, values);
    add(kBest, tr("best trial"), 3, bestPlace, bestValue);
}

}  // namespace plumbline::gui
