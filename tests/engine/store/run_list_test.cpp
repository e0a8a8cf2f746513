#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "core/files.h"
#include "store_fixture.h"

namespace plumbline::store {
namespace {

class RunList : public ::testing::Test {
protected:
    std::filesystem::path finished(const std::string& name, const std::string& series = "", double value = 0,
                                   const Json& definition = Json::object()) {
        const auto writer = newRun(m_runs.path(), name, definition);
        if (!series.empty()) {
            writer->append(writer->declareSeries(series, 0), point(10, value * 2, 1));
            writer->append(writer->declareSeries(series, 0), point(20, value, 2));
        }
        EXPECT_TRUE(writer->setStatus(withStatus("completed")));
        return writer->folder();
    }
    std::vector<RunInfo> list() {
        const auto runs = listRuns(m_runs.path());
        EXPECT_TRUE(runs) << (runs ? "" : toSentence(runs.error()));
        return runs ? *runs : std::vector<RunInfo>{};
    }
    static Json bestBy(const std::string& series, const std::string& mode) {
        return {{"training", {{"checkpoints", {{"best", {{"series", series}, {"mode", mode}}}}}}}};
    }
    testing::TemporaryFolder m_runs;
};

TEST_F(RunList, IsEmptyWhereNothingEverRan) {
    EXPECT_TRUE(list().empty());
    EXPECT_TRUE(listRuns(m_runs / "not made yet")->empty());
    EXPECT_FALSE(std::filesystem::exists(m_runs / "not made yet"));
}

TEST_F(RunList, HasTheNewestFirstAndTheSameFromTheIndex) {
    std::vector<std::filesystem::path> folders;
    for (int i = 0; i < 5; ++i) {
        folders.push_back(finished("run " + std::to_string(i), "val.loss", i));
    }
    std::filesystem::create_directory(m_runs / "somebody's notes");
    for (int round = 0; round < 3; ++round) {
        const auto runs = list();
        ASSERT_EQ(runs.size(), 5U);
        for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
            EXPECT_GE(runs[i].started, runs[i + 1].started);
        }
        for (const RunInfo& run : runs) {
            EXPECT_EQ(run.status, "completed");
            EXPECT_EQ(run.bestSeries, "val.loss");
            EXPECT_TRUE(run.best);
            EXPECT_EQ(run.folder, m_runs.path() / run.id);
        }
    }
    EXPECT_TRUE(std::filesystem::exists(m_runs / "index.sqlite"));
}

TEST_F(RunList, CountsTheCriticalFindingsThatAreOpenAndCausesThemselves) {
    const auto writer = newRun(m_runs.path());
    for (int i = 0; i < 5; ++i) {
        diagnostics::Finding one = finding("f#" + std::to_string(i), i + 1);
        one.severity = i == 0 ? diagnostics::Severity::kWarning : diagnostics::Severity::kCritical;
        one.cause = i == 1 ? "f#2" : "";
        if (i == 4) {
            one.clearedAt = 9;
        }
        ASSERT_TRUE(writer->putFinding(one));
    }
    ASSERT_TRUE(writer->setStatus(withStatus("completed")));
    ASSERT_TRUE(writer->flush());
    for (int round = 0; round < 2; ++round) {  // from the run, then from the index
        ASSERT_EQ(list().size(), 1U);
        EXPECT_EQ(list()[0].findings, 5);
        EXPECT_EQ(list()[0].criticalFindings, 2);
    }
}

TEST_F(RunList, IsRebuiltWhenTheIndexIsMissingCorruptOrCut) {
    finished("a");
    finished("b");
    EXPECT_EQ(list().size(), 2U);
    const std::string index = readFile(m_runs / "index.sqlite").value();
    for (const std::string& bytes :
         {std::string(), std::string(5000, 'x'), index.substr(0, index.size() / 2), index.substr(0, 100)}) {
        std::ofstream(m_runs / "index.sqlite", std::ios::binary | std::ios::trunc) << bytes;
        EXPECT_EQ(list().size(), 2U);
        EXPECT_EQ(list().size(), 2U);
    }
    std::filesystem::remove(m_runs / "index.sqlite");
    EXPECT_EQ(list().size(), 2U);
    EXPECT_TRUE(std::filesystem::exists(m_runs / "index.sqlite"));
}

TEST_F(RunList, SeesRunsThatCameChangedAndWent) {
    const auto first = finished("a");
    EXPECT_EQ(list().size(), 1U);
    const auto second = finished("b");
    EXPECT_EQ(list().size(), 2U);
    {
        const auto writer = RunWriter::reopen(second);
        ASSERT_TRUE(writer);
        EXPECT_EQ(list().front().status, "completed") << "it is opened and does not go on yet";
        ASSERT_TRUE((*writer)->dropAfter(10, 1e9));
        EXPECT_EQ(list().front().status, "running");
        RunInfo failed = withStatus("failed");
        failed.stopReason = {{"code", "disk-full"}, {"message", "The disk is full."}};
        ASSERT_TRUE((*writer)->setStatus(failed));
    }
    EXPECT_EQ(findRun(m_runs.path(), "b")->status, "failed");
    std::filesystem::remove_all(first);
    EXPECT_EQ(list().size(), 1U);
}

TEST_F(RunList, CarriesNamesAndNotesGivenEvenWhileARunIsWritten) {
    const auto writer = newRun(m_runs.path(), "draft");
    EXPECT_EQ(list().front().name, "draft");
    ASSERT_TRUE(setRunNote(writer->folder(), "renamed", "lr twice as high"));
    EXPECT_EQ(list().front().name, "renamed");
    EXPECT_EQ(list().front().note, "lr twice as high");
    EXPECT_EQ(infoOf(writer->folder()).note, "lr twice as high");
}

TEST_F(RunList, TellsHowManyFindingsAreOpenAndTheWorstOfThem) {
    const auto writer = newRun(m_runs.path());
    EXPECT_EQ(list().front().openFindings, 0);
    EXPECT_EQ(list().front().worstFinding, "");
    auto critical = finding("non-finite#1", 3);
    critical.severity = graph::Severity::kCritical;
    auto warning = finding("non-finite#2", 4);
    warning.severity = graph::Severity::kWarning;
    ASSERT_TRUE(writer->putFinding(warning));
    ASSERT_TRUE(writer->putFinding(critical));
    ASSERT_TRUE(writer->flush());
    for (int read = 0; read < 2; ++read) {  // from the store, then from the index
        EXPECT_EQ(list().front().openFindings, 2);
        EXPECT_EQ(list().front().worstFinding, "critical");
    }
    critical.clearedAt = 9;
    ASSERT_TRUE(writer->putFinding(critical));
    ASSERT_TRUE(writer->flush());
    EXPECT_EQ(list().front().findings, 2);
    EXPECT_EQ(list().front().openFindings, 1);
    EXPECT_EQ(list().front().worstFinding, "warning");
}

TEST_F(RunList, ANoteThatIsNoTextIsRefusedAndTheOldOneKept) {
    const auto writer = newRun(m_runs.path(), "draft");
    ASSERT_TRUE(setRunNote(writer->folder(), "name", "note"));
    for (const auto& [name, note] : {std::pair{"a\xff", "note"}, std::pair{"name", "\xc3"}}) {
        const Status noted = setRunNote(writer->folder(), name, note);
        ASSERT_FALSE(noted);
        EXPECT_EQ(noted.error().code, "not-utf8");
    }
    EXPECT_EQ(list().front().note, "note");
}

TEST_F(RunList, DeletesARunButNotOneThatIsBeingWritten) {
    auto writer = newRun(m_runs.path());
    const auto folder = writer->folder();
    const Status refused = deleteRun(folder);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, "store-locked");
    writer.reset();
    EXPECT_EQ(list().size(), 1U);
    ASSERT_TRUE(deleteRun(folder));
    EXPECT_TRUE(list().empty());
    EXPECT_FALSE(std::filesystem::exists(folder));
    for (const auto& entry : std::filesystem::directory_iterator(m_runs.path())) {
        EXPECT_FALSE(entry.path().filename().string().starts_with(".deleted")) << entry.path();
    }
}

