// Walks the registry: what a block's spec says against what the built module does, and its TorchScript against its
// numbers.

#include <ATen/Context.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>

#include "blocks/register.h"
#include "conformance_case.h"
#include "model/dtype.h"
#include "model/leaf.h"

namespace plumbline::model {
namespace {

using testing::ConformanceCase;
using testing::conformanceCases;
using testing::observe;
using testing::Observed;

class EveryExample : public ::testing::TestWithParam<std::size_t> {
protected:
    const ConformanceCase& one() const { return conformanceCases()[GetParam()]; }
    void SetUp() override {
        ASSERT_TRUE(one().resolved.ok()) << one().label << ": " << one().resolved.problems.front().message;
        ASSERT_TRUE(one().node().inferred) << one().label;
    }
};

std::string caseName(const ::testing::TestParamInfo<std::size_t>& info) {
    std::string name = conformanceCases()[info.param].label;
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

TEST_P(EveryExample, HasTheShapesThatWereInferred) {
    const auto model = one().build();
    ASSERT_NE(model, nullptr);
    for (const bool training : {true, false}) {
        model->train(training);
        const auto outputs = model->forward(one().inputs(false));
        ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
        ASSERT_EQ(outputs->size(), one().resolved.outputs.size());
        std::int64_t bytes = 0;
        for (std::size_t i = 0; i < outputs->size(); ++i) {
            const auto& value = one().resolved.values[static_cast<std::size_t>(one().resolved.outputs[i].second)];
            ASSERT_TRUE(value.known);
            std::vector<std::int64_t> dims;
            for (const graph::Dim& dim : value.type.dims) {
                dims.push_back(dim.constant().value_or(-1));
            }
            EXPECT_EQ((*outputs)[i].sizes().vec(), dims);
            EXPECT_EQ((*outputs)[i].scalar_type(), toScalarType(value.type.dtype));
            bytes += (*outputs)[i].numel() * static_cast<std::int64_t>((*outputs)[i].element_size());
        }
        EXPECT_EQ(one().node().cost.activationBytes.constant(), bytes);
    }
}

TEST_P(EveryExample, HasTheStateThatItsSpecNames) {
    const auto model = one().build();
    ASSERT_NE(model, nullptr);
    const std::vector<NamedState> state = model->stateDict();
    const std::vector<graph::StateSpec>& specs = one().node().state;
    ASSERT_EQ(state.size(), specs.size());
    std::int64_t parameters = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        EXPECT_EQ(state[i].name, "block." + specs[i].name);
        EXPECT_EQ(state[i].tensor.sizes().vec(), specs[i].dims) << specs[i].name;
        EXPECT_EQ(state[i].tensor.scalar_type(), toScalarType(specs[i].dtype)) << specs[i].name;
        EXPECT_EQ(state[i].buffer, specs[i].buffer) << specs[i].name;
        parameters += specs[i].buffer ? 0 : state[i].tensor.numel();
    }
    EXPECT_EQ(one().node().cost.parameters, parameters);
    EXPECT_EQ(one().resolved.parameterCount(), parameters);
}

/// Registers a module with copies of the states, of which the first `prefix` characters are its own path; "a.b" goes
/// into a module "a" inside it.
void addModule(torch::jit::Module& parent, const std::string& name, const std::vector<NamedState>& states,
               std::size_t prefix) {
    torch::jit::Module module(parent.type()->name()->name() + "_" + name);
    std::vector<std::string> parts;
    for (const NamedState& state : states) {
        const std::string own = state.name.substr(prefix);
        if (const std::size_t dot = own.find('.'); dot != std::string::npos) {
            if (std::find(parts.begin(), parts.end(), own.substr(0, dot)) == parts.end()) {
                parts.push_back(own.substr(0, dot));
            }
        } else if (at::Tensor copy = state.tensor.detach().clone(); state.buffer) {
            module.register_buffer(own, copy);
        } else {
            copy.set_requires_grad(true);
            module.register_parameter(own, copy, false);
        }
    }
    for (const std::string& part : parts) {
        std::vector<NamedState> inside;
        for (const NamedState& state : states) {
            if (state.name.substr(prefix).starts_with(part + ".")) {
                inside.push_back(state);
            }
        }
        addModule(module, part, inside, prefix + part.size() + 1);
    }
    parent.register_module(name, module);
}

/// The tensor at "self_attn.out_proj.weight" below `module`.
at::Tensor tensorAt(const torch::jit::Module& module, const std::string& path) {
    const std::size_t dot = path.find('.');
    return dot == std::string::npos ? module.attr(path).toTensor()
                                    : tensorAt(module.attr(path.substr(0, dot)).toModule(), path.substr(dot + 1));
}

/// The example as a compiled TorchScript module with a copy of the model's initial state.
torch::jit::Module scriptOf(const ConformanceCase& one, const Model& model, bool training) {
    torch::jit::Module root("Root");
    addModule(root, "block", model.stateDict(), std::string("block.").size());
    if (!root.hasattr("training")) {
        root.register_attribute("training", c10::BoolType::get(), training);
    }
    root.setattr("training", training);
    const graph::EmitRequest request = one.emitRequest("block");
    std::vector<std::string> arguments = {"self"};
    for (const std::string& input : request.inputs) {
        if (!input.empty()) {
            arguments.push_back(input);
        }
    }
    std::string body;
    std::string line;
    for (const char character : one.type->emitTorchScript(request).forward + "\n") {
        if (character != '\n') {
            line += character;
        } else {
            body += "    " + line + "\n";
            line.clear();
        }
    }
    root.define(fmt::format("def forward({}):\n{}    return [{}]\n", fmt::join(arguments, ", "), body,
                            fmt::join(request.outputs, ", ")));
    return root;
}

Observed observeScript(const ConformanceCase& one, bool training) {
    Observed observed;
    const auto model = one.build();
    torch::jit::Module root = scriptOf(one, *model, training);
    const std::vector<at::Tensor> leaves = one.inputs(training);
    std::vector<c10::IValue> inputs;
    for (const at::Tensor& leaf : leaves) {
        inputs.emplace_back(leaf.clone());
    }
    at::manual_seed(testing::kCallSeed);
    observed.outputs = root.forward(inputs).toTensorVector();
    if (const at::Tensor scalar = testing::scalarOf(observed.outputs); training && scalar.defined()) {
        scalar.backward();
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            observed.gradients.emplace_back("input" + std::to_string(i), leaves[i].grad());
        }
        for (const NamedState& parameter : model->parameters()) {
            observed.gradients.emplace_back(parameter.name, tensorAt(root, parameter.name).grad());
        }
    }
    for (const NamedState& state : model->stateDict()) {
        observed.state.emplace_back(state.name, tensorAt(root, state.name).detach());
    }
    return observed;
}

TEST_P(EveryExample, ItsTorchScriptGivesTheSameNumbers) {
    for (const bool training : {false, true}) {
        SCOPED_TRACE(training ? "training" : "eval");
        try {
            testing::expectSame(observeScript(one(), training), observe(one(), training));
        } catch (const std::exception& error) {
            ADD_FAILURE() << one().label << ": " << error.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryExample, ::testing::Range<std::size_t>(0, conformanceCases().size()), caseName);

TEST(Registry, EveryBlockCanBeBuiltAndHasExamples) {
    for (const auto& type : blocks::builtinBlocks().all()) {
        EXPECT_TRUE(leafBuilders().contains(type->spec().type)) << type->spec().type;
        EXPECT_FALSE(type->spec().examples.empty()) << type->spec().type;
    }
}

TEST(Registry, EveryBuilderHasASpec) {
    for (const auto& [name, builder] : leafBuilders()) {
        EXPECT_NE(blocks::builtinBlocks().find(name), nullptr) << name;
    }
}

}  // namespace
}  // namespace plumbline::model
