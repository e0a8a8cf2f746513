#pragma once
// What cannot go on with a model that has a critical problem says so the same way everywhere.

#include <vector>

#include "core/error.h"
#include "graph/problem.h"

namespace plumbline::graph {

/// The first critical problem as an error of kind "invalid", with its first remedy as the hint; fine when there is
/// none.
Status refuseCritical(const std::vector<Problem>& problems);

}  // namespace plumbline::graph
