#include "cli/commands/sweep_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/text.h"
#include "data/dataset.h"
#include "plan/schedule.h"

namespace plumbline::cli {

namespace {

/// Steps after which the series has its first value.
std::int64_t firstValue(const project::Project& project, const std::string& series, std::int64_t trainSamples) {
    const plan::TrainingPlan& plan = project.training;
    // Of the whole, and of each phase, whose first step is the run's.
    const auto isLossOf = [&](const plan::PhaseSpec& phase) { return series == "train.loss." + phase.name; };
    if (series == "train.loss" || std::any_of(plan.phases.begin(), plan.phases.end(), isLossOf)) {
        return 1;
    }
    const std::int64_t anEpoch = std::max<std::int64_t>(
        1, plan::stepsPerEpoch(plan, trainSamples, project.data.loader.batchSize, project.data.loader.dropLast));
    if (!series.starts_with("val.")) {
        return anEpoch;
    }
    const std::int64_t lastEpoch = plan::epochsToRun(plan, anEpoch) * anEpoch;  // it is validated in any case
    return std::min(lastEpoch,
                    plan.validationUnit == plan::Unit::kStep ? plan.validationEvery : plan.validationEvery * anEpoch);
}

/// Whether a setting has a part in it.
bool decides(std::string_view path) {
    return path.starts_with("data.loader.") || path.starts_with("data.splits.") ||
           path.starts_with("training.validation.") || path.starts_with("training.stop.") ||
           path == "training.accumulation";
}

Result<std::int64_t> samplesOf(const project::Project& project) {
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder));
    return dataset->size(data::Split::kTrain);
}

/// Whether more validations give the series a value earlier.
bool waitsForValidation(const plan::TrainingPlan& plan, const std::string& series) {
    return series.starts_with("val.") && plan.validationEvery > 1;
}

}  // namespace

Status checkTrialLength(const project::Project& project, const sweep::SweepPlan& plan) {
    const bool halving = plan.method == "halving";
    const std::int64_t length = halving ? plan.minSteps : plan.maxSteps;
    if (length <= 0) {
        return {};
    }
    PLUMBLINE_ASSIGN(const std::int64_t samples, samplesOf(project));
    std::int64_t first = firstValue(project, plan.series, samples);
    bool lowers = waitsForValidation(project.training, plan.series);
    for (const std::string& text : plan.over) {
        PLUMBLINE_ASSIGN(const sweep::Parameter parameter, sweep::parseParameter(text));
        for (const std::string& value : !decides(parameter.path) ? std::vector<std::string>{}
                                        : parameter.isRange()    ? std::vector{parameter.at(0), parameter.at(1)}
                                                                 : parameter.choices) {
            PLUMBLINE_ASSIGN(const project::Project changed, project::withSetting(project, parameter.path, value));
            std::int64_t ofTrial = samples;
            if (parameter.path.starts_with("data.splits.")) {
                PLUMBLINE_ASSIGN(ofTrial, samplesOf(changed));
            }
            if (const std::int64_t later = firstValue(changed, plan.series, ofTrial); later > first) {
                first = later;
                lowers = waitsForValidation(changed.training, plan.series);
            }
        }
    }
    if (first <= length) {
        return {};
    }
    return fail(
        ErrorKind::kUsage, "sweep-too-short",
        fmt::format("{} ends after {}, and {} has its first value after {}.", halving ? "The first rung" : "Each trial",
                    counted(length, "step"), plan.series, counted(first, "step")),
        {},
        fmt::format("Raise {} to {} or more{}.", halving ? "--min-steps" : "--max-steps", first,
                    lowers ? ", or lower training.validation.every" : ""));
}

}  // namespace plumbline::cli
