#pragma once
// Remedies as edits of project.json: a JSON Patch that tests what it expects before it changes anything.

#include <string>
#include <vector>

#include "core/json.h"
#include "diagnostics/finding.h"

namespace plumbline::diagnostics {

/// Reads and edits a snapshot of project.json. Where there is none (a person's own loop), remedies are advice.
class ProjectEdit {
public:
    /// `liveRate`: training.optimizer.lr as the run has it now, where it is known (StepStats::liveLearningRate).
    explicit ProjectEdit(const Json& project, double liveRate = 0) : m_project(project), m_liveRate(liveRate) {}

    /// The value at a JSON pointer, or nullptr.
    const Json* at(const std::string& pointer) const;
    bool isTrue(const std::string& pointer) const;
    double number(const std::string& pointer, double fallback) const;

    /// Sets a value. Where it exists, the patch tests the old one; where it does not, it tests the nearest object
    /// around it, so that somebody's later choice is never overwritten.
    Remedy set(const std::string& title, const std::string& pointer, const Json& value,
               const std::string& applies = "next_run") const;
    /// Adds to the end of a list, which is made when it does not exist.
    Remedy append(const std::string& title, const std::string& pointer, const Json& value) const;
    static Remedy advice(const std::string& title);

    /// The learning rate that a remedy starts from: the run's own as it is now, else the project's, else that of a
    /// step; 0 where none is known.
    double learningRate(double ofStep) const;
    /// "Lower the learning rate from … to …", to what it starts from divided by `divisor` (2 halves it): sets the
    /// project's while the run goes on; advice where the project has none, or has the new one already. None where no
    /// rate is known.
    std::vector<Remedy> lowerLearningRate(double divisor, double ofStep) const;

private:
    const Json& m_project;
    double m_liveRate;
};

/// The remedy for the project as it is now: where it only adds what is still missing, changes made elsewhere around
/// that place do not stand in its way; and where a run was told another value than its project's, that value may have
/// come into the project as well (it is "live" in the test, a member that JSON Patch passes over). All other tests
/// stay.
Remedy refitted(const Json& project, Remedy remedy);

/// A finite number as itself, others as "NaN", "Infinity", "-Infinity", which JSON numbers cannot say.
Json evidenceNumber(double value);
/// "a, b and 3 more".
std::string listed(const std::vector<std::string>& names, std::size_t most = 3);

}  // namespace plumbline::diagnostics
