#include "store/compare_series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <vector>

namespace plumbline::store {
namespace {

struct Value {
    std::int64_t step = 0;
    double value = 0;
};

Result<std::vector<Value>> valuesOf(const RunReader& run, const std::string& series, std::int64_t afterStep,
                                    std::int64_t lastStep) {
    std::vector<Value> values;
    PLUMBLINE_TRY(run.pointsBetween(series, afterStep + 1, lastStep, [&](const StoredPoint& point) {
        values.push_back({point.step, point.value});
    }));
    return values;
}

bool sameBits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

void compare(const std::string& series, const std::vector<Value>& a, const std::vector<Value>& b,
             SeriesComparison& into) {
    const auto differs = [&](std::int64_t step, double x, double y) {
        if (into.different++ == 0 || step < into.firstStep) {
            into.firstSeries = series;
            into.firstStep = step;
            into.firstA = x;
            into.firstB = y;
        }
        const double apart = std::abs(x - y) / std::max(1.0, std::abs(x));
        into.largest = std::isfinite(apart) ? std::max(into.largest, apart) : into.largest;
    };
    ++into.series;
    std::size_t i = 0, j = 0;
    for (; i < a.size() || j < b.size(); ++into.values) {
        // Both in step order; a step may stand there twice, as a validation's and an epoch's value.
        const bool onlyA = j >= b.size() || (i < a.size() && a[i].step < b[j].step);
        const bool onlyB = !onlyA && (i >= a.size() || b[j].step < a[i].step);
        if (onlyA) {
            differs(a[i].step, a[i].value, std::nan(""));
        } else if (onlyB) {
            differs(b[j].step, std::nan(""), b[j].value);
        } else if (!sameBits(a[i].value, b[j].value)) {
            differs(a[i].step, a[i].value, b[j].value);
        }
        i += onlyB ? 0 : 1;
        j += onlyA ? 0 : 1;
    }
}

}  // namespace

bool isReproducible(const std::string& series) {
    return series.starts_with("train.") || series.starts_with("val.") || series.starts_with("test.") ||
           series == "lr" || series.starts_with("lr/") || series == "scaler.scale";
}

void SeriesComparison::add(const SeriesComparison& later) {
    series = std::max(series, later.series);
    values += later.values;
    if (different == 0 && later.different > 0) {
        firstSeries = later.firstSeries;
        firstStep = later.firstStep;
        firstA = later.firstA;
        firstB = later.firstB;
    }
    different += later.different;
    largest = std::max(largest, later.largest);
}

Result<SeriesComparison> compareSeries(const RunReader& a, const RunReader& b, std::int64_t afterStep,
                                       std::int64_t lastStep,
                                       const std::function<bool(const std::string& series)>& which) {
    std::set<std::string> names;
    for (const RunReader* run : {&a, &b}) {
        PLUMBLINE_ASSIGN(const std::vector<StoredSeries> series, run->series());
        for (const StoredSeries& each : series) {
            if (which(each.name)) {
                names.insert(each.name);
            }
        }
    }
    SeriesComparison comparison;
    for (const std::string& name : names) {
        PLUMBLINE_ASSIGN(const std::vector<Value> left, valuesOf(a, name, afterStep, lastStep));
        PLUMBLINE_ASSIGN(const std::vector<Value> right, valuesOf(b, name, afterStep, lastStep));
        compare(name, left, right, comparison);
    }
    return comparison;
}

}  // namespace plumbline::store
