#include "core/random.h"

#include <gtest/gtest.h>
#include <set>

using namespace plumbline;

TEST(Random, GivesThePublishedSequence) {
    // xoshiro256** from the state {1, 2, 3, 4}: the first values of the authors' reference implementation.
    Random random(Random::State{1, 2, 3, 4});
    EXPECT_EQ(random(), 11520ULL);
    EXPECT_EQ(random(), 0ULL);
    EXPECT_EQ(random(), 1509978240ULL);
    EXPECT_EQ(random(), 1215971899390074240ULL);
}

TEST(Random, GoesOnFromASavedState) {
    Random a(7);
    for (int i = 0; i < 100; ++i) {
        a();
    }
    Random b(a.state());
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(a(), b());
    }
}

TEST(Random, BoundedValuesAreEvenlySpread) {
    Random random(3);
    std::vector<int> counts(7, 0);
    for (int i = 0; i < 70000; ++i) {
        ++counts[random.below(7)];
    }
    for (const int count : counts) {
        EXPECT_NEAR(count, 10000, 500);
    }
}

TEST(Random, NormalValuesHaveMeanZeroAndUnitVariance) {
    Random random(5);
    double sum = 0;
    double squares = 0;
    constexpr int n = 100000;
    for (int i = 0; i < n; ++i) {
        const double value = random.normal();
        sum += value;
        squares += value * value;
    }
    EXPECT_NEAR(sum / n, 0, 0.02);
    EXPECT_NEAR(squares / n, 1, 0.02);
}

TEST(Permutation, HoldsEveryIndexOnceAndDependsOnTheSeed) {
    Random a(1);
    Random b(1);
    Random c(2);
    const auto first = permutation(1000, a);
    EXPECT_EQ(first, permutation(1000, b));
    EXPECT_NE(first, permutation(1000, c));
    EXPECT_EQ(std::set<std::int64_t>(first.begin(), first.end()).size(), 1000U);
    EXPECT_TRUE(permutation(0, a).empty());
}

TEST(DeriveSeed, DiffersByPurposeWorkerAndEpoch) {
    std::set<std::uint64_t> seeds;
    for (const char* purpose : {"shuffle", "augment", "split"}) {
        for (std::uint64_t a = 0; a < 20; ++a) {
            for (std::uint64_t b = 0; b < 20; ++b) {
                seeds.insert(deriveSeed(1, purpose, a, b));
            }
        }
    }
    EXPECT_EQ(seeds.size(), 3U * 20U * 20U);
}
