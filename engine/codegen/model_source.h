#pragma once
// model.h of an exported project: LibTorch C++ that a person would write, one struct a composite.

#include <string>

#include "core/error.h"
#include "graph/resolve.h"

namespace plumbline::codegen {

Result<std::string> modelSource(const graph::ResolvedModel& model, const graph::Document& document,
                                const graph::BlockRegistry& registry, const std::string& projectName);

}  // namespace plumbline::codegen
