#pragma once
// Threads and memory layout chosen by measuring: a few training steps of a throw-away model, before the run's own is
// built.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/run_control.h"
#include "data/dataset.h"
#include "graph/resolve.h"
#include "project/project.h"
#include "train/environment.h"

namespace plumbline::train {

/// What a trial may cost, and from which gain on another choice is taken than the estimated one.
struct TrialLimits {
    double shortestStepMs = 0.1;        ///< a batch that takes less is not worth it
    double shortestThreadedStepMs = 1;  ///< nor are other threads for one that takes less
    double shortestRunMs = 10'000;      ///< nor is a run that is over by then
    double mostMs = 3'000;
    double mostOfRun = 0.03;  ///< of the run's time, as one batch lets expect it
    double gain = 0.05;       ///< another choice is at least so much faster, or the estimated one stays
    double disagreement =
        0.05;  ///< of a candidate's rounds; where it is more, the outcome holds for this run and is not remembered
};

struct TrialRequest {
    const project::Project& project;
    bool measures = true;          ///< false: only what is remembered is taken
    std::filesystem::path memory;  ///< folder that outcomes are kept in, a file each; it need not exist
    RunControl& control;
    TrialLimits limits = {};
};

/// Chooses threads (on the CPU) and layout (of a convolutional model) anew where `environment` has them by estimate:
/// first among the two layouts, then among one thread, half of the physical cores and all of them, at most 16. Each
/// candidate does real training steps, forward, loss and backward, on the first samples of the training split, in
/// turns, several to a round where they are short; its lower median counts. An outcome, also that the estimate stays,
/// is remembered for the model, its data's shapes, the settings that matter and this machine, so that the next run
/// takes it without measuring. How long a run will be is that of its plan: one that is told to end early begins with
/// the same choice. Under the determinism presets deterministic, research and debug nothing is measured or remembered:
/// the same bits at every start. Nor is it with activation checkpointing.
///
/// The first step tells what the trial may cost; where too few others fit in, that one is all, and it is remembered
/// that the estimate stays.
///
/// Nothing of it stays but the outcome: generators and LibTorch's flags are put back, the data's order is not touched.
/// Never fails: where something goes wrong, or `control` asks to stop, the estimate stays. Call in the thread that will
/// compute.
void chooseByTrial(const TrialRequest& request, const graph::ResolvedModel& graph,
                   const std::shared_ptr<const data::Dataset>& dataset, Environment& environment);

/// What a trial found, for the run's log; "" where there was none.
std::string trialSentence(const Environment& environment);

}  // namespace plumbline::train
