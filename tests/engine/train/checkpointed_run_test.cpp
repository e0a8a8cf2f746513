// Runs with activation checkpointing and with blocks without gradients: the numbers of plain ones, in less memory.
#include <algorithm>
#include <cmath>
#include <set>

#include "blocks/register.h"
#include "exact_resume.h"
#include "model/memory.h"
#include "train/assembly.h"
#include "train/checkpointing_choice.h"
#include "train/probes/probe.h"
#include "train/step_memory.h"

namespace plumbline::test {
namespace {

/// Four blocks in a chain, each with a residual around it, on batches that weigh more than the parameters.
class DeepProject : public TinyProject {
public:
    DeepProject() {
        json["model"] = parseJson(R"({
          "definitions": {"Block": {
            "inputs": {"x": {}},
            "nodes": {
              "norm": {"type": "LayerNorm", "from": "x"},
              "wide": {"type": "Linear", "from": "norm", "params": {"out_features": 64}},
              "act": {"type": "GELU", "from": "wide"},
              "drop": {"type": "Dropout", "from": "act", "params": {"p": 0.2}},
              "narrow": {"type": "Linear", "from": "drop", "params": {"out_features": 32}},
              "sum": {"type": "Add", "from": ["narrow", "x"]}},
            "outputs": {"y": "sum"}}},
          "graph": {
            "inputs": {"x": {"shape": ["B", 4], "dtype": "float32"}},
            "nodes": {
              "hidden": {"type": "Linear", "from": "x", "params": {"out_features": 32}},
              "layers": {"type": "Block", "from": "hidden", "repeat": 4},
              "fc": {"type": "Linear", "from": "layers", "params": {"out_features": 3}}},
            "outputs": {"logits": "fc"}}})",
                                  "deep")
                            .value();
        json["data"]["loader"]["batch_size"] = 60;
        training()["optimizer"] = {{"type", "AdamW"}, {"lr", 0.005}};
    }
};

Json blocksNamed(const Json& patterns) {
    return {{"blocks", patterns}};
}

const std::vector<std::string> kLayers{"layers.0", "layers.1", "layers.2", "layers.3"};

std::vector<std::string> recordedBlocks(const TestRun& run) {
    return run.sink.recorded["activation_checkpointing"]["blocks"].get<std::vector<std::string>>();
}
std::int64_t recordedBytes(const TestRun& run, const char* key) {
    return run.sink.recorded["activation_checkpointing"][key].get<std::int64_t>();
}

bool isLogged(const TestRun& run, const std::string& level, const std::string& part) {
    const auto logs = run.sink.eventsOf("log");
    return std::any_of(logs.begin(), logs.end(), [&](const session::Event& event) {
        return event.data["level"] == level && event.data["message"].get<std::string>().find(part) != std::string::npos;
    });
}

std::string refusalOf(const TinyProject& project, const std::string& name) {
    TestRun run(project, name);
    const auto ended = run.start(1);
    return ended ? std::string()
                 : ended.error().code + " " + ended.error().where +
                       (ended.error().hint.empty() ? " without a remedy" : "");
}

std::string firstCritical(const TinyProject& project) {
    for (const graph::Problem& problem : project::checkProject(project.read(), blocks::builtinBlocks()).problems) {
        if (problem.severity == graph::Severity::kCritical) {
            return problem.code + " " + problem.pointer;
        }
    }
    return {};
}

TEST(CheckpointedRun, HasTheNumbersOfAPlainOneToTheLastBit) {
    for (const char* precision : {"fp32", "bf16", "fp16"}) {
        for (const int accumulation : {1, 2}) {
            DeepProject project;
            project.training()["precision"] = precision;
            project.training()["accumulation"] = accumulation;
            project.training()["stop"]["epochs"] = 3;
            const std::string name = std::string(precision) + "-" + std::to_string(accumulation);
            TestRun plain(project, name + "-plain");
            const auto straight = plain.start();
            ASSERT_TRUE(straight.has_value()) << toSentence(straight.error());
            project.training()["activation_checkpointing"] = blocksNamed({"layers", "hidden"});
            TestRun checkpointed(project, name);
            const auto ended = checkpointed.start();
            ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
            expectSameRun(plain, *straight, checkpointed, *ended, name);
            EXPECT_FALSE(plain.sink.recorded.contains("activation_checkpointing"));
            EXPECT_LT(ended->peakMemoryBytes, straight->peakMemoryBytes) << name;
        }
    }
}

