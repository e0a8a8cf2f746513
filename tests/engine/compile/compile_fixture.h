#pragma once
// Models written as documents, and compiled whatever the clock says.

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "blocks/register.h"
#include "compile/compiled_model.h"
#include "compile/difference.h"
#include "core/json.h"
#include "graph/document.h"
#include "graph/resolve.h"
#include "model/model.h"

namespace plumbline::compile::testing {

using Tensors = std::vector<at::Tensor>;

inline std::unique_ptr<model::Model> modelOf(const graph::Document& document) {
    auto built = model::Model::build(graph::resolve(document, blocks::builtinBlocks()), {});
    EXPECT_TRUE(built.has_value()) << (built ? "" : toSentence(built.error()));
    if (!built) {
        return nullptr;
    }
    (*built)->train(false);
    return std::move(*built);
}

inline std::unique_ptr<model::Model> modelOf(const std::string& text) {
    const auto json = parseJson(text, "model");
    EXPECT_TRUE(json.has_value()) << (json ? "" : toSentence(json.error()));
    const auto document = graph::readDocument(*json);
    EXPECT_TRUE(document.has_value()) << (document ? "" : toSentence(document.error()));
    return modelOf(*document);
}

/// A graph without definitions: one float32 input x, one output y.
inline std::unique_ptr<model::Model> modelOf(const std::string& shape, const std::string& nodes,
                                             const std::string& output) {
    return modelOf(R"({"definitions": {}, "graph": {"inputs": {"x": {"shape": )" + shape +
                   R"(, "dtype": "float32"}}, "nodes": {)" + nodes + R"(}, "outputs": {"y": ")" + output + R"("}}})");
}

/// BatchNorm statistics that are not those of a new model.
inline void settle(model::Model& model) {
    const at::NoGradGuard noGrad;
    for (const model::NamedState& state : model.buffers()) {
        if (state.name.ends_with("running_mean")) {
            at::Tensor(state.tensor).copy_(at::randn(state.tensor.sizes()).mul(0.2));
        } else if (state.name.ends_with("running_var")) {
            at::Tensor(state.tensor).copy_(at::randn(state.tensor.sizes()).abs().add(0.5));
        }
    }
}

inline constexpr const char* kStack = R"(
    "conv1": {"type": "Conv2d", "from": "x", "params": {"out_channels": 8, "kernel_size": 3, "padding": 1}},
    "bn1": {"type": "BatchNorm2d", "from": "conv1"}, "relu1": {"type": "ReLU", "from": "bn1"},
    "conv2": {"type": "Conv2d", "from": "relu1", "params": {"out_channels": 8, "kernel_size": 3, "padding": 1, "bias": false}},
    "bn2": {"type": "BatchNorm2d", "from": "conv2"}, "relu2": {"type": "ReLU", "from": "bn2"})";

inline std::unique_ptr<model::Model> stack() {
    auto model = modelOf(R"(["B", 3, 8, 8])", kStack, "relu2");
    settle(*model);
    return model;
}

/// Batches of 6, 6 and 4 samples.
inline std::vector<Tensors> samplesOf(std::vector<std::int64_t> dims) {
    std::vector<Tensors> samples;
    for (const std::int64_t size : {6, 6, 4}) {
        dims[0] = size;
        samples.push_back({at::randn(dims)});
    }
    return samples;
}

/// All that is right is kept, however fast.
inline CompileOptions whateverTheClockSays() {
    CompileOptions options;
    options.leastSpeedup = 0;
    return options;
}

inline std::unique_ptr<CompiledModel> compiled(model::Model& model, const std::vector<Tensors>& samples,
                                               const CompileOptions& options = whateverTheClockSays(),
                                               const graph::BlockRegistry& registry = blocks::builtinBlocks()) {
    auto made = CompiledModel::make(model, registry, samples, options);
    EXPECT_TRUE(made.has_value()) << (made ? "" : toSentence(made.error()));
    return made ? std::move(*made) : nullptr;
}

inline Tensors forward(model::Model& model, const Tensors& inputs) {
    const at::NoGradGuard noGrad;
    auto outputs = model.forward(inputs);
    EXPECT_TRUE(outputs.has_value()) << (outputs ? "" : toSentence(outputs.error()));
    return outputs ? std::move(*outputs) : Tensors{};
}

/// What the leaves give, of a model whose code is taken away for it: called before it is compiled.
inline std::vector<Tensors> referenceOf(model::Model& model, const std::vector<Tensors>& samples) {
    std::vector<Tensors> all;
    for (const Tensors& sample : samples) {
        all.push_back(forward(model, sample));
    }
    return all;
}

inline void expectSame(const Tensors& reference, const Tensors& other) {
    EXPECT_EQ(differenceOf(reference, other).refusal, "");
}

/// The unit of a report that has exactly these blocks.
inline Json unitOf(const CompiledModel& compiled, const Json& blocks) {
    const Json report = compiled.report();
    for (const Json& unit : report.at("units")) {
        if (unit.at("blocks") == blocks) {
            return unit;
        }
    }
    ADD_FAILURE() << "no unit " << blocks.dump() << " in " << report.dump(2);
    return {};
}

}  // namespace plumbline::compile::testing
