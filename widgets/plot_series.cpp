// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plumbline::widgets {

void MinMaxPyramid::clear() {
    for (auto& level : m_levels)
        level.clear();
    m_size = 0;
}

void MinMaxPyramid::extend(std::span<const double> values) {
    for (; m_size < values.size(); ++m_size) {
        std::size_t block = m_size;
        for (auto& level : m_levels) {
            block /= kFan;
            if (block == level.size())
                level.emplace_back();
            level[block].add(values[m_size]);
        }
    }
}

MinMax MinMaxPyramid::range(std::span<const double> values, std::size_t first, std::size_t last) const {
    MinMax result;
    last = std::min(last, m_size);
    while (first < last) {
        if (first % kFan != 0 || first + kFan > last) {
            result.add(values[first++]);
            continue;
        }
        std::size_t level = 0;
        std::size_t width = kFan;
        while (level + 1 < m_levels.size() && first % (width * kFan) == 0 && first + width * kFan <= last) {
            ++level;
            width *= kFan;
        }
        result.add(m_levels[level][first / width]);
        first += width;
    }
    return result;
}

const std::vector<double>& PlotSeries::x(PlotXAxis axis) const {
    switch (axis) {
        case PlotXAxis::Epoch:
            return m_epoch;
        case PlotXAxis::Seconds:
            return m_seconds;
        case PlotXAxis::Step:
            break;
    }
    return m_step;
}

void PlotSeries::append(const PlotSamples& samples) {
    const std::size_t count = std::min(samples.step.size(), samples.value.size());
    if (count == 0)
        return;
    const std::size_t before = size();
    const bool backwards = before > 0 && samples.step[0] < m_step.back();
    m_step.insert(m_step.end(), samples.step.begin(), samples.step.begin() + static_cast<std::ptrdiff_t>(count));
    // An axis that was not given for every value cannot be drawn: the column goes.
    const auto extendColumn = [&](std::vector<double>& column, std::span<const double> more) {
        if (column.size() == before && more.size() >= count)
            column.insert(column.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(count));
        else
            column.clear();
    };
    extendColumn(m_epoch, samples.epoch);
    extendColumn(m_seconds, samples.seconds);
    auto& raw = m_raw.values;
    raw.insert(raw.end(), samples.value.begin(), samples.value.begin() + static_cast<std::ptrdiff_t>(count));
    if (backwards || !std::is_sorted(m_step.begin() + static_cast<std::ptrdiff_t>(before), m_step.end())) {
        sortAll();
        return;
    }
    m_raw.pyramid.extend(raw);
    for (std::size_t i = before; i < raw.size(); ++i) {
        if (!std::isfinite(raw[i]))
            m_nonFinite.push_back(i);
        else if (raw[i] > 0)
            m_leastPositive = std::min(m_leastPositive, raw[i]);
    }
    if (isSmoothed())
        smoothFrom(before);
}

void PlotSeries::sortAll() {
    std::vector<std::size_t> order(m_step.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return m_step[a] < m_step[b]; });
    const auto permute = [&order](std::vector<double>& column) {
        if (column.size() != order.size())
            return;
        std::vector<double> sorted(column.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            sorted[i] = column[order[i]];
        column = std::move(sorted);
    };
    permute(m_epoch);
    permute(m_seconds);
    permute(m_raw.values);
    permute(m_step);
    recount();
}

void PlotSeries::recount() {
    m_raw.pyramid.clear();
    m_raw.pyramid.extend(m_raw.values);
    m_nonFinite.clear();
    m_leastPositive = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < m_raw.values.size(); ++i) {
        if (!std::isfinite(m_raw.values[i]))
            m_nonFinite.push_back(i);
        else if (m_raw.values[i] > 0)
            m_leastPositive = std::min(m_leastPositive, m_raw.values[i]);
    }
    smoothFrom(0);
}

void PlotSeries::truncateFrom(double step) {
    const auto keep = static_cast<std::size_t>(std::lower_bound(m_step.begin(), m_step.end(), step) - m_step.begin());
    if (keep == size())
        return;
    m_step.resize(keep);
    if (m_epoch.size() > keep)
        m_epoch.resize(keep);
    if (m_seconds.size() > keep)
        m_seconds.resize(keep);
    m_raw.values.resize(keep);
    recount();
}

void PlotSeries::clear() {
    truncateFrom(-std::numeric_limits<double>::infinity());
}

void PlotSeries::setSmoothing(double factor) {
    m_factor = std::clamp(factor, 0.0, 0.999);
    smoothFrom(0);
}

void PlotSeries::smoothFrom(std::size_t first) {
    if (first == 0 || m_smooth.values.size() != first) {
        m_smooth.values.clear();
        m_smooth.pyramid.clear();
        m_average = 0;
        m_bias = 1;
        first = 0;
    }
    if (!isSmoothed())
        return;
    m_smooth.values.reserve(m_raw.values.capacity());
    for (std::size_t i = first; i < m_raw.values.size(); ++i) {
        const double value = m_raw.values[i];
        if (std::isfinite(value)) {
            m_average = m_factor * m_average + (1 - m_factor) * value;
            m_bias *= m_factor;
        }
        m_smooth.values.push_back(std::isfinite(value) ? m_average / (1 - m_bias) : value);
    }
    m_smooth.pyramid.extend(m_smooth.values);
}

std::pair<std::size_t, std::size_t> PlotSeries::indices(PlotXAxis axis, double lower, double upper) const {
    const auto& xs = x(axis);
    const auto first = std::lower_bound(xs.begin(), xs.end(), lower);
    const auto last = std::upper_bound(first, xs.end(), upper);
    return {static_cast<std::size_t>(first - xs.begin()), static_cast<std::size_t>(last - xs.begin())};
}

std::size_t PlotSeries::nearest(PlotXAxis axis, double at) const {
    const auto& xs = x(axis);
    if (xs.empty())
        return size();
    auto found = std::lower_bound(xs.begin(), xs.end(), at);
    if (found == xs.end() || (found != xs.begin() && at - *(found - 1) < *found - at))
        --found;
    return static_cast<std::size_t>(found - xs.begin());
}

}  // namespace plumbline::widgets
