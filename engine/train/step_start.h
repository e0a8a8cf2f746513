#pragma once
// What an optimizer step begins from, so that a step that fails leaves no trace in what is saved.

#include "model/model.h"
#include "train/generators.h"
#include "train/kept_tensors.h"

namespace plumbline::train {

/// Weights and optimizer state change in the optimizer's step alone; a forward pass moves buffers and generators before
/// that. They are remembered before the first batch of each step, and put back where that batch fails. One thread.
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
    KeptTensors m_buffers;
    GeneratorCopies m_generators;
    bool m_remembered = false;
};

}  // namespace plumbline::train
