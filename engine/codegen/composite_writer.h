#pragma once
// Structs for all composites of a model: instances that differ in numbers only share one, with constructor arguments.

#include <string>
#include <vector>

#include "codegen/module_body.h"

namespace plumbline::codegen {

/// One struct of the generated model.
struct StructSource {
    std::string name;  ///< "ConvBlock"; the class is ConvBlockImpl, as LibTorch names module implementations
    std::string text;
};

/// In an order in which each struct is defined before it is used; the last is Model.
Result<std::vector<StructSource>> writeStructs(const graph::ResolvedModel& model, const graph::Document& document,
                                               const graph::BlockRegistry& registry);

}  // namespace plumbline::codegen
