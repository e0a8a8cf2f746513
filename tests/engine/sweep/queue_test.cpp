#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "support/temporary_folder.h"
#include "sweep/sweep_queue.h"

namespace plumbline::sweep {
namespace {

SweepPlan planOf(const std::string& method) {
    SweepPlan plan;
    plan.name = "s";
    plan.method = method;
    plan.over = {"a=1,2,3,4,5,6,7,8,9"};
    plan.trials = 9;
    plan.definitionHash = "h";
    return plan;
}

TrialOutcome lossIsTheValue(const TrialTask& task, RunControl&) {
    return {false, "run-" + std::to_string(task.trial.number), std::stod(task.trial.settings.at("a")), ""};
}

void ignore(const Trial&) {}

Status runAll(SweepFile& file, int parallel, const RunTrial& runTrial, RunControl& control) {
    auto queue = SweepQueue::make(file);
    EXPECT_TRUE(queue.has_value());
    return (*queue)->run(parallel, runTrial, ignore, control);
}

TEST(SweepQueue, RunsEachTrialOnceAndNoMoreThanSoManyAtATime) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    ASSERT_TRUE(file.has_value());
    std::mutex mutex;
    std::multiset<std::int64_t> ran;
    std::atomic<int> now{0}, most{0};
    RunControl control;
    const auto runTrial = [&](const TrialTask& task, RunControl& each) {
        const int running = ++now;
        int before = most;
        while (running > before && !most.compare_exchange_weak(before, running)) {
        }
        {
            const std::lock_guard lock(mutex);
            ran.insert(task.trial.number);
        }
        std::this_thread::yield();
        const TrialOutcome outcome = lossIsTheValue(task, each);
        --now;
        return outcome;
    };
    ASSERT_TRUE(runAll(*file, 3, runTrial, control).has_value());
    EXPECT_EQ(ran.size(), 9U);
    EXPECT_EQ(std::set<std::int64_t>(ran.begin(), ran.end()).size(), 9U);
    EXPECT_LE(most, 3);
    EXPECT_EQ(bestTrial(file->plan(), file->trials())->settings.at("a"), "1");
    EXPECT_EQ(bestTrial(file->plan(), file->trials())->run, "run-0");
}

TEST(SweepQueue, ATrialThatFailsOrGivesNothingIsToldAndTheOthersGoOn) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    RunControl control;
    const auto runTrial = [](const TrialTask& task, RunControl& each) {
        TrialOutcome outcome = lossIsTheValue(task, each);
        if (task.trial.number == 0) {
            outcome.value = 0.0;
            outcome.error = "diverged";
        }
        if (task.trial.number == 1) {
            outcome.value.reset();
        }
        return outcome;
    };
    ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
    EXPECT_EQ(file->trials()[0].status, "failed");
    EXPECT_EQ(file->trials()[0].error, "diverged");
    EXPECT_EQ(file->trials()[1].error, "The run gave no value of val.loss.");
    EXPECT_EQ(file->trials().size(), 9U);
    const auto best = bestTrial(file->plan(), file->trials());
    ASSERT_TRUE(best.has_value());
    EXPECT_EQ(best->number, 2) << "a trial that failed is never the best, whatever it gave";
}

TEST(SweepQueue, ASecondOneOfTheSameSweepIsRefused) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    RunControl control;
    std::string code;
    const auto runTrial = [&](const TrialTask& task, RunControl& each) {
        if (task.trial.number == 0) {
            auto other = SweepFile::open(folder.path(), "s");
            RunControl otherControl;
            const Status second = runAll(*other, 1, lossIsTheValue, otherControl);
            code = second ? "" : second.error().code;
        }
        return lossIsTheValue(task, each);
    };
    ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
    EXPECT_EQ(code, "sweep-busy");
    // One that was opened before the other ended sees what it did.
    auto late = SweepFile::create(folder.path() / "late", planOf("grid"));
    auto early = SweepFile::open(folder.path() / "late", "s");
    ASSERT_TRUE(runAll(*late, 1, lossIsTheValue, control).has_value());
    const auto never = [](const TrialTask& task, RunControl& each) {
        ADD_FAILURE() << "trial " << task.trial.number << " runs twice";
        return lossIsTheValue(task, each);
    };
    ASSERT_TRUE(runAll(*early, 1, never, control).has_value());
}

