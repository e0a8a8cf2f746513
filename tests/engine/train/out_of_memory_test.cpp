// What a step is predicted to hold, against what the counting allocator sees; and what a run says that memory ended.
#include <cmath>
#include <functional>
#include <utility>

#include "model/memory.h"
#include "run_fixture.h"
#include "train/memory_estimate.h"
#include "train/probes/probe.h"
#include "train/probes/probe_bench.h"

namespace plumbline::test {
namespace {

/// Twelve wide layers with dropout.
void makeDeep(TinyProject& project) {
    Json nodes = Json::object();
    std::string from = "x";
    for (int i = 0; i < 12; ++i) {
        const std::string name = "layer" + std::to_string(i);
        nodes[name] = {{"type", "Linear"}, {"from", from}, {"params", {{"out_features", 256}}}};
        nodes[name + "_gelu"] = {{"type", "GELU"}, {"from", name}};
        nodes[name + "_drop"] = {{"type", "Dropout"}, {"from", name + "_gelu"}, {"params", {{"p", 0.1}}}};
        from = name + "_drop";
    }
    nodes["fc"] = {{"type", "Linear"}, {"from", from}, {"params", {{"out_features", 3}}}};
    project.json["model"]["graph"]["nodes"] = nodes;
    project.json["data"]["loader"]["batch_size"] = 128;
}

void makeConvolutional(TinyProject& project) {
    project.json["model"]["graph"] = parseJson(R"({
      "inputs": {"x": {"shape": ["B", 3, 32, 32]}},
      "nodes": {"conv1": {"type": "Conv2d", "from": "x", "params": {"out_channels": 16, "kernel_size": 3, "padding": 1}}, "bn1": {"type": "BatchNorm2d", "from": "conv1"},
                "relu1": {"type": "ReLU", "from": "bn1"}, "pool": {"type": "MaxPool2d", "from": "relu1", "params": {"kernel_size": 2}},
                "conv2": {"type": "Conv2d", "from": "pool", "params": {"out_channels": 32, "kernel_size": 3, "padding": 1}}, "bn2": {"type": "BatchNorm2d", "from": "conv2"},
                "relu2": {"type": "ReLU", "from": "bn2"}, "conv3": {"type": "Conv2d", "from": "relu2", "params": {"out_channels": 32, "kernel_size": 3, "padding": 1}},
                "add": {"type": "Add", "from": ["conv3", "relu2"]}, "relu3": {"type": "ReLU", "from": "add"},
                "flat": {"type": "Flatten", "from": "relu3"}, "fc": {"type": "Linear", "from": "flat", "params": {"out_features": 3}}},
      "outputs": {"logits": "fc"}})",
                                               "test")
                                         .value();
    project.json["data"] = parseJson(R"({
      "sources": {"made": {"type": "generated", "kind": "images", "samples": 200, "classes": 3, "channels": 3, "size": 32}},
      "inputs": {"x": {"from": "made.image"}}, "targets": {"label": {"from": "made.label"}}, "loader": {"batch_size": 32, "workers": 0}})",
                                     "test")
                               .value();
}

void makeAttentive(TinyProject& project, double dropout) {
    Json graph = parseJson(R"({
      "inputs": {"x": {"shape": ["B", 4]}},
      "nodes": {"wide": {"type": "Linear", "from": "x", "params": {"out_features": 2048}}, "rows": {"type": "Reshape", "from": "wide", "params": {"shape": [-1, 32, 64]}},
                "flat": {"type": "Flatten", "from": "layer2"}, "fc": {"type": "Linear", "from": "flat", "params": {"out_features": 3}}},
      "outputs": {"logits": "fc"}})",
                           "test")
                     .value();
    for (const std::string name : {"layer1", "layer2"}) {
        graph["nodes"][name] = {
            {"type", "TransformerEncoderLayer"},
            {"from", name == "layer1" ? "rows" : "layer1"},
            {"params",
             {{"d_model", 64}, {"nhead", 4}, {"dim_feedforward", 256}, {"batch_first", true}, {"dropout", dropout}}}};
    }
    project.json["model"]["graph"] = graph;
    project.json["data"]["loader"]["batch_size"] = 64;
}

