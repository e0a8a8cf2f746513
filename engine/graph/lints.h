#pragma once
// Models that run and are wrong all the same. Each finding says why and, given the document, how to mend it.
//
//   implicit-broadcast      Add or Multiply of inputs with different shapes
//   concat-along-batch      Concat joins samples instead of features
//   activation-before-loss  Softmax, LogSoftmax or Sigmoid in front of a loss that applies it itself
//   activation-missing      a loss of probabilities, or of their logarithms, gets numbers that are none
//   unreached-parameter     no loss reaches a parameter: behind a Detach, or on a branch that leads to none
//   inplace-shared          a block overwrites a value that another block reads too
//   dropout-before-loss     a loss compares with scores of which some are set to zero
//   nothing-to-train        no parameter at all is trained (critical)
//   nothing-learns          no loss reaches any parameter that is trained (critical)

#include <string>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::graph {

/// A loss of the training plan: its PyTorch name and a model output it looks at. One of several outputs is there once
/// for each.
struct LossUse {
    std::string type;
    std::string output;
};

/// What training says as well where no parameter is trained.
constexpr const char* kNothingToTrain = "The model has no parameter that is trained.";
constexpr const char* kNothingToTrainHint = "Add a block with parameters, or take \"frozen\" away from one.";

/// With `document` (the one `model` was resolved from) the problems carry patches; without, sentences alone.
/// `gradientsOff`, one flag a leaf: those that training runs with gradients switched off; empty: none.
std::vector<Problem> lint(const ResolvedModel& model, const std::vector<LossUse>& losses,
                          const Document* document = nullptr, const std::vector<char>& gradientsOff = {});

}  // namespace plumbline::graph
