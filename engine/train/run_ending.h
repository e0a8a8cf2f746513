#pragma once
// Why a run ended, when it did not fail.

#include <cstdint>
#include <string>

#include "core/run_control.h"
#include "session/engine.h"
#include "train/run_state.h"
#include "train/stop_conditions.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// As RunSummary has it.
struct Ending {
    std::string status = "completed";
    std::string code = "epochs";
    std::string message;
};

/// Of a run that has come to its end by itself. `asked`: the limit of steps that was asked for besides the plan's, 0
/// for none.
Ending endingOfPlan(const plan::TrainingPlan& plan, std::int64_t asked, const RunLength& length,
                    const Position& position, const StopConditions& stops);
/// Of a run that was asked to stop, of so many epochs. `saved`: it has a checkpoint.
Ending endingOfStop(StopReason reason, bool saved, const Position& position, std::int64_t epochs);
/// What a run ends in that was asked to stop before it had a checkpoint, or its state back.
session::RunSummary stoppedBeforeItBegan(StopReason reason);

}  // namespace plumbline::train