void makeRecurrent(TinyProject& project) {
    project.json["model"]["graph"] = parseJson(R"({
      "inputs": {"x": {"shape": ["B", 4]}},
      "nodes": {"wide": {"type": "Linear", "from": "x", "params": {"out_features": 640}}, "rows": {"type": "Reshape", "from": "wide", "params": {"shape": [-1, 20, 32]}},
                "lstm": {"type": "LSTM", "from": "rows", "params": {"hidden_size": 64, "batch_first": true}}, "last": {"type": "Select", "from": "lstm", "params": {"dim": 1, "index": -1}},
                "fc": {"type": "Linear", "from": "last", "params": {"out_features": 3}}},
      "outputs": {"logits": "fc"}})",
                                               "test")
                                         .value();
    project.json["data"]["loader"]["batch_size"] = 64;
}

struct Peaks {
    double predicted = 0, measured = 0;
};

/// Of the second step, from what was there before the model.
Peaks peaksOf(const TinyProject& tiny) {
    const project::Project project = tiny.read();
    model::installCountingAllocator();
    const std::int64_t before = model::tensorMemory().current;
    RunControl control;
    const auto bench = train::ProbeBench::make(project, control);
    EXPECT_TRUE(bench.has_value()) << toSentence(bench.error());
    for (int step = 0; step < 2; ++step) {
        EXPECT_TRUE((*bench)->nextBatch().has_value());
        if (step == 1) {
            model::resetMemoryPeaks();
        }
        EXPECT_TRUE((*bench)->step().has_value());
    }
    const graph::ResolvedModel& graph = (*bench)->setup().assembly.model->graph();
    const auto memory = train::estimateMemory({graph, train::symbolsOfInputs(graph, (*bench)->setup().batch.inputs),
                                               project.training.optimizer,
                                               project.training.precision != plan::Precision::kFp32, false});
    EXPECT_TRUE(memory.has_value());
    EXPECT_EQ(memory->optimizerState,
              (*bench)->setup().optimizer->stateBytes() -
                  4 * static_cast<std::int64_t>((*bench)->setup().optimizer->parameters().size()))
        << "and a step count each";
    return {static_cast<double>(memory->peak()), static_cast<double>(model::tensorMemory().peak - before)};
}

TEST(MemoryEstimate, IsWithinAThirdOfWhatTheAllocatorSees) {
    const std::pair<const char*, std::function<void(TinyProject&)>> cases[] = {
        {"linear", makeDeep},
        {"convolutions", makeConvolutional},
        {"recurrent", makeRecurrent},
        {"attention", [](TinyProject& project) { makeAttentive(project, 0); }},
        {"attention_with_dropout", [](TinyProject& project) { makeAttentive(project, 0.1); }}};
    for (const auto& [name, make] : cases) {
        TinyProject tiny;
        make(tiny);
        tiny.json["monitor"]["enabled"] = false;
        const Peaks peaks = peaksOf(tiny);
        EXPECT_LT(peaks.predicted, 4.0 / 3 * peaks.measured) << name;
        EXPECT_GT(peaks.predicted, 3.0 / 4 * peaks.measured) << name;
        RecordProperty(name, std::to_string(peaks.predicted / peaks.measured));
    }
}

TEST(MemoryEstimate, GrowsWithTheBatchAndShrinksWithHalfPrecision) {
    TinyProject tiny;
    makeDeep(tiny);
    const project::Project project = tiny.read();
    RunControl control;
    const auto bench = train::ProbeBench::make(project, control);
    ASSERT_TRUE(bench.has_value());
    const graph::ResolvedModel& graph = (*bench)->setup().assembly.model->graph();
    const auto at = [&](std::int64_t batch, bool half) {
        return train::estimateMemory({graph, {{"B", batch}}, project.training.optimizer, half, false}).value();
    };
    EXPECT_EQ(at(64, false).activations * 2, at(128, false).activations);
    EXPECT_EQ(at(64, false).parameters, at(128, false).parameters);
    EXPECT_LT(at(4096, true).activations, 0.6 * static_cast<double>(at(4096, false).activations));
    EXPECT_FALSE(train::estimateMemory({graph, {}, project.training.optimizer, false, false}).has_value())
        << "nobody knows the batch";
}

/// A training run whose tensors may take so many bytes more than are there.
Error endOf(const TinyProject& tiny, std::int64_t bytes, std::int64_t step) {
    model::installCountingAllocator();
    TestRun run(tiny);
    run.sink.onStep = [&](std::int64_t done) {
        if (done == step) {
            model::setMemoryLimit(model::tensorMemory().current + bytes);
        }
    };
    const auto summary = run.start();
    model::setMemoryLimit(0);
    EXPECT_FALSE(summary.has_value());
    EXPECT_EQ(run.sink.states.back(), session::RunState::kFailed);
    return summary ? Error{} : summary.error();
}

