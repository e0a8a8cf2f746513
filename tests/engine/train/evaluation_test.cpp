// What an evaluation leaves alone, and what memory a run says it holds.
#include <ATen/core/grad_mode.h>

#include <thread>

#include "forwarding_dataset.h"
#include "model/memory.h"
#include "run_fixture.h"
#include "train/assembly.h"
#include "train/evaluation.h"
#include "train/run_reporter.h"
#include "train/training_setup.h"

namespace plumbline::test {
namespace {

/// Passes everything on and tells whether gradients are on where a batch is made, which is in the thread that asks for
/// it.
class WatchingDataset final : public ForwardingDataset {
public:
    WatchingDataset(std::shared_ptr<const data::Dataset> real, std::vector<bool>& gradients)
        : ForwardingDataset(std::move(real)), m_gradients(gradients) {}

    Result<data::HostBatch> makeBatch(data::Split split, const std::vector<std::int64_t>& positions, std::uint64_t seed,
                                      bool augment) const override {
        m_gradients.push_back(at::GradMode::is_enabled());
        return ForwardingDataset::makeBatch(split, positions, seed, augment);
    }

private:
    std::vector<bool>& m_gradients;
};

TEST(Evaluator, ComputesWithoutGradientsAndKeepsNoActivationForABackwardPass) {
    constexpr int kLayers = 24;
    constexpr std::int64_t kWidth = 256, kBatch = 60;
    TinyProject tiny;
    Json nodes = Json::object();
    std::string from = "x";
    for (int i = 0; i < kLayers; ++i) {
        const std::string name = "layer" + std::to_string(i);
        nodes[name] = {{"type", "Linear"}, {"from", from}, {"params", {{"out_features", kWidth}}}};
        nodes[name + "_tanh"] = {{"type", "Tanh"}, {"from", name}};
        from = name + "_tanh";
    }
    nodes["fc"] = {{"type", "Linear"}, {"from", from}, {"params", {{"out_features", 3}}}};
    tiny.json["model"]["graph"]["nodes"] = nodes;
    tiny.json["data"]["loader"]["batch_size"] = kBatch;
    const project::Project project = tiny.read();
    model::installCountingAllocator();
    auto assembly = train::assemble(project, nullptr, "", nullptr);
    ASSERT_TRUE(assembly.has_value()) << toSentence(assembly.error());
    std::vector<bool> gradients;
    const auto watching = std::make_shared<WatchingDataset>(assembly->dataset, gradients);
    const auto evaluator =
        train::Evaluator::make(project.training, project.data.loader, data::Split::kValidation,
                               {assembly->model.get(), &assembly->binder, watching, assembly->names, at::kCPU});
    ASSERT_TRUE(evaluator.has_value());
    const at::AutoGradMode training(true);
    const std::int64_t before = model::tensorMemory().current;
    model::resetMemoryPeaks();
    RunControl control;
    const auto evaluated = (*evaluator)->run(control, nullptr, {});
    ASSERT_TRUE(evaluated.has_value()) << toSentence(evaluated.error());
    ASSERT_FALSE(gradients.empty());
    EXPECT_EQ(std::count(gradients.begin(), gradients.end(), true), 0);
    EXPECT_TRUE(at::GradMode::is_enabled()) << "and they are on again behind it";
    // A layer and its Tanh at a time; with a graph to go back through all of them would stay.
    EXPECT_LT(model::tensorMemory().peak - before, 4 * kWidth * kBatch * 4);
    EXPECT_LE(model::tensorMemory().current - before, 1024) << "nothing stays";
}

TEST(Run, ALossForWhichNothingCountsAddsNothingToALossOfAnEpochOrASplit) {
    TinyProject project;
    project.training()["checkpoints"]["best"] = {{"series", "val.loss"}, {"mode", "min"}};
    TestRun alone(project, "alone");
    ASSERT_TRUE(alone.start().has_value());
    const Json loss = project.training()["losses"][0];
    project.training()["losses"].push_back(loss);
    const auto nothing = std::vector<double>{0.0, 0.0, 0.0};
    TestRun run(project, "beside");
    run.request.project.training.losses[1].options["class_weights"] = nothing;
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_TRUE(run.sink.findings.empty()) << run.sink.findings.front().message;
    EXPECT_EQ(run.sink.values("val.loss"), alone.sink.values("val.loss"));
    EXPECT_FALSE(summary->bestCheckpoint.empty());
    for (const session::Event& event : run.sink.eventsOf("epoch")) {
        EXPECT_TRUE(event.data.at("metrics").value("train.loss", Json()).is_number()) << event.data.dump();
    }
    TestRun none(project, "none");
    none.request.project.training.losses[0].options["class_weights"] = nothing;
    none.request.project.training.losses[1].options["class_weights"] = nothing;
    const auto empty = none.start();
    ASSERT_FALSE(empty.has_value()) << "nothing would be learnt from";
    EXPECT_EQ(empty.error().code, "nothing-counts");
}

TEST(Run, TellsThePrefetchWindowToTheByte) {
    TinyProject project;
    project.json["data"]["loader"]["workers"] = 2;
    project.json["data"]["loader"]["prefetch_batches"] = 3;
    project.json["monitor"]["enabled"] = false;
    TestRun run(project);
    RunControl control;
    auto setup = train::setUpTraining(run.request, run.sink, control);
    ASSERT_TRUE(setup.has_value()) << toSentence(setup.error());
    train::Position position;
    position.scheduleLength = (*setup)->length.schedule;
    train::RunReporter reporter(run.sink, position);
    reporter.use(**setup);
    const auto told = [&] {
        ++position.steps.attempted;
        reporter.step({});
        session::RunSummary summary;
        reporter.fill(summary);
        return summary.memory["prefetch"];
    };
    EXPECT_EQ(told(), (Json{{"current", 0}, {"peak", 0}})) << "nothing is loaded ahead yet";
    // Four float32 and a class number (int64) a sample.
    constexpr std::int64_t kBatch = 16 * (4 * 4 + 8);
    (*setup)->loader->seek({});
    while ((*setup)->loader->prefetchedBytes() < 3 * kBatch) {
        std::this_thread::yield();  // the workers fill the window; the test's own time limit bounds it
    }
    EXPECT_EQ(told(), (Json{{"current", 3 * kBatch}, {"peak", 3 * kBatch}}));
    (*setup)->loader = nullptr;
    project.json["monitor"]["enabled"] = true;
    project.json["data"]["loader"]["workers"] = 0;
    TestRun alone(project, "alone");
    const auto summary = alone.start(20);
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    EXPECT_EQ(summary->memory["prefetch"], (Json{{"current", 0}, {"peak", 0}})) << "without a worker nothing is ahead";
}

}  // namespace
}  // namespace plumbline::test
