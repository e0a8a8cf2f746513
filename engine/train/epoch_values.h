#pragma once
// What an epoch and a validation measured, as the run keeps and tells it.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/json.h"
#include "plan/plan.h"
#include "train/run_reporter.h"
#include "train/run_state.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// One thread: the one that trains. What it is given outlives it; values and matrices are the position's.
class EpochValues {
public:
    EpochValues(const plan::TrainingPlan& plan, TrainingSetup& setup, RunReporter& reporter, Position& position)
        : m_plan(plan), m_setup(setup), m_reporter(reporter), m_position(position) {}

    /// What was measured over a split ("train.", "val.", "test."): kept, published, and said once where there is no
    /// value.
    void take(const std::string& split, const std::map<std::string, double>& values,
              const std::vector<std::string>& undefined, const Json& matrices);
    /// At the end of an epoch's batches: takes the training metrics and the losses, and tells the event "epoch". Gives
    /// the epoch's loss, NaN where nothing counted for any.
    double tellEpoch();

private:
    const plan::TrainingPlan& m_plan;
    TrainingSetup& m_setup;
    RunReporter& m_reporter;
    Position& m_position;
    std::set<std::string> m_told;  ///< sentences that are said once a run
};

}  // namespace plumbline::train
