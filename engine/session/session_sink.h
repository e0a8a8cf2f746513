#pragma once
// The sink of a session: numbers and events go to the store, to the reader's channels and to the event file.

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "session/metric_channel.h"
#include "session/training_session.h"
#include "store/run_store.h"

namespace plumbline::session {

/// The training thread hands over; a thread of the sink's own writes to the store several times a second. The first
/// failure of the store is kept and told once through onFailure, from any thread.
class SessionSink final : public RunSink {
public:
    struct Callbacks {
        std::function<void(RunState)> onState;
        std::function<void(const diagnostics::Finding&)> onFinding;
        std::function<void()> onFailure;
    };

    SessionSink(std::unique_ptr<store::RunWriter> writer, Callbacks callbacks);
    ~SessionSink() override;  ///< writes what is left and joins
    /// JSON lines, appended; call before the run starts.
    Status openEventsFile(const std::filesystem::path& file);

    SeriesId series(const std::string& name, std::int64_t stride) override;
    void metric(const MetricPoint& point) override;
    void state(RunState state) override;
    void event(Event event) override;
    void finding(const diagnostics::Finding& finding) override;
    void record(const Json& choices) override;
    void progress(const Progress& progress) override;
    void dropAfter(std::int64_t step) override;
    Status flush() override;

    /// Writes the last status and summary; after the engine has returned.
    Status finish(const store::RunInfo& info, const Json& summary);
    Status putRecord(const std::string& key, const Json& value);

    MetricDrain drainMetrics() { return m_channel.drain(); }
    std::vector<SessionEvent> drainEvents();
    void push(SessionEvent event);
    Progress lastProgress() const;
    std::vector<diagnostics::Finding> findings() const;
    /// What failed first in the store, if anything.
    Status failure() const;
    /// Numbers of the newest epoch event, for the run table while the run goes on.
    store::RunInfo runningInfo() const;

private:
    struct Declared {
        std::string name;
        std::int64_t stride = 1;
        int stored = -1;  ///< id in the store, once the writer declared it
    };

    void writeLoop();
    /// Moves what is pending into store and channel; the store's lock is held.
    Status writePending(bool durably);
    void keepFailure(const Status& status);
    double elapsedMs() const;
    void writeEventLine(const Json& line);

    std::unique_ptr<store::RunWriter> m_writer;
    Callbacks m_callbacks;
    MetricChannel m_channel;

    std::mutex m_pendingMutex;  ///< guards the four below
    std::vector<MetricPoint> m_pending;
    std::vector<Declared> m_series;
    std::vector<Json> m_pendingEvents;
    std::vector<diagnostics::Finding> m_pendingFindings;

    std::mutex m_storeMutex;  ///< one at a time uses m_writer

    mutable std::mutex m_stateMutex;  ///< guards the ones below
    std::vector<SessionEvent> m_events;
    std::vector<diagnostics::Finding> m_findings;
    Progress m_progress;
    Status m_failure;
    store::RunInfo m_info;

    std::FILE* m_eventsFile = nullptr;
    std::chrono::steady_clock::time_point m_began;
    std::mutex m_wakeMutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    std::thread m_thread;
};

}  // namespace plumbline::session
