#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "blocks/register.h"
#include "codegen/literal_variation.h"
#include "codegen/model_source.h"
#include "codegen/module_body.h"
#include "codegen/project_source.h"
#include "codegen/script_source.h"

using namespace plumbline;
using namespace plumbline::codegen;

namespace {

struct Made {
    project::Project project;
    graph::ResolvedModel model;
};

Made make(const std::string& templateId) {
    Made made;
    made.project =
        project::readProject(project::makeFromTemplate(templateId, Json::object(), "made").value(), "").value();
    made.model = graph::resolve(made.project.model, blocks::builtinBlocks());
    return made;
}

Made makeFrom(const std::string& model) {
    Made made = make("mlp");
    made.project.model = graph::readDocument(parseJson(model, "model").value()).value();
    made.model = graph::resolve(made.project.model, blocks::builtinBlocks());
    return made;
}

std::size_t countOf(const std::string& text, const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

}  // namespace

TEST(LiteralVariation, FindsWhatDiffersAndPutsNamesThere) {
    const std::string a = "conv = f(\"c1\", Conv(1, 32, 3).stride(2).bias(false));";
    const std::string b = "conv = f(\"c1\", Conv(32, 64, 3).stride(2).bias(true));";
    EXPECT_EQ(skeletonOf(a), skeletonOf(b));
    EXPECT_EQ(literalsOf(a), (std::vector<std::string>{"1", "32", "3", "2", "false"}));
    EXPECT_EQ(withLiterals(a, {"in", "out", "", "", "bias"}),
              "conv = f(\"c1\", Conv(in, out, 3).stride(2).bias(bias));");
}

TEST(LiteralVariation, KeepsKindsAndNamesApart) {
    EXPECT_NE(skeletonOf("f(1)"), skeletonOf("f(1.0)"));
    EXPECT_NE(skeletonOf("f(1)"), skeletonOf("f(true)"));
    EXPECT_NE(skeletonOf("f(\"1\")"), skeletonOf("f(\"2\")"));
    EXPECT_EQ(literalsOf("x2 + 1e-05 + a.b3"), (std::vector<std::string>{"1e-05"}));
}

TEST(CppIdentifier, AvoidsKeywordsAndNumbers) {
    EXPECT_EQ(cppIdentifier("0"), "m0");
    EXPECT_EQ(cppIdentifier("class"), "class_");
    EXPECT_EQ(cppIdentifier("train"), "train_");
    EXPECT_EQ(cppIdentifier("a-b"), "a_b");
    for (const char* word : {"compl", "bitor", "nullptr", "linux", "unix", "named_buffers", "co_await", "NULL", "EOF",
                             "M_PI", "SIGINT", "INT_MAX", "ConvImpl"}) {
        EXPECT_EQ(cppIdentifier(word), std::string(word) + "_");
    }
    EXPECT_EQ(cppIdentifier("__linux__"), "m__linux__");
    for (const char* word : {"conv1", "MLP", "SE", "_", "fc_2", "Tensors", "plan"}) {
        EXPECT_EQ(cppIdentifier(word), word);
    }
}

TEST(ModelSource, InstancesThatDifferInNumbersShareOneStruct) {
    const Made made = make("resnet18");
    const std::string source = modelSource(made.model, made.project.model, blocks::builtinBlocks(), "made").value();
    // Three kinds of block: plain, and with a downsampling shortcut; the shortcut itself is one struct.
    EXPECT_EQ(countOf(source, "struct DownsampleImpl"), 1U);
    EXPECT_EQ(countOf(source, "struct ModelImpl"), 1U);
    EXPECT_LE(countOf(source, "struct BasicBlock"), 3U);
    EXPECT_NE(source.find("register_module(\"downsample\""), std::string::npos);
    EXPECT_NE(source.find("layer1->register_module(\"0\""), std::string::npos);
}

TEST(ModelSource, InstancesThatDifferInWhichOptionsAreDefaultsShareOneStruct) {
    const Made made = makeFrom(R"({"definitions": {"ConvBlock": {
          "parameters": {"channels": {"type": "int"}, "stride": {"type": "int", "default": 1}, "bias": {"type": "bool", "default": true}, "slope": {"type": "float", "default": 0.01}},
          "inputs": {"x": {}},
          "nodes": {
            "conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": "=channels", "kernel_size": 3, "stride": "=stride", "bias": "=bias", "padding": 1}},
            "act": {"type": "LeakyReLU", "from": "conv", "params": {"negative_slope": "=slope"}},
            "pool": {"type": "MaxPool2d", "from": "act", "params": {"kernel_size": 2}}},
          "outputs": {"y": "pool"}}},
        "graph": {"inputs": {"image": {"shape": ["B", 1, 32, 32], "dtype": "float32"}},
          "nodes": {
            "first": {"type": "ConvBlock", "from": "image", "params": {"channels": 8}},
            "second": {"type": "ConvBlock", "from": "first", "params": {"channels": 16, "stride": 2, "bias": false, "slope": 0.2}},
            "flat": {"type": "Flatten", "from": "second"},
            "fc": {"type": "Linear", "from": "flat", "params": {"out_features": 10}}},
          "outputs": {"logits": "fc"}}})");
    ASSERT_TRUE(made.model.ok());
    const std::string source = modelSource(made.model, made.project.model, blocks::builtinBlocks(), "made").value();
    EXPECT_EQ(countOf(source, "struct ConvBlock"), 1U) << source;
    EXPECT_NE(source.find(".stride(stride)"), std::string::npos) << source;
    EXPECT_NE(source.find(".bias(bias)"), std::string::npos) << source;
    EXPECT_NE(source.find(".negative_slope(slope)"), std::string::npos) << source;
    // What stands alone is written as short as can be.
    EXPECT_NE(source.find("torch::nn::Linear(256, 10)"), std::string::npos) << source;
}

