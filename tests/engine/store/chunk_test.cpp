#include "store/chunk.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/random.h"

namespace plumbline::store {
namespace {

void expectSame(const std::vector<StoredPoint>& a, const std::vector<StoredPoint>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].step, b[i].step);
        EXPECT_EQ(a[i].epoch, b[i].epoch);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a[i].elapsedMs), std::bit_cast<std::uint64_t>(b[i].elapsedMs));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(a[i].value), std::bit_cast<std::uint64_t>(b[i].value));
    }
}

TEST(Chunk, GivesBackEveryBitOfOrdinaryAndExtremePoints) {
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    const std::vector<StoredPoint> points = {
        {0, 0, 0.0, 1.5},
        {1, 0, 0.1, std::numeric_limits<double>::quiet_NaN()},
        {kMax, std::numeric_limits<std::int32_t>::max(), 1e300, std::numeric_limits<double>::infinity()},
        {kMin, std::numeric_limits<std::int32_t>::min(), -0.0, -std::numeric_limits<double>::infinity()},
        {kMax, -1, 5e-324, -0.0},
        {7, 3, 2.25, 0.1}};
    std::vector<StoredPoint> back;
    ASSERT_TRUE(unpackChunk(packChunk(points), back));
    expectSame(points, back);
}

TEST(Chunk, GivesBackRandomPoints) {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<StoredPoint> points(random.below(300));
        std::int64_t step = 0;
        for (StoredPoint& point : points) {
            step += static_cast<std::int64_t>(random.below(1U << random.below(20)));
            point = {step, static_cast<std::int32_t>(step / 100), random.uniform() * 1e6, random.normal()};
        }
        std::vector<StoredPoint> back;
        ASSERT_TRUE(unpackChunk(packChunk(points), back));
        expectSame(points, back);
    }
}

TEST(Chunk, AppendsToWhatIsThere) {
    const std::vector<StoredPoint> points = {{1, 0, 1, 1}};
    std::vector<StoredPoint> back = {{9, 9, 9, 9}};
    ASSERT_TRUE(unpackChunk(packChunk(points), back));
    ASSERT_EQ(back.size(), 2U);
    EXPECT_EQ(back[0].step, 9);
}

TEST(Chunk, TakesEighteenBytesAPointForASteadySeries) {
    std::vector<StoredPoint> points;
    for (std::int64_t step = 0; step < 1000; ++step) {
        points.push_back({step * 10, static_cast<std::int32_t>(step / 100), static_cast<double>(step), 0.5});
    }
    EXPECT_LE(packChunk(points).size(), 18U * points.size() + 32U);
}

TEST(Chunk, ThatWasCutOrChangedInAnyByteIsAnErrorAndAddsNothing) {
    std::vector<StoredPoint> points;
    for (std::int64_t step = 0; step < 20; ++step) {
        points.push_back({step, 0, static_cast<double>(step), 0.5});
    }
    const std::string blob = packChunk(points);
    for (std::size_t length = 0; length < blob.size(); ++length) {
        std::vector<StoredPoint> back;
        const Status status = unpackChunk(std::string_view(blob).substr(0, length), back);
        ASSERT_FALSE(status) << "cut to " << length;
        EXPECT_EQ(status.error().code, "store-corrupt");
        EXPECT_TRUE(back.empty());
    }
    for (std::size_t i = 0; i < blob.size(); ++i) {
        std::string changed = blob;
        changed[i] = static_cast<char>(changed[i] ^ 0x10);
        std::vector<StoredPoint> back;
        EXPECT_FALSE(unpackChunk(changed, back)) << "byte " << i;
        EXPECT_TRUE(back.empty());
    }
}

}  // namespace
}  // namespace plumbline::store
