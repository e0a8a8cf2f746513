#pragma once
// What an optimizer step begins from, so that a step that fails leaves no trace in what is saved.

#include <ATen/core/Tensor.h>
#include <vector>

#include "model/model.h"
#include "train/generators.h"

namespace plumbline::train {

/// Weights and optimizer state change in the optimizer's step alone; a forward pass moves buffers and generators before that. They are
/// remembered before the first batch of each step, and put back where that batch fails. One thread.
class StepStart {
public:
    explicit StepStart(model::Model& model);
    /// Before the first batch of a step.
    void remember();
    /// The batch is done: there is no way back to the beginning of the step any more.
    void forget() { m_remembered = false; }
    /// Puts back what was remembered; false where nothing is.
    bool putBack();

private:
    struct SameType { std::vector<at::Tensor> live, saved; };
    std::vector<SameType> m_buffers;  ///< by element type: tensors of one type are copied by one kernel
    GeneratorCopies m_generators;
    bool m_remembered = false;
};

}  // namespace plumbline::train
