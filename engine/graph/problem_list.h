#pragma once
// Collects problems while a graph is resolved; one cause in a definition is told once, not once an instance.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/problem.h"

namespace plumbline::graph {

class ProblemList {
public:
    /// Drops a problem that was added before with the same code and pointer.
    void add(Problem problem);
    void critical(std::string code, std::string block, std::string pointer, std::string message,
                  std::vector<Remedy> remedies = {});
    void warning(std::string code, std::string block, std::string pointer, std::string message,
                 std::vector<Remedy> remedies = {});
    bool hasCritical() const { return m_hasCritical; }
    std::vector<Problem> take() { return std::move(m_problems); }

private:
    std::vector<Problem> m_problems;
    std::set<std::pair<std::string, std::string>> m_seen;
    bool m_hasCritical = false;
};

/// Patches whose first operation tests the old value.
Remedy replaceValue(std::string title, const std::string& pointer, const Json& before, const Json& after);
Remedy removeValue(std::string title, const std::string& pointer, const Json& before);

/// "message. hint" with exactly one full stop between and at the end.
std::string sentence(std::string message, const std::string& hint);
/// "a, b and c".
std::string listed(const std::vector<std::string>& words);

}  // namespace plumbline::graph
