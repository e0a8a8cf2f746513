#pragma once
// The batches of a training run, and how much counts in each.

#include <deque>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"
#include "data/host_batch.h"
#include "train/live_profile.h"
#include "train/run_reporter.h"
#include "train/stall_watch.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// A batch, and what counts in it for each loss (Objective::counts); empty where that is all of its samples.
struct CountedBatch {
    data::HostBatch host;
    std::vector<double> counts;

    double counted(std::size_t loss) const { return counts.empty() ? static_cast<double>(host.size()) : counts[loss]; }
};

/// One thread: the one that trains. What it is given outlives it.
class BatchQueue {
public:
    /// `stallWatch` may be nullptr.
    BatchQueue(TrainingSetup& setup, RunReporter& reporter, LiveProfile& profile, RunControl& control,
               StallWatch* stallWatch)
        : m_setup(setup), m_reporter(reporter), m_profile(profile), m_control(control), m_stallWatch(stallWatch) {}

    /// The next batch of the epoch; nothing at its end.
    Result<std::optional<CountedBatch>> next();
    /// Before the first batch of a step, which is the epoch's `batch`-th: how much will count in the step for each
    /// loss. Where only the labels tell, all of its batches are fetched first.
    Result<std::vector<double>> countStep(const CountedBatch& first, std::int64_t batch);

private:
    Result<std::optional<CountedBatch>> load();

    TrainingSetup& m_setup;
    RunReporter& m_reporter;
    LiveProfile& m_profile;
    RunControl& m_control;
    StallWatch* m_stallWatch;
    std::deque<CountedBatch>
        m_ahead;  ///< batches of the open step that had to be counted before its first one is trained on
};

}  // namespace plumbline::train
