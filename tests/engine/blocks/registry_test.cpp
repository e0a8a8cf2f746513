// What holds for every block type alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "blocks_support.h"

namespace plumbline::blocks {
namespace {

TEST(Registry, HoldsTheTypesOfTheFirstRelease) {
    for (const char* type : {"Input",
                             "Output",
                             "Linear",
                             "Conv2d",
                             "MaxPool2d",
                             "AvgPool2d",
                             "AdaptiveAvgPool2d",
                             "BatchNorm1d",
                             "BatchNorm2d",
                             "LayerNorm",
                             "GroupNorm",
                             "Dropout",
                             "Dropout2d",
                             "DropPath",
                             "Flatten",
                             "Reshape",
                             "Identity",
                             "ReLU",
                             "LeakyReLU",
                             "GELU",
                             "SiLU",
                             "Sigmoid",
                             "Tanh",
                             "Softmax",
                             "LogSoftmax",
                             "Add",
                             "Multiply",
                             "Concat",
                             "Embedding",
                             "LSTM",
                             "GRU",
                             "Detach",
                             "Select",
                             "Permute",
                             "ToDtype",
                             "ArgMax",
                             "Mean",
                             "ConvTranspose2d",
                             "InstanceNorm1d",
                             "InstanceNorm2d",
                             "MultiheadAttention",
                             "TransformerEncoderLayer",
                             "TransformerDecoderLayer",
                             "PositionalEncoding",
                             "LearnedPositionalEncoding",
                             "Upsample",
                             "AOTIPackage"}) {
        EXPECT_NE(builtinBlocks().find(type), nullptr) << type;
    }
    EXPECT_EQ(builtinBlocks().find("Nothing"), nullptr);
}

TEST(Registry, EverySpecIsWholeAndConsistent) {
    const std::set<std::string> categories{"input",         "output",         "linear",    "convolution", "pooling",
                                           "normalisation", "activation",     "recurrent", "attention",   "merge",
                                           "tensor",        "regularisation", "package"};
    for (const auto& type : builtinBlocks().all()) {
        const graph::BlockSpec& spec = type->spec();
        EXPECT_TRUE(categories.contains(spec.category)) << spec.type;
        EXPECT_TRUE(spec.summary.ends_with('.')) << spec.type;
        EXPECT_FALSE(spec.inputs.empty() || spec.outputs.empty()) << spec.type;
        EXPECT_GE(spec.examples.size(), 2U) << spec.type;
        std::set<std::string> names;
        for (const graph::ParameterSpec& parameter : spec.parameters) {
            EXPECT_TRUE(names.insert(parameter.name).second) << spec.type << "." << parameter.name;
            EXPECT_FALSE(parameter.help.empty()) << spec.type << "." << parameter.name;
            EXPECT_TRUE(parameter.kind != graph::ParameterKind::kChoice ||
                        std::count(parameter.choices.begin(), parameter.choices.end(),
                                   parameter.defaultValue.get<std::string>()) == 1)
                << spec.type << "." << parameter.name;
        }
        for (const std::string& telling : spec.telling) {
            EXPECT_NE(spec.parameter(telling), nullptr) << spec.type << "." << telling;
        }
    }
}

TEST(Registry, EveryExampleInfersWithCompleteParameters) {
    for (const auto& type : builtinBlocks().all()) {
        for (const graph::BlockExample& example : type->spec().examples) {
            for (const auto& [name, value] : example.params.items()) {
                EXPECT_NE(type->spec().parameter(name), nullptr) << type->spec().type << "." << name;
            }
            const auto inference = type->infer(requestOf(*type, example.params, example.inputs));
            ASSERT_TRUE(inference) << type->spec().type << example.params.dump() << ": " << inference.error().message;
            EXPECT_EQ(inference->outputs.size(), type->spec().outputs.size()) << type->spec().type;
            for (const graph::ParameterSpec& parameter : type->spec().parameters) {
                EXPECT_TRUE(parameter.nullable || !inference->params.at(parameter.name).is_null())
                    << type->spec().type << "." << parameter.name;
            }
            EXPECT_TRUE(inference->cost.activationBytes.constant().value_or(0) > 0) << type->spec().type;
        }
    }
}

TEST(Registry, InferredParametersStatedRightAreAcceptedAndStatedWrongAreRefused) {
    for (const auto& type : builtinBlocks().all()) {
        for (const graph::BlockExample& example : type->spec().examples) {
            const auto inference = type->infer(requestOf(*type, example.params, example.inputs));
            ASSERT_TRUE(inference);
            for (const graph::ParameterSpec& parameter : type->spec().parameters) {
                if (!parameter.inferred) {
                    continue;
                }
                Json params = inference->params;
                EXPECT_TRUE(type->infer(requestOf(*type, params, example.inputs)))
                    << type->spec().type << "." << parameter.name;
                params[parameter.name] = params[parameter.name].is_array()
                                             ? Json(params[parameter.name][0].get<int>() + 100)
                                             : Json(params[parameter.name].get<int>() + 100);
                const auto refused = type->infer(requestOf(*type, params, example.inputs));
                ASSERT_FALSE(refused) << type->spec().type << "." << parameter.name;
                EXPECT_EQ(refused.error().code, "inferred-disagrees") << refused.error().message;
                EXPECT_EQ(refused.error().where, parameter.name);
            }
        }
    }
}

TEST(Registry, AnyRankAndDtypeEndsInShapesOrASentence) {
    for (const auto& type : builtinBlocks().all()) {
        const Json& params = type->spec().examples.front().params;
        const std::size_t inputs = type->spec().examples.front().inputs.size();
        for (std::size_t rank = 0; rank < 7; ++rank) {
            for (const DType dtype :
                 {DType::kFloat32, DType::kFloat64, DType::kInt64, DType::kBool, DType::kUInt8, DType::kBFloat16}) {
                for (const graph::Dim& size :
                     {graph::Dim(1), graph::Dim(4), graph::Dim::symbol("B"), graph::Dim(std::int64_t{1} << 50)}) {
                    const graph::TensorType input{dtype, std::vector<graph::Dim>(rank, size)};
                    const auto result =
                        type->infer(requestOf(*type, params, std::vector<graph::TensorType>(inputs, input)));
                    EXPECT_TRUE(result || !result.error().message.empty()) << type->spec().type << " " << rank;
                }
            }
        }
    }
}

}  // namespace
}  // namespace plumbline::blocks