TEST(ModelSource, TransformerLayersOfOtherSizesShareOneStruct) {
    const Made made = makeFrom(R"({"definitions": {"Stage": {
          "parameters": {"heads": {"type": "int"}, "width": {"type": "int"}, "dropout": {"type": "float", "default": 0.0}},
          "inputs": {"x": {}},
          "nodes": {
            "wide": {"type": "Linear", "from": "x", "params": {"out_features": "=width"}},
            "attention": {"type": "MultiheadAttention", "from": "wide", "params": {"num_heads": "=heads", "batch_first": true, "dropout": "=dropout"}},
            "layer": {"type": "TransformerEncoderLayer", "from": "attention",
                      "params": {"nhead": "=heads", "dim_feedforward": 32, "batch_first": true, "dropout": "=dropout"}}},
          "outputs": {"y": "layer"}}},
        "graph": {"inputs": {"x": {"shape": ["B", 6, 8], "dtype": "float32"}},
          "nodes": {
            "positions": {"type": "PositionalEncoding", "from": "x", "params": {"batch_first": true, "max_len": 6}},
            "first": {"type": "Stage", "from": "positions", "params": {"heads": 2, "width": 8}},
            "second": {"type": "Stage", "from": "first", "params": {"heads": 4, "width": 16, "dropout": 0.1}}},
          "outputs": {"y": "second"}}})");
    ASSERT_TRUE(made.model.ok());
    const std::string source = modelSource(made.model, made.project.model, blocks::builtinBlocks(), "made").value();
    EXPECT_EQ(countOf(source, "struct StageImpl"), 1U) << source;
    EXPECT_EQ(countOf(source, "struct layerImpl"), 1U) << source;
    EXPECT_NE(source.find("std::make_shared<layerImpl>(width, heads, 32, dropout, 1e-05)"), std::string::npos)
        << source;
    EXPECT_NE(source.find("attention->is_training() ? dropout_ : 0.0"), std::string::npos) << source;
}

TEST(ScriptSource, ReachesThePartsOfATransformerLayer) {
    const Made made =
        makeFrom(R"({"definitions": {}, "graph": {"inputs": {"x": {"shape": [4, "B", 8], "dtype": "float32"}},
          "nodes": {"0": {"type": "TransformerEncoderLayer", "from": "x", "params": {"nhead": 2}}}, "outputs": {"y": "0"}}})");
    ASSERT_TRUE(made.model.ok());
    const std::string source = scriptSource(made.model, blocks::builtinBlocks()).value();
    EXPECT_NE(source.find("getattr(self, \"0\").self_attn.out_proj.weight"), std::string::npos) << source;
}

TEST(ModelSource, SeveralOutputsComeAsATuple) {
    const Made made = make("sandwich");
    const std::string source = modelSource(made.model, made.project.model, blocks::builtinBlocks(), "made").value();
    EXPECT_NE(source.find("std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward"), std::string::npos)
        << source;
}

