// The rule of tune-loader, on speeds that are given.
#include "data/worker_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace plumbline::data {
namespace {

/// Speeds by workers and measurement; the last one is repeated.
struct Machine {
    std::map<std::int64_t, std::vector<double>> speeds;
    std::map<std::int64_t, int> measured;

    WorkerChoice choose(std::int64_t cores, std::int64_t most) {
        auto choice = chooseWorkers(cores, most, [this](std::int64_t workers) -> Result<double> {
            const std::vector<double>& all = speeds.at(workers);
            const auto index = static_cast<std::size_t>(measured[workers]++);
            return all[std::min(index, all.size() - 1)];
        });
        EXPECT_TRUE(choice.has_value());
        return choice ? *choice : WorkerChoice{};
    }
};

TEST(WorkerSweep, GoesOnAsLongAsAWorkerBringsFivePercent) {
    Machine machine{{{0, {100}}, {1, {106}}, {2, {112}}, {3, {117.5}}, {4, {200}}}, {}};
    const WorkerChoice choice = machine.choose(8, 32);
    EXPECT_EQ(choice.sweep.size(), 4U) << "three brought less than 5 %, so four is never tried";
    EXPECT_EQ(choice.sweep.back().workers, 3);
    EXPECT_FALSE(choice.stillGaining);
    EXPECT_EQ(machine.measured[0], 1);
    for (const std::int64_t workers : {1, 2, 3}) {
        EXPECT_EQ(machine.measured[workers], 4) << "the knee and its neighbours are measured three times more";
    }
}

TEST(WorkerSweep, TriesTwoWhereOneOnlyMovesTheWork) {
    Machine machine{{{0, {100}}, {1, {98}}, {2, {190}}, {3, {191}}}, {}};
    EXPECT_EQ(machine.choose(4, 16).chosen, 2);
    Machine single{{{0, {100}}, {1, {98}}, {2, {190}}}, {}};
    EXPECT_EQ(single.choose(1, 4).chosen, 0);
    EXPECT_EQ(single.measured.count(2), 0U) << "with one core a second worker has nothing to run on";
}

TEST(WorkerSweep, TakesTheSteadiestOfThoseThatAreFastEnough) {
    // Two is fastest by a little and jumps about; three is within 5 % and steady; one is too slow, however steady.
    Machine machine{{{0, {100}}, {1, {120}}, {2, {150, 120, 160, 152}}, {3, {149}}}, {}};
    const WorkerChoice choice = machine.choose(4, 16);
    EXPECT_EQ(choice.chosen, 3);
    EXPECT_NEAR(choice.sweep[2].samplesPerSecond, 152, 1e-9) << "the median";
    EXPECT_NEAR(choice.sweep[2].spread, 40.0 / 152, 1e-9);
    EXPECT_EQ(choice.sweep[3].spread, 0);
}

TEST(WorkerSweep, SaysThatTheMostStillGained) {
    Machine machine{{{0, {100}}, {1, {200}}, {2, {300}}}, {}};
    const WorkerChoice choice = machine.choose(1, 2);
    EXPECT_TRUE(choice.stillGaining);
    EXPECT_EQ(choice.chosen, 2);
}

TEST(WorkerSweep, GivesTheErrorOfAMeasurement) {
    const auto choice = chooseWorkers(4, 16, [](std::int64_t workers) -> Result<double> {
        if (workers == 2) {
            return fail(ErrorKind::kInterrupted, "stopped", "Stopped");
        }
        return 100.0 * static_cast<double>(workers + 1);
    });
    ASSERT_FALSE(choice.has_value());
    EXPECT_EQ(choice.error().code, "stopped");
}

}  // namespace
}  // namespace plumbline::data
