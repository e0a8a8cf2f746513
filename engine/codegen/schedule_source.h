#pragma once
// The schedule of a plan as C++ without LibTorch, by the marks of plan.h.

#include <string>

#include "plan/plan.h"

namespace plumbline::codegen {

struct ScheduleSource {
    std::string rate;      ///< defines double learningRate(double base, int64_t position, int64_t length)
    std::string momentum;  ///< defines double momentumAt(int64_t position, int64_t length); "" where the schedule
                           ///< leaves it alone
    std::string plateau;   ///< members of struct Plateau, with void add(double value, std::vector<double*>& rates); ""
                           ///< where nothing follows the validation
};

ScheduleSource scheduleSource(const plan::SchedulerSpec& schedule);

}  // namespace plumbline::codegen
