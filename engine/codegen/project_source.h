#pragma once
// All text files of an exported C++ project; weights and batches are added by export/.

#include <string>
#include <vector>

#include "codegen/plan_source.h"
#include "codegen/preprocess_source.h"

namespace plumbline::codegen {

struct SourceFile {
    std::string name;
    std::string text;
};

struct ProjectNotes {
    std::string libtorch;  ///< version, for the README
    std::string dataNote;  ///< said of train.pt and validation.pt; "" when they are there
    std::string example;   ///< a sample's raw values as one argument of a shell; "" where they are too many
};

/// What the written programs do differently from the plan, as a sentence; "" when it is nothing.
std::string precisionNote(const plan::TrainingPlan& plan);

Result<std::vector<SourceFile>> projectSources(const project::Project& project, const graph::ResolvedModel& model,
                                               const graph::BlockRegistry& registry, const PlanFacts& facts,
                                               const ProjectNotes& notes, const DataFacts& data = {});

}  // namespace plumbline::codegen