TEST_F(RunList, FindsARunByIdPrefixNameAndWord) {
    const auto a = finished("first", "val.loss", 0.5);
    const auto b = finished("second", "val.loss", 0.25);
    const auto c = finished("third", "val.loss", 0.75);
    const std::string id = a.filename();
    EXPECT_EQ(findRun(m_runs.path(), id)->folder, a);
    EXPECT_EQ(findRun(m_runs.path(), id.substr(0, 19))->id, id);
    EXPECT_EQ(findRun(m_runs.path(), "second")->folder, b);
    EXPECT_EQ(findRun(m_runs.path(), "best")->folder, b);
    EXPECT_EQ(findRun(m_runs.path(), "latest")->folder, list().front().folder);
    const auto ambiguous = findRun(m_runs.path(), id.substr(0, 8));
    ASSERT_FALSE(ambiguous);
    EXPECT_EQ(ambiguous.error().code, "ambiguous-run");
    const auto unknown = findRun(m_runs.path(), "lateest");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, "unknown-run");
    EXPECT_NE(unknown.error().hint.find("latest"), std::string::npos);
    EXPECT_FALSE(findRun(m_runs.path(), ""));
}

TEST_F(RunList, CallsBestWhatTheDefinitionCallsBest) {
    const auto low = finished("low", "val.accuracy", 0.25, bestBy("val.accuracy", "max"));
    const auto high = finished("high", "val.accuracy", 0.75, bestBy("val.accuracy", "max"));
    const auto runs = list();
    const auto best = findRun(m_runs.path(), "best");
    ASSERT_TRUE(best);
    EXPECT_EQ(best->folder, high);
    EXPECT_EQ(best->best, 1.5) << "the best of its values, not the last";
    EXPECT_TRUE(best->bestIsMax);
}

