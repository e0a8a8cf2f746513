#pragma once
// Which blocks a run checkpoints: those that the plan names, and what has to come to them to keep a memory budget.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/run_control.h"
#include "project/project.h"
#include "train/assembly.h"

namespace plumbline::train {

/// 10^6 bytes.
inline double megabytes(std::int64_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}

struct CheckpointingChoice {
    std::vector<std::string> blocks;  ///< paths, in the model's order; empty: none
    std::int64_t peakWithout = 0;     ///< predicted bytes of all tensors at the peak of a step, with everything kept
    std::int64_t peak = 0;            ///< the same with these blocks checkpointed
    std::string warning;              ///< a sentence where the budget cannot be kept

    /// {"blocks", "predicted_saving_bytes", "predicted_peak_bytes"}
    Json toJson() const;
};

/// Chooses, and tells the model. `recorded`: an earlier run's choices, whose blocks are taken again; null = choose.
/// Else the first training batch goes through the model once, everything kept, and leaves no trace in it; where that
/// does not fit the memory, and where there is no budget to choose for, a part of the batch does. `trained`: the
/// parameters of all optimizers. The batch's tensors and what it keeps are gone afterwards.
///
/// A step's peak is predicted for the moment of the backward pass that needs most: what is there before a step, the
/// optimizer's state, what the blocks before have kept, the gradients that there are, and what a checkpointed block
/// keeps as it runs again. With phases it is an upper bound: it is that of one pass through all blocks, and a phase
/// goes only through those that its losses need.
Result<CheckpointingChoice> chooseCheckpointing(const project::Project& project, const Assembly& assembly,
                                                const std::vector<at::Tensor>& trained, const Json& recorded,
                                                RunControl& control);

}  // namespace plumbline::train