TEST(ProjectSources, LeaveNoMarkUnfilled) {
    for (const project::TemplateInfo& info : project::templates()) {
        const Made made = make(info.id);
        const auto files = projectSources(made.project, made.model, blocks::builtinBlocks(), {}, {"2.13.0", "", ""});
        ASSERT_TRUE(files) << info.id << ": " << files.error().message;
        for (const SourceFile& file : *files) {
            EXPECT_EQ(file.text.find('@'), std::string::npos) << info.id << " " << file.name;
        }
    }
}

TEST(ProjectSources, RefuseWhatTheyCannotWrite) {
    Made made = make("mlp");
    made.project.training.losses.clear();
    EXPECT_EQ(projectSources(made.project, made.model, blocks::builtinBlocks(), {}, {}).error().code, "no-loss");
    const auto refused = [](const std::function<void(plan::TrainingPlan&)>& change) {
        Made one = make("mlp");
        change(one.project.training);
        const auto written = projectSources(one.project, one.model, blocks::builtinBlocks(), {}, {});
        return written ? std::string()
                       : written.error().code + " " + written.error().where +
                             (written.error().hint.empty() ? " without a remedy" : "");
    };
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) { plan.gradientNoise.eta = 0.1; }),
              "export-unsupported /training/gradient_noise/eta");
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) { plan.phases.emplace_back(); }),
              "export-unsupported /training/phases");
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) { plan.noGrad = {"fc"}; }), "export-unsupported /training/no_grad");
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) { plan.expert.skipZeroGrad = true; }),
              "export-unsupported /training/expert/skip_zero_grad");
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) {
                  plan.optimizer.type = "LBFGS";
                  plan.optimizer.maximize = true;
              }),
              "export-unsupported /training/optimizer/type");
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) {
                  plan.scheduler.type = "reduce_on_plateau";
                  plan.scheduler.options["series"] = "val.accuracy";
              }),
              "export-unsupported /training/scheduler");
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) { plan.scheduler.type = "reduce_on_plateau"; }), "");
    EXPECT_EQ(refused([](plan::TrainingPlan& plan) { plan.optimizer.maximize = true; }), "");
}

TEST(ProjectSources, WriteEveryOptimizerScheduleAndLossThatThereIs) {
    for (const plan::TypeSpec& type : plan::optimizerTypes()) {
        Made made = make("mlp");
        made.project.training.optimizer.type = type.name;
        const auto marks = planMarks(made.project, made.model, {});
        ASSERT_TRUE(marks) << type.name << ": " << marks.error().message;
        EXPECT_FALSE(marks->at("RULE").empty()) << type.name;
        EXPECT_EQ(countOf(marks->at("RULE"), "struct " + marks->at("RULE_NAME") + " "), 1U)
            << type.name << " writes its own rule";
    }
    for (const plan::TypeSpec& type : plan::scheduleTypes()) {
        Made made = make("mlp");
        made.project.training.scheduler.type = type.name;
        const auto marks = planMarks(made.project, made.model, {});
        ASSERT_TRUE(marks) << type.name << ": " << marks.error().message;
        EXPECT_NE(marks->at("SCHEDULE").find("double learningRate("), std::string::npos) << type.name;
    }
    for (const plan::TypeSpec& type : plan::lossTypes()) {
        Made made = make("mlp");
        plan::LossSpec loss(type.name, "logits", "label");
        for (const char* name : {"other", "positive", "negative", "variance"}) {
            loss.options[name] = "logits";
        }
        loss.options["expression"] = "mean((logits - label) ** 2)";
        made.project.training.losses = {loss};
        const auto marks = planMarks(made.project, made.model, {});
        ASSERT_TRUE(marks) << type.name << ": " << marks.error().message;
        EXPECT_NE(marks->at("LOSSES").find("outputs.at(\"logits\")"), std::string::npos) << type.name;
    }
}

TEST(ProjectSources, AddUpTheBatchesOfALossThatSumsAndSplitASumOfLosses) {
    Made made = make("mlp");
    plan::LossSpec sum("L1Loss", "logits", "label", 0.5), both("DiceCELoss", "logits", "label", 2.0);
    sum.options["reduction"] = "sum";
    both.options["ce_weight"] = 3.0;
    made.project.training.losses = {sum, both};
    const auto marks = planMarks(made.project, made.model, {});
    ASSERT_TRUE(marks) << marks.error().message;
    EXPECT_EQ(marks->at("LOSS_WEIGHTS"), "0.5, 2.0, 6.0");
    EXPECT_EQ(marks->at("LOSS_SUMS"), "true, false, false");
    EXPECT_EQ(countOf(marks->at("LOSS_FUNCTIONS"), "inline torch::Tensor dice("), 1U);
}