TEST(SweepQueue, ATrialThatAnotherProcessTrainsIsLeftForLaterAndItsRungWaits) {
    const testing::TemporaryFolder folder;
    SweepPlan plan = planOf("halving");
    plan.minSteps = 10;
    auto file = SweepFile::create(folder.path(), plan);
    RunControl control;
    int ran = 0;
    bool busy = true;
    const auto runTrial = [&](const TrialTask& task, RunControl& each) {
        ++ran;
        return busy && task.trial.number == 4
                   ? TrialOutcome{true, "run-4", std::nullopt, "Another process trains run-4."}
                   : lossIsTheValue(task, each);
    };
    ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
    EXPECT_EQ(ran, 9);
    EXPECT_EQ(file->trials()[4].status, "running");
    EXPECT_EQ(file->trials()[4].error, "Another process trains run-4.");
    busy = false;
    ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
    EXPECT_EQ(ran, 9 + 1 + 3 + 1);
    EXPECT_EQ(file->trials()[4].error, "");
}

TEST(SweepQueue, StepsBeyondWhatANumberHoldsEndAtTheMostThatATrialMayHave) {
    const testing::TemporaryFolder folder;
    SweepPlan plan = planOf("halving");
    plan.eta = 2;
    plan.minSteps = std::int64_t{1} << 52;
    auto file = SweepFile::create(folder.path(), plan);
    RunControl control;
    const auto runTrial = [](const TrialTask& task, RunControl& each) {
        EXPECT_GE(task.maxSteps, 0);
        EXPECT_LE(task.maxSteps, std::int64_t{1} << 53);
        return lossIsTheValue(task, each);
    };
    ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
}

TEST(SweepQueue, GoesOnWhereAStopOrAKillLeftIt) {
    const testing::TemporaryFolder folder;
    {
        auto file = SweepFile::create(folder.path(), planOf("grid"));
        RunControl control;
        const auto runTrial = [&control](const TrialTask& task, RunControl& each) {
            if (task.trial.number == 4) {
                control.requestStop();
                return TrialOutcome{true, "run-4", std::nullopt, ""};
            }
            return lossIsTheValue(task, each);
        };
        ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
        EXPECT_EQ(file->trials().size(), 5U);
        EXPECT_EQ(file->trials()[4].status, "running");
    }
    std::ofstream(folder.path() / "s" / "trials.jsonl", std::ios::app)
        << "{\"trial\": 3, \"poi";  // a kill in the middle of a line
    auto file = SweepFile::open(folder.path(), "s");
    ASSERT_TRUE(file.has_value());
    RunControl control;
    std::vector<std::int64_t> ran;
    const auto runTrial = [&ran](const TrialTask& task, RunControl& each) {
        ran.push_back(task.trial.number);
        if (task.trial.number == 4) {
            EXPECT_EQ(task.trial.run, "run-4");
        }
        return lossIsTheValue(task, each);
    };
    ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
    EXPECT_EQ(ran, (std::vector<std::int64_t>{4, 5, 6, 7, 8}));
    const auto read = SweepFile::open(folder.path(), "s");
    EXPECT_EQ(std::count_if(read->trials().begin(), read->trials().end(),
                            [](const Trial& trial) { return trial.status == "completed"; }),
              9);
}

TEST(SweepFile, IsLookedAtWithoutBeingWrittenAndSaysWhetherItsTrialsAreRun) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    ASSERT_TRUE(file.has_value());
    EXPECT_FALSE(file->isRunning());
    const std::filesystem::path trials = folder.path() / "s" / "trials.jsonl";
    std::ofstream(trials) << "{\"trial\": 3, \"poi";  // its writer is just at it
    const auto before = std::filesystem::file_size(trials);
    {
        const auto lock = file->lock();
        ASSERT_TRUE(lock.has_value());
        EXPECT_GT(std::filesystem::file_size(trials), before);  // what follows is a line of its own
        const auto whole = std::filesystem::file_size(trials);
        std::ofstream(trials, std::ios::app) << "{\"trial\": 4, \"poi";
        auto looked = SweepFile::open(folder.path(), "s");
        ASSERT_TRUE(looked.has_value());
        EXPECT_TRUE(looked->isRunning());
        EXPECT_FALSE(looked->lock().has_value());
        EXPECT_EQ(std::filesystem::file_size(trials), whole + before);
    }
    EXPECT_FALSE(file->isRunning());
}

