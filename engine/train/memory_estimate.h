#pragma once
// What a training step holds, from the graph alone: which tensors autograd keeps for the backward pass, and how large
// they are.

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/resolve.h"
#include "model/model.h"
#include "plan/plan.h"

namespace plumbline::train {

/// Bytes. LibTorch's own workspaces (oneDNN's, MKL's) are not tensors and not in it. Against what the counting
/// allocator sees at the peak of a step the sum is within a third for networks of linear, convolutional, attention and
/// recurrent blocks; a recurrent block's part is a rule of thumb.
struct MemoryEstimate {
    std::int64_t parameters = 0;  ///< and buffers
    std::int64_t gradients = 0;
    std::int64_t optimizerState = 0;
    std::int64_t activations = 0;  ///< kept for the backward pass
    std::int64_t transient = 0;    ///< gradients on their way through the largest block
    std::int64_t kept = 0;         ///< from step to step besides: averaged weights, and what a step can be put back to
    std::int64_t update = 0;       ///< while the weights change, when the activations are gone
    std::vector<std::int64_t> blocks;  ///< the activations, by the leaf that makes them
    bool accumulates = false;          ///< gradients stay from batch to batch

    /// The gradients come as the activations go.
    std::int64_t peak() const {
        return parameters + optimizerState + kept +
               std::max(activations + transient + (accumulates ? gradients : 0), gradients + update);
    }
};

struct MemoryQuestion {
    const graph::ResolvedModel& graph;
    std::map<std::string, std::int64_t> symbols;  ///< "B" and whatever else the shapes leave open
    plan::OptimizerSpec optimizer;
    bool half = false;  ///< autocast to bf16 or fp16
    bool accumulates = false;
    std::vector<char> gradientsOff = {};  ///< by leaf: it runs without gradients; empty: none does
    std::optional<std::int64_t> gradients = {},
                                optimizerState =
                                    {};  ///< bytes, where known; else of all parameters that no block freezes
    std::int64_t kept = 0, update = 0;   ///< MemoryEstimate's
};

/// What a run keeps from step to step besides parameters, buffers, gradients and its optimizers' state, in bytes. Every
/// prediction of a run's memory counts it; averaged weights are there from their first update on.
struct KeptBesides {
    std::int64_t averages = 0;    ///< the second set of weights and buffers (EMA, SWA)
    std::int64_t stepStart = 0;   ///< copies of the buffers, which a step that fails is put back to
    std::int64_t statistics = 0;  ///< further ones, which a step of several phases keeps
    std::int64_t scaler = 0;
    std::int64_t update = 0;  ///< not kept, but there while the weights change: gradient noise
    std::int64_t all() const { return averages + stepStart + statistics + scaler; }
    /// Of it, what a TrainingSetup that has not taken a step in a run does not have yet.
    std::int64_t comesLater() const { return averages + stepStart; }
};
KeptBesides keptBesides(const plan::TrainingPlan& plan, const model::Model& model);

/// Nothing where a shape is not known.
std::optional<MemoryEstimate> estimateMemory(const MemoryQuestion& question);

/// Tensors of a parameter's size that the optimizer keeps for each: 2 for Adam.
std::int64_t stateTensors(const plan::OptimizerSpec& optimizer);

/// The symbols of the model's inputs, as these tensors have them.
std::map<std::string, std::int64_t> symbolsOfInputs(const graph::ResolvedModel& graph,
                                                    const std::vector<at::Tensor>& inputs);

/// What may be computed again in the backward pass instead of being kept: instances of composite blocks, and blocks
/// that keep much inside. Those with running statistics are left out, and what lies within another one.
struct RecomputationOffer {
    std::vector<std::string> patterns;  ///< for training.activation_checkpointing.blocks
    std::int64_t activations = 0;       ///< then kept
};
/// Nothing where there is no such block, or nothing to save.
std::optional<RecomputationOffer> offerRecomputation(const MemoryQuestion& question, const MemoryEstimate& plain);

}  // namespace plumbline::train
