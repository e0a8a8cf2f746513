#pragma once
// The parts of preprocess.h that depend on the data: what inputs are made from, the transforms with what was fitted,
// and what outputs mean.

#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "data/dataset.h"
#include "project/project.h"

namespace plumbline::codegen {

/// What an opened dataset knows; empty: the written program takes prepared inputs alone.
struct DataFacts {
    std::vector<data::RawInput> raw;  ///< as many as inputs
    std::vector<data::FeedInfo> inputs, targets;
};

/// Whether all inputs are columns of one table.
bool isTable(const std::vector<data::RawInput>& raw);

Result<std::map<std::string, std::string>> preprocessMarks(const plan::TrainingPlan& plan,
                                                           const graph::ResolvedModel& model, const DataFacts& facts);

}  // namespace plumbline::codegen
