#pragma once
// Where gradients arrive, going back from a model's outputs.

#include <string>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::graph {

struct Reach {
    std::vector<char> leaves;   ///< by leaf: whether a gradient arrives at what it gives
    std::vector<int> blockers;  ///< by leaf: the one that stopped a gradient on its way there; -1: none did
};

/// Of losses that look at `outputs`; a name that is no output is passed over. `gradientsOff`, one flag a leaf: those
/// that run with gradients switched off; empty: none.
Reach reachOf(const ResolvedModel& model, const std::vector<std::string>& outputs,
              const std::vector<char>& gradientsOff);

}  // namespace plumbline::graph
