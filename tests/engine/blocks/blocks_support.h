#pragma once
// Asks a block type as resolve() does.

#include <gtest/gtest.h>

#include "blocks/register.h"

namespace plumbline::blocks {

inline graph::InferenceRequest requestOf(const graph::BlockType& type, const Json& params,
                                         const std::vector<graph::TensorType>& inputs) {
    graph::InferenceRequest request;
    request.inputs.assign(inputs.begin(), inputs.end());
    request.params = Json::object();
    for (const graph::ParameterSpec& spec : type.spec().parameters) {
        request.params[spec.name] = params.contains(spec.name) ? params.at(spec.name) : spec.defaultValue;
    }
    return request;
}

inline Result<graph::Inference> inferred(const std::string& type, const Json& params,
                                         const std::vector<graph::TensorType>& inputs) {
    const graph::BlockType* block = builtinBlocks().find(type);
    if (block == nullptr) {
        return fail(ErrorKind::kInvalid, "unknown-block", type);
    }
    return block->infer(requestOf(*block, params, inputs));
}

}  // namespace plumbline::blocks
