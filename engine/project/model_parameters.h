#pragma once
// The parameters of a resolved model by full name, without LibTorch.

#include <string>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::project {

struct ModelParameter {
    std::string name;     ///< as state_dict spells it
    bool frozen = false;  ///< by its block
    int leaf = 0;         ///< its block, in ResolvedModel::nodes
};

/// Those that several blocks share once, by the name that the first of them gives.
std::vector<ModelParameter> parametersOf(const graph::ResolvedModel& model);

}  // namespace plumbline::project
