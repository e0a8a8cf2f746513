#include "data/splits.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace plumbline::data {
namespace {

SplitSpec specOf(double train, double validation, double test, std::uint64_t seed = 0) {
    SplitSpec spec;
    spec.train = train;
    spec.validation = validation;
    spec.test = test;
    spec.seed = seed;
    return spec;
}

TEST(Splits, CountsAreExactByLargestRemainder) {
    EXPECT_EQ(largestRemainder(10, {0.7, 0.2, 0.1}), (std::array<std::int64_t, 3>{7, 2, 1}));
    EXPECT_EQ(largestRemainder(11, {0.7, 0.15, 0.15}), (std::array<std::int64_t, 3>{8, 2, 1}));
    EXPECT_EQ(largestRemainder(1, {0.34, 0.33, 0.33}), (std::array<std::int64_t, 3>{1, 0, 0}));
    EXPECT_EQ(largestRemainder(0, {0.5, 0.25, 0.25}), (std::array<std::int64_t, 3>{0, 0, 0}));
    EXPECT_EQ(largestRemainder(1797, {0.7, 0.15, 0.15}), (std::array<std::int64_t, 3>{1258, 270, 269}));
}

TEST(Splits, EveryRowIsInExactlyOneSplitWhateverTheShares) {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        const double train = random.uniform();
        const double validation = random.uniform() * (1 - train);
        SplitSpec spec = specOf(train, validation, 1 - train - validation, random());
        const auto rows = static_cast<std::int64_t>(random.below(200));
        const auto classCount = static_cast<std::int64_t>(1 + random.below(12));
        const bool stratified = round % 2 == 0 && rows > 0;
        std::vector<std::int64_t> classes;
        for (std::int64_t i = 0; stratified && i < rows; ++i) {
            classes.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(classCount))));
        }
        const SplitRows split = splitRows(rows, spec, classes, classCount);
        std::vector<std::int64_t> all;
        for (const auto& part : split) {
            EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
            all.insert(all.end(), part.begin(), part.end());
        }
        std::sort(all.begin(), all.end());
        ASSERT_EQ(static_cast<std::int64_t>(all.size()), rows);
        for (std::int64_t i = 0; i < rows; ++i) {
            EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
        }
        const auto totals = largestRemainder(rows, {spec.train, spec.validation, spec.test});
        const std::array<double, 3> shares = {spec.train, spec.validation, spec.test};
        for (std::size_t s = 0; s < 3; ++s) {
            EXPECT_EQ(static_cast<std::int64_t>(split[s].size()), totals[s]);
            EXPECT_LT(std::abs(static_cast<double>(totals[s]) - static_cast<double>(rows) * shares[s]), 1.0);
        }
        if (!stratified) {
            continue;
        }
        // Each class is within one of its share in each split, and the totals are still exact.
        std::vector<std::int64_t> counts(static_cast<std::size_t>(classCount));
        std::vector<std::array<std::int64_t, 3>> parts(static_cast<std::size_t>(classCount));
        for (std::size_t s = 0; s < 3; ++s) {
            for (const std::int64_t row : split[s]) {
                const auto c = static_cast<std::size_t>(classes[static_cast<std::size_t>(row)]);
                ++counts[c];
                ++parts[c][s];
            }
        }
        for (std::size_t c = 0; c < counts.size(); ++c) {
            for (std::size_t s = 0; s < 3; ++s) {
                EXPECT_LT(std::abs(static_cast<double>(parts[c][s]) - static_cast<double>(counts[c]) * shares[s]),
                          1.0 + 1e-6)
                    << "round " << round << " class " << c << " of " << counts[c];
            }
        }
    }
}

TEST(Splits, TheSeedDecidesAndNothingElse) {
    EXPECT_EQ(splitRows(100, specOf(0.8, 0.1, 0.1, 4), {}, 0), splitRows(100, specOf(0.8, 0.1, 0.1, 4), {}, 0));
    EXPECT_NE(splitRows(100, specOf(0.8, 0.1, 0.1, 4), {}, 0), splitRows(100, specOf(0.8, 0.1, 0.1, 5), {}, 0));
}

TEST(Splits, OneSplitMayTakeAll) {
    const SplitRows split = splitRows(5, specOf(1, 0, 0), std::vector<std::int64_t>{0, 1, 0, 1, 1}, 2);
    EXPECT_EQ(split[0].size(), 5U);
}

TEST(Splits, SharesThatMissOneByWhatWasRoundedAwayStillCountEveryRowOnce) {
    // Three thousandths of a millionth too much each: the whole parts alone are one more than there are rows.
    const std::int64_t rows = 1'111'120;
    for (const SplitSpec& spec :
         {specOf(0.66666697, 0.16666697, 0.16666697), specOf(0.6666664, 0.1666664, 0.1666664)}) {
        const auto totals = largestRemainder(rows, {spec.train, spec.validation, spec.test});
        EXPECT_EQ(totals[0] + totals[1] + totals[2], rows);
        for (const std::int64_t classCount : {0, 1}) {
            const std::vector<std::int64_t> classes(classCount == 0 ? 0 : static_cast<std::size_t>(rows), 0);
            const SplitRows split = splitRows(rows, spec, classes, classCount);
            for (std::size_t s = 0; s < 3; ++s) {
                EXPECT_EQ(static_cast<std::int64_t>(split[s].size()), totals[s])
                    << s << (classCount == 0 ? "" : ", stratified");
            }
        }
    }
    const auto many = largestRemainder(10'000'000, {0.6666667, 0.1666667, 0.1666667});
    EXPECT_EQ(many[0] + many[1] + many[2], 10'000'000);
}

}  // namespace
}  // namespace plumbline::data
