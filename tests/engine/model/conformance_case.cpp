#include "conformance_case.h"

#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/sin.h>
#include <gtest/gtest.h>

#include "blocks/register.h"
#include "model/dtype.h"

namespace plumbline::model::testing {

namespace {

ConformanceCase makeCase(const graph::BlockType& type, const graph::BlockExample& example, std::size_t index) {
    ConformanceCase one;
    one.type = &type;
    one.example = example;
    one.label = type.spec().type + "/" + std::to_string(index);
    graph::Document document;
    graph::Node node;
    node.name = "block";
    node.type = type.spec().type;
    node.params = example.params;
    for (std::size_t i = 0; i < example.inputs.size(); ++i) {
        graph::GraphInput input;
        input.name = "x" + std::to_string(i);
        input.dtype = std::string(toString(example.inputs[i].dtype));
        input.shape = Json::array();
        for (const graph::Dim& dim : example.inputs[i].dims) {
            input.shape.push_back(*dim.constant());
        }
        document.root.inputs.push_back(input);
        node.inputs.push_back({"", {input.name, ""}});
    }
    document.root.nodes.push_back(node);
    for (const graph::PortSpec& port : type.spec().outputs) {
        document.root.outputs.push_back({port.name, {"block", port.name}});
    }
    one.resolved = graph::resolve(document, blocks::builtinBlocks());
    return one;
}

}  // namespace

std::vector<std::string> ConformanceCase::outputNames() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < node().outputs.size(); ++i) {
        names.push_back("y" + std::to_string(i));
    }
    return names;
}

graph::EmitRequest ConformanceCase::emitRequest(const std::string& name) const {
    graph::EmitRequest request;
    request.name = name;
    request.params = node().params;
    for (std::size_t i = 0; i < node().inputs.size(); ++i) {
        const bool given = node().inputs[i] != graph::kNoValue;
        request.inputs.push_back(given ? "x" + std::to_string(i) : "");
        request.inputTypes.push_back(given ? example.inputs[i] : graph::TensorType{});
    }
    request.outputs = outputNames();
    return request;
}

std::vector<at::Tensor> ConformanceCase::inputs(bool requiresGrad) const {
    std::vector<at::Tensor> tensors;
    for (std::size_t i = 0; i < example.inputs.size(); ++i) {
        std::vector<std::int64_t> dims;
        std::int64_t count = 1;
        for (const graph::Dim& dim : example.inputs[i].dims) {
            dims.push_back(*dim.constant());
            count *= dims.back();
        }
        const at::ScalarType dtype = toScalarType(example.inputs[i].dtype);
        at::Tensor values = at::arange(1, count + 1, at::kDouble);
        if (at::isFloatingType(dtype)) {
            values = at::sin(values.mul(1.3).add(0.5 * static_cast<double>(i))).to(dtype).reshape(dims);
            values.set_requires_grad(requiresGrad);
        } else {
            values = values.mul(7).add(3).to(at::kLong).remainder(example.integerBound).to(dtype).reshape(dims);
        }
        tensors.push_back(values);
    }
    return tensors;
}

std::unique_ptr<Model> ConformanceCase::build() const {
    auto model = Model::build(resolved, {.seed = kStateSeed});
    EXPECT_TRUE(model.has_value()) << label << ": " << toSentence(model.error());
    return model ? std::move(*model) : nullptr;
}

const std::vector<ConformanceCase>& conformanceCases() {
    static const std::vector<ConformanceCase> cases = [] {
        std::vector<ConformanceCase> all;
        for (const auto& type : blocks::builtinBlocks().all()) {
            if (type->spec().category == "package") {
                continue;  // it needs a file: package_test.cpp
            }
            for (std::size_t i = 0; i < type->spec().examples.size(); ++i) {
                all.push_back(makeCase(*type, type->spec().examples[i], i));
            }
        }
        return all;
    }();
    return cases;
}

at::Tensor scalarOf(const std::vector<at::Tensor>& outputs) {
    at::Tensor sum;
    for (const at::Tensor& output : outputs) {
        if (at::isFloatingType(output.scalar_type()) && output.requires_grad()) {
            const at::Tensor weights = at::linspace(0.5, 1.5, output.numel(), output.options().requires_grad(false));
            const at::Tensor part = output.reshape({-1}).mul(weights).sum().to(at::kDouble);
            sum = sum.defined() ? sum.add(part) : part;
        }
    }
    return sum;
}

Observed observe(const ConformanceCase& one, bool training) {
    Observed observed;
    const auto model = one.build();
    if (!model) {
        return observed;
    }
    model->train(training);
    const std::vector<at::Tensor> leaves = one.inputs(training);
    std::vector<at::Tensor> inputs;
    for (const at::Tensor& leaf : leaves) {
        // A block that works in place may not write into a leaf that wants a gradient.
        inputs.push_back(leaf.clone());
    }
    at::manual_seed(kCallSeed);
    auto outputs = model->forward(inputs);
    EXPECT_TRUE(outputs.has_value()) << one.label << ": " << toSentence(outputs.error());
    if (!outputs) {
        return observed;
    }
    observed.outputs = *outputs;
    if (const at::Tensor scalar = scalarOf(observed.outputs); training && scalar.defined()) {
        scalar.backward();
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            observed.gradients.emplace_back("input" + std::to_string(i), leaves[i].grad());
        }
        for (const NamedState& parameter : model->parameters()) {
            observed.gradients.emplace_back(parameter.name, parameter.tensor.grad());
        }
    }
    for (const NamedState& state : model->stateDict()) {
        observed.state.emplace_back(state.name, state.tensor.detach());
    }
    return observed;
}

namespace {

void expectClose(const std::string& what, const at::Tensor& got, const at::Tensor& wanted) {
    ASSERT_EQ(got.defined(), wanted.defined()) << what;
    if (!wanted.defined()) {
        return;
    }
    EXPECT_EQ(got.scalar_type(), wanted.scalar_type()) << what;
    ASSERT_EQ(got.sizes(), wanted.sizes()) << what;
    if (wanted.numel() == 0) {
        return;
    }
    const at::Tensor a = got.detach().to_dense().to(at::kDouble);
    const at::Tensor b = wanted.detach().to_dense().to(at::kDouble);
    const double scale = std::max(1.0, b.abs().max().item<double>());
    EXPECT_LE(a.sub(b).abs().max().item<double>() / scale, 1e-6) << what;
}

void expectClose(const char* group, const std::vector<std::pair<std::string, at::Tensor>>& got,
                 const std::vector<std::pair<std::string, at::Tensor>>& wanted) {
    ASSERT_EQ(got.size(), wanted.size()) << group;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(got[i].first, wanted[i].first) << group;
        expectClose(std::string(group) + " " + wanted[i].first, got[i].second, wanted[i].second);
    }
}

}  // namespace

void expectSame(const Observed& got, const Observed& wanted) {
    ASSERT_EQ(got.outputs.size(), wanted.outputs.size());
    for (std::size_t i = 0; i < wanted.outputs.size(); ++i) {
        expectClose("output " + std::to_string(i), got.outputs[i], wanted.outputs[i]);
    }
    expectClose("gradient of", got.gradients, wanted.gradients);
    expectClose("state", got.state, wanted.state);
}

}  // namespace plumbline::model::testing