TEST(OutOfMemory, NamesTheBlockTheLargestHoldersAndWhatWouldNeedLess) {
    TinyProject project;
    makeDeep(project);
    const Error error = endOf(project, 500'000, 2);
    EXPECT_EQ(error.code, "out-of-memory") << toSentence(error);
    EXPECT_EQ(error.kind, ErrorKind::kMachine);
    EXPECT_NE(error.message.find("The block layer"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("float32 [128, 256]"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("The most was held by optimizer state 5.8 MB"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("more were asked for"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("keeps most"), std::string::npos) << error.message;
    const std::size_t batch = error.hint.find("data.loader.batch_size=64 (about "),
                      precision = error.hint.find("training.precision=bf16 (about ");
    ASSERT_NE(batch, std::string::npos) << error.hint;
    ASSERT_NE(precision, std::string::npos) << error.hint;
    EXPECT_LT(batch, precision);
}

TEST(OutOfMemory, OffersToComputeAgainWhatACompositeKeeps) {
    TinyProject project;
    makeAttentive(project, 0.1);
    const Error error = endOf(project, 3'000'000, 1);
    EXPECT_EQ(error.code, "out-of-memory") << toSentence(error);
    EXPECT_NE(error.hint.find("training.activation_checkpointing.blocks=[\"layer1\",\"layer2\"] (about "),
              std::string::npos)
        << error.hint;
    project.training()["precision"] = "bf16";
    EXPECT_EQ(endOf(project, 1'000'000, 1).hint.find("bf16"), std::string::npos) << "it is there already";
}

TEST(OutOfMemory, KnowsWhatIsCheckpointedAlready) {
    TinyProject project;
    makeAttentive(project, 0.1);
    project.training()["activation_checkpointing"] = {{"budget_mb", 8}};
    const Error error = endOf(project, 500'000, 1);
    EXPECT_EQ(error.code, "out-of-memory") << toSentence(error);
    EXPECT_EQ(error.hint.find("activation_checkpointing"), std::string::npos) << error.hint;
    EXPECT_NE(error.hint.find("data.loader.batch_size=32"), std::string::npos) << error.hint;
    EXPECT_EQ(error.hint.find("(about "), std::string::npos) << "with everything kept: " << error.hint;
    EXPECT_EQ(error.message.find("keeps most"), std::string::npos) << error.message;
}

TEST(MemoryEstimate, CountsOnlyWhatIsTrainedWhereThatIsKnown) {
    TinyProject tiny;
    makeDeep(tiny);
    const project::Project project = tiny.read();
    RunControl control;
    const auto bench = train::ProbeBench::make(project, control);
    ASSERT_TRUE(bench.has_value());
    const graph::ResolvedModel& graph = (*bench)->setup().assembly.model->graph();
    train::MemoryQuestion question{graph, {{"B", 128}}, project.training.optimizer, false, false};
    const train::MemoryEstimate all = train::estimateMemory(question).value();
    question.gradients = 1000;
    EXPECT_EQ(train::estimateMemory(question)->gradients, 1000);
    EXPECT_EQ(train::estimateMemory(question)->optimizerState, 1000 * train::stateTensors(project.training.optimizer));
    question.optimizerState = 500;
    EXPECT_EQ(train::estimateMemory(question)->optimizerState, 500);
    EXPECT_EQ(train::estimateMemory(question)->activations, all.activations);
    question.gradientsOff.assign(graph.nodes.size(), 1);
    EXPECT_LT(train::estimateMemory(question)->activations, all.activations);
}

/// What the run's tensors come to at the peak of steps in which everything is there that it ever keeps.
std::int64_t peakOfARun(const TinyProject& tiny) {
    model::installCountingAllocator();
    TestRun run(tiny);
    const std::int64_t before = model::tensorMemory().current;
    std::int64_t peak = 0;
    run.sink.onStep = [&](std::int64_t done) {
        if (done == 3) {
            model::resetMemoryPeaks();
        }
        peak = model::tensorMemory().peak - before;
    };
    EXPECT_TRUE(run.start(6).has_value());
    return peak;
}

TEST(MemoryPrediction, CountsTheAveragedWeightsWhereverItIsMade) {
    TinyProject plain;
    makeDeep(plain);
    plain.json["monitor"]["enabled"] = false;
    plain.json["data"]["splits"] = {{"train", 1.0}, {"validation", 0.0}, {"test", 0.0}};
    plain.json["data"]["loader"]["batch_size"] = 4;
    plain.training()["optimizer"] = {{"type", "SGD"}, {"lr", 0.01}};  // no state: three holders are told
    for (const char* type : {"ema", "swa"}) {
        SCOPED_TRACE(type);
        TinyProject averaged;
        averaged.json = plain.json;
        averaged.training()["averaging"] = {{"type", type}, {"recalibrate_batch_norm", false}};
        const auto more = static_cast<double>(peakOfARun(averaged) - peakOfARun(plain));
        ASSERT_GT(more, 2e6) << "a second set of weights";
        const auto differenceOf = [&](const std::function<double(const TinyProject&)>& predicted) {
            return predicted(averaged) - predicted(plain);
        };
        RunControl control;
        const auto probed = [&](const TinyProject& tiny, session::ProbeKind kind) {
            session::ProbeRequest request;
            request.project = tiny.read();
            request.kind = kind;
            request.largest = 4;
            const auto report = train::probe(request, control, {});
            EXPECT_TRUE(report.has_value()) << toSentence(report.error());
            return report.value_or(Json::object());
        };
        EXPECT_NEAR(differenceOf([&](const TinyProject& tiny) {
                        return probed(tiny, session::ProbeKind::kPreflight)["peak_memory_bytes"].get<double>();
                    }),
                    more, 0.02 * more);
        EXPECT_NEAR(
            differenceOf([&](const TinyProject& tiny) {
                return probed(tiny, session::ProbeKind::kBatchSize)["sizes"].back()["peak_memory_bytes"].get<double>();
            }),
            more, 0.02 * more);
        EXPECT_NEAR(differenceOf([&](const TinyProject& tiny) {
                        TinyProject budgeted;
                        budgeted.json = tiny.json;
                        budgeted.training()["activation_checkpointing"] = {{"budget_mb", 1000}};
                        const project::Project project = budgeted.read();
                        const auto bench = train::ProbeBench::make(project, control);
                        EXPECT_TRUE(bench.has_value());
                        return static_cast<double>((*bench)->setup().checkpointing.peakWithout);
                    }),
                    more, 0.02 * more);
        const Error error = endOf(averaged, 10'000, 2);
        EXPECT_EQ(error.code, "out-of-memory") << toSentence(error);
        EXPECT_NE(error.message.find("averaged weights 2.9 MB"), std::string::npos) << error.message;
    }
}

TEST(OutOfMemory, OffersWhatSavesMostFirstAndSaysWhereCheckpointingSavesNothing) {
    TinyProject project;
    makeDeep(project);
    const Error error = endOf(project, 500'000, 2);
    EXPECT_NE(error.hint.find("Activation checkpointing would save nothing"), std::string::npos) << error.hint;
    makeAttentive(project, 0.1);
    const Error attentive = endOf(project, 3'000'000, 1);
    EXPECT_EQ(attentive.hint.find("would save nothing"), std::string::npos) << attentive.hint;
    double last = 0;
    int offers = 0;
    for (std::size_t at = attentive.hint.find("(about "); at != std::string::npos;
         at = attentive.hint.find("(about ", at + 1), ++offers) {
        const double peak = std::stod(attentive.hint.substr(at + 7));
        EXPECT_GE(peak, last) << attentive.hint;
        last = peak;
    }
    EXPECT_EQ(offers, 3) << attentive.hint;
}

TEST(OutOfMemory, ARunThatItEndedGoesOnFromWhereItWas) {
    TinyProject project;
    makeDeep(project);
    model::installCountingAllocator();
    TestRun whole(project, "whole"), broken(project, "broken");
    ASSERT_TRUE(whole.start(4).has_value());
    broken.sink.onStep = [&](std::int64_t done) {
        if (done == 2) {
            model::setMemoryLimit(model::tensorMemory().current + 500'000);
        }
    };
    EXPECT_FALSE(broken.start().has_value());
    model::setMemoryLimit(0);
    broken.sink.onStep = {};
    ASSERT_TRUE(broken.resume(4).has_value());
    EXPECT_EQ(broken.sink.values("train.loss"), whole.sink.values("train.loss"));
}

}  // namespace
}  // namespace plumbline::test