TEST_F(RunList, WithoutAModeTheSeriesOrWhatTheRunPutDownTellsWhichIsBest) {
    const auto isMax = [this](const std::string& series, const std::string& mode) {
        const std::filesystem::path folder = finished("run", series, 0.5, bestBy(series, mode));
        for (const RunInfo& run : list()) {
            if (run.folder == folder) {
                return run.bestIsMax;
            }
        }
        ADD_FAILURE() << "not listed";
        return false;
    };
    EXPECT_TRUE(isMax("val.accuracy", "auto"));
    EXPECT_FALSE(isMax("val.loss", "auto"));
    EXPECT_TRUE(isMax("val.loss", "max"));
    // A name tells nothing; the run's settings have what "auto" came to.
    auto writer = newRun(m_runs.path(), "named", bestBy("val.distance", "auto"));
    EXPECT_TRUE(writer->putRecord("settings", Json{{"training.checkpoints.best.mode", "min"}}));
    writer->append(writer->declareSeries("val.distance", 0), point(10, 2.0, 1));
    writer->append(writer->declareSeries("val.distance", 0), point(20, 3.0, 2));
    EXPECT_TRUE(writer->setStatus(withStatus("completed")));
    writer.reset();  // writes what it holds
    const auto found = findRun(m_runs.path(), "named");
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->bestIsMax);
    EXPECT_EQ(found->best, 2.0);
}

TEST_F(RunList, SaysSoWhenThereIsNothingToFind) {
    EXPECT_EQ(findRun(m_runs.path(), "latest").error().code, "no-runs");
    finished("no values");
    EXPECT_EQ(findRun(m_runs.path(), "best").error().code, "no-best-run");
}

TEST_F(RunList, TheBestLossIsTheEpochsMeanThatTheCheckpointWasChosenBy) {
    const auto writer = newRun(m_runs.path(), "by loss", bestBy("train.loss", "min"));
    const int loss = writer->declareSeries("train.loss", 1);
    for (std::int64_t step = 1; step <= 4; ++step) {
        writer->append(loss, point(step, step == 3 ? 0.01 : 1.0));  // one lucky batch
    }
    ASSERT_TRUE(writer->flush());
    EXPECT_NE(infoOf(writer->folder()).bestSeries, "train.loss") << "no epoch has ended, so nothing has been chosen";
    ASSERT_TRUE(
        writer->appendEvent({{"event", "epoch"}, {"epoch", 1}, {"step", 2}, {"metrics", {{"train.loss", 0.9}}}}));
    ASSERT_TRUE(
        writer->appendEvent({{"event", "epoch"}, {"epoch", 2}, {"step", 4}, {"metrics", {{"train.loss", 0.4}}}}));
    ASSERT_TRUE(
        writer->appendEvent({{"event", "epoch"}, {"epoch", 3}, {"step", 4}, {"metrics", {{"train.loss", nullptr}}}}));
    ASSERT_TRUE(writer->flush());
    const RunInfo info = infoOf(writer->folder());
    EXPECT_EQ(info.bestSeries, "train.loss");
    EXPECT_EQ(info.best, 0.4);
}

TEST_F(RunList, StaysRightWhileSeveralThreadsAndProcessesListAndWrite) {
    for (int i = 0; i < 5; ++i) {
        finished("r" + std::to_string(i));
    }
    std::vector<pid_t> children;
    for (int n = 0; n < 3; ++n) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            int wrong = 0;
            for (int round = 0; round < 10; ++round) {
                const auto runs = listRuns(m_runs.path());
                wrong += runs && runs->size() >= 5 ? 0 : 1;
                auto writer = RunWriter::create(m_runs.path(), "", {});
                wrong += writer && (*writer)->setStatus(withStatus("completed")) ? 0 : 1;
            }
            ::_exit(wrong);
        }
        children.push_back(child);
    }
    for (int round = 0; round < 20; ++round) {
        EXPECT_GE(list().size(), 5U);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    const auto runs = list();
    EXPECT_EQ(runs.size(), 35U);
    for (const RunInfo& run : runs) {
        EXPECT_EQ(run.status, "completed");
    }
}

}  // namespace
}  // namespace plumbline::store
