#include "session/metric_channel.h"

#include <gtest/gtest.h>

#include <set>

namespace plumbline::session {
namespace {

std::vector<MetricPoint> points(SeriesId series, std::int64_t from, std::int64_t to) {
    std::vector<MetricPoint> result;
    for (std::int64_t step = from; step < to; ++step) {
        result.push_back({series, 0, step, 0.0, 1.0});
    }
    return result;
}

TEST(MetricChannel, HandsOverEverythingToAReaderThatKeepsUp) {
    MetricChannel channel(100);
    channel.declare("a");
    std::int64_t expected = 0;
    for (int round = 0; round < 50; ++round) {
        channel.add(points(0, round * 90, round * 90 + 90));
        const MetricDrain drain = channel.drain();
        EXPECT_EQ(drain.dropped, 0U);
        for (const MetricPoint& point : drain.points) {
            ASSERT_EQ(point.step, expected++);
        }
    }
    EXPECT_EQ(expected, 4500);
}

TEST(MetricChannel, ThinsOutForASlowReaderStaysBoundedAndCountsWhatItDropped) {
    MetricChannel channel(1000);
    channel.declare("a");
    channel.declare("b");
    for (int round = 0; round < 100; ++round) {
        channel.add(points(0, round * 500, round * 500 + 500));
        channel.add(points(1, round * 5, round * 5 + 5));
    }
    const MetricDrain drain = channel.drain();
    EXPECT_LE(drain.points.size(), 1000U);
    EXPECT_EQ(drain.points.size() + drain.dropped, 50'500U);
    std::int64_t last[2] = {-1, -1};
    for (const MetricPoint& point : drain.points) {
        EXPECT_GT(point.step, last[point.series]) << "order is kept";
        last[point.series] = point.step;
    }
    EXPECT_EQ(last[0], 49'999) << "the newest is there";
    EXPECT_GT(last[1], 400);
    EXPECT_EQ(channel.drain().dropped, 0U);
}

TEST(MetricChannel, NamesAllSeriesSoFar) {
    MetricChannel channel(10);
    channel.declare("train.loss");
    EXPECT_EQ(channel.drain().seriesNames, (std::vector<std::string>{"train.loss"}));
    channel.declare("lr");
    EXPECT_EQ(channel.drain().seriesNames, (std::vector<std::string>{"train.loss", "lr"}));
}

}  // namespace
}  // namespace plumbline::session
