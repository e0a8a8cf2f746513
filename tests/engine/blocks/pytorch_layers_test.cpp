// Parameter counts, state_dict names and shapes, and output shapes of PyTorch's own modules.

#include <gtest/gtest.h>

#include "blocks_support.h"
#include "core/json.h"

namespace plumbline::blocks {
namespace {

TEST(PyTorchLayers, HaveTheSameStateAndOutputs) {
    const auto data = readJsonFile(PLUMBLINE_SOURCE_DIR "/tests/engine/blocks/pytorch_layers.json");
    ASSERT_TRUE(data);
    EXPECT_GE(data->at("cases").size(), 64U);
    for (const Json& layer : data->at("cases")) {
        const auto& name = layer.at("layer").get_ref<const std::string&>();
        const auto& type = layer.at("type").get_ref<const std::string&>();
        std::vector<graph::TensorType> inputs;
        for (const Json& shape : layer.at("inputs")) {
            graph::TensorType input;
            input.dtype = type == "Embedding" ? DType::kInt64 : DType::kFloat32;
            for (const Json& size : shape) {
                input.dims.emplace_back(size.get<std::int64_t>());
            }
            inputs.push_back(std::move(input));
        }
        const auto inference = inferred(type, layer.at("params"), inputs);
        ASSERT_TRUE(inference) << name << ": " << inference.error().message;
        EXPECT_EQ(inference->cost.parameters, layer.at("parameters").get<std::int64_t>()) << name;

        Json state = Json::object();
        for (const graph::StateSpec& one : inference->state) {
            state[one.name] = one.dims;
        }
        EXPECT_EQ(state.dump(), layer.at("state_dict").dump()) << name << ": names, shapes and order";

        ASSERT_EQ(inference->outputs.size(), layer.at("outputs").size()) << name;
        for (std::size_t i = 0; i < inference->outputs.size(); ++i) {
            std::string wanted;
            for (const Json& size : layer.at("outputs")[i]) {
                wanted += (wanted.empty() ? "" : ", ") + size.dump();
            }
            EXPECT_EQ(inference->outputs[i].shapeText(), wanted) << name;
        }
    }
}

}  // namespace
}  // namespace plumbline::blocks