TEST(ProjectSources, GiveEachGroupItsRatesAndFreezeWhatThePlanFreezes) {
    Made made = make("mlp");
    plan::TrainingPlan& plan = made.project.training;
    plan.optimizer.groups = {{"head.*", {}, {}, true}};
    plan.freeze = {{"body.*", 2, true}, {"*.norm.*", 0, false}};
    PlanFacts facts;
    facts.parameterNames = {"body.weight", "body.norm.weight", "head.weight", "tail.weight"};
    facts.groups = {{{"body.weight", "body.norm.weight"}, 0.1, 0.5}, {{"tail.weight"}, 0.05, 0.0}};
    facts.statistics = {{"body.norm", {"body.norm.running_mean", "body.norm.running_var"}},
                        {"head.norm", {"head.norm.running_mean", "head.norm.running_var"}}};
    const auto marks = planMarks(made.project, made.model, facts);
    ASSERT_TRUE(marks) << marks.error().message;
    EXPECT_EQ(marks->at("GROUPS"), "        {0.1, 0.5, {}},\n        {0.05, 0.0, {}},\n");
    EXPECT_EQ(marks->at("GROUP_NAMES"), "        {},\n        {\"tail.weight\"},\n");
    EXPECT_EQ(marks->at("FROZEN"), "\"body.norm.weight\", \"head.weight\"");
    const std::string& freeze = marks->at("FREEZE");
    EXPECT_NE(freeze.find("{\"body.weight\", 2},"), std::string::npos) << freeze;
    EXPECT_NE(freeze.find("{\"body.norm\", 2},"), std::string::npos) << freeze;
    EXPECT_EQ(freeze.find("head.norm"), std::string::npos) << freeze;
    EXPECT_EQ(freeze.find("tail"), std::string::npos) << freeze;
}

TEST(ProjectSources, ClipAsThePlanDoes) {
    const auto clipOf = [](const std::string& type) {
        Made made = make("mlp");
        made.project.training.clip.type = type;
        made.project.training.clip.normType = std::numeric_limits<double>::infinity();
        return planMarks(made.project, made.model, {}).value().at("CLIP");
    };
    EXPECT_EQ(clipOf("none"), "");
    EXPECT_NE(clipOf("norm").find("clip_grad_norm_(parameters, 1.0, std::numeric_limits<double>::infinity());"),
              std::string::npos)
        << clipOf("norm");
    EXPECT_NE(clipOf("value").find("clip_grad_value_(parameters, 1.0);"), std::string::npos) << clipOf("value");
    EXPECT_NE(clipOf("adaptive").find(".clamp_min(0.001).mul(0.01);"), std::string::npos) << clipOf("adaptive");
}

TEST(ProjectSources, WhatAProjectCallsItsThingsNeverBecomesCode) {
    EXPECT_EQ(cppString("a\"b\\c\n?1"), "\"a\\042b\\134c\\012\\0771\"");
    EXPECT_EQ(cppComment("one\nint x; \\\n"), "// one\n// int x; /\n");
    Made made = make("resnet18");
    made.project.model.definitions.front().help = "Two layers.\n#error help became code \\\nint broken;";
    const std::string hostile = "t\"), abort(), batch.at(\"x";
    for (plan::LossSpec& loss : made.project.training.losses) {
        loss.target = hostile;
    }
    made.project.name = "name\n#error name became code";
    const auto files = projectSources(made.project, made.model, blocks::builtinBlocks(), {}, {"2.13.0", "", ""});
    ASSERT_TRUE(files) << files.error().message;
    for (const SourceFile& file : *files) {
        EXPECT_EQ(file.text.find("\n#error"), std::string::npos) << file.name;
        EXPECT_EQ(file.text.find("\nint broken"), std::string::npos) << file.name;
        EXPECT_EQ(file.text.find("\"), abort()"), std::string::npos) << file.name;
    }
}

