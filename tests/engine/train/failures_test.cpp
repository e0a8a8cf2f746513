// What a run does when the disk, the memory or the process fails under it.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "run_fixture.h"
#include "train/checkpoint.h"

namespace plumbline::test {
namespace {

/// Every file of the process is cut off past this many bytes, as on a disk that is full.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        m_handler = ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        ::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
    sighandler_t m_handler;
};

TEST(Failure, AFullDiskEndsTheRunWithASentenceAndKeepsTheOldCheckpoints) {
    TinyProject project;
    project.training()["checkpoints"] = {{"every", 1}, {"unit", "step"}, {"keep_last", 3}};
    TestRun run(project);
    ASSERT_TRUE(run.start(3).has_value());
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    const std::size_t before = checkpoints.list().size();
    {
        const FileSizeLimit limit(2000);
        const auto resumed = run.resume(10);
        ASSERT_FALSE(resumed.has_value());
        EXPECT_FALSE(resumed.error().message.empty());
        EXPECT_EQ(run.sink.states.back(), session::RunState::kFailed);
    }
    EXPECT_EQ(checkpoints.list().size(), before);
    // What could not be written has left nothing behind, and the run goes on once there is room.
    for (const auto& entry : std::filesystem::directory_iterator(checkpoints.path())) {
        EXPECT_EQ(entry.path().extension(), ".ckpt") << entry.path();
    }
    EXPECT_TRUE(run.resume(10).has_value());
}

TEST(Failure, EveryWriteOfACheckpointMayFail) {
    TinyProject project;
    TestRun run(project);
    ASSERT_TRUE(run.start(2).has_value());
    const train::CheckpointFolder checkpoints(run.request.runFolder);
    const auto newest = train::readCheckpoint(checkpoints.list().front());
    ASSERT_TRUE(newest.has_value());
    const std::filesystem::path file = project.folder() / "again.ckpt";
    ASSERT_TRUE(train::writeCheckpoint(file, *newest).has_value());
    const std::string whole = *readFile(file);
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += 1 + whole.size() / 40) {
        const FileSizeLimit limit(bytes);
        EXPECT_FALSE(train::writeCheckpoint(file, *newest).has_value()) << bytes;
        EXPECT_EQ(*readFile(file), whole) << bytes;
    }
}

TEST(Failure, AKilledRunGoesOnFromItsNewestWholeCheckpoint) {
    TinyProject project;
    project.training()["checkpoints"] = {{"every", 1}, {"unit", "step"}, {"keep_last", 4}};
    TestRun whole(project, "whole"), killed(project, "killed");
    ASSERT_TRUE(whole.start().has_value());
    const train::CheckpointFolder checkpoints(killed.request.runFolder);
    // The child trains; it is killed without warning some steps in, wherever it is.
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        killed.sink.onStep = [&](std::int64_t step) {
            if (step == 21 && ::write(ends[1], "", 1) != 1) {
                ::_exit(2);
            }
        };
        ::_exit(killed.start().has_value() ? 0 : 1);
    }
    ::close(ends[1]);
    char reached = 0;
    EXPECT_EQ(::read(ends[0], &reached, 1), 1) << "the child ended before its step 21";
    ::close(ends[0]);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_FALSE(checkpoints.list().empty());
    const auto resumed = killed.resume();
    ASSERT_TRUE(resumed.has_value()) << toSentence(resumed.error());
    EXPECT_EQ(resumed->status, "completed");
    // The numbers after the resume are those of the run that was never killed.
    const auto& straight = whole.sink.points["train.loss"];
    const auto& after = killed.sink.points["train.loss"];
    ASSERT_FALSE(after.empty());
    for (const RecordingSink::Point& point : after) {
        EXPECT_EQ(point.value, straight[static_cast<std::size_t>(point.step - 1)].value) << point.step;
    }
}

TEST(Failure, ExhaustedMemoryIsASentence) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer itself needs more memory than the limit";
#endif
    TinyProject project;
    project.json["model"]["graph"]["nodes"]["hidden"]["params"]["out_features"] = 400000000;
    TestRun run(project);
    rlimit before{};
    ::getrlimit(RLIMIT_AS, &before);
    const rlimit limit{static_cast<rlim_t>(4) << 30, before.rlim_max};
    ::setrlimit(RLIMIT_AS, &limit);
    const auto summary = run.start();
    ::setrlimit(RLIMIT_AS, &before);
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().code, "out-of-memory") << toSentence(summary.error());
    EXPECT_EQ(summary.error().kind, ErrorKind::kMachine);
    EXPECT_FALSE(summary.error().hint.empty());
}

TEST(Failure, ALossThatNoTrainedParameterReachesIsASentence) {
    TinyProject project;
    Json& graph = project.json["model"]["graph"];
    graph["nodes"]["stop"] = {{"type", "Detach"}, {"from", "fc"}};
    graph["outputs"]["logits"] = "stop";
    const auto summary = TestRun(project).start();
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().code, "nothing-learns");
    EXPECT_EQ(summary.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(summary.error().message.find("does not depend on any parameter that is trained"), std::string::npos)
        << summary.error().message;
}

TEST(Failure, ALastBatchThatANormalisationCannotWorkWithIsRefusedBeforeTheRun) {
    TinyProject project(285);  // 171 of them train: ten batches of 17 and one sample
    project.json["data"]["loader"]["batch_size"] = 17;
    TestRun run(project);
    const auto summary = run.start();
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().code, "batch-of-one") << toSentence(summary.error());
    EXPECT_TRUE(run.sink.points.empty());
    project.json["data"]["loader"]["drop_last"] = true;
    EXPECT_TRUE(TestRun(project, "dropped").start(3).has_value());
}

/// Root writes where it likes: while it lives, this process is nobody.
class AsNobody {
public:
    AsNobody() : m_wasRoot(::geteuid() == 0) {
        if (m_wasRoot && ::seteuid(65534) != 0) {
            throw std::runtime_error("root cannot become nobody");
        }
    }
    ~AsNobody() {
        if (m_wasRoot && ::seteuid(0) != 0) {
            std::abort();
        }
    }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;

private:
    bool m_wasRoot;
};

TEST(Failure, AReadOnlyRunFolderIsASentence) {
    TinyProject project;
    ASSERT_TRUE(TestRun(project, "before").start(1).has_value()) << "what is loaded at first use is";
    TestRun run(project);
    ASSERT_EQ(::chmod(project.folder().c_str(), 0755), 0);
    ASSERT_EQ(::chmod(run.request.runFolder.parent_path().c_str(), 0755), 0);
    ASSERT_EQ(::chmod(run.request.runFolder.c_str(), 0555), 0);
    Result<session::RunSummary> summary;
    {
        const AsNobody nobody;
        summary = run.start(2);
    }
    ::chmod(run.request.runFolder.c_str(), 0755);
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().kind, ErrorKind::kMachine) << toSentence(summary.error());
    EXPECT_EQ(summary.error().code, "no-permission");
    EXPECT_FALSE(summary.error().hint.empty());
}

}  // namespace
}  // namespace plumbline::test
