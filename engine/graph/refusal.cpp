#include "graph/refusal.h"

namespace plumbline::graph {

Status refuseCritical(const std::vector<Problem>& problems) {
    for (const Problem& problem : problems) {
        if (problem.severity == Severity::kCritical) {
            return fail(
                ErrorKind::kInvalid, problem.code, problem.message,
                problem.pointer.empty() ? problem.block : problem.pointer,
                problem.remedies.empty() ? "plumbline check tells all of it." : problem.remedies.front().title + ".");
        }
    }
    return {};
}

}  // namespace plumbline::graph
