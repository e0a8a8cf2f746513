#include "session/metric_channel.h"

namespace plumbline::session {

void MetricChannel::declare(std::string seriesName) {
    const std::scoped_lock lock(m_mutex);
    m_names.push_back(std::move(seriesName));
}

void MetricChannel::add(const std::vector<MetricPoint>& points) {
    const std::scoped_lock lock(m_mutex);
    for (const MetricPoint& point : points) {
        if (m_points.size() >= m_capacity) {
            thin();
        }
        m_points.push_back(point);
    }
}

void MetricChannel::thin() {
    std::vector<bool> keep(m_names.size(), false);
    std::size_t kept = 0;
    for (const MetricPoint& point : m_points) {
        if (point.series >= keep.size()) {
            keep.resize(point.series + 1, false);
        }
        keep[point.series] = !keep[point.series];
        if (keep[point.series]) {
            m_points[kept++] = point;
        }
    }
    // Series with one point each keep it; the bound still has to hold.
    kept = std::min(kept, m_capacity - 1);
    m_dropped += m_points.size() - kept;
    m_points.resize(kept);
}

MetricDrain MetricChannel::drain() {
    const std::scoped_lock lock(m_mutex);
    MetricDrain drain;
    drain.points = std::exchange(m_points, {});
    drain.seriesNames = m_names;
    drain.dropped = std::exchange(m_dropped, 0);
    return drain;
}

}  // namespace plumbline::session