TEST(SweepQueue, HalvingGivesTheBestThirdThreeTimesTheSteps) {
    const testing::TemporaryFolder folder;
    SweepPlan plan = planOf("halving");
    plan.over = {"a=0.0..1.0"};
    plan.minSteps = 10;
    plan.isMax = true;
    plan.series = "val.accuracy";
    // A stop after any number of trials changes nothing of what is run in all.
    for (std::int64_t stopAfter : {100, 1, 5, 9, 10, 12}) {
        plan.name = "s" + std::to_string(stopAfter);
        auto file = SweepFile::create(folder.path(), plan);
        std::vector<std::pair<std::int64_t, std::int64_t>> ran;
        for (bool again = true; again;) {
            again = false;
            auto reopened = SweepFile::open(folder.path(), plan.name);
            ASSERT_TRUE(reopened.has_value());
            RunControl control;
            const auto runTrial = [&](const TrialTask& task, RunControl& each) {
                ran.emplace_back(task.trial.number, task.maxSteps);
                if (static_cast<std::int64_t>(ran.size()) == stopAfter) {
                    control.requestStop();
                    again = true;
                }
                return lossIsTheValue(task, each);
            };
            ASSERT_TRUE(runAll(*reopened, 1, runTrial, control).has_value());
        }
        ASSERT_EQ(ran.size(), 13U) << stopAfter;  // 9, then 3, then 1
        std::map<std::int64_t, int> bySteps;
        for (const auto& [trial, steps] : ran) {
            ++bySteps[steps];
        }
        EXPECT_EQ(bySteps, (std::map<std::int64_t, int>{{10, 9}, {30, 3}, {0, 1}})) << stopAfter;
        const auto read = SweepFile::open(folder.path(), plan.name);
        const auto best = bestTrial(plan, read->trials());
        ASSERT_TRUE(best.has_value());
        EXPECT_EQ(best->number, ran.back().first);
        for (const Trial& trial : read->trials()) {
            EXPECT_LE(*trial.value, *best->value);
            EXPECT_EQ(trial.status, trial.number == best->number ? "completed" : "dropped");
        }
    }
}

TEST(SweepFile, RefusesNamesThatAreNoFolderAndSweepsThatAreThere) {
    const testing::TemporaryFolder folder;
    for (const char* name : {"", "..", "a/b", "-x", ".hidden", "a b"}) {
        SweepPlan plan = planOf("grid");
        plan.name = name;
        EXPECT_FALSE(SweepFile::create(folder.path(), plan).has_value()) << name;
    }
    ASSERT_TRUE(SweepFile::create(folder.path(), planOf("grid")).has_value());
    EXPECT_EQ(SweepFile::create(folder.path(), planOf("grid")).error().code, "sweep-exists");
    EXPECT_EQ(SweepFile::open(folder.path(), "t").error().code, "sweep-missing");
    EXPECT_EQ(listSweeps(folder.path()), std::vector<std::string>{"s"});
    std::ofstream(folder.path() / "s" / "sweep.json") << "{\"name\": 3}";
    EXPECT_FALSE(SweepFile::open(folder.path(), "s").has_value());
}

TEST(SweepQueue, HalvingWantsToKnowItsFirstRung) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("halving"));
    EXPECT_EQ(SweepQueue::make(*file).error().code, "halving-needs-steps");
}

TEST(SweepQueue, AnotherProcessStopsItThroughItsFolderAndItGoesOnLater) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    ASSERT_TRUE(file.has_value());
    const auto other = SweepFile::open(folder.path(), "s");  // what the other process has
    EXPECT_EQ(other->requestStop().error().code, "sweep-not-running");
    EXPECT_EQ(other->stopRequest(), StopRequest::kNone);
    RunControl control;
    const auto untilStopped = [&](const TrialTask& task, RunControl& each) {
        if (task.trial.number < 2) {
            return lossIsTheValue(task, each);
        }
        EXPECT_TRUE(other->requestStop().has_value());
        while (!each.stopRequested()) {
            std::this_thread::yield();
        }
        EXPECT_EQ(other->stopRequest(), StopRequest::kHeard);
        EXPECT_TRUE(other->requestStop().has_value()) << "asking again does no harm";
        EXPECT_EQ(other->stopRequest(), StopRequest::kHeard);
        return TrialOutcome{true, "run-2", std::nullopt, ""};
    };
    ASSERT_TRUE(runAll(*file, 1, untilStopped, control).has_value());
    EXPECT_EQ(control.stopReason(), StopReason::kUser);
    EXPECT_EQ(file->trials().size(), 3U);
    EXPECT_EQ(file->trials()[2].status, "running");
    EXPECT_EQ(other->stopRequest(), StopRequest::kNone) << "a request ends with the one that it was made to";
    RunControl again;
    ASSERT_TRUE(runAll(*file, 1, lossIsTheValue, again).has_value());
    EXPECT_FALSE(again.stopRequested());
    EXPECT_EQ(file->trials().size(), 9U);
}

