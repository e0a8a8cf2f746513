#pragma once
// Points on their way to a reader that may be slow: bounded, thinned out when full, and honest about it.

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "session/training_session.h"

namespace plumbline::session {

/// Any thread may add and drain.
class MetricChannel {
public:
    explicit MetricChannel(std::size_t capacity) : m_capacity(capacity) {}

    void declare(std::string seriesName);
    void add(const std::vector<MetricPoint>& points);
    MetricDrain drain();

private:
    /// Keeps every second point of each series.
    void thin();

    std::size_t m_capacity;
    std::mutex m_mutex;
    std::vector<MetricPoint> m_points;
    std::vector<std::string> m_names;
    std::uint64_t m_dropped = 0;
};

}  // namespace plumbline::session
