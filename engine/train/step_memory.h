#pragma once
// What a step keeps in memory, block by block: measured in one forward pass, predicted for any choice of checkpointed
// blocks.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

#include "core/error.h"
#include "model/model.h"
#include "plan/plan.h"

namespace plumbline::train {

/// One forward pass in training mode with everything kept. Bytes are of the batch that went through it.
struct ForwardMemory {
    struct Value {
        int storage = -1;        ///< values with the same number are parts of the same memory; -1: not a leaf's
        std::int64_t bytes = 0;  ///< of that memory
        bool kept = false;       ///< it is there after the pass
    };
    std::vector<std::int64_t> kept;     ///< by leaf: what it allocated and the backward pass needs
    std::vector<std::int64_t> scratch;  ///< by leaf: what it needed besides, as it ran
    std::vector<std::int64_t> work;     ///< by leaf: multiply-accumulates and elements written
    std::vector<Value> values;          ///< by ValueId
    std::int64_t outputs = 0;           ///< of the model's outputs
};

/// Runs the model on `inputs`; generators and buffers are afterwards as before. On the CPU bytes are exact, where the
/// counting allocator is there; on a device they are what LibTorch's allocator holds more after a leaf than before it.
Result<ForwardMemory> measureForward(model::Model& model, const std::vector<at::Tensor>& inputs,
                                     plan::Precision precision);

/// Of a batch of `samples`, along the line through two that went through the model, the second one larger. The first
/// may be empty, of 0 samples.
ForwardMemory extrapolated(const ForwardMemory& first, std::int64_t firstSamples, const ForwardMemory& second,
                           std::int64_t secondSamples, std::int64_t samples);

/// What is there besides activations.
struct StepMemory {
    std::int64_t before = 0;  ///< before a step: parameters, buffers, averages, the batch
    std::int64_t optimizerState = 0;
    std::vector<std::int64_t> gradients;  ///< by leaf: of the parameters that it owns
    std::int64_t update = 0;              ///< while the weights change, when the activations are gone
    bool gradientsStay = false;           ///< those of earlier batches are there as well: accumulation
};

/// Bytes of all tensors at the peak of a step. `units`: the leaves of each checkpointed block; no leaf is in two.
std::int64_t predictedPeak(const graph::ResolvedModel& graph, const ForwardMemory& forward, const StepMemory& step,
                           const std::vector<std::vector<int>>& units);
/// Bytes that a forward pass keeps less with a unit checkpointed by itself; may be negative.
std::int64_t savingOf(const graph::ResolvedModel& graph, const ForwardMemory& forward, const std::vector<int>& unit);

}  // namespace plumbline::train