TEST(ProjectSources, KnowHowManySamplesTheModelTakesAtATime) {
    for (const char* batch : {"16", "\"B\""}) {
        const bool fixed = std::string(batch) == "16";
        const Made made =
            makeFrom(R"({"graph": {"inputs": {"x": {"shape": [)" + std::string(batch) + R"(, 4], "dtype": "float32"}},
            "nodes": {"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}}, "outputs": {"y": "fc"}}})");
        ASSERT_TRUE(made.model.ok());
        const auto files =
            projectSources(made.project, made.model, blocks::builtinBlocks(), {}, {"2.13.0", "", "'1,2,3,4'"});
        ASSERT_TRUE(files) << toSentence(files.error());
        for (const SourceFile& file : *files) {
            if (file.name == "plan.h") {
                EXPECT_NE(file.text.find(fixed ? "kFixedBatch = 16;" : "kFixedBatch = 0;"), std::string::npos)
                    << file.text;
            } else if (file.name == "README.md") {
                EXPECT_EQ(file.text.find("takes 16 samples at a time") != std::string::npos, fixed) << file.text;
                EXPECT_EQ(file.text.find("inference weights.pt '1,2,3,4'") != std::string::npos, !fixed)
                    << "one sample is asked about only where the model takes one";
            }
        }
    }
}

TEST(ProjectSources, ConvertInputsToWhatTheModelDeclares) {
    const Made made = make("mlp");
    const auto marks = planMarks(made.project, made.model, {});
    ASSERT_TRUE(marks) << marks.error().message;
    EXPECT_NE(marks->at("RUN").find(").to(torch::kFloat32)"), std::string::npos) << marks->at("RUN");
}

namespace {

/// One input of a picture with these transforms, and one target.
DataFacts factsOf(const std::string& transforms, data::FeedInfo target = {}) {
    DataFacts facts;
    data::RawInput raw;
    raw.name = "image";
    raw.type.dtype = DType::kUInt8;
    raw.type.dims = {3, 4, 4};
    raw.parts.emplace_back().kind = data::RawForm::Kind::kPicture;
    facts.raw = {raw};
    data::FeedInfo feed;
    feed.name = "image";
    feed.dims = raw.type.dims;
    feed.transforms = parseJson(transforms, "transforms").value();
    facts.inputs = {feed};
    target.name = "label";
    facts.targets = {std::move(target)};
    return facts;
}

std::map<std::string, std::string> preprocessOf(const Made& made, const DataFacts& facts) {
    auto marks = preprocessMarks(made.project.training, made.model, facts);
    EXPECT_TRUE(marks) << marks.error().message;
    return marks ? *marks : std::map<std::string, std::string>{};
}

}  // namespace

TEST(PreprocessSource, WritesTheFittedNumbersExactlyAndJoinsWhatThePipelineJoins) {
    const Made made = make("mlp");
    const std::string joined = preprocessOf(made, factsOf(R"([{"type": "scale", "by": 0.00392156862745098},
        {"type": "normalize", "mean": [0.1, 0.30000000000000004, 1], "std": [0.5, 1e-07, 2]}])"))
                                   .at("PREPARE");
    EXPECT_NE(joined.find("mean{0.1, 0.30000000000000004, 1.0};"), std::string::npos) << joined;
    EXPECT_NE(joined.find("deviation{0.5, 1e-07, 2.0};"), std::string::npos) << joined;
    EXPECT_NE(
        joined.find("x = scaled(0.00392156862745098).then(normalized(mean, deviation)).apply(x, torch::kFloat32);"),
        std::string::npos)
        << joined;
    // A random transform between them is left out, and keeps them apart as it does in training.
    const std::string apart =
        preprocessOf(made, factsOf(R"([{"type": "scale", "by": 2}, {"type": "random_horizontal_flip", "p": 0.5},
        {"type": "normalize", "mean": [1], "std": [2]}])"))
            .at("PREPARE");
    EXPECT_NE(apart.find("x = scaled(2.0).apply(x, torch::kFloat32);"), std::string::npos) << apart;
    EXPECT_NE(apart.find("x = normalized(mean, deviation).apply(x, torch::kFloat32);"), std::string::npos) << apart;
    EXPECT_EQ(apart.find("flip"), std::string::npos) << apart;
}

TEST(PreprocessSource, NamesClassesAndUndoesTheScaleOfANumber) {
    Made made = make("mlp");
    ASSERT_EQ(made.project.training.losses.size(), 1U);
    plan::LossSpec& loss = made.project.training.losses[0];
    loss.output = made.model.outputs[0].first;
    loss.target = "label";
    loss.type = "CrossEntropyLoss";
    data::FeedInfo target;
    target.classes = {"a \"cat\"", "dog"};
    auto marks = preprocessOf(made, factsOf("[]", target));
    EXPECT_NE(marks.at("NAMES").find(R"({"a \042cat\042", "dog"};)"), std::string::npos) << marks.at("NAMES");
    EXPECT_NE(marks.at("CLASSES").find("listOf(kNames0), true)"), std::string::npos) << marks.at("CLASSES");
    EXPECT_EQ(marks.at("TARGETS"), "");
    loss.type = "NLLLoss";
    EXPECT_NE(preprocessOf(made, factsOf("[]", target))
                  .at("CLASSES")
                  .find("listOf(kNames0), true, Scale::kLogProbabilities)"),
              std::string::npos);
    loss.type = "CrossEntropyLoss";
    target.classes = {"0", "1"};
    EXPECT_EQ(preprocessOf(made, factsOf("[]", target)).at("NAMES"), "") << "numbers need no list";

    loss.type = "MSELoss";
    target.classes.clear();
    target.transforms =
        parseJson(R"([{"type": "scale", "by": 0.5}, {"type": "normalize", "mean": [3], "std": [4]}])", "t").value();
    marks = preprocessOf(made, factsOf("[]", target));
    EXPECT_NE(marks.at("TARGETS").find("scaled(0.5).then(normalized({3.0}, {4.0})).invert("), std::string::npos)
        << marks.at("TARGETS");
    EXPECT_EQ(marks.at("CLASSES"), "");
    loss.type = "PoissonNLLLoss";
    EXPECT_EQ(preprocessOf(made, factsOf("[]", target)).at("TARGETS"), "") << "the output is a logarithm";
    loss.type = "MSELoss";
    target.transforms = Json::array();
    EXPECT_EQ(preprocessOf(made, factsOf("[]", target)).at("TARGETS"), "") << "nothing to undo";
}

TEST(ModelSource, NamesOfCompositesMeetNoOtherName) {
    const Made made = makeFrom(R"({"definitions": {
            "Tensors": {"parameters": {"size": {"type": "int"}}, "inputs": {"x": {}}, "nodes": {"fc": {"type": "Linear", "from": "x", "params": {"out_features": "=size"}}}, "outputs": {"y": "fc"}},
            "ModelImpl": {"inputs": {"x": {}}, "nodes": {"Tensors": {"type": "Tensors", "from": "x", "params": {"size": 3}}}, "outputs": {"y": "Tensors"}}},
          "graph": {"inputs": {"x": {"shape": ["B", 4], "dtype": "float32"}},
            "nodes": {"Tensors": {"type": "Tensors", "from": "x", "params": {"size": 4}}, "ModelImpl": {"type": "ModelImpl", "from": "Tensors"}},
            "outputs": {"y": "ModelImpl"}}})");
    ASSERT_TRUE(made.model.ok());
    const std::string source = modelSource(made.model, made.project.model, blocks::builtinBlocks(), "made").value();
    EXPECT_EQ(countOf(source, "struct ModelImpl "), 1U) << source;
    EXPECT_NE(source.find("Tensors Tensors_2{nullptr};"), std::string::npos) << source;
    EXPECT_NE(source.find("Tensors_2 = register_module(\"Tensors\", Tensors(4));"), std::string::npos) << source;
    EXPECT_LT(source.find("namespace network {"), source.find("struct TensorsImpl"));
    EXPECT_NE(source.find("using network::Model;"), std::string::npos);
}

