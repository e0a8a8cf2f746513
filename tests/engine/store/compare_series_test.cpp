#include "store/compare_series.h"

#include <map>

#include "store_fixture.h"

namespace plumbline::store {
namespace {

using Series = std::vector<std::pair<std::int64_t, double>>;

std::unique_ptr<RunReader> runWithSeries(const std::filesystem::path& runs,
                                         const std::map<std::string, Series>& series) {
    std::filesystem::path folder;
    {
        const auto writer = newRun(runs);
        for (const auto& [name, points] : series) {
            const int id = writer->declareSeries(name, 1);
            for (const auto& [step, value] : points) {
                writer->append(id, point(step, value));
            }
        }
        EXPECT_TRUE(writer->flush());
        folder = writer->folder();
    }
    return openRun(folder);
}

TEST(CompareSeries, EqualBitsAreEqualAndWhatTheClockDecidesDoesNotCount) {
    const testing::TemporaryFolder folder;
    const auto a = runWithSeries(folder / "runs", {{"train.loss", {{1, 0.5}, {2, std::nan("")}}},
                                                   {"val.loss", {{2, 0.25}}},
                                                   {"step.ms", {{1, 3}}},
                                                   {"grad.norm", {{1, 1}}}});
    const auto b = runWithSeries(folder / "runs", {{"train.loss", {{1, 0.5}, {2, std::nan("")}}},
                                                   {"val.loss", {{2, 0.25}}},
                                                   {"step.ms", {{1, 4}}},
                                                   {"grad.norm", {{2, 1}}}});
    const auto compared = compareSeries(*a, *b);
    ASSERT_TRUE(compared);
    EXPECT_TRUE(compared->equal());
    EXPECT_EQ(compared->series, 2);
    EXPECT_EQ(compared->values, 3);
}

TEST(CompareSeries, TheFirstDifferenceIsThatOfTheSmallestStepAndTheLargestIsRelative) {
    const testing::TemporaryFolder folder;
    const auto a =
        runWithSeries(folder / "runs", {{"lr", {{1, 1}, {9, 1}}}, {"train.loss", {{1, 1}, {2, 100}, {3, 1}}}});
    const auto b = runWithSeries(
        folder / "runs", {{"lr", {{1, 1}, {9, 2}}}, {"train.loss", {{1, 1}, {2, std::nextafter(100, 101)}, {3, 1}}}});
    const auto compared = compareSeries(*a, *b);
    ASSERT_TRUE(compared);
    EXPECT_EQ(compared->different, 2);
    EXPECT_EQ(compared->firstSeries, "train.loss");
    EXPECT_EQ(compared->firstStep, 2);
    EXPECT_EQ(compared->firstA, 100);
    EXPECT_EQ(compared->largest, 1);
    EXPECT_TRUE(compareSeries(*a, *b, 2, 8)->equal()) << "the steps past 2, up to 8";
    EXPECT_EQ(compareSeries(*a, *b, 2, 8)->values, 1);
}

TEST(CompareSeries, AValueThatOneOfThemLacksIsADifference) {
    const testing::TemporaryFolder folder;
    const auto a = runWithSeries(folder / "runs", {{"train.loss", {{1, 1}, {2, 1}, {3, 1}}}});
    const auto b = runWithSeries(folder / "runs", {{"train.loss", {{1, 1}, {3, 1}}}, {"val.loss", {{3, 1}}}});
    const auto compared = compareSeries(*a, *b);
    ASSERT_TRUE(compared);
    EXPECT_EQ(compared->different, 2);
    EXPECT_EQ(compared->firstStep, 2);
    EXPECT_TRUE(std::isnan(compared->firstB));
}

TEST(BranchedRun, NamesTheRunAndTheStepThatItCameFrom) {
    const testing::TemporaryFolder folder;
    {
        const auto writer = newRun(folder / "runs");
        ASSERT_TRUE(writer->putRecord(
            "choices", {{"device", "cpu"},
                        {"parent", {{"run", "20261129-193200-k3f2"}, {"checkpoint", "best.ckpt"}, {"step", 120}}}}));
        ASSERT_TRUE(writer->setStatus(withStatus("completed")));
        ASSERT_TRUE(writer->flush());
    }
    for (int time = 0; time < 2; ++time) {  // read, then out of the index
        const auto runs = listRuns(folder / "runs");
        ASSERT_TRUE(runs && runs->size() == 1);
        EXPECT_EQ(runs->front().parent, "20261129-193200-k3f2");
        EXPECT_EQ(runs->front().parentStep, 120);
    }
}

}  // namespace
}  // namespace plumbline::store