TEST(SweepQueue, ARequestLeftByAKilledSweepAndWhatIsNoRequestStopNothing) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    ASSERT_TRUE(file.has_value());
    std::ofstream(folder.path() / "s" / "stop-1") << "";
    std::ofstream(folder.path() / "s" / "stopping-1") << "";
    RunControl control;
    const auto runTrial = [&](const TrialTask& task, RunControl& each) {
        EXPECT_EQ(file->stopRequest(), StopRequest::kNone);
        if (task.trial.number == 0) {  // a link, as somebody else could leave it
            std::filesystem::create_symlink("sweep.json", folder.path() / "s" / "stop-2");
            EXPECT_FALSE(file->hearStop());
        }
        return lossIsTheValue(task, each);
    };
    ASSERT_TRUE(runAll(*file, 1, runTrial, control).has_value());
    EXPECT_FALSE(control.stopRequested());
    EXPECT_EQ(file->trials().size(), 9U);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "s" / "sweep.json"));
}

TEST(SweepFile, AStopThatNobodyHeardIsTakenBackAndThoseOfOthersStay) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    auto lock = file->lock();
    ASSERT_TRUE(lock.has_value());
    const auto first = file->requestStop();
    const auto second = SweepFile::open(folder.path(), "s")->requestStop();
    ASSERT_TRUE(first.has_value() && second.has_value());
    EXPECT_TRUE(file->withdrawStop(*first));
    EXPECT_FALSE(file->withdrawStop(*first));
    EXPECT_EQ(file->stopRequest(*first), StopRequest::kNone);
    EXPECT_EQ(file->stopRequest(*second), StopRequest::kAsked) << "what another one asked for";
    EXPECT_EQ(file->stopRequest(), StopRequest::kAsked);
    EXPECT_TRUE(file->hearStop());
    EXPECT_EQ(file->stopRequest(*second), StopRequest::kHeard);
    EXPECT_FALSE(file->withdrawStop(*second)) << "what has been heard cannot be taken back";
    EXPECT_EQ(file->stopRequest(*second), StopRequest::kHeard);
    *lock = SweepLock(-1);  // its end
    EXPECT_EQ(file->stopRequest(*second), StopRequest::kNone) << "it goes with the one that it was made to";
    lock = file->lock();
    ASSERT_TRUE(lock.has_value());
    EXPECT_FALSE(file->hearStop());
    const auto third = file->requestStop();
    EXPECT_TRUE(file->withdrawStop(*third));
    EXPECT_EQ(file->stopRequest(), StopRequest::kNone);
    EXPECT_FALSE(file->hearStop());
}

TEST(SweepFile, AStopThatWouldNotBeHeardIsRefusedAtOnce) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can give a file to another user";
    }
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("grid"));
    const auto lock = file->lock();
    ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
    ASSERT_EQ(::chmod((folder.path() / "s").c_str(), 0777), 0);
    constexpr uid_t kOther = 65534;
    ASSERT_EQ(::seteuid(kOther), 0);
    const auto refused = file->requestStop();
    ASSERT_EQ(::seteuid(0), 0);
    EXPECT_EQ(refused.error().code, "sweep-of-another-user");
    EXPECT_EQ(file->stopRequest(), StopRequest::kNone);
    // Its owner is heard, whoever runs it.
    ASSERT_EQ(::chown((folder.path() / "s" / "sweep.json").c_str(), kOther, static_cast<gid_t>(-1)), 0);
    ASSERT_EQ(::seteuid(kOther), 0);
    const auto asked = file->requestStop();
    ASSERT_EQ(::seteuid(0), 0);
    EXPECT_TRUE(asked.has_value());
    EXPECT_TRUE(file->hearStop());
}

TEST(SweepFile, ReadsTheNewestStateOfManyTrialsInWhateverOrderTheyWereWritten) {
    const testing::TemporaryFolder folder;
    auto file = SweepFile::create(folder.path(), planOf("random"));
    constexpr std::int64_t kTrials = 20'000;
    std::string lines;
    for (const char* status : {"running", "completed"}) {
        for (std::int64_t i = 0; i < kTrials; ++i) {
            Trial trial;
            trial.number = kTrials - 1 - i;
            trial.status = status;
            lines += toJson(trial).dump() + "\n";
        }
    }
    std::ofstream(folder.path() / "s" / "trials.jsonl") << lines;
    const auto read = SweepFile::open(folder.path(), "s");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->trials().size(), static_cast<std::size_t>(kTrials));
    EXPECT_EQ(read->trials().front().number, kTrials - 1);
    EXPECT_TRUE(std::all_of(read->trials().begin(), read->trials().end(),
                            [](const Trial& trial) { return trial.status == "completed"; }));
}

