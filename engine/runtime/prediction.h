#pragma once
// A trained model's answer to single inputs.

#include <vector>

#include "core/error.h"
#include "session/engine.h"

namespace plumbline::runtime {

/// One prediction an input, in order. A classifier's logits become probabilities over the target's classes, best first.
Result<std::vector<session::Prediction>> predict(const session::PredictRequest& request);

}  // namespace plumbline::runtime
