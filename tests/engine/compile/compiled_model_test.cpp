// Compiled blocks give what the leaves give, and the report says what became of each.

#include <ATen/Context.h>
#include <ATen/ops/randint.h>

#include "compile_fixture.h"
#include "project/project.h"

namespace plumbline::compile::testing {
namespace {

void expectCompiledLikeLeaves(model::Model& model, const std::vector<Tensors>& samples) {
    const std::vector<Tensors> reference = referenceOf(model, samples);
    const auto made = compiled(model, samples);
    ASSERT_NE(made, nullptr);
    const Json report = made->report();
    ASSERT_EQ(report.at("units").size(), 1U) << report.dump(2);
    EXPECT_EQ(report["units"][0]["outcome"], "compiled") << report.dump(2);
    EXPECT_EQ(report["total"]["compiled_blocks"], report["total"]["blocks"]);
    EXPECT_LE(report["total"]["largest_difference"].get<double>(), kBound);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        expectSame(reference[i], forward(model, samples[i]));
    }
    const Json unit = made->report()["units"][0];
    EXPECT_EQ(unit["calls"], samples.size());
    EXPECT_EQ(unit["compiled_calls"], samples.size());
    EXPECT_EQ(unit["took_effect"], 1.0);
    EXPECT_GT(unit["compiled_ms"].get<double>(), 0);
}

TEST(CompiledModel, OfConvolutionsWithBatchNormGivesWhatTheLeavesGive) {
    const auto model = stack();
    expectCompiledLikeLeaves(*model, samplesOf({0, 3, 8, 8}));
}

TEST(CompiledModel, KeepsTheMemoryLayoutOfTheLeaves) {
    for (const bool channelsLast : {false, true}) {
        const auto json = parseJson(
            std::string(
                R"({"definitions": {}, "graph": {"inputs": {"x": {"shape": ["B", 3, 8, 8], "dtype": "float32"}}, "nodes": {)") +
                kStack + R"(}, "outputs": {"y": "relu2"}}})",
            "model");
        model::BuildOptions options;
        options.channelsLast = channelsLast;
        auto model =
            model::Model::build(graph::resolve(graph::readDocument(*json).value(), blocks::builtinBlocks()), options);
        ASSERT_TRUE(model) << toSentence(model.error());
        (*model)->train(false);
        const std::vector<Tensors> samples = samplesOf({0, 3, 8, 8});
        const Tensors before = forward(**model, samples[0]);
        const auto made = compiled(**model, samples);
        const Tensors after = forward(**model, samples[0]);
        expectSame(before, after);
        EXPECT_EQ(before[0].strides(), after[0].strides()) << channelsLast;
    }
}

TEST(CompiledModel, OfResidualBlocksGivesWhatTheLeavesGive) {
    const auto model = modelOf(R"({
      "definitions": {"Residual": {"inputs": {"x": {}}, "nodes": {
        "conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": 8, "kernel_size": 3, "padding": 1, "bias": false}},
        "bn": {"type": "BatchNorm2d", "from": "conv"}, "add": {"type": "Add", "from": ["bn", "x"]},
        "relu": {"type": "ReLU", "from": "add", "params": {"inplace": true}}}, "outputs": {"y": "relu"}}},
      "graph": {"inputs": {"x": {"shape": ["B", 8, 8, 8], "dtype": "float32"}}, "nodes": {
        "blocks": {"type": "Residual", "from": "x", "repeat": 3}, "other": {"type": "Residual", "from": "x"},
        "again": {"type": "Residual", "from": "blocks", "weights": "other"},
        "pool": {"type": "AdaptiveAvgPool2d", "from": "again", "params": {"output_size": 1}}, "flatten": {"type": "Flatten", "from": "pool"},
        "fc": {"type": "Linear", "from": "flatten", "params": {"out_features": 5}}}, "outputs": {"y": "fc", "z": "other"}}})");
    settle(*model);
    expectCompiledLikeLeaves(*model, samplesOf({0, 8, 8, 8}));
}

TEST(CompiledModel, OfTheTransformerSampleGivesWhatTheLeavesGive) {
    const auto project = project::openProject(PLUMBLINE_SOURCE_DIR "/projects/char-transformer");
    ASSERT_TRUE(project) << toSentence(project.error());
    const auto model = modelOf(project->model);
    ASSERT_NE(model, nullptr);
    const graph::ResolvedModel& graph = model->graph();
    ASSERT_EQ(graph.inputs.size(), 1U);
    const graph::TensorType& type = graph.values[static_cast<std::size_t>(graph.inputs[0].second)].type;
    ASSERT_EQ(type.rank(), 2U);
    const std::int64_t length = type.dims[1].constant().value();
    expectCompiledLikeLeaves(*model, {{at::randint(20, {6, length}, at::kLong)},
                                      {at::randint(20, {6, length}, at::kLong)},
                                      {at::randint(20, {4, length}, at::kLong)}});
}