TEST(SweepFile, ACopiedFolderIsASweepOfItsOwnWhoseTrialsThatHaveNotEndedBeginAnew) {
    const testing::TemporaryFolder folder;
    auto original = SweepFile::create(folder.path(), planOf("grid"));
    RunControl control;
    const auto twoOnly = [&](const TrialTask& task, RunControl& each) {
        TrialOutcome outcome = lossIsTheValue(task, each);
        outcome.interrupted = task.trial.number == 1;
        if (outcome.interrupted) {
            each.requestStop();
        }
        return outcome;
    };
    ASSERT_TRUE(runAll(*original, 1, twoOnly, control).has_value());
    ASSERT_EQ(original->trials().size(), 2U);
    std::filesystem::copy(folder.path() / "s", folder.path() / "copy");
    auto copy = SweepFile::open(folder.path(), "copy");
    ASSERT_TRUE(copy.has_value());
    EXPECT_EQ(copy->plan().name, "copy");
    EXPECT_EQ(copy->copiedFrom(), "s");
    std::map<std::int64_t, TrialTask> tasks;
    const auto remember = [&](const TrialTask& task, RunControl& each) {
        tasks.emplace(task.trial.number, task);
        TrialOutcome outcome = lossIsTheValue(task, each);
        outcome.run = "other-" + std::to_string(task.trial.number);
        return outcome;
    };
    RunControl again;
    ASSERT_TRUE(runAll(*copy, 1, remember, again).has_value());
    EXPECT_FALSE(tasks.contains(0)) << "what has ended stays";
    EXPECT_EQ(tasks.at(1).runName, "copy-1");
    EXPECT_EQ(tasks.at(1).trial.run, "") << "the run of the original is not the copy's";
    EXPECT_EQ(tasks.at(8).runName, "copy-8");
    EXPECT_EQ(copy->copiedFrom(), "");
    // Both are whole, and the original knows nothing of it.
    const auto after = SweepFile::open(folder.path(), "copy");
    EXPECT_EQ(after->copiedFrom(), "");
    EXPECT_EQ(after->trials().size(), 9U);
    const auto before = SweepFile::open(folder.path(), "s");
    EXPECT_EQ(before->plan().name, "s");
    EXPECT_EQ(before->trials().size(), 2U);
    EXPECT_EQ(before->trials()[1].run, "run-1");
}

TEST(SweepFile, ACopyThatSharesItsFilesLetsGoOfThemAndOneOfLinksIsRefused) {
    const testing::TemporaryFolder folder;
    auto original = SweepFile::create(folder.path(), planOf("grid"));
    Trial trial;
    trial.status = "completed";
    trial.value = 1.0;
    ASSERT_TRUE(original->put(trial).has_value());
    std::filesystem::create_directory(folder.path() / "hard");
    std::filesystem::create_directory(folder.path() / "soft");
    for (const char* name : {"sweep.json", "trials.jsonl"}) {
        std::filesystem::create_hard_link(folder.path() / "s" / name, folder.path() / "hard" / name);
        std::filesystem::create_symlink(folder.path() / "s" / name, folder.path() / "soft" / name);
    }
    auto hard = SweepFile::open(folder.path(), "hard");
    ASSERT_TRUE(hard->lock().has_value());
    trial.number = 1;
    ASSERT_TRUE(hard->put(trial).has_value());
    auto soft = SweepFile::open(folder.path(), "soft");
    EXPECT_EQ(soft->lock().error().code, "sweep-is-linked");
    const auto after = SweepFile::open(folder.path(), "s");
    EXPECT_EQ(after->plan().name, "s");
    EXPECT_EQ(after->copiedFrom(), "");
    EXPECT_EQ(after->trials().size(), 1U);
    // A linked folder is the sweep that it leads to.
    std::filesystem::create_directory_symlink("s", folder.path() / "again");
    const auto linked = SweepFile::open(folder.path(), "again");
    EXPECT_EQ(linked->plan().name, "s");
    EXPECT_EQ(linked->copiedFrom(), "");
}

}  // namespace
}  // namespace plumbline::sweep
