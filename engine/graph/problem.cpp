#include "graph/problem.h"

namespace plumbline::graph {

std::string_view toString(Severity severity) {
    switch (severity) {
        case Severity::kInfo:
            return "info";
        case Severity::kWarning:
            return "warning";
        case Severity::kCritical:
            return "critical";
    }
    return "critical";
}

Json toJson(const Remedy& remedy) {
    return {{"title", remedy.title},
            {"patch", remedy.patch.is_null() ? Json::array() : remedy.patch},
            {"applies", remedy.applies}};
}

Json toJson(const Problem& problem) {
    Json remedies = Json::array();
    for (const Remedy& remedy : problem.remedies) {
        remedies.push_back(toJson(remedy));
    }
    return {{"severity", std::string(toString(problem.severity))},
            {"code", problem.code},
            {"block", problem.block},
            {"pointer", problem.pointer},
            {"message", problem.message},
            {"remedies", std::move(remedies)}};
}

}  // namespace plumbline::graph