TEST(CheckpointedRun, TakesBlocksByPatternAndEachMemberOfAChainByItself) {
    const auto chosen = [](const Json& patterns, const char* name) {
        DeepProject project;
        project.training()["activation_checkpointing"] = blocksNamed(patterns);
        TestRun run(project, name);
        const auto ended = run.start(1);
        EXPECT_TRUE(ended.has_value()) << toSentence(ended.error());
        return recordedBlocks(run);
    };
    EXPECT_EQ(chosen({"layers"}, "chain"), kLayers);
    EXPECT_EQ(chosen({"layers.*"}, "members"), kLayers);
    EXPECT_EQ(chosen({"layers.1.wide", "layers.1", "layers.3.*"}, "nested"),
              (std::vector<std::string>{"layers.1", "layers.3.norm", "layers.3.wide", "layers.3.act", "layers.3.drop",
                                        "layers.3.narrow", "layers.3.sum"}));
    EXPECT_EQ(chosen({"*"}, "all"),
              (std::vector<std::string>{"hidden", "layers.0", "layers.1", "layers.2", "layers.3", "fc"}));
}

TEST(CheckpointedRun, PredictsThePeakThatIsMeasured) {
    for (const bool checkpoints : {false, true}) {
        DeepProject project;
        project.training()["activation_checkpointing"] =
            checkpoints ? blocksNamed({"layers"}) : Json{{"budget_mb", 1000}};
        TestRun run(project, checkpoints ? "checkpointed" : "plain");
        const auto ended = run.start(6);
        ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
        EXPECT_EQ(recordedBlocks(run).size(), checkpoints ? 4U : 0U);
        EXPECT_EQ(recordedBytes(run, "predicted_saving_bytes") > 0, checkpoints);
        const double ratio = static_cast<double>(recordedBytes(run, "predicted_peak_bytes")) /
                             static_cast<double>(ended->peakMemoryBytes);
        EXPECT_GT(ratio, 0.75);
        EXPECT_LT(ratio, 1.35);
        EXPECT_EQ(isLogged(run, "info", "Activation checkpointing of 4 blocks keeps "), checkpoints);
    }
}

/// What choosing needs besides what is there, in bytes, with what it chose.
struct Choosing {
    std::int64_t needed = 0;
    train::CheckpointingChoice choice;
};

Choosing choosing(const TinyProject& tiny) {
    const project::Project project = tiny.read();
    model::installCountingAllocator();
    RunControl control;
    const auto assembly =
        train::assemble(project, nullptr, "", nullptr, [](const auto&, const auto&, train::Environment&) {});
    EXPECT_TRUE(assembly.has_value()) << toSentence(assembly.error());
    std::vector<at::Tensor> trained;
    for (const model::NamedState& parameter : assembly->model->parameters()) {
        trained.push_back(parameter.tensor);
    }
    model::resetMemoryPeaks();
    const std::int64_t before = model::tensorMemory().current;
    auto choice = train::chooseCheckpointing(project, *assembly, trained, nullptr, control);
    EXPECT_TRUE(choice.has_value()) << toSentence(choice.error());
    return {model::tensorMemory().peak - before, choice.value_or(train::CheckpointingChoice{})};
}

TEST(CheckpointedRun, BlocksThatAreNamedNeedNotTheMemoryOfAWholeBatchToBePredicted) {
    DeepProject project;
    project.training()["activation_checkpointing"] = {{"budget_mb", 1000}};
    const Choosing whole = choosing(project);
    project.training()["activation_checkpointing"] = blocksNamed({"layers"});
    const Choosing few = choosing(project);
    EXPECT_LT(few.needed, whole.needed / 2);
    EXPECT_NEAR(static_cast<double>(few.choice.peakWithout), static_cast<double>(whole.choice.peakWithout),
                0.05 * static_cast<double>(whole.choice.peakWithout));
}

TEST(CheckpointedRun, CountsTheStateOfEachPhasesOwnOptimizer) {
    DeepProject project;
    project.training()["activation_checkpointing"] = {{"budget_mb", 1000}};
    const std::int64_t one = choosing(project).choice.peakWithout;
    project.training()["phases"] =
        parseJson(
            R"json([{"name": "layers", "train": "layers.*", "optimizer": {"type": "SGD", "lr": 0.01}}, {"name": "rest", "train": ["hidden.*", "fc.*"]}])json",
            "")
            .value();
    const std::int64_t parameters = 4 * 4 * (2 * 32 + 64 * 32 + 64 + 32 * 64 + 32);
    EXPECT_NEAR(static_cast<double>(one - choosing(project).choice.peakWithout), static_cast<double>(2 * parameters),
                200)
        << "plain SGD keeps none of AdamW's two, nor its counts";
}

