#pragma once
// Second half of resolve(): values instead of slots, the order of execution, shapes, shared weights.

#include "graph/expand.h"
#include "graph/problem_list.h"
#include "graph/resolve.h"

namespace plumbline::graph {

/// Moves what was expanded into `model`: values, and the inputs and outputs of nodes, tree and model.
void placeValues(Expanded& expanded, const Graph& root, ResolvedModel& model);
/// Indices in execution order, the earliest constructed first among those that could run; what hangs in a cycle is left
/// out.
std::vector<int> orderOf(const ResolvedModel& model);
/// Shapes, parameters, state and costs along `order`.
void inferShapes(const std::vector<int>& order, const Document& document, Expanded& expanded, ResolvedModel& model,
                 ProblemList& problems);
/// Fills in weightsOf and checks that owner and sharer fit.
void shareWeights(const Expanded& expanded, ResolvedModel& model, ProblemList& problems);

}  // namespace plumbline::graph
