// Emitted code as text; that it compiles and gives the module's numbers is the conformance suite's business
// (tests/engine/model).

#include <gtest/gtest.h>

#include "blocks_support.h"

namespace plumbline::blocks {
namespace {

graph::EmitRequest emitRequest(const std::string& type, const Json& params,
                               const std::vector<graph::TensorType>& inputs) {
    const auto inference = inferred(type, params, inputs);
    EXPECT_TRUE(inference) << type << ": " << inference.error().message;
    graph::EmitRequest request;
    request.name = "block";
    request.params = inference->params;
    request.inputTypes = inputs;
    const graph::BlockSpec& spec = builtinBlocks().find(type)->spec();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        request.inputs.push_back("x" + std::to_string(i));
    }
    while (!spec.inputs.back().variadic && request.inputs.size() < spec.inputs.size()) {
        request.inputs.emplace_back();
    }
    for (const graph::PortSpec& port : spec.outputs) {
        request.outputs.push_back(port.name);
    }
    return request;
}

const graph::TensorType kImage{DType::kFloat32, {2, 3, 8, 8}};

TEST(Emit, CppStatesOnlyWhatDiffersFromTheDefaults) {
    const auto* conv = builtinBlocks().find("Conv2d");
    auto request = emitRequest("Conv2d", {{"out_channels", 32}, {"kernel_size", 3}, {"stride", 2}}, {kImage});
    EXPECT_EQ(conv->emitCpp(request).member, "torch::nn::Conv2d block{nullptr};");
    EXPECT_EQ(conv->emitCpp(request).construct,
              "block = register_module(\"block\", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 32, 3).stride(2)));");
    EXPECT_EQ(conv->emitCpp(request).forward, "torch::Tensor output = block->forward(x0);");
    request.registered = "0";
    EXPECT_NE(conv->emitCpp(request).construct.find("register_module(\"0\""), std::string::npos);
}

TEST(Emit, TorchScriptReadsStateThroughTheModule) {
    const auto* linear = builtinBlocks().find("Linear");
    auto request = emitRequest("Linear", {{"out_features", 4}, {"bias", false}}, {kImage});
    EXPECT_EQ(linear->emitTorchScript(request).forward, "output = torch.linear(x0, self.block.weight, None)");
    request.module = "self.layers.block";
    EXPECT_EQ(linear->emitTorchScript(request).forward, "output = torch.linear(x0, self.layers.block.weight, None)");
    auto dropout = emitRequest("Dropout", {}, {kImage});
    EXPECT_EQ(builtinBlocks().find("Dropout")->emitTorchScript(dropout).forward,
              "output = torch.dropout(x0, 0.5, self.training)");
    dropout.training = "False";
    EXPECT_EQ(builtinBlocks().find("Dropout")->emitTorchScript(dropout).forward,
              "output = torch.dropout(x0, 0.5, False)");
}

TEST(Emit, EveryExampleDefinesEveryOutputInBothLanguages) {
    for (const auto& type : builtinBlocks().all()) {
        if (type->spec().category == "package") {
            continue;  // there is no source of what it runs, and exports refuse it
        }
        for (const graph::BlockExample& example : type->spec().examples) {
            const auto request = emitRequest(type->spec().type, example.params, example.inputs);
            const auto code = type->emitCpp(request);
            EXPECT_EQ(code.member.empty(), code.construct.empty()) << type->spec().type;
            const std::string script = type->emitTorchScript(request).forward;
            for (const std::string& output : request.outputs) {
                EXPECT_NE(code.forward.find("torch::Tensor " + output + " = "), std::string::npos) << code.forward;
                EXPECT_NE(script.find(output), std::string::npos) << script;
            }
            const auto inference = type->infer(requestOf(*type, example.params, example.inputs));
            for (const graph::StateSpec& state : inference->state) {
                if (type->spec().type.starts_with("InstanceNorm") && state.name == "num_batches_tracked") {
                    continue;  // PyTorch's has it and never touches it
                }
                EXPECT_NE(script.find("self.block." + state.name), std::string::npos)
                    << type->spec().type << ": " << script;
            }
        }
    }
}

}  // namespace
}  // namespace plumbline::blocks
