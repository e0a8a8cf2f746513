#pragma once
// Weights by name.

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/model.h"

namespace plumbline::model {

/// Copies `state` into the tensors of `own`. Names of shared tensors may be left out; when given they have to agree
/// with their owner's. Everything is checked first: on an error nothing has changed.
Status copyStateDict(const std::map<std::string, at::Tensor>& state, const std::vector<NamedState>& own);

}  // namespace plumbline::model
