// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/target_histogram.h"

#include <algorithm>
#include <cmath>

#include "gui/pages/sample_view.h"

namespace plumbline::gui {

namespace {

constexpr data::Split kSplits[] = {data::Split::kTrain, data::Split::kValidation, data::Split::kTest};
constexpr std::int64_t kMostSamples = 20'000, kMostFiles = 256;  ///< a split that are looked at
constexpr std::int64_t kAtOnce = 256;
constexpr std::size_t kBins = 16;

bool isNumber(const data::FeedInfo& feed) {
    return feed.classes.empty() &&
           std::all_of(feed.dims.begin(), feed.dims.end(), [](std::int64_t dim) { return dim == 1; });
}

Result<std::vector<double>> valuesOf(const data::Dataset& dataset, data::Split split, std::size_t target,
                                     std::int64_t most, const std::atomic<bool>& abandon) {
    const std::int64_t size = dataset.size(split);
    const std::int64_t count = std::min(size, most);
    std::vector<double> values;
    std::vector<std::int64_t> positions;
    data::HostBatch batch;
    for (std::int64_t first = 0; first < count && !abandon; first += kAtOnce) {
        positions.clear();
        for (std::int64_t i = first; i < std::min(first + kAtOnce, count); ++i) {
            positions.push_back(i * size / count);  // evenly over the split
        }
        data::BatchRequest request;
        request.split = split;
        request.positions = positions;
        request.abandon = &abandon;
        if (const Status filled = dataset.fillBatch(request, batch); !filled) {
            if (abandon) {
                break;
            }
            return fail(filled.error());
        }
        for (std::int64_t sample = 0; sample < batch.size(); ++sample) {
            if (const auto value = targetNumber(dataset, batch, target, sample); value && std::isfinite(*value)) {
                values.push_back(*value);
            }
        }
    }
    return values;
}

}  // namespace

Result<std::optional<TargetHistogram>> readTargetHistogram(const data::Dataset& dataset,
                                                           const std::atomic<bool>& abandon) {
    const auto& targets = dataset.targets();
    const auto number = std::find_if(targets.begin(), targets.end(), isNumber);
    if (number == targets.end()) {
        return std::nullopt;
    }
    TargetHistogram histogram;
    histogram.target = number->name;
    const std::int64_t most = dataset.readsFiles() ? kMostFiles : kMostSamples;
    std::array<std::vector<double>, 3> values;
    std::optional<double> lower, upper;
    for (std::size_t i = 0; i < values.size(); ++i) {
        PLUMBLINE_ASSIGN(values[i], valuesOf(dataset, kSplits[i], static_cast<std::size_t>(number - targets.begin()),
                                             most, abandon));
        histogram.ofSome = histogram.ofSome || dataset.size(kSplits[i]) > most;
        for (const double value : values[i]) {
            lower = std::min(lower.value_or(value), value);
            upper = std::max(upper.value_or(value), value);
        }
    }
    if (abandon || !lower) {
        return std::nullopt;
    }
    histogram.lower = *lower;
    histogram.upper = *upper > *lower ? *upper : *lower + 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        histogram.counts[i].resize(kBins);
        for (const double value : values[i]) {
            const double place =
                (value - histogram.lower) / (histogram.upper - histogram.lower) * static_cast<double>(kBins);
            ++histogram.counts[i][std::min(kBins - 1, static_cast<std::size_t>(std::max(0.0, place)))];
        }
    }
    return histogram;
}

}  // namespace plumbline::gui
