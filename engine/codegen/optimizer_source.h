#pragma once
// The optimizer of a plan as C++, by the marks of optimizer.h and plan.h.

#include <string>
#include <vector>

#include "core/error.h"
#include "plan/plan.h"

namespace plumbline::codegen {

/// Parameters that share a learning rate and a weight decay, as training sorts them.
struct ParameterGroup {
    std::vector<std::string> parameters;
    double lr = 0;
    double weightDecay = 0;
};

struct OptimizerSource {
    std::string rule;      ///< the update rule's type: "AdamW" is an "Adam"
    std::string text;      ///< its definition, for optimizer.h
    std::string make;      ///< an expression that makes it: "Adam{0.9, 0.999, 1e-08, false, true}"
    std::string momentum;  ///< the member that a schedule moves; "" where there is none
};

Result<OptimizerSource> optimizerSource(const plan::OptimizerSpec& optimizer);

}  // namespace plumbline::codegen
