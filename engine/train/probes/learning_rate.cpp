// The learning-rate range test of Smith 2017 (Cyclical Learning Rates for Training Neural Networks, section 3.3): the rate rises
// geometrically, and the loss, smoothed as an exponential moving average with its bias taken out, tells where it falls fastest.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "train/probes/probe_bench.h"

namespace plumbline::train {
namespace {

constexpr double kSmoothing = 0.9;       ///< share of the average that is kept
constexpr double kDiverged = 4.0;        ///< times the lowest smoothed loss
constexpr std::size_t kFirstJudged = 5;  ///< before it the average is that of a few batches
constexpr std::size_t kFewestPoints = 10;

struct Point { double lr = 0, loss = 0, smoothed = 0; };

/// Where the smoothed loss falls fastest by the logarithm of the rate, before its lowest place; the points' number where it never does.
std::size_t steepest(const std::vector<Point>& points, std::size_t lowest) {
    std::size_t best = points.size();
    double slope = 0;
    for (std::size_t i = kFirstJudged; i + 1 <= lowest && i + 1 < points.size(); ++i) {
        const double here = (points[i + 1].smoothed - points[i - 1].smoothed) / (std::log(points[i + 1].lr) - std::log(points[i - 1].lr));
        if (here < slope) {
            slope = here;
            best = i;
        }
    }
    return best;
}

}  // namespace

Result<Json> probeLearningRate(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress) {
    if (!(request.lowest > 0) || !(request.highest > request.lowest) || request.steps < static_cast<std::int64_t>(kFewestPoints)) {
        return fail(ErrorKind::kUsage, "bad-range", fmt::format("The rates go from {} to {} in {} steps.", request.lowest, request.highest, request.steps), {},
                    fmt::format("Take a lowest rate above 0, a higher one, and at least {} steps.", kFewestPoints));
    }
    PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(request.project, control));
    Optimizer& optimizer = *bench->setup().optimizer;
    const double base = optimizer.largestBaseLearningRate();
    std::vector<Point> points;
    double average = 0, lowestLoss = std::numeric_limits<double>::infinity();
    std::optional<double> divergedAt;
    for (std::int64_t i = 0; i < request.steps && !divergedAt; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(request.steps - 1);
        const double lr = request.lowest * std::pow(request.highest / request.lowest, share);
        for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
            // Groups keep their ratio to each other.
            optimizer.setLearningRate(group, base > 0 ? lr * optimizer.baseLearningRate(group) / base : lr);
        }
        PLUMBLINE_TRY(bench->nextBatch());
        PLUMBLINE_ASSIGN(const ProbeStep step, bench->step());
        if (!std::isfinite(step.loss)) {
            divergedAt = lr;
            break;
        }
        average = kSmoothing * average + (1 - kSmoothing) * step.loss;
        const double smoothed = average / (1 - std::pow(kSmoothing, static_cast<double>(points.size() + 1)));
        points.push_back({lr, step.loss, smoothed});
        if (points.size() > kFirstJudged && smoothed > kDiverged * lowestLoss && lowestLoss > 0) {
            divergedAt = lr;
        }
        lowestLoss = points.size() > 1 ? std::min(lowestLoss, smoothed) : smoothed;
        if (progress && i % 10 == 9) {
            progress(fmt::format("rate {}: loss {}", numberText(lr, 3), numberText(step.loss, 4)));
        }
    }
    Json list = Json::array();
    std::size_t lowest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        list.push_back({points[i].lr, points[i].loss, points[i].smoothed});
        lowest = points[i].smoothed < points[lowest].smoothed ? i : lowest;
    }
    Json report{{"points", std::move(list)}, {"suggested", nullptr}, {"lowest_loss_at", nullptr}, {"diverged_at", divergedAt ? Json(*divergedAt) : Json()}};
    const std::size_t best = points.size() >= kFewestPoints ? steepest(points, lowest) : points.size();
    if (best == points.size()) {
        report["explanation"] = points.size() < kFewestPoints ? fmt::format("The loss was no number, or far above its lowest, after {}: no rate can be told.", counted(static_cast<std::int64_t>(points.size()), "step"))
                                                              : std::string("The loss fell at no rate: check the data, the targets and the loss, or try more steps.");
        return report;
    }
    report["suggested"] = points[best].lr;
    report["lowest_loss_at"] = points[lowest].lr;
    report["explanation"] = fmt::format("The loss falls fastest at {}, is lowest at {} and {}.", numberText(points[best].lr, 3), numberText(points[lowest].lr, 3),
                                        divergedAt ? fmt::format("diverges at {}", numberText(*divergedAt, 3)) : std::string("does not diverge in the range"));
    return report;
}

}  // namespace plumbline::train
