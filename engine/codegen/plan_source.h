#pragma once
// The parts of an exported project that depend on the plan, by the marks of the templates. Every training setting is
// followed or refused.

#include <map>
#include <string>
#include <vector>

#include "codegen/optimizer_source.h"
#include "codegen/step_source.h"
#include "core/error.h"
#include "project/project.h"

namespace plumbline::codegen {

struct PlanFacts {
    std::int64_t stepsAnEpoch = 1;            ///< of the training split, for the schedule's length
    std::vector<std::string> parameterNames;  ///< in the model's order; without those that a block freezes
    std::vector<ParameterGroup> groups;       ///< as the training sorts them; empty: all parameters are one
    std::vector<Statistics> statistics;       ///< of the normalisations that a train mode moves
    int threads = 0;
};

/// How many samples the model takes at a time; 0 is any number.
std::int64_t samplesAtATime(const graph::ResolvedModel& model);

Result<std::map<std::string, std::string>> planMarks(const project::Project& project, const graph::ResolvedModel& model,
                                                     const PlanFacts& facts);

}  // namespace plumbline::codegen
