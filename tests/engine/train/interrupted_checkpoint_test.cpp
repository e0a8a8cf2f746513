// A stop, or a kill, in the middle of writing a checkpoint.
#include "exact_resume.h"
#include "support/every_failing_write.h"

namespace plumbline::test {
namespace {

TEST(InterruptedCheckpoint, AStopThatComesWhileItIsWrittenIsSeenAtOnceAndGoneOnFromExactly) {
    TinyProject project;
    project.training()["checkpoints"] = {{"every", 5}, {"unit", "step"}, {"keep_last", 20}};
    TestRun whole(project, "whole");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    static RunControl* asked = nullptr;
    for (const long write : {1L, 4L, 9L}) {
        TestRun parts(project, "parts-" + std::to_string(write));
        RunControl control;
        asked = &control;
        // The calls of one checkpoint file alone are counted: that of step 10, in the middle of an epoch.
        plumbline_at_write(
            write, [] { asked->requestStop(); }, "step-000000010");
        const auto stopped = parts.start(control);
        EXPECT_GE(plumbline_counted_writes(), write) << "the stop was asked for in the middle of the file";
        plumbline_fail_writes(0, 0, 0, "");
        ASSERT_TRUE(stopped.has_value()) << toSentence(stopped.error());
        EXPECT_EQ(stopped->status, "stopped");
        EXPECT_EQ(stopped->steps.attempted, 10) << "not one step more";
        EXPECT_EQ(stopped->checkpoint, "checkpoints/step-000000010.ckpt");
        EXPECT_TRUE(train::readCheckpoint(parts.request.runFolder / stopped->checkpoint).has_value())
            << "and the file is whole";
        const auto resumed = parts.resume();
        ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
        expectSameRun(whole, *straight, parts, *resumed, "write " + std::to_string(write));
    }
}

TEST(InterruptedCheckpoint, AKillAtAnyOfItsWritesLeavesOneToGoOnFromExactly) {
    TinyProject project;
    project.training()["checkpoints"] = {{"every", 4}, {"unit", "step"}, {"keep_last", 3}};
    TestRun whole(project, "whole");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value());
    const auto& losses = whole.sink.points["train.loss"];
    int fromTheOneBefore = 0, fromTheNew = 0;
    const long calls = testing::forEveryKill(
        "step-000000008",
        [&](long n) {
            TestRun run(project, "killed-" + std::to_string(n));
            return run.start(9).has_value();
        },
        [&](bool killed, long n) {
            TestRun run(project, "killed-" + std::to_string(n));
            const train::CheckpointFolder checkpoints(run.request.runFolder);
            std::vector<std::string> damaged;
            const auto newest = checkpoints.newestWhole(damaged);
            ASSERT_TRUE(newest.has_value()) << "write " << n << ": " << toSentence(newest.error());
            EXPECT_TRUE(damaged.empty()) << "write " << n << ": " << damaged.front();
            const std::int64_t step = newest->meta["position"]["attempted"].get<std::int64_t>();
            if (killed) {
                EXPECT_TRUE(step == 4 || step == 8) << "write " << n;
                step == 4 ? ++fromTheOneBefore : ++fromTheNew;
            }
            run.sink.recorded = whole.sink.recorded;
            const auto resumed = run.resume();
            ASSERT_TRUE(resumed.has_value()) << "write " << n << ": " << toSentence(resumed.error());
            EXPECT_EQ(resumed->status, "completed");
            EXPECT_EQ(resumed->metrics, straight->metrics) << "write " << n;
            ASSERT_EQ(run.sink.points["train.loss"].size(), losses.size() - static_cast<std::size_t>(step))
                << "write " << n;
            for (const RecordingSink::Point& point : run.sink.points["train.loss"]) {
                EXPECT_EQ(point.value, losses[static_cast<std::size_t>(point.step - 1)].value)
                    << "write " << n << ", step " << point.step;
            }
            for (const auto& entry : std::filesystem::directory_iterator(checkpoints.path())) {
                EXPECT_EQ(entry.path().extension(), ".ckpt") << "half a file is left: " << entry.path();
            }
        });
    EXPECT_GE(calls, 20) << "a header and the tensors of a model and its optimizer";
    EXPECT_GE(fromTheOneBefore, 20);
    EXPECT_EQ(fromTheOneBefore + fromTheNew, calls);
}

}  // namespace
}  // namespace plumbline::test
