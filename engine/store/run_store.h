#pragma once
// Runs on disk. runs/<id>/run.sqlite is whole in itself and has one writing connection; runs/index.sqlite is a cache of
// all runs that is rebuilt whenever it is missing, stale or corrupt.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "diagnostics/finding.h"

namespace plumbline::store {

struct StoredPoint {
    std::int64_t step = 0;
    std::int32_t epoch = 0;
    double elapsedMs = 0;
    double value = 0;
};

struct StoredSeries {
    std::string name;
    std::int64_t stride = 1;
    std::int64_t count = 0;
};

/// What the run table shows.
struct RunInfo {
    std::string id;  ///< "20261129-193200-k3f2": sorts by start
    std::string name;
    std::string note;
    std::string status;   ///< running, completed, stopped, failed, interrupted (was running when its process died), or
                          ///< unreadable (its store is corrupt; stopReason says why)
    std::string started;  ///< ISO 8601, UTC
    double seconds = 0;
    std::int64_t epochs = 0, stepsAttempted = 0, stepsApplied = 0, stepsSkipped = 0;
    Json metrics;     ///< last values
    Json stopReason;  ///< {code, message}
    int findings = 0;
    int criticalFindings = 0;    ///< of these, critical ones that have not cleared and follow from no other
    int openFindings = 0;        ///< those that were not cleared
    std::string worstFinding;    ///< severity of the worst open one: critical, warning, info; "" = none is open
    std::string bestSeries;      ///< training.checkpoints.best.series, else val.loss; "" = it has no points
    std::optional<double> best;  ///< its best value
    bool bestIsMax = false;
    std::string parent;           ///< id of the run that it was branched from; "" = it began by itself
    std::int64_t parentStep = 0;  ///< the step of the checkpoint that it went on from
    std::filesystem::path folder;
};

/// The one writing connection of a run. Not thread-safe: one thread writes.
class RunWriter {
public:
    static Result<std::unique_ptr<RunWriter>> create(const std::filesystem::path& runsFolder, const std::string& name,
                                                     const Json& definition);
    /// Opens an existing run to go on with it; refuses while another process writes it. What it says of itself stays as
    /// it is until dropAfter() or setStatus().
    static Result<std::unique_ptr<RunWriter>> reopen(const std::filesystem::path& runFolder);
    virtual ~RunWriter() = default;

    virtual const std::string& id() const = 0;
    virtual const std::filesystem::path& folder() const = 0;
    /// Of a name that is known: its series, which has this stride from now on.
    virtual int declareSeries(const std::string& name, std::int64_t stride) = 0;
    /// Appended as packed chunks by flush().
    virtual void append(int series, const StoredPoint& point) = 0;
    virtual Status appendEvent(const Json& event) = 0;
    virtual Status putFinding(const diagnostics::Finding& finding) = 0;       ///< inserts or updates by id
    virtual Status putRecord(const std::string& key, const Json& value) = 0;  ///< definition, choices, summary, …
    /// The run goes on from a checkpoint of this step. Removes points, findings and events (by their "step") past the
    /// step, and opens findings that cleared past it. Of the step itself, points and events later than `elapsedMs` are
    /// removed as well, save the checkpoint's own. Events "command" stay: nothing else holds what the run takes again at
    /// their steps. The run is "running" with the numbers that what is left ends with,
    /// which are given back, and its record `summary` is gone. Takes effect at once, all of it or nothing.
    virtual Result<RunInfo> dropAfter(std::int64_t step, double elapsedMs) = 0;
    /// Status, seconds, epochs, steps, metrics and stopReason of `info`; the rest is the store's own.
    virtual Status setStatus(const RunInfo& info) = 0;
    /// Everything handed over since the last flush, in one transaction. When it fails, nothing of it is lost: what was
    /// flushed before stays readable and the next flush tries again. A killed process loses nothing flushed.
    virtual Status flush() = 0;
    /// flush(), and it survives a power cut as well.
    virtual Status flushDurably() = 0;
};

/// Read-only; safe while the run is being written, by any number of processes. One thread at a time.
/// Errors: run-missing, store-locked, store-corrupt, store-newer, no-permission, disk-error.
class RunReader {
public:
    static Result<std::unique_ptr<RunReader>> open(const std::filesystem::path& runFolder);
    virtual ~RunReader() = default;
    virtual Result<RunInfo> info() const = 0;
    virtual Result<std::vector<StoredSeries>> series() const = 0;
    /// In step order, streamed chunk by chunk.
    virtual Status points(const std::string& series, const std::function<void(const StoredPoint&)>& each) const = 0;
    /// Those with firstStep <= step <= lastStep; reads only the chunks that hold them.
    virtual Status pointsBetween(const std::string& series, std::int64_t firstStep, std::int64_t lastStep,
                                 const std::function<void(const StoredPoint&)>& each) const = 0;
    virtual Result<std::vector<diagnostics::Finding>> findings() const = 0;
    virtual Result<std::vector<Json>> events() const = 0;
    /// Number of the newest event; 0 where there is none. Numbers grow, and begin lower again where a resume drops
    /// events.
    virtual Result<std::int64_t> newestEventNumber() const = 0;
    /// Those of one kind ("event") numbered past `after` and up to `last`, oldest first. Only they are parsed.
    virtual Result<std::vector<Json>> eventsOfKind(const std::string& kind, std::int64_t after,
                                                   std::int64_t last) const = 0;
    /// The newest of a kind; null when there is none.
    virtual Result<Json> newestEvent(const std::string& kind) const = 0;
    virtual Result<Json> record(const std::string& key) const = 0;  ///< null when there is none
};

/// All runs of a folder, newest first, through the index cache. A folder that does not exist has no runs.
Result<std::vector<RunInfo>> listRuns(const std::filesystem::path& runsFolder);
/// An id or a unique prefix of one, a run's name, "latest" or "best" (by the best value of the
/// newest run's checkpoints.best series, else of val.loss, over all runs that have the same).
Result<RunInfo> findRun(const std::filesystem::path& runsFolder, const std::string& idOrWord);
/// Whether a run can be named so and found by it: one line of text that is no word with another meaning. Empty is no
/// name.
Status checkRunName(const std::string& name);
/// Both are a person's words; kept in note.json beside the run, so that a run that is being written can be named too.
Status setRunNote(const std::filesystem::path& runFolder, const std::string& name, const std::string& note);
/// Refuses while the run is being written. It is gone from the list at once, even if removing its files is cut short.
Status deleteRun(const std::filesystem::path& runFolder);

}  // namespace plumbline::store
