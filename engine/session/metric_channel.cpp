#include "session/metric_channel.h"

#include <utility>

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
    // From the newest backwards, so that the newest point of each series stays.
    std::vector<bool> dropsNext(m_names.size(), false);
    std::vector<bool> keep(m_points.size(), false);
    std::size_t kept = 0;
    for (std::size_t i = m_points.size(); i-- > 0;) {
        const SeriesId series = m_points[i].series;
        if (series >= dropsNext.size()) {
            dropsNext.resize(series + 1, false);
        }
        // Series with one point each would all stay; the bound still has to hold, at the cost of the oldest.
        keep[i] = !dropsNext[series] && kept + 1 < m_capacity;
        dropsNext[series] = !dropsNext[series];
        kept += keep[i] ? 1 : 0;
    }
    std::size_t to = 0;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (keep[i]) {
            m_points[to++] = m_points[i];
        }
    }
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