namespace {

/// Two composites of a convolution, a nested one and a dropout, the second sharing the first one's weights.
Made twins(const std::string& more, const std::string& nodes = "", const std::string& output = "right") {
    return makeFrom(R"({"definitions": {
            "Inner": {"inputs": {"x": {}}, "nodes": {"fc": {"type": "Linear", "from": "x", "params": {"out_features": 4}}}, "outputs": {"y": "fc"}},
            "Half": {"parameters": {"p": {"type": "float", "default": 0.5}}, "inputs": {"x": {}},
              "nodes": {"inner": {"type": "Inner", "from": "x"}, "bn": {"type": "BatchNorm1d", "from": "inner"}, "drop": {"type": "Dropout", "from": "bn", "params": {"p": "=p"}}},
              "outputs": {"y": "drop"}}},
          "graph": {"inputs": {"x": {"shape": ["B", 4], "dtype": "float32"}},
            "nodes": {"left": {"type": "Half", "from": "x"}, "right": {"type": "Half", "from": "left", "weights": "left")" +
                    more + "}" + nodes + R"(},
            "outputs": {"y": ")" +
                    output + R"("}}})");
}

Result<std::string> sourceOf(const Made& made) {
    EXPECT_TRUE(made.model.ok());
    return modelSource(made.model, made.project.model, blocks::builtinBlocks(), "made");
}

}  // namespace

