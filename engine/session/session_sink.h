#pragma once
// The sink of a session: numbers and events go to the store, to the reader's channels and to the event file.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "session/metric_channel.h"
#include "session/training_session.h"
#include "store/run_store.h"

namespace plumbline::session {

/// JSON lines, each flushed as it is written.
class EventFile {
public:
    EventFile() = default;
    ~EventFile();
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;

    /// Lines go behind what is there: a resumed run goes on in the same file.
    Status open(const std::filesystem::path& file);
    /// Takes out what was there, once a new run exists. Does nothing when no file is open, or what is open keeps no
    /// lines.
    Status clear();
    bool isOpen() const { return m_file != nullptr; }
    /// Any thread. Does nothing when no file is open.
    Status write(const Json& line);

private:
    std::mutex m_mutex;
    std::filesystem::path m_path;
    std::FILE* m_file = nullptr;
};

/// Runs `work` where nobody above catches: what it throws becomes an error of storing the run.
Status withoutExceptions(const std::function<Status()>& work);

/// The training thread hands over under a short lock; a thread of the sink's own writes to the store and the event file
/// several times a second. A reader is served from memory and never waits for the disk, nor does the training thread,
/// save for a checkpoint: while the disk hangs, values wait in memory up to a limit, those past it are counted, and a
/// log event says so. A store that another program has locked is waited for, then it is a failure. The first failure of
/// the store is kept and told once through onFailure, from any thread. Of a resumed run nothing but events is stored
/// before dropAfter().
class SessionSink final : public RunSink {
public:
    struct Limits {
        std::size_t backlog = 1'000'000;             ///< values that may wait for the store, 32 bytes each
        std::chrono::milliseconds patience{10'000};  ///< with a store that is locked
    };
    struct Callbacks {
        std::function<void(RunState)> onState;
        std::function<void(const diagnostics::Finding&)> onFinding;
        std::function<void()> onFailure;
    };

    /// `before`: what the store says of a resumed run, and its findings; empty for a new one. start() comes next.
    SessionSink(std::unique_ptr<store::RunWriter> writer, std::unique_ptr<EventFile> events, Callbacks callbacks,
                const store::RunInfo& before, std::vector<diagnostics::Finding> findings, Limits limits);
    ~SessionSink() override;  ///< writes what is left and joins

    /// Starts the thread that stores. Once; after an error nothing is stored.
    Status start();

    SeriesId series(const std::string& name, std::int64_t stride) override;
    void metric(const MetricPoint& point) override;
    /// Final states are not passed on: the run has ended when its end is stored, which finish() tells.
    void state(RunState state) override;
    void event(Event event) override;
    void finding(const diagnostics::Finding& finding) override;
    void record(const Json& choices) override;
    void progress(const Progress& progress) override;
    double elapsedMs() const override;
    void dropAfter(std::int64_t step, double elapsedMs) override;
    Status flush() override;

    void putRecord(const std::string& key, const Json& value);
    /// Writes the final state, status and summary and closes the store; after the engine has returned, once.
    Status finish(RunState state, const store::RunInfo& info, const Json& summary);
    /// The same for a resumed run that ends before it went on: of its end, events alone are stored.
    Status leave(RunState state);
    /// Whether the run goes on: a new one does, a resumed one from dropAfter() on.
    bool goesOn() const { return m_goesOn; }

    MetricDrain drainMetrics();
    std::vector<SessionEvent> drainEvents();
    /// The last two events: the final state, and what the run ended with.
    void pushFinished(RunState state, const Result<RunSummary>& result);
    Progress lastProgress() const;
    std::vector<diagnostics::Finding> findings() const;
    /// What failed first in the store, if anything.
    Status failure() const;
    /// Numbers of the newest epoch, for the run table while the run goes on.
    store::RunInfo runningInfo() const;

private:
    struct Declared {
        std::string name;
        std::int64_t stride = 1;
    };

    void writeLoop();
    /// Stores what is waiting, as far as the disk lets. m_storeMutex is held.
    void writeWaiting();
    /// Tells the final state and closes the store, after a last word on the run's row.
    Status close(RunState state, const std::function<Status(store::RunWriter&)>& last);
    /// Moves what the training thread handed over on to the channel and to the store's backlog.
    void distribute();
    /// Gives the store what is waiting for it. m_storeMutex is held.
    void handToStore();
    /// Writes the lines that wait for the event file. m_storeMutex is held.
    void writeLines();
    /// Repeats work that finds the store locked until it is free or patience ends. m_storeMutex is held.
    Status patiently(const std::function<Status()>& work);
    /// One try of what patiently() repeats: whether the store was locked and may still be waited for.
    bool mayWait(const Status& status);
    /// Counts values that the store will not have, and says so once until the store has caught up.
    void countDropped(std::size_t count);
    void tellOfDropped();
    void log(const std::string& level, const std::string& message);
    void pushState(RunState state);
    void pushLine(const Json& line);
    void keepFailure(const Status& status);
    void setClock(double elapsedMs);

    Callbacks m_callbacks;
    MetricChannel m_channel;
    std::unique_ptr<EventFile> m_eventFile;

    std::mutex m_pendingMutex;  ///< guards the ones below; held for a few instructions
    std::vector<MetricPoint> m_pending;
    std::vector<Declared> m_series;
    std::unordered_map<std::string, SeriesId> m_seriesByName;
    std::vector<SeriesId> m_newSeries;  ///< declared, or with a new stride, since the store last heard of them
    std::vector<Json> m_pendingEvents;
    std::vector<Json> m_pendingLines;  ///< for the event file
    std::vector<diagnostics::Finding> m_pendingFindings;
    std::vector<std::pair<std::string, Json>> m_pendingRecords;

    std::mutex m_distributeMutex;  ///< guards the two below; taken before m_pendingMutex
    std::vector<MetricPoint> m_moving;
    std::vector<MetricPoint> m_backlog;

    std::mutex m_storeMutex;  ///< one at a time uses the ones below; taken before the others
    std::unique_ptr<store::RunWriter> m_writer;
    std::vector<int> m_storedSeries;
    std::optional<std::chrono::steady_clock::time_point> m_lockedSince;  ///< the store was last found locked

    Limits m_limits;
    std::atomic<bool> m_goesOn;
    std::atomic<std::uint64_t> m_dropped{0};  ///< not told of yet

    mutable std::mutex m_stateMutex;  ///< guards the ones below
    RunState m_state = RunState::kIdle;
    std::vector<SessionEvent> m_events;
    std::vector<diagnostics::Finding> m_findings;
    Progress m_progress;
    Status m_failure;
    store::RunInfo m_info;
    bool m_infoIsNew = false;

    std::atomic<std::chrono::steady_clock::time_point> m_began;  ///< when the run's clock would have been at 0
    std::mutex m_wakeMutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    std::thread m_thread;
};

}  // namespace plumbline::session
