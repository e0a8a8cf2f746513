// Which checkpoints stay, and what a failure leaves behind.

#include <c10/core/CPUAllocator.h>

#include <new>

#include "exact_resume.h"
#include "train/checkpoint.h"

namespace plumbline::test {
namespace {

std::vector<std::string> checkpointNames(const std::filesystem::path& runFolder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(runFolder / "checkpoints")) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Steps of the k best epochs by the losses that the run told.
std::vector<std::string> namesOfBest(const RecordingSink& sink, std::size_t count) {
    std::vector<std::pair<double, std::int64_t>> ranked;
    for (const RecordingSink::Point& point : sink.points.at("val.loss")) {
        ranked.emplace_back(point.value, point.step);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back("best-" + std::string(9 - std::to_string(ranked[i].second).size(), '0') +
                        std::to_string(ranked[i].second) + ".ckpt");
    }
    std::sort(names.begin(), names.end());
    return names;
}

struct RankingProject : TinyProject {
    RankingProject() {
        training()["optimizer"] = {{"type", "SGD"}, {"lr", 2.0}};  // jumps about, so that the best come in no order
        training()["scheduler"] = {{"type", "constant"}};
        training()["stop"] = {{"epochs", 10}};
        training()["checkpoints"] = {{"every", 1},
                                     {"unit", "epoch"},
                                     {"keep_last", 1},
                                     {"keep_best", 3},
                                     {"best", {{"series", "val.loss"}, {"mode", "min"}}}};
    }
};

TEST(CheckpointPolicy, TheKBestStayUnderTheirStepsBesidesTheLast) {
    const RankingProject project;
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_TRUE(summary.has_value()) << toSentence(summary.error());
    std::vector<std::string> expected = namesOfBest(run.sink, 3);
    expected.push_back("best.ckpt");
    expected.push_back("step-000000120.ckpt");
    EXPECT_EQ(checkpointNames(run.request.runFolder), expected);
    for (const std::string& name : namesOfBest(run.sink, 3)) {
        const auto kept = train::readCheckpoint(run.request.runFolder / "checkpoints" / name);
        ASSERT_TRUE(kept.has_value()) << name;
        EXPECT_EQ(kept->meta["position"]["attempted"].get<std::int64_t>(), std::stoll(name.substr(5, 9)));
    }
}

TEST(CheckpointPolicy, HowFarTheRunHasComeIsTheStoresBeforeEachCheckpoint) {
    TinyProject project;
    project.training()["checkpoints"] = {{"every", 1}, {"unit", "step"}, {"keep_last", 50}};
    TestRun run(project);
    run.sink.onEvent = [&](const session::Event& event) {
        if (event.event == "checkpoint") {
            EXPECT_EQ(run.sink.flushed.back(), event.data.at("step").get<std::int64_t>());
        }
    };
    ASSERT_TRUE(run.start(7).has_value());
    EXPECT_GE(run.sink.flushed.size(), 8u);
}

TEST(CheckpointPolicy, AResumedRunKeepsTheSameOnes) {
    const RankingProject project;
    TestRun whole(project, "whole"), parts(project, "parts");
    const auto straight = whole.start();
    ASSERT_TRUE(straight.has_value() && parts.start(40).has_value() && parts.resume(75).has_value());
    const auto resumed = parts.resume();
    ASSERT_TRUE(resumed.has_value());
    EXPECT_EQ(checkpointNames(parts.request.runFolder), checkpointNames(whole.request.runFolder));
    expectSameRun(whole, *straight, parts, *resumed, "ranking");
}

TEST(CheckpointPolicy, ADiskBudgetRemovesTheOldestAndNeverTheNewestOrTheBest) {
    TinyProject project;
    project.training()["optimizer"] = {
        {"type", "AdamW"}, {"lr", 0.05}, {"maximize", true}};  // the first epoch is the best
    project.training()["checkpoints"] = {
        {"every", 1}, {"unit", "epoch"}, {"keep_last", 50}, {"best", {{"series", "val.loss"}, {"mode", "min"}}}};
    TestRun measured(project, "measured");
    ASSERT_TRUE(measured.start().has_value());
    const double size = static_cast<double>(std::filesystem::file_size(measured.request.runFolder / "checkpoints" /
                                                                       "step-000000072.ckpt")) /
                        1e6;
    EXPECT_EQ(checkpointNames(measured.request.runFolder).size(), 8u) << "steps 0, 12 … 72 and the best";
    project.training()["checkpoints"]["max_mb"] = size * 3.5;
    TestRun run(project, "bounded");
    ASSERT_TRUE(run.start().has_value());
    EXPECT_EQ(
        checkpointNames(run.request.runFolder),
        (std::vector<std::string>{"best.ckpt", "step-000000012.ckpt", "step-000000060.ckpt", "step-000000072.ckpt"}))
        << "a second name of the best takes no room";
    std::string told;
    for (const session::Event& event : run.sink.eventsOf("log")) {
        told += event.data.value("message", "") + "\n";
    }
    EXPECT_NE(told.find("to make room: step-000000000.ckpt"), std::string::npos) << told;
    project.training()["checkpoints"]["max_mb"] = size * 0.1;
    TestRun tight(project, "tight");
    ASSERT_TRUE(tight.start().has_value());
    EXPECT_EQ(checkpointNames(tight.request.runFolder),
              (std::vector<std::string>{"best.ckpt", "step-000000012.ckpt", "step-000000072.ckpt"}));
    const auto warned = tight.sink.eventsOf("log");
    EXPECT_EQ(std::count_if(warned.begin(), warned.end(),
                            [](const session::Event& event) {
                                return event.data.value("message", "").find("both are kept") != std::string::npos;
                            }),
              1)
        << "told once";
}

TEST(CheckpointPolicy, ADiskBudgetOfOneCheckpointIsKeptWhereTheNewestIsAlwaysTheBest) {
    for (const int keepBest : {1, 3}) {
        SCOPED_TRACE(keepBest);
        TinyProject project;
        project.training()["optimizer"] = {
            {"type", "AdamW"}, {"lr", 0.05}, {"maximize", true}};  // each epoch has a larger loss
        project.training()["checkpoints"] = {{"every", 1},
                                             {"unit", "epoch"},
                                             {"keep_last", 50},
                                             {"keep_best", keepBest},
                                             {"best", {{"series", "val.loss"}, {"mode", "max"}}}};
        TestRun measured(project, "measured");
        ASSERT_TRUE(measured.start().has_value());
        ASSERT_TRUE(std::filesystem::equivalent(measured.request.runFolder / "checkpoints" / "best.ckpt",
                                                measured.request.runFolder / "checkpoints" / "step-000000072.ckpt"));
        const double size = static_cast<double>(std::filesystem::file_size(measured.request.runFolder / "checkpoints" /
                                                                           "step-000000072.ckpt")) /
                            1e6;
        project.training()["checkpoints"]["max_mb"] = size * 1.5;
        TestRun run(project, "bounded");
        ASSERT_TRUE(run.start().has_value());
        std::vector<std::string> left{"best.ckpt", "step-000000072.ckpt"};
        if (keepBest > 1) {
            left.insert(left.begin(), "best-000000072.ckpt");
        }
        EXPECT_EQ(checkpointNames(run.request.runFolder), left);
        const auto logs = run.sink.eventsOf("log");
        EXPECT_TRUE(std::none_of(logs.begin(), logs.end(), [](const session::Event& event) {
            return event.data.value("message", "").find("both are kept") != std::string::npos;
        }));
    }
}

/// In front of the allocator of tensors: the n-th allocation after fail(n) finds no memory.
class FailingAllocator final : public c10::Allocator {
public:
    static void fail(long n) {
        static FailingAllocator* const only = [] {
            auto* made = new FailingAllocator(c10::GetCPUAllocator());
            c10::SetCPUAllocator(made, /*priority=*/200);
            return made;
        }();
        only->m_left = n;
    }
    c10::DataPtr allocate(std::size_t bytes) override {
        if (m_left > 0 && --m_left == 0) {
            throw std::bad_alloc();
        }
        return m_real->allocate(bytes);
    }
    c10::DeleterFnPtr raw_deleter() const override { return m_real->raw_deleter(); }
    void copy_data(void* to, const void* from, std::size_t bytes) const override { m_real->copy_data(to, from, bytes); }

private:
    explicit FailingAllocator(c10::Allocator* real) : m_real(real) {}
    c10::Allocator* m_real;
    long m_left = 0;
};

TEST(CheckpointPolicy, AFailureAnywhereInAStepSavesNothingHalfDoneAndAResumeGoesOnExactly) {
    TinyProject project;
    project.json["monitor"] = {{"enabled", false}};
    project.training()["checkpoints"] = {{"every", 1}, {"unit", "epoch"}, {"keep_last", 5}};
    TestRun whole(project, "whole");
    ASSERT_TRUE(whole.start().has_value());
    int savedInFront = 0, left = 0, failures = 0;
    for (long n = 1; n < 120; n += 2) {
        TestRun run(project, "failed-" + std::to_string(n));
        run.sink.onStep = [n](std::int64_t step) {
            if (step == 20) {
                FailingAllocator::fail(n);
            }
        };
        const auto ended = run.start(24);
        FailingAllocator::fail(0);
        run.sink.onStep = {};
        if (ended.has_value()) {
            break;  // four steps take fewer allocations
        }
        ++failures;
        EXPECT_EQ(run.sink.states.back(), session::RunState::kFailed);
        const auto newest = train::CheckpointFolder(run.request.runFolder).list();
        ASSERT_FALSE(newest.empty());
        const auto saved = train::readCheckpoint(newest.front());
        ASSERT_TRUE(saved.has_value()) << toSentence(saved.error());
        EXPECT_FALSE(saved->meta["step_open"].get<bool>());
        const std::int64_t failedAfter = run.sink.points["train.loss"].back().step;
        const std::int64_t step = saved->meta["position"]["attempted"].get<std::int64_t>();
        EXPECT_TRUE(step == failedAfter || step == 12)
            << "allocation " << n << ": step " << step << " of " << failedAfter;
        (step == failedAfter ? savedInFront : left) += 1;
        const auto resumed = run.resume();
        ASSERT_TRUE(resumed.has_value()) << "allocation " << n << ": " << toSentence(resumed.error());
        for (const char* series : {"train.loss", "val.loss", "val.accuracy", "lr"}) {
            EXPECT_EQ(run.sink.points[series], whole.sink.points[series])
                << series << ", allocation " << n << ": dropout and running statistics as if nothing had happened";
        }
    }
    EXPECT_GT(failures, 10);
    EXPECT_GT(savedInFront, left)
        << "most of a step is its forward and backward pass, before anything of the model changes";
}

}  // namespace
}  // namespace plumbline::test
