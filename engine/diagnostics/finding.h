#pragma once
// What a detector says.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "graph/problem.h"

namespace plumbline::diagnostics {

using graph::Remedy;
using graph::Severity;

struct Finding {
    std::string id;        ///< unique in the run: "<detector>#<n>"
    std::string detector;  ///< "validation-in-train-mode"
    Severity severity = Severity::kWarning;
    std::int64_t step = 0;
    std::int64_t epoch = 0;
    std::string block;    ///< path, "" when it is the run's
    std::string message;  ///< what, where, with its numbers, and what to do
    Json evidence;        ///< the numbers it saw and the threshold
    std::vector<Remedy> remedies;
    std::optional<std::int64_t> clearedAt;  ///< step
    std::string cause;                      ///< id of the finding that this one follows from; "" = a cause itself
};
/// Critical, follows from no other, and has not cleared.
bool isOpenCritical(const Finding& finding);
Json toJson(const Finding& finding);
Result<Finding> findingFromJson(const Json& json);

}  // namespace plumbline::diagnostics
