#pragma once
// The parameters of a resolved model by full name, without LibTorch.

#include <string>
#include <vector>

#include "graph/resolve.h"
#include "plan/parameter_groups.h"

namespace plumbline::project {

struct ModelParameter {
    std::string name;     ///< as state_dict spells it
    bool frozen = false;  ///< by its block
    int leaf = 0;         ///< its block, in ResolvedModel::nodes
    std::size_t dimensions = 0;
};

/// Those that several blocks share once, by the name that the first of them gives.
std::vector<ModelParameter> parametersOf(const graph::ResolvedModel& model);

/// What a pattern may mean that matches none of them: "generator" and "gen.*" the parameters of the block generator.
std::string patternHint(const std::string& pattern, const std::vector<ModelParameter>& parameters);

/// For layer_decay, the blocks of the root graph that hold parameters; for decay_norms_and_biases, what the
/// normalisations hold.
plan::ParameterLayers layersOf(const graph::ResolvedModel& model);

}  // namespace plumbline::project
