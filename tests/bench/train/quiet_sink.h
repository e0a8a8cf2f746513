#pragma once
// Keeps the numbers of a run in memory.

#include <string>
#include <vector>

#include "bench/bench.h"
#include "session/run_sink.h"

namespace plumbline::bench {

class QuietSink final : public session::RunSink {
public:
    session::SeriesId series(const std::string& name, std::int64_t) override {
        const auto found = std::find(m_names.begin(), m_names.end(), name);
        if (found != m_names.end()) {
            return static_cast<session::SeriesId>(found - m_names.begin());
        }
        m_names.push_back(name);
        m_values.emplace_back();
        return static_cast<session::SeriesId>(m_names.size() - 1);
    }
    void metric(const session::MetricPoint& point) override {
        m_values[point.series].push_back(point.value);
        if (point.series == 0) {
            const double now = threadMilliseconds();
            stepCpu.push_back(now - m_before);
            m_before = now;
        }
    }
    void state(session::RunState) override { m_before = threadMilliseconds(); }
    void event(session::Event) override {}
    void finding(const diagnostics::Finding&) override {}
    void record(const Json&) override {}
    void progress(const Progress&) override {}
    double elapsedMs() const override { return 0; }
    void dropAfter(std::int64_t, double) override {}
    Status flush() override { return {}; }

    /// Of one series; empty where the run has none of that name.
    std::vector<double> values(const std::string& name) const {
        const auto found = std::find(m_names.begin(), m_names.end(), name);
        return found == m_names.end() ? std::vector<double>()
                                      : m_values[static_cast<std::size_t>(found - m_names.begin())];
    }

    std::vector<double> stepCpu;  ///< processor time of the training thread, in milliseconds a step

private:
    std::vector<std::string> m_names;
    std::vector<std::vector<double>> m_values;
    double m_before = threadMilliseconds();
};

}  // namespace plumbline::bench
