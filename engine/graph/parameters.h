#pragma once
// Stated parameters of a node against what its type declares: evaluated, checked, completed with defaults.

#include <string>
#include <vector>

#include "graph/block_type.h"
#include "graph/document.h"
#include "graph/expression.h"
#include "graph/problem_list.h"

namespace plumbline::graph {

/// Who the parameters belong to, for messages.
struct ParameterOwner {
    const std::string& block;    ///< path
    const std::string& pointer;  ///< of the node
    const std::string& type;
};

struct CheckedParameters {
    Json values = Json::object();      ///< declared order; null where required or inferred and not stated
    std::vector<std::string> unknown;  ///< names whose value could not be had; told already
    bool ok() const { return unknown.empty(); }
};

/// For a leaf. Integers are taken where a float is wanted and become one.
CheckedParameters checkParameters(const std::vector<ParameterSpec>& specs, const Json& stated, const Scope& scope,
                                  const ParameterOwner& owner, ProblemList& problems);
/// For an instance of a definition; a default may be an expression over the parameters before it.
CheckedParameters checkParameters(const std::vector<ParameterDeclaration>& declared, const Json& stated,
                                  const Scope& scope, const ParameterOwner& owner, ProblemList& problems);

}  // namespace plumbline::graph
