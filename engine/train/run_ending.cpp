#include "train/run_ending.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace plumbline::train {

namespace {

std::string codeOf(StopReason reason) {
    switch (reason) {
        case StopReason::kInterrupt:
            return "interrupt";
        case StopReason::kTerminate:
            return "terminate";
        case StopReason::kFinding:
            return "finding";
        case StopReason::kNone:
        case StopReason::kUser:
            break;
    }
    return "user";
}

}  // namespace

Ending endingOfPlan(const plan::TrainingPlan& plan, std::int64_t asked, const RunLength& length,
                    const Position& position, const StopConditions& stops) {
    if (stops.reached()) {
        return {"completed", position.stop.code, stops.sentence()};
    }
    const bool ofPlan = asked == 0 || (plan.maxSteps > 0 && plan.maxSteps <= asked);
    // A limit that is asked for and where the plan ends anyway stops nothing.
    if (length.isLimitReached(position.steps.attempted) && (ofPlan || position.epoch < length.epochs)) {
        return {ofPlan ? "completed" : "stopped", "max_steps",
                fmt::format("Reached the limit of {} in epoch {} of {}.", counted(length.stepLimit, "step"),
                            std::min(position.epoch + 1, length.epochs), length.epochs)};
    }
    return {
        "completed", "epochs",
        fmt::format("Trained for {}, {}.", counted(length.epochs, "epoch"), counted(position.steps.attempted, "step"))};
}

Ending endingOfStop(StopReason reason, bool saved, const Position& position, std::int64_t epochs) {
    if (!saved) {
        const session::RunSummary nothing = stoppedBeforeItBegan(reason);
        return {nothing.status, nothing.stopCode, nothing.stopMessage};
    }
    const std::string where = fmt::format("after {}, in epoch {} of {}", counted(position.steps.attempted, "step"),
                                          std::min(position.epoch + 1, epochs), epochs);
    switch (reason) {
        case StopReason::kInterrupt:
            return {"stopped", codeOf(reason), fmt::format("Interrupted {}; everything so far is saved.", where)};
        case StopReason::kTerminate:
            return {"stopped", codeOf(reason), fmt::format("Terminated {}; everything so far is saved.", where)};
        case StopReason::kFinding:
            return {"stopped", codeOf(reason), fmt::format("Stopped by a finding {}.", where)};
        case StopReason::kNone:
        case StopReason::kUser:
            break;
    }
    return {"stopped", codeOf(reason), fmt::format("Stopped {}.", where)};
}

session::RunSummary stoppedBeforeItBegan(StopReason reason) {
    session::RunSummary summary;
    summary.status = "stopped";
    summary.stopCode = codeOf(reason);
    summary.stopMessage = "Stopped before it began.";
    return summary;
}

}  // namespace plumbline::train
