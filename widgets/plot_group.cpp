// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "widgets/plot_widget.h"

namespace plumbline::widgets {

PlotGroup::PlotGroup(QObject* parent) : QObject(parent) {}

void PlotGroup::add(PlotWidget* plot) {
    if (std::find(m_plots.begin(), m_plots.end(), plot) != m_plots.end())
        return;
    if (!m_plots.empty()) {
        plot->setSmoothing(m_plots.front()->smoothing());
        plot->setXAxis(m_plots.front()->xAxis());
        plot->setXLog(m_plots.front()->isXLog());
    }
    m_plots.push_back(plot);
    connect(plot, &PlotWidget::cursorMoved, this, [this, plot](double x) { shareCursor(plot, x); });
    connect(plot, &PlotWidget::zoomChanged, this, [this, plot] { shareRange(plot); });
    connect(plot, &QObject::destroyed, this, [this, plot] { std::erase(m_plots, plot); });
}

void PlotGroup::remove(PlotWidget* plot) {
    std::erase(m_plots, plot);
    plot->disconnect(this);
}

void PlotGroup::setSharesRange(bool shares) {
    m_sharesRange = shares;
}

void PlotGroup::setSmoothing(double factor) {
    for (PlotWidget* plot : m_plots)
        plot->setSmoothing(factor);
}

void PlotGroup::setXAxis(PlotXAxis axis) {
    for (PlotWidget* plot : m_plots)
        plot->setXAxis(axis);
}

void PlotGroup::setXLog(bool on) {
    for (PlotWidget* plot : m_plots)
        plot->setXLog(on);
}

void PlotGroup::setEpochStarts(const std::vector<double>& steps) {
    for (PlotWidget* plot : m_plots)
        plot->setEpochStarts(steps);
}

void PlotGroup::setMarks(const std::vector<PlotMark>& marks) {
    for (PlotWidget* plot : m_plots)
        plot->setMarks(marks);
}

void PlotGroup::resetZoom() {
    for (PlotWidget* plot : m_plots)
        plot->resetZoom();
}

void PlotGroup::shareCursor(PlotWidget* source, double x) {
    for (PlotWidget* plot : m_plots)
        if (plot != source && plot->xAxis() == source->xAxis())
            plot->showCursor(x);
}

void PlotGroup::shareRange(PlotWidget* source) {
    if (m_sharing || !m_sharesRange)
        return;
    m_sharing = true;
    const auto [lower, upper] = source->xRange();
    for (PlotWidget* plot : m_plots) {
        if (plot == source || plot->xAxis() != source->xAxis())
            continue;
        if (source->isXZoomed())
            plot->zoomX(lower, upper);
        else if (plot->isXZoomed())
            plot->resetXZoom();
    }
    m_sharing = false;
}

}  // namespace plumbline::widgets
