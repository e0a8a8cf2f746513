#pragma once
// A sweep on disk: sweeps/<name>/sweep.json says what it is, trials.jsonl what became of each trial, one line a change,
// the last one counting. A line that a kill cut short is left out. A file "stop-<ticket>" beside them asks the process
// that runs the trials to end, one of each asker; it is called "stopping-<ticket>" once that has heard it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "sweep/sampler.h"

namespace plumbline::sweep {

struct SweepPlan {
    std::string name;
    std::string method = "random";
    std::vector<std::string> over;      ///< as parseParameter() reads them
    std::vector<std::string> settings;  ///< --set of every trial
    std::int64_t trials = 0;            ///< 0: all of a grid
    std::uint64_t seed = 0;
    std::string series = "val.loss";  ///< what is judged, at its best point of a run
    bool isMax = false;
    std::int64_t maxSteps = 0;   ///< of each trial; 0: to the end of its plan
    std::int64_t minSteps = 0;   ///< halving: steps of the first rung
    std::int64_t eta = 3;        ///< halving: one of so many goes on, with so many times the steps
    std::string definitionHash;  ///< of the project

    /// The larger the worse, whatever the series.
    double lossOf(double value) const { return isMax ? -value : value; }
};

struct Trial {
    std::int64_t number = 0;  ///< from 0
    std::vector<double> point;
    Settings settings;
    std::string status = "waiting";  ///< waiting, running, completed, failed, dropped (halving: others were better)
    std::int64_t rung = 0;           ///< rungs that it has finished
    std::string run;                 ///< id; "" before its first end
    std::optional<double> value;
    std::string error;  ///< of a failed one
};

Json toJson(const SweepPlan& plan);
Json toJson(const Trial& trial);

/// Held by whoever runs the trials of a sweep; the kernel drops it when the process ends in whatever way. Its end takes
/// away what was asked of its holder.
class SweepLock {
public:
    explicit SweepLock(int descriptor) : m_descriptor(descriptor) {}
    SweepLock(SweepLock&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1)), m_folder(std::move(other.m_folder)) {}
    SweepLock& operator=(SweepLock&& other) noexcept {
        std::swap(m_descriptor, other.m_descriptor);
        std::swap(m_folder, other.m_folder);
        return *this;
    }
    ~SweepLock();
    int descriptor() const { return m_descriptor; }

private:
    friend class SweepFile;

    int m_descriptor;
    std::filesystem::path m_folder;  ///< empty before the lock is whole
};

/// How far a request to stop has come.
enum class StopRequest { kNone, kAsked, kHeard };

class SweepFile {
public:
    /// Refuses a name that is there already.
    static Result<SweepFile> create(const std::filesystem::path& sweepsFolder, const SweepPlan& plan);
    static Result<SweepFile> open(const std::filesystem::path& sweepsFolder, const std::string& name);

    /// Its name is the folder's, whatever sweep.json says.
    const SweepPlan& plan() const { return m_plan; }
    /// The name that it began under; another one than the plan's where the folder has been copied or renamed since. Its
    /// trials that have not ended begin anew then, in runs of the new name, so that nothing touches those of the other.
    /// "" once it has been run under its name.
    const std::string& copiedFrom() const { return m_copiedFrom; }
    const std::vector<Trial>& trials() const { return m_trials; }
    /// Takes the lock on sweep.json, and the trials as they are on disk now. Refuses while it is held (code
    /// "sweep-busy"). A copy becomes a sweep of its own here.
    Result<SweepLock> lock();
    /// Whether some process runs the trials. Asking takes nothing and writes nothing, and so does open().
    bool isRunning() const;
    /// Asks the process that runs the trials, which may be any, to save them and end; the ticket of this request.
    /// Refuses where none does ("sweep-not-running"), and where it would not be heard ("sweep-of-another-user").
    Result<std::string> requestStop() const;
    /// Takes a request back that nobody has heard; those of others stay. Whether it was still there.
    bool withdrawStop(const std::string& ticket) const;
    /// Of anybody's requests, how far they have come.
    StopRequest stopRequest() const;
    /// Of this one alone: it goes with the process that it was made to, so kNone is kHeard of one that has ended since.
    StopRequest stopRequest(const std::string& ticket) const;
    /// For the holder of the lock: whether it is to stop. From then on the request counts as heard.
    bool hearStop() const;
    /// The same trial's newest state, on disk before it returns.
    Status put(const Trial& trial);
    /// The run names of its trials.
    std::string runName(std::int64_t trial) const;

private:
    SweepFile(std::filesystem::path folder, SweepPlan plan) : m_folder(std::move(folder)), m_plan(std::move(plan)) {}
    Status readTrials();
    Status becomeOwn();
    /// The newest state of the trial of this number.
    void remember(const Trial& trial);

    std::filesystem::path m_folder;
    SweepPlan m_plan;
    std::string m_copiedFrom;
    std::vector<Trial> m_trials;
    std::unordered_map<std::int64_t, std::size_t> m_places;  ///< of a trial's number in m_trials
    bool m_isCutShort = false;                               ///< the last line has no end
};

/// Names of the sweeps of a project, sorted. A folder that does not exist has none.
std::vector<std::string> listSweeps(const std::filesystem::path& sweepsFolder);
/// Whether a sweep can be called that: it becomes a folder's name and the beginning of its runs' names.
Status checkSweepName(const std::string& name);

}  // namespace plumbline::sweep
