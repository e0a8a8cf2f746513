#pragma once
// A detector is a function over the stream of step records. A new one is one file and one line in registry.cpp.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "diagnostics/finding.h"
#include "diagnostics/step_stats.h"

namespace plumbline::diagnostics {

struct ThresholdSpec {
    std::string name;
    double defaultValue;
    double min;
    double max;
    std::string unit;
    std::string help;
};

struct DetectorSpec {
    std::string id;
    std::string summary;
    Severity severity;  ///< the worst it says
    std::vector<ThresholdSpec> thresholds;
    std::vector<std::string> consequencesOf;  ///< detectors whose open finding explains this one: it folds under it
};

/// What a detector says after a record: findings raised now, and ids of blocks whose finding cleared.
class Reporter {
public:
    virtual ~Reporter() = default;
    virtual void raise(Finding finding) = 0;  ///< id, step and epoch are filled in; the same detector+block is raised
                                              ///< once until cleared
    virtual void clear(const std::string& block) = 0;
    /// Whether this detector has an open finding for the block. Ask before building one: a message costs more than a
    /// check. Raising over an open finding changes it only when it is more severe now.
    virtual bool isOpen(const std::string& block) const = 0;
};

class Detector {
public:
    virtual ~Detector() = default;
    /// Forgets everything. `facts` stay where they are until the next start().
    virtual void start(const RunFacts& facts) = 0;
    /// Every record, on the training thread: no allocation as long as there is nothing to say.
    virtual void observe(const StepStats& stats, Reporter& reporter) = 0;
    /// For exact resume.
    virtual Json saveState() const { return nullptr; }
    virtual void loadState(const Json&) {}
};

struct DetectorEntry {
    DetectorSpec spec;
    /// `settings` holds the thresholds, checked and complete.
    std::unique_ptr<Detector> (*make)(const Json& settings);
};
const std::vector<DetectorEntry>& detectors();

/// Runs all enabled detectors over records, keeps the findings, folds consequences under causes: a finding whose cause
/// is open (or opens later) names it in Finding::cause. Not thread-safe.
class Diagnostics {
public:
    /// `settings`: detector id → {"enabled": …, thresholds}; unknown ids or names are an error.
    static Result<std::unique_ptr<Diagnostics>> make(const std::map<std::string, Json>& settings);
    virtual ~Diagnostics() = default;
    virtual void start(const RunFacts& facts) = 0;
    /// Findings that are new, have just cleared, have become more severe or have been given a cause, in order; valid
    /// until the next call. Costs nothing but the checks when all is well.
    virtual const std::vector<Finding>& observe(const StepStats& stats) = 0;
    virtual const std::vector<Finding>& all() const = 0;
    /// For exact resume: save with the checkpoint; load after start().
    virtual Json saveState() const = 0;
    virtual Status loadState(const Json& state) = 0;
};

}  // namespace plumbline::diagnostics
