// A loader that gives nothing is told of while it gives nothing.

#include <future>
#include <utility>

#include "engine/data/fixtures.h"
#include "forwarding_dataset.h"
#include "monitor/monitor.h"
#include "run_fixture.h"
#include "train/assembly.h"
#include "train/evaluation.h"
#include "train/stall_watch.h"

namespace plumbline::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using train::StallWatch;

struct Clock {
    StallWatch::Clock::time_point now{};
    StallWatch::Now read() {
        return [this] { return now; };
    }
};

TEST(StallWatch, TellsHowLongAWaitHasTakenSoFar) {
    Clock clock;
    std::vector<double> told;
    StallWatch watch([&](double ms) { told.push_back(ms); }, clock.read());
    watch.begin();
    clock.now += milliseconds(249);
    watch.look();
    EXPECT_TRUE(told.empty());
    clock.now += seconds(10);
    watch.look();
    clock.now += seconds(20);
    watch.look();
    EXPECT_EQ(told, (std::vector<double>{10249, 30249}));
}

TEST(StallWatch, HasNothingToTellOfAWaitThatIsOver) {
    Clock clock;
    int told = 0;
    StallWatch watch([&](double) { ++told; }, clock.read());
    for (int i = 0; i < 100; ++i) {
        watch.begin();
        clock.now += milliseconds(200);
        watch.look();
        watch.end();
        clock.now += seconds(60);
        watch.look();
    }
    EXPECT_EQ(told, 0);
}

TEST(StallWatch, TellsFromItsOwnThreadWhileTheWaitGoesOn) {
    std::promise<double> told;
    StallWatch watch([&, done = false](double ms) mutable {
        if (!std::exchange(done, true)) {
            told.set_value(ms);
        }
    });
    watch.start();
    const StallWatch::Waiting waiting(&watch);
    EXPECT_GE(told.get_future().get(), 250);
}

TEST(StallWatch, MakesTheMonitorFindAStallAtHalfAMinuteAndOnceOnly) {
    Clock clock;
    std::vector<diagnostics::Finding> findings;
    auto monitor = monitor::Monitor::make({}, {}).value();
    monitor->onFinding([&](const diagnostics::Finding& finding) { findings.push_back(finding); });
    StallWatch watch([&](double ms) { monitor->loaderGivesNothing(ms); }, clock.read());
    watch.begin();
    clock.now += milliseconds(29'999);
    watch.look();
    EXPECT_TRUE(findings.empty());
    for (int i = 0; i < 10; ++i) {
        clock.now += seconds(1);
        watch.look();
    }
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().detector, "loader-stall");
    EXPECT_EQ(findings.front().severity, graph::Severity::kCritical);
}

TEST(Run, TellsOfALoaderThatGivesNothingBeforeItsBatchComes) {
    // Large images that are decoded anew for each batch, by no worker but the training thread itself: one batch takes
    // long.
    TinyProject project;
    const std::vector<std::uint8_t> pixels(std::size_t{2048} * 2048, 128);
    for (const char* name : {"a", "b"}) {
        const std::filesystem::path folder = project.folder() / "images" / name;
        ASSERT_TRUE(makeFolder(folder).has_value());
        data::writePng(folder / "0.png", 2048, 2048, 1, pixels);
        for (int i = 1; i < 64; ++i) {
            std::filesystem::create_hard_link(folder / "0.png", folder / (std::to_string(i) + ".png"));
        }
    }
    project.json["model"]["graph"]["inputs"] = {{"x", {{"shape", {"B", 1, 4, 4}}, {"dtype", "float32"}}}};
    project.json["model"]["graph"]["nodes"] = {
        {"flat", {{"type", "Flatten"}, {"from", "x"}}},
        {"fc", {{"type", "Linear"}, {"from", "flat"}, {"params", {{"out_features", 2}}}}}};
    project.json["data"]["sources"] = {{"images",
                                        {{"type", "image_folder"},
                                         {"path", "images"},
                                         {"color", "gray"},
                                         {"resize", {4, 4}},
                                         {"memory_budget_mb", 0}}}};
    project.json["data"]["inputs"] = {
        {"x", {{"from", "images.image"}, {"transforms", Json::array({{{"type", "to_float"}}})}}}};
    project.json["data"]["targets"] = {{"label", {{"from", "images.label"}}}};
    project.json["data"]["loader"]["batch_size"] = 200;
    project.json["monitor"]["detectors"] = {{"loader-stall", {{"no_batch_seconds", 0.3}}}};
    project.training()["stop"] = {{"epochs", 1}};
    TestRun run(project);
    std::int64_t stepWhenTold = -1;
    run.sink.onFinding = [&](const diagnostics::Finding& finding) {
        if (stepWhenTold < 0 && finding.detector == "loader-stall" && finding.evidence.contains("no_batch_for_ms")) {
            stepWhenTold = static_cast<std::int64_t>(run.sink.points["train.loss"].size());
        }
    };
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    ASSERT_GT(run.sink.values("loader.wait_ms").front(), 600)
        << "the batch has to take long for this test to say anything";
    EXPECT_EQ(stepWhenTold, 0) << "told before the first batch was there";
}

/// Gives no batch before `told` is.
class HangingDataset final : public ForwardingDataset {
public:
    HangingDataset(std::shared_ptr<const data::Dataset> real, std::shared_future<void> told)
        : ForwardingDataset(std::move(real)), m_told(std::move(told)) {}

    Result<data::HostBatch> makeBatch(data::Split split, const std::vector<std::int64_t>& positions, std::uint64_t seed,
                                      bool augment) const override {
        if (m_told.wait_for(seconds(30)) != std::future_status::ready) {
            return fail(ErrorKind::kRunFailed, "never-told", "Nobody was told of the wait.");
        }
        return ForwardingDataset::makeBatch(split, positions, seed, augment);
    }

private:
    std::shared_future<void> m_told;
};

TEST(Evaluator, TellsOfALoaderThatGivesNothing) {
    TinyProject tiny;
    const project::Project project = tiny.read();
    auto assembly = train::assemble(project, nullptr, "", nullptr);
    ASSERT_TRUE(assembly.has_value()) << toSentence(assembly.error());
    std::promise<void> told;
    StallWatch watch([&, done = false](double) mutable {
        if (!std::exchange(done, true)) {
            told.set_value();
        }
    });
    watch.start();
    const auto hanging = std::make_shared<HangingDataset>(assembly->dataset, told.get_future().share());
    const auto evaluator =
        train::Evaluator::make(project.training, project.data.loader, data::Split::kValidation,
                               {assembly->model.get(), &assembly->binder, hanging, assembly->names, at::kCPU});
    ASSERT_TRUE(evaluator.has_value());
    RunControl control;
    const auto evaluated = (*evaluator)->run(control, nullptr, {}, {}, &watch);
    EXPECT_TRUE(evaluated.has_value()) << toSentence(evaluated.error());
}

}  // namespace
}  // namespace plumbline::test
