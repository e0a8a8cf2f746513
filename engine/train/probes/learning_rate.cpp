// The learning-rate range test of Smith 2017 (Cyclical Learning Rates for Training Neural Networks, section 3.3): the
// rate rises geometrically, and the loss, smoothed as an exponential moving average with its bias taken out, tells
// where it falls fastest.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "plan/schedule.h"
#include "train/probes/probe_bench.h"

namespace plumbline::train {
namespace {

constexpr double kSmoothing = 0.9;       ///< share of the average that is kept
constexpr double kDiverged = 4.0;        ///< times the lowest smoothed loss
constexpr std::size_t kFirstJudged = 5;  ///< before it the average is that of a few batches
constexpr std::size_t kFewestPoints = 10;

/// How far the smoothed loss has to fall, in deviations of a batch's loss from its neighbours'. The average of noise
/// alone strays by about a quarter of one, so that its range over a hundred batches stays below this.
constexpr double kNoise = 2.0;

struct Point {
    double lr = 0, loss = 0, smoothed = 0;
};

/// Deviation of the losses about their trend: from the median of the differences between neighbours, which neither a
/// fall nor a divergence at the end changes much (1.4826 turns a median into a deviation, and a difference has two of
/// them).
double noiseOf(const std::vector<Point>& points) {
    std::vector<double> differences;
    for (std::size_t i = 1; i < points.size(); ++i) {
        differences.push_back(std::abs(points[i].loss - points[i - 1].loss));
    }
    return differences.empty() ? 0 : 1.4826 * medianOf(differences) / std::sqrt(2.0);
}

/// Whether the smoothed loss falls by more than batches differ by chance.
bool falls(const std::vector<Point>& points, std::size_t lowest) {
    double highest = points[lowest].smoothed;
    for (std::size_t i = std::min(kFirstJudged, lowest); i < lowest; ++i) {
        highest = std::max(highest, points[i].smoothed);
    }
    return highest - points[lowest].smoothed > kNoise * noiseOf(points);
}

/// Where the smoothed loss falls fastest by the logarithm of the rate, before its lowest place; the points' number
/// where it never does.
std::size_t steepest(const std::vector<Point>& points, std::size_t lowest) {
    std::size_t best = points.size();
    double slope = 0;
    for (std::size_t i = kFirstJudged; i + 1 <= lowest && i + 1 < points.size(); ++i) {
        const double here = (points[i + 1].smoothed - points[i - 1].smoothed) /
                            (std::log(points[i + 1].lr) - std::log(points[i - 1].lr));
        if (here < slope) {
            slope = here;
            best = i;
        }
    }
    return best;
}

/// The settings that make the run's highest rate the suggested one, to two digits. `highest`: what it is as planned.
void addChanges(Json& report, const plan::TrainingPlan& training, double suggested, double highest) {
    const double rounded = numberFromJson(parseJson(fmt::format("{:.2g}", suggested), "lr").value_or(Json()));
    std::vector<plan::RateChange> changes{{"training.optimizer.lr", training.optimizer.lr, rounded}};
    if (highest > 0) {
        report["factor"] = rounded / highest;
        changes = plan::scaledRates(training, rounded / highest);
    }
    for (const plan::RateChange& change : changes) {
        report["changes"].push_back(
            {{"path", change.path}, {"from", numberToJson(change.from)}, {"value", numberToJson(change.value)}});
    }
}

}  // namespace

Result<Json> probeLearningRate(const session::ProbeRequest& request, RunControl& control,
                               const ProbeProgress& progress) {
    if (!(request.lowest > 0) || !(request.highest > request.lowest) ||
        request.steps < static_cast<std::int64_t>(kFewestPoints)) {
        return fail(
            ErrorKind::kUsage, "bad-range",
            fmt::format("The rates go from {} to {} in {} steps.", request.lowest, request.highest, request.steps), {},
            fmt::format("Take a lowest rate above 0, a higher one, and at least {} steps.", kFewestPoints));
    }
    if (request.project.training.optimizer.type == "LBFGS") {
        return fail(ErrorKind::kUsage, "no-rate-for-lbfgs",
                    "LBFGS decides the length of a step from the steps before it, so a rate that rises from step to "
                    "step tells nothing about it.",
                    "/training/optimizer/type",
                    "Leave its learning rate at 1, with line_search_fn \"strong_wolfe\", or choose another optimizer.");
    }
    if (!request.project.training.phases.empty()) {
        return fail(ErrorKind::kInvalid, "phases-have-no-range",
                    "The losses of several phases work against each other, so where their sum falls says nothing about "
                    "a learning rate.",
                    "/training/phases",
                    "Set the phases' rates by hand; 0.0002 with Adam and betas of 0.5 and 0.999 is usual for a GAN.");
    }
    if (plan::readsRateOnce(request.project.training.optimizer)) {
        return fail(ErrorKind::kUsage, "no-rate-for-rprop",
                    fmt::format("{} takes the learning rate as the size of a parameter's first step and never looks at "
                                "it again, so a rate that rises from step to step tells nothing about it.",
                                request.project.training.optimizer.type),
                    "/training/optimizer/type", "Leave its learning rate as it is, or choose another optimizer.");
    }
    PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(request.project, control));
    OptimizerSet& optimizer = *bench->setup().optimizer;
    const plan::TrainingPlan& training = request.project.training;
    // What the run would have at its highest, by its own schedule.
    std::vector<double> highest;
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        highest.push_back(
            plan::highestRate(training.scheduler, optimizer.baseLearningRate(group), bench->setup().length.schedule));
    }
    const double base = *std::max_element(highest.begin(), highest.end());
    std::vector<Point> points;
    double average = 0, lowestLoss = std::numeric_limits<double>::infinity();
    std::optional<double> divergedAt;
    for (std::int64_t i = 0; i < request.steps && !divergedAt; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(request.steps - 1);
        const double lr = request.lowest * std::pow(request.highest / request.lowest, share);
        for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
            // Groups keep their ratio to each other.
            optimizer.setLearningRate(group, base > 0 ? lr * highest[group] / base : lr);
        }
        PLUMBLINE_ASSIGN(const ProbeStep step, bench->wholeStep());
        tellCount(request, i + 1, request.steps);
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
    Json report{{"points", std::move(list)}, {"suggested", nullptr},
                {"lowest_loss_at", nullptr}, {"diverged_at", divergedAt ? Json(*divergedAt) : Json()},
                {"highest_now", base},       {"factor", nullptr},
                {"changes", Json::array()}};
    const std::size_t best =
        points.size() >= kFewestPoints && falls(points, lowest) ? steepest(points, lowest) : points.size();
    if (best == points.size()) {
        report["explanation"] =
            points.size() < kFewestPoints
                ? fmt::format("The loss was no number, or far above its lowest, after {}: no rate can be told.",
                              counted(static_cast<std::int64_t>(points.size()), "step"))
                : std::string(
                      "The loss fell at no rate by more than its batches differ by chance: check the data, the targets "
                      "and the loss, or try higher rates and more steps.");
        return report;
    }
    report["suggested"] = points[best].lr;
    report["lowest_loss_at"] = points[lowest].lr;
    addChanges(report, training, points[best].lr, base);
    report["explanation"] = fmt::format("The loss falls fastest at {}, is lowest at {} and {}.",
                                        numberText(points[best].lr, 3), numberText(points[lowest].lr, 3),
                                        divergedAt ? fmt::format("diverges at {}", numberText(*divergedAt, 3))
                                                   : std::string("does not diverge in the range"));
    for (const plan::RateChange& rate : plan::unstatedRates(training)) {
        report["explanation"] = report["explanation"].get<std::string>() + " " +
                                fmt::format("{} is not stated and stays {}.", rate.path, numberText(rate.value));
    }
    return report;
}

}  // namespace plumbline::train