TEST(StepMemory, GrowsAlongALineThroughTwoBatches) {
    train::ForwardMemory small, large;
    small.kept = {100 + 8 * 10};
    large.kept = {100 + 16 * 10};
    small.scratch = {50};
    large.scratch = {50};
    small.work = {8};
    large.work = {16};
    small.values = {{0, 80, true}};
    large.values = {{0, 160, true}};
    small.outputs = 32;
    large.outputs = 64;
    const train::ForwardMemory whole = train::extrapolated(small, 8, large, 16, 100);
    EXPECT_EQ(whole.kept[0], 100 + 100 * 10) << "what does not grow with the batch is there once";
    EXPECT_EQ(whole.scratch[0], 50);
    EXPECT_EQ(whole.work[0], 100);
    EXPECT_EQ(whole.values[0].bytes, 1000);
    EXPECT_TRUE(whole.values[0].kept);
    EXPECT_EQ(whole.outputs, 400);
    EXPECT_EQ(train::extrapolated({}, 0, large, 16, 32).kept[0], 2 * 260) << "in proportion where there is one only";
}

TEST(CheckpointedRun, ABudgetChoosesBlocksThatKeepItAndAResumeTakesThemAgain) {
    DeepProject project;
    project.training()["activation_checkpointing"] = {{"budget_mb", 1000}};
    TestRun ample(project, "ample");
    const auto plain = ample.start();
    ASSERT_TRUE(plain.has_value()) << toSentence(plain.error());
    EXPECT_TRUE(recordedBlocks(ample).empty());
    const double without = static_cast<double>(recordedBytes(ample, "predicted_peak_bytes"));

    project.training()["activation_checkpointing"]["budget_mb"] = 0.85 * without / 1e6;
    TestRun tight(project, "tight");
    const auto ended = tight.start();
    ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
    const std::vector<std::string> blocks = recordedBlocks(tight);
    EXPECT_FALSE(blocks.empty());
    EXPECT_LT(blocks.size(), 4U) << "no more than it takes";
    for (const std::string& block : blocks) {
        EXPECT_NE(std::find(kLayers.begin(), kLayers.end(), block), kLayers.end()) << block;
    }
    EXPECT_LE(static_cast<double>(recordedBytes(tight, "predicted_peak_bytes")), 0.85 * without);
    EXPECT_LT(ended->peakMemoryBytes, plain->peakMemoryBytes);
    EXPECT_FALSE(isLogged(tight, "warning", "cannot be kept"));
    EXPECT_EQ(tight.sink.points["train.loss"], ample.sink.points["train.loss"]);
    expectExactResume(project, 5, "budget");

    // What was chosen before is taken, whatever would be chosen now.
    TestRun again(project, "again");
    again.request.recorded = tight.sink.recorded;
    again.request.recorded["activation_checkpointing"]["blocks"] = Json::array({"layers.2"});
    ASSERT_TRUE(again.start(2).has_value());
    EXPECT_EQ(recordedBlocks(again), (std::vector<std::string>{"layers.2"}));
    EXPECT_EQ(recordedBytes(again, "predicted_peak_bytes"), recordedBytes(tight, "predicted_peak_bytes"));
}

TEST(CheckpointedRun, ABudgetThatCannotBeKeptIsToldWithItsNumbersAndTheRunGoesOn) {
    DeepProject project;
    project.training()["activation_checkpointing"] = {{"budget_mb", 0.01}};
    TestRun run(project);
    const auto ended = run.start();
    ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
    EXPECT_FALSE(recordedBlocks(run).empty());
    EXPECT_TRUE(isLogged(run, "warning", "training.activation_checkpointing.budget_mb of 0.01 cannot be kept"));
}

TEST(CheckpointedRun, RefusesWhatCannotRunTwiceAndNamesThatAreNone) {
    TinyProject project;
    for (const auto& [pattern, refusal] : std::vector<std::pair<const char*, std::string>>{
             {"bn", "checkpointed-state /training/activation_checkpointing/blocks/0"},
             {"*", "checkpointed-state /training/activation_checkpointing/blocks/0"},
             {"hiden", "pattern-matches-nothing /training/activation_checkpointing/blocks/0"}}) {
        project.training()["activation_checkpointing"] = blocksNamed({pattern});
        EXPECT_EQ(refusalOf(project, pattern), refusal);
        EXPECT_EQ(firstCritical(project), refusal);
    }
    project.training()["activation_checkpointing"] = blocksNamed({"hidden", "fc"});
    EXPECT_EQ(firstCritical(project), "");
    // Statistics that stay as they are count nothing twice.
    project.training()["activation_checkpointing"] = blocksNamed({"bn"});
    project.json["model"]["graph"]["nodes"]["bn"]["mode"] = "eval";
    EXPECT_EQ(refusalOf(project, "eval"), "");
    project.json["model"]["graph"]["nodes"]["bn"].erase("mode");
    project.training()["freeze"] = Json::array({Json{{"match", "bn.*"}, {"epochs", 0}, {"buffers", true}}});
    EXPECT_EQ(refusalOf(project, "frozen"), "");
    project.training()["freeze"][0]["epochs"] = 2;
    EXPECT_EQ(refusalOf(project, "frozen at first"), "checkpointed-state /training/activation_checkpointing/blocks/0");
}

