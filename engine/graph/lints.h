#pragma once
// Models that run and are wrong all the same. Each finding says why and, given the document, how to mend it.
//
//   implicit-broadcast      Add or Multiply of inputs with different shapes
//   concat-along-batch      Concat joins samples instead of features
//   activation-before-loss  Softmax, LogSoftmax or Sigmoid in front of a loss that applies it itself
//   unreached-parameter     no loss reaches a parameter: behind a Detach, or on a branch that leads to none
//   inplace-shared          a block overwrites a value that another block reads too

#include <string>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::graph {

/// A loss of the training plan: its PyTorch name and the model output it looks at.
struct LossUse {
    std::string type;
    std::string output;
};

/// With `document` (the one `model` was resolved from) the problems carry patches; without, sentences alone.
std::vector<Problem> lint(const ResolvedModel& model, const std::vector<LossUse>& losses, const Document* document = nullptr);

}  // namespace plumbline::graph
