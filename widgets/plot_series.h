// SPDX-License-Identifier: GPL-3.0-or-later
// The data of one curve: columns, an incremental min/max pyramid over them, and the smoothed curve.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "widgets/plot_widget.h"

namespace plumbline::widgets {

/// Empty: least > largest.
struct MinMax {
    double least = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();
    bool isEmpty() const { return least > largest; }
    /// Ignores what is not finite.
    void add(double value) {
        if (std::isfinite(value)) {
            least = std::min(least, value);
            largest = std::max(largest, value);
        }
    }
    void add(const MinMax& other) {
        least = std::min(least, other.least);
        largest = std::max(largest, other.largest);
    }
};

/// Least and largest finite value of any index range in O(log n), kept up to date value by value.
class MinMaxPyramid {
public:
    /// `values` is the whole column, of which the first size() are known already.
    void extend(std::span<const double> values);
    void clear();
    std::size_t size() const { return m_size; }
    /// Of the values [first, last) of the same column.
    MinMax range(std::span<const double> values, std::size_t first, std::size_t last) const;

    /// Ranges whose ends are multiples of this are read from whole blocks alone.
    static constexpr std::size_t kFan = 16;

private:
    std::array<std::vector<MinMax>, 5> m_levels;  ///< level k: blocks of kFan^(k+1) values
    std::size_t m_size = 0;
};

/// A column and its pyramid.
struct PlotColumn {
    std::vector<double> values;
    MinMaxPyramid pyramid;
    MinMax range(std::size_t first, std::size_t last) const { return pyramid.range(values, first, last); }
};

class PlotSeries {
public:
    explicit PlotSeries(PlotSeriesSpec spec) : m_spec(std::move(spec)) {}

    PlotSeriesSpec& spec() { return m_spec; }
    const PlotSeriesSpec& spec() const { return m_spec; }
    bool visible = true;

    void append(const PlotSamples& samples);
    void truncateFrom(double step);
    void clear();
    /// Exponential moving average with bias correction, as TensorBoard draws it; values that are not finite are passed
    /// over.
    void setSmoothing(double factor);

    std::size_t size() const { return m_raw.values.size(); }
    /// Empty where this series was not given that axis.
    const std::vector<double>& x(PlotXAxis axis) const;
    const PlotColumn& raw() const { return m_raw; }
    bool isSmoothed() const { return m_factor > 0 && m_spec.smooth; }
    /// The smoothed column where smoothing is on, else the raw one.
    const PlotColumn& shown() const { return isSmoothed() ? m_smooth : m_raw; }
    const std::vector<std::size_t>& nonFinite() const { return m_nonFinite; }
    double leastPositive() const { return m_leastPositive; }

    /// Index range [first, last) whose x lies in [lower, upper].
    std::pair<std::size_t, std::size_t> indices(PlotXAxis axis, double lower, double upper) const;
    /// Index nearest to x; size() when there is none.
    std::size_t nearest(PlotXAxis axis, double x) const;

private:
    void smoothFrom(std::size_t first);
    void sortAll();
    void recount();

    PlotSeriesSpec m_spec;
    std::vector<double> m_step, m_epoch, m_seconds;
    PlotColumn m_raw, m_smooth;
    std::vector<std::size_t> m_nonFinite;
    double m_factor = 0;
    double m_average = 0;  ///< before bias correction
    double m_bias = 1;     ///< factor^n
    double m_leastPositive = std::numeric_limits<double>::infinity();
};

}  // namespace plumbline::widgets
