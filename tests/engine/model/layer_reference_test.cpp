// Numbers that PyTorch 2.13 gave in Python (data/layers.json), in float64.

#include <ATen/ops/arange.h>
#include <ATen/ops/sin.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/json.h"
#include "graph_maker.h"
#include "model/model.h"

namespace plumbline::model {
namespace {

using testing::GraphMaker;

const Json& references() {
    static const Json json = [] {
        auto read = readJsonFile(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "tests/engine/model/data/layers.json");
        return read ? *read : Json{{"cases", Json::array()}};
    }();
    return json;
}

/// 0.3·sin(0.37(i+1) + 0.11(k+1)) for element i of parameter k, as the file's convention says.
void fillParameters(const Model& model) {
    const std::vector<NamedState>& parameters = model.parameters();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const at::Tensor index = at::arange(1, parameters[k].tensor.numel() + 1, at::kDouble);
        const at::Tensor values = at::sin(index.mul(0.37).add(0.11 * static_cast<double>(k + 1))).mul(0.3);
        parameters[k].tensor.detach().copy_(values.reshape(parameters[k].tensor.sizes()));
    }
}

std::vector<at::Tensor> makeInputs(const Json& one, bool indices) {
    std::vector<at::Tensor> inputs;
    for (std::size_t j = 0; j < one.at("input").size(); ++j) {
        const auto dims = one.at("input")[j].get<std::vector<std::int64_t>>();
        std::int64_t count = 1;
        for (const std::int64_t dim : dims) {
            count *= dim;
        }
        const at::Tensor index = at::arange(0, count, at::kDouble);
        inputs.push_back(indices ? index.mul(7).add(3).remainder(10).to(at::kLong).reshape(dims)
                                 : at::sin(index.add(1).mul(0.13).add(0.5 * static_cast<double>(j))).reshape(dims));
    }
    return inputs;
}

int outputCount(const std::string& type) {
    return type == "LSTM" ? 3 : type == "GRU" ? 2 : 1;
}

GraphMaker graphOf(const Json& one) {
    GraphMaker maker;
    std::vector<graph::ValueId> values;
    for (const Json& shape : one.at("input")) {
        std::vector<graph::Dim> dims;
        for (const Json& dim : shape) {
            dims.emplace_back(dim.get<std::int64_t>());
        }
        values.push_back(maker.input("x" + std::to_string(values.size()), dims));
    }
    graph::ValueId value = values.front();
    const Json& blocks = one.at("blocks");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::string type = blocks[i].at("type");
        // A single layer stands without a name, so that its state is named as the layer's own.
        const std::string name = blocks.size() == 1 ? "" : blocks[i].value("name", std::to_string(i));
        value = maker.leaf(name, type, blocks[i].at("params"), values, outputCount(type));
        values = {value};
    }
    for (int port = 0; port < outputCount(blocks.back().at("type")); ++port) {
        maker.output("y" + std::to_string(port), value + port);
    }
    return maker;
}

void expectNear(double got, double wanted, const char* what) {
    EXPECT_NEAR(got, wanted, 1e-12 * std::max(1.0, std::fabs(wanted))) << what;
}

void expectOutputs(const std::vector<at::Tensor>& got, const Json& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].sizes().vec(), wanted[i].at("shape").get<std::vector<std::int64_t>>());
        const at::Tensor flat = got[i].detach().to(at::kDouble).reshape({-1});
        expectNear(flat.sum().item<double>(), wanted[i].at("sum"), "sum");
        expectNear(flat.square().sum().item<double>(), wanted[i].at("sumsq"), "sum of squares");
        const Json& first = wanted[i].at("first");
        for (std::size_t k = 0; k < first.size(); ++k) {
            expectNear(flat[static_cast<std::int64_t>(k)].item<double>(), first[k], "one of the first values");
        }
    }
}

class PyTorchLayer : public ::testing::TestWithParam<std::size_t> {};

TEST_P(PyTorchLayer, GivesPythonsNumbers) {
    const Json& one = references().at("cases")[GetParam()];
    SCOPED_TRACE(one.at("layer").get<std::string>());
    auto model = Model::build(graphOf(one).model(), {.dtype = DType::kFloat64});
    ASSERT_TRUE(model.has_value()) << toSentence(model.error());

    const std::vector<NamedState> state = (*model)->stateDict();
    ASSERT_EQ(state.size(), one.at("state_dict").size());
    std::size_t position = 0;
    for (const auto& [name, dims] : one.at("state_dict").items()) {
        EXPECT_EQ(state[position].name, name);
        EXPECT_EQ(state[position].tensor.sizes().vec(), dims.get<std::vector<std::int64_t>>());
        ++position;
    }

    fillParameters(**model);
    const bool indices = one.at("blocks")[0].at("type") == "Embedding";
    (*model)->train(false);
    auto outputs = (*model)->forward(makeInputs(one, indices));
    ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
    expectOutputs(*outputs, one.at("eval"));
    if (!one.contains("train")) {
        return;
    }
    (*model)->train(true);
    outputs = (*model)->forward(makeInputs(one, indices));
    ASSERT_TRUE(outputs.has_value()) << toSentence(outputs.error());
    expectOutputs(*outputs, one.at("train"));
    if (one.contains("buffers_after_train_call")) {
        for (const NamedState& buffer : (*model)->buffers()) {
            const Json& wanted = one.at("buffers_after_train_call").at(buffer.name);
            const at::Tensor flat = buffer.tensor.to(at::kDouble).reshape({-1});
            for (std::int64_t i = 0; i < flat.numel(); ++i) {
                expectNear(flat[i].item<double>(), wanted.is_array() ? wanted[static_cast<std::size_t>(i)] : wanted,
                           buffer.name.c_str());
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Layers, PyTorchLayer, ::testing::Range<std::size_t>(0, references().at("cases").size()));

TEST(PyTorchLayers, AreAllThere) {
    EXPECT_EQ(references().at("cases").size(), 66U);
}

}  // namespace
}  // namespace plumbline::model
