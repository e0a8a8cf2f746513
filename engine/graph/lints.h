#pragma once
// Models that run and are probably not what was meant; each with an edit that mends it.

#include <string>
#include <vector>

#include "graph/problem.h"
#include "graph/resolve.h"

namespace plumbline::graph {

/// A loss of the plan: its type ("CrossEntropyLoss") and the model output it reads.
struct LossUse {
    std::string type;
    std::string output;
};

/// Implicit broadcast, concatenation along the batch, activation that the loss applies again, parameters no loss reaches.
std::vector<Problem> lint(const ResolvedModel& model, const std::vector<LossUse>& losses);

}  // namespace plumbline::graph