TEST(CompiledModel, LeavesABlockThatDrawsEagerAndCompilesWhatIsAroundIt) {
    const auto model = modelOf(R"(["B", 6])", R"(
        "a": {"type": "Linear", "from": "x", "params": {"out_features": 6}}, "b": {"type": "Tanh", "from": "a"},
        "drop": {"type": "Dropout", "from": "b", "mode": "stochastic"},
        "c": {"type": "Linear", "from": "drop", "params": {"out_features": 3}})",
                               "c");
    const std::vector<Tensors> samples = samplesOf({0, 6});
    at::manual_seed(3);
    const Tensors reference = forward(*model, samples[0]), next = forward(*model, samples[1]);
    at::manual_seed(3);
    const auto made = compiled(*model, samples);
    ASSERT_NE(made, nullptr);
    const Json drop = unitOf(*made, {"drop"});
    EXPECT_EQ(drop["outcome"], "eager");
    EXPECT_EQ(drop["reason"], "drop stays in training mode (mode \"stochastic\")");
    EXPECT_EQ(unitOf(*made, {"a", "b"})["outcome"], "compiled") << made->report().dump(2);
    EXPECT_EQ(unitOf(*made, {"c"})["outcome"], "compiled");
    expectSame(reference, forward(*model, samples[0]));  // no draw was used up
    expectSame(next, forward(*model, samples[1]));
}

/// As a built-in block, but what it writes as TorchScript calls an operator that there is none of.
class Unscriptable final : public graph::BlockType {
public:
    explicit Unscriptable(const graph::BlockType& real) : m_real(real) {}
    const graph::BlockSpec& spec() const override { return m_real.spec(); }
    Result<graph::Inference> infer(const graph::InferenceRequest& request) const override {
        return m_real.infer(request);
    }
    graph::EmittedCpp emitCpp(const graph::EmitRequest& request) const override { return m_real.emitCpp(request); }
    graph::EmittedScript emitTorchScript(const graph::EmitRequest& request) const override {
        return {request.outputs[0] + " = torch.no_such_operator(" + request.inputs[0] + ")"};
    }

private:
    const graph::BlockType& m_real;
};

TEST(CompiledModel, LeavesABlockThatTorchScriptRefusesEagerWithTheReason) {
    graph::BlockRegistry registry;
    for (const auto& type : blocks::builtinBlocks().all()) {
        if (type->spec().type == "Linear") {
            registry.add(std::make_unique<Unscriptable>(*type));
        }
    }
    const auto model =
        modelOf(R"(["B", 6])", R"("a": {"type": "Linear", "from": "x", "params": {"out_features": 6}})", "a");
    const std::vector<Tensors> samples = samplesOf({0, 6});
    const auto made = compiled(*model, samples, whateverTheClockSays(), registry);
    ASSERT_NE(made, nullptr);
    const Json unit = unitOf(*made, {"a"});
    EXPECT_EQ(unit["outcome"], "eager");
    EXPECT_NE(unit["reason"].get<std::string>().find("TorchScript refused it: "), std::string::npos) << unit.dump();
    EXPECT_NE(unit["reason"].get<std::string>().find("no_such_operator"), std::string::npos) << unit.dump();
    EXPECT_TRUE(unit["speedup"].is_null());
    EXPECT_TRUE(unit["took_effect"].is_null());
}

TEST(CompiledModel, TriesBlockByBlockWhereTheWholeFails) {
    const auto model = modelOf(R"(["B", 6])", R"(
        "a": {"type": "ReLU", "from": "x", "params": {"inplace": true}}, "b": {"type": "Linear", "from": "a", "params": {"out_features": 3}})",
                               "b");
    const std::vector<Tensors> samples = samplesOf({0, 6});
    const auto made = compiled(*model, samples);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(unitOf(*made, {"a", "b"})["reason"], "it overwrites what it gets; tried block by block");
    EXPECT_EQ(unitOf(*made, {"a"})["reason"], "it overwrites what it gets");
    EXPECT_EQ(unitOf(*made, {"b"})["outcome"], "compiled") << made->report().dump(2);
}

TEST(CompiledModel, KeepsNothingThatIsNotFaster) {
    const auto model = stack();
    const std::vector<Tensors> samples = samplesOf({0, 3, 8, 8});
    const std::vector<Tensors> reference = referenceOf(*model, samples);
    CompileOptions options;
    options.leastSpeedup = 1e6;
    const auto made = compiled(*model, samples, options);
    ASSERT_NE(made, nullptr);
    const Json report = made->report();
    EXPECT_EQ(report["units"].size(), 7U);  // the whole, then each block
    for (const Json& unit : report["units"]) {
        EXPECT_EQ(unit["outcome"], "eager");
        EXPECT_TRUE(unit["reason"].get<std::string>().starts_with("not faster: ")) << unit.dump();
        EXPECT_GT(unit["speedup"].get<double>(), 0);
    }
    EXPECT_EQ(report["total"]["compiled_blocks"], 0);
    EXPECT_TRUE(report["total"]["speedup"].is_null());
    EXPECT_TRUE(at::equal(reference[0][0], forward(*model, samples[0])[0]));  // the leaves, to the last bit
}

TEST(CompiledModel, CompilesNothingWhereItIsToldWhyNot) {
    const auto model = stack();
    CompileOptions options = whateverTheClockSays();
    options.keepEager = "there is a reason";
    const auto made = compiled(*model, samplesOf({0, 3, 8, 8}), options);
    ASSERT_NE(made, nullptr);
    const Json report = made->report();
    for (const Json& unit : report["units"]) {
        EXPECT_EQ(unit["outcome"], "eager");
        EXPECT_EQ(unit["reason"], "there is a reason");
    }
}

TEST(CompiledModel, EndsAtAStop) {
    const auto model = stack();
    RunControl control;
    control.requestStop();
    CompileOptions options = whateverTheClockSays();
    options.control = &control;
    const auto made = CompiledModel::make(*model, blocks::builtinBlocks(), samplesOf({0, 3, 8, 8}), options);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code, "stopped");
}

}  // namespace
}  // namespace plumbline::compile::testing