TEST(CheckpointedRun, AProfileAndAPreflightSeeEachBlock) {
    DeepProject project;
    project.training()["activation_checkpointing"] = blocksNamed({"layers"});
    session::ProbeRequest request;
    request.project = project.read();
    request.kind = session::ProbeKind::kProfile;
    request.steps = 3;
    RunControl control;
    const auto profile = train::probe(request, control, {});
    ASSERT_TRUE(profile.has_value()) << toSentence(profile.error());
    EXPECT_EQ((*profile)["blocks"].size(), 26U);
    for (const Json& block : (*profile)["blocks"]) {
        EXPECT_GT(block["forward_ms"].get<double>(), 0) << block.dump();
        EXPECT_GT(block["backward_ms"].get<double>(), 0) << block.dump();
    }
    EXPECT_EQ((*profile)["memory"]["growth_bytes"], 0);
    request.kind = session::ProbeKind::kPreflight;
    const auto preflight = train::probe(request, control, {});
    ASSERT_TRUE(preflight.has_value()) << toSentence(preflight.error());
    EXPECT_EQ((*preflight)["blocks"].size(), 26U);
    EXPECT_GT((*preflight)["peak_memory_bytes"].get<std::int64_t>(), 0);
    EXPECT_TRUE((*preflight)["findings"].empty()) << (*preflight)["findings"].dump();
}

TEST(RunWithoutGradients, LeavesTheBlocksParametersAsTheyAreLikeAFrozenOne) {
    TinyProject project;
    project.training()["freeze"] = Json::array({Json{{"match", "hidden.*"}, {"epochs", 0}, {"buffers", true}}});
    TestRun frozen(project, "frozen");
    ASSERT_TRUE(frozen.start().has_value());
    project.training().erase("freeze");
    project.training()["no_grad"] = {"hidden"};
    TestRun run(project, "no_grad");
    const auto ended = run.start();
    ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
    EXPECT_EQ(run.sink.points["train.loss"], frozen.sink.points["train.loss"]);
    EXPECT_EQ(run.sink.detectors(), frozen.sink.detectors());
    const auto checkpoint = train::readCheckpoint(run.request.runFolder / ended->checkpoint);
    ASSERT_TRUE(checkpoint.has_value());
    for (const auto& [name, tensor] : checkpoint->tensors) {
        EXPECT_FALSE(name.starts_with("optimizer.hidden")) << name;
    }
    expectExactResume(project, 7, "no_grad");
}

TEST(RunWithoutGradients, NothingBeforeTheBlockLearnsThroughIt) {
    TinyProject project;
    project.training()["no_grad"] = {"relu"};
    TestRun run(project);
    const auto ended = run.start(30);
    ASSERT_TRUE(ended.has_value()) << toSentence(ended.error());
    const auto checkpoint = train::readCheckpoint(run.request.runFolder / ended->checkpoint);
    ASSERT_TRUE(checkpoint.has_value());
    std::set<std::string> learned;
    for (const auto& [name, tensor] : checkpoint->tensors) {
        if (name.starts_with("optimizer.")) {
            learned.insert(name.substr(std::string("optimizer.").size(), 3));
        }
    }
    EXPECT_EQ(learned, (std::set<std::string>{"fc."}));
    // Told before the run: what would have been trained.
    const auto report = project::checkProject(project.read(), blocks::builtinBlocks());
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(std::count_if(report.problems.begin(), report.problems.end(),
                            [](const graph::Problem& problem) { return problem.code == "unreached-parameter"; }),
              2);
}

TEST(RunWithoutGradients, IsRefusedWhereNothingWouldLearn) {
    TinyProject project;
    project.training()["no_grad"] = {"fc"};
    EXPECT_EQ(firstCritical(project), "nothing-learns /training/no_grad");
    project.training()["no_grad"] = {"*"};
    EXPECT_EQ(firstCritical(project), "nothing-learns /training/no_grad");
    EXPECT_EQ(refusalOf(project, "all"), "nothing-to-train /training/no_grad");
    project.training()["no_grad"] = {"hiden"};
    EXPECT_EQ(firstCritical(project), "pattern-matches-nothing /training/no_grad/0");
    EXPECT_EQ(refusalOf(project, "none"), "pattern-matches-nothing /training/no_grad/0");
}

}  // namespace
}  // namespace plumbline::test
