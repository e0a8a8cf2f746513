// The settings of a plan that hold a learning rate, and all of them times a factor.

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <limits>

#include "core/json.h"
#include "plan/schedule.h"

namespace plumbline::plan {
namespace {

/// Options of schedules that are rates themselves, not shares of one.
constexpr const char* kRateOptions[] = {"max_lr", "base_lr", "min_lr", "swa_lr"};

bool hasParts(const SchedulerSpec& spec) {
    return spec.type == "sequence" || spec.type == "chained";
}

bool partFollowsBase(const TypedOptions& part) {
    const TypeSpec* kind = part.kind();
    return kind == nullptr || kind->option("max_lr") == nullptr || !part.optionalNumber("max_lr");
}

void forEachPart(const SchedulerSpec& spec,
                 const std::function<void(const TypedOptions& part, const std::string& path)>& visit) {
    if (!hasParts(spec)) {
        visit(spec, "training.scheduler");
    }
    for (std::size_t i = 0; hasParts(spec) && i < spec.phases.size(); ++i) {
        visit(spec.phases[i], fmt::format("training.scheduler.phases.{}", i));
    }
}

bool somePartFollowsBase(const SchedulerSpec& spec) {
    bool follows = spec.warmup > 0;  // it rises to the base
    forEachPart(spec,
                [&](const TypedOptions& part, const std::string&) { follows = follows || partFollowsBase(part); });
    return follows;
}

/// The options of a part that are rates, with whether they are stated.
void forEachRate(const TypedOptions& part,
                 const std::function<void(const std::string& name, double rate, bool isStated)>& visit) {
    for (const char* name : kRateOptions) {
        if (const TypeSpec* kind = part.kind(); kind != nullptr && kind->option(name) != nullptr) {
            visit(name, part.optionalNumber(name).value_or(0), part.options.contains(name));
        }
    }
}

/// Without the rates that only a default gives.
SchedulerSpec statedPart(SchedulerSpec spec) {
    const auto leaveOut = [](TypedOptions& part) {
        forEachRate(TypedOptions(part), [&part](const std::string& name, double rate, bool isStated) {
            if (!isStated && rate > 0) {
                part.options[name] = 0;
            }
        });
    };
    leaveOut(spec);
    for (auto& phase : spec.phases) {
        leaveOut(phase);
    }
    return spec;
}

/// Positions that are looked at; past so many, as evenly spaced as they go.
constexpr std::int64_t kMostPositions = 2'000'000;

/// A cycle of which a position comes so near to its top is gone through to there.
constexpr double kNearTop = 0.9;

double toSixDigits(double value) {
    return numberFromJson(parseJson(fmt::format("{:.6g}", value), "lr").value_or(Json()));
}

}  // namespace

bool followsBase(const SchedulerSpec& spec) {
    constexpr std::int64_t kLooked = 1000;  // from where each part of a sequence begins
    constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 2;
    std::vector<std::int64_t> begins{0};
    for (std::size_t i = 0; spec.type == "sequence" && i < spec.phases.size() && spec.phases[i].length > 0; ++i) {
        begins.push_back(std::min(kLatest - begins.back(), spec.phases[i].length) + begins.back());
    }
    const Schedule schedule(spec, begins.back() + kLooked);
    return std::any_of(begins.begin(), begins.end(), [&](std::int64_t begin) {
        for (std::int64_t position = begin; position < begin + kLooked; ++position) {
            if (schedule.rate(1.0, position) != schedule.rate(2.0, position)) {
                return true;
            }
        }
        return false;
    });
}

double highestRate(const SchedulerSpec& spec, double base, std::int64_t length) {
    const Schedule schedule(statedPart(spec), length);
    const std::int64_t last = std::max<std::int64_t>(0, length - 1);
    const std::int64_t stride = std::max<std::int64_t>(1, length / kMostPositions);
    double highest = schedule.rate(base, last);
    for (std::int64_t position = 0; position < last; position += stride) {
        highest = std::max(highest, schedule.rate(base, position));
    }
    // The top of a cycle may lie between two positions: then the number that is set is meant.
    if (const TypeSpec* kind = spec.kind(); kind != nullptr && kind->option("max_lr") != nullptr) {
        const double top = spec.optionalNumber("max_lr").value_or(base);
        highest = highest < top && highest > kNearTop * top ? top : highest;
    }
    return highest > 0 ? highest : base;
}

std::vector<RateChange> scaledRates(const TrainingPlan& plan, double factor) {
    std::vector<RateChange> changes;
    const auto scale = [&](const std::string& path, double rate) {
        if (rate > 0) {
            changes.push_back({path, rate, toSixDigits(rate * factor)});
        }
    };
    if (somePartFollowsBase(plan.scheduler)) {
        scale("training.optimizer.lr", plan.optimizer.lr);
        for (std::size_t i = 0; i < plan.optimizer.groups.size(); ++i) {
            scale(fmt::format("training.optimizer.groups.{}.lr", i),
                  plan.optimizer.groups[i].frozen ? 0 : plan.optimizer.groups[i].lr.value_or(0));
        }
    }
    forEachPart(plan.scheduler, [&](const TypedOptions& part, const std::string& path) {
        forEachRate(part, [&](const std::string& name, double rate, bool isStated) {
            scale(path + "." + name, isStated ? rate : 0);
        });
    });
    return changes;
}

std::vector<RateChange> unstatedRates(const TrainingPlan& plan) {
    std::vector<RateChange> unstated;
    forEachPart(plan.scheduler, [&](const TypedOptions& part, const std::string& path) {
        forEachRate(part, [&](const std::string& name, double rate, bool isStated) {
            if (!isStated && rate > 0) {
                unstated.push_back({path + "." + name, rate, rate});
            }
        });
    });
    return unstated;
}

}  // namespace plumbline::plan
