#pragma once
// The losses of a plan as C++, by the marks of losses.h.

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "plan/plan.h"

namespace plumbline::codegen {

struct LossSource {
    std::string value;  ///< an expression of `outputs` and `batch`
    std::string
        count;  ///< of `batch` and `samples`: how much of the loss a batch is, as train::Objective::counts() gives it
    std::string part;  ///< what it calls besides, as exportPart() names it; ""
};

/// One loss that is no sum of others. `outputs`: names of the model's.
Result<LossSource> lossSource(const plan::LossSpec& loss, const std::vector<std::string>& outputs,
                              const std::string& pointer);

/// LOSSES, LOSS_COUNTS, LOSS_WEIGHTS, LOSS_SUMS, LOSS_FUNCTIONS.
Status lossMarks(const std::vector<plan::LossSpec>& losses, const std::vector<std::string>& outputs,
                 std::map<std::string, std::string>& marks);

}  // namespace plumbline::codegen