TEST(ModelSource, ACompositeThatSharesAnothersWeightsIsTheOtherCalledTwice) {
    const auto source = sourceOf(twins(""));
    ASSERT_TRUE(source) << toSentence(source.error());
    EXPECT_EQ(countOf(*source, "struct HalfImpl"), 1U) << *source;
    EXPECT_EQ(countOf(*source, "struct InnerImpl"), 1U) << *source;
    EXPECT_NE(source->find("torch::Tensor right_out = left->forward(left_out);"), std::string::npos) << *source;
    EXPECT_EQ(source->find("register_module(\"right\""), std::string::npos) << *source;
}

TEST(ModelSource, ABlockSharesTheWeightsOfOneInsideAComposite) {
    const auto source = sourceOf(twins(
        "", R"(, "deep": {"type": "Linear", "from": "right", "params": {"out_features": 4}, "weights": "left.inner.fc"},
                                              "part": {"type": "Inner", "from": "deep", "weights": "left.inner"})",
        "part"));
    ASSERT_TRUE(source) << toSentence(source.error());
    EXPECT_NE(source->find("torch::Tensor deep_out = left->inner->fc->forward(right_out);"), std::string::npos)
        << *source;
    EXPECT_NE(source->find("torch::Tensor part_out = left->inner->forward(deep_out);"), std::string::npos) << *source;
}

TEST(ModelSource, SharedWeightsUnderOtherSettingsAreRefusedWithTheReason) {
    for (const char* more : {R"(, "params": {"p": 0.1})", R"(, "mode": "eval")"}) {
        const auto source = sourceOf(twins(more));
        ASSERT_FALSE(source) << more << *source;
        EXPECT_EQ(source.error().code, "export-shared-weights");
        EXPECT_NE(source.error().message.find("differs from it in other settings"), std::string::npos)
            << source.error().message;
    }
}

TEST(ModelSource, BlocksKeepTheModeThatTheModelGivesThem) {
    const Made made = makeFrom(R"({"graph": {"inputs": {"x": {"shape": ["B", 4], "dtype": "float32"}},
          "nodes": {
            "mc": {"type": "Dropout", "from": "x", "mode": "stochastic"},
            "bn": {"type": "BatchNorm1d", "from": "mc", "mode": "eval"},
            "again": {"type": "BatchNorm1d", "from": "bn", "weights": "bn"},
            "drop": {"type": "Dropout", "from": "again"}},
          "outputs": {"y": "drop"}}})");
    ASSERT_TRUE(made.model.ok());
    const std::string source = modelSource(made.model, made.project.model, blocks::builtinBlocks(), "made").value();
    EXPECT_NE(source.find("        mc->train();\n        bn->eval();\n    }"), std::string::npos) << source;
    // The one module of "bn" is in training where the model is, when "again" calls it.
    EXPECT_NE(source.find("bn->train(is_training());\n        torch::Tensor again_out = bn->forward(bn_out);\n        "
                          "bn->train(again_mode);"),
              std::string::npos)
        << source;
    const std::string script = scriptSource(made.model, blocks::builtinBlocks()).value();
    EXPECT_NE(script.find("torch.dropout(x, 0.5, True)"), std::string::npos) << script;
    EXPECT_NE(script.find("torch.dropout(again, 0.5, self.training)"), std::string::npos) << script;
}

TEST(ScriptSource, ReachesNumberedModulesByGetattr) {
    const Made made = make("resnet18");
    const std::string source = scriptSource(made.model, blocks::builtinBlocks()).value();
    EXPECT_NE(source.find("getattr(self.layer1, \"0\").conv1.weight"), std::string::npos) << source.substr(0, 800);
    EXPECT_TRUE(source.starts_with("def forward(self, image: Tensor) -> Tensor:"));
}
