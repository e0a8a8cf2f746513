#pragma once
// Remedies as edits of project.json: a JSON Patch that tests what it expects before it changes anything.

#include <string>

#include "core/json.h"
#include "diagnostics/finding.h"

namespace plumbline::diagnostics {

/// Reads and edits a snapshot of project.json. Where there is none (a person's own loop), remedies are advice.
class ProjectEdit {
public:
    explicit ProjectEdit(const Json& project) : m_project(project) {}

    /// The value at a JSON pointer, or nullptr.
    const Json* at(const std::string& pointer) const;
    bool isTrue(const std::string& pointer) const;
    double number(const std::string& pointer, double fallback) const;

    /// Sets a value. Where it exists, the patch tests the old one; where it does not, it tests the nearest object around
    /// it, so that somebody's later choice is never overwritten.
    Remedy set(const std::string& title, const std::string& pointer, const Json& value, const std::string& applies = "next_run") const;
    /// Adds to the end of a list, which is made when it does not exist.
    Remedy append(const std::string& title, const std::string& pointer, const Json& value) const;
    static Remedy advice(const std::string& title);

    /// The learning rate that a remedy starts from: the project's, else that of a step; 0 where neither is known.
    double learningRate(double ofStep) const;
    /// Sets the project's while the run goes on; advice where the project has none.
    Remedy setLearningRate(const std::string& title, double rate) const;

private:
    const Json& m_project;
};

/// The remedy for the project as it is now: where it only adds what is still missing, changes made elsewhere around that
/// place do not stand in its way. All other tests stay.
Remedy refitted(const Json& project, Remedy remedy);

/// A finite number as itself, others as "NaN", "Infinity", "-Infinity", which JSON numbers cannot say.
Json evidenceNumber(double value);
/// "a, b and 3 more".
std::string listed(const std::vector<std::string>& names, std::size_t most = 3);

}  // namespace plumbline::diagnostics
