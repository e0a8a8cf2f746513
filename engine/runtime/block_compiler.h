#pragma once
// Compiled blocks (compile/compiled_model.h) for a trained model, with batches of its own data as what they are checked
// on.

#include <memory>

#include "compile/compiled_model.h"
#include "core/run_control.h"
#include "project/project.h"
#include "session/engine.h"
#include "train/assembly.h"

namespace plumbline::runtime {

struct CompileWish {
    data::Split split = data::Split::kValidation;  ///< where the batches come from; another one if it is empty
    std::int64_t batchSize =
        1;  ///< of the batch that is timed; less where the split is smaller, the model's own where that is fixed
    bool followsPrecision = true;  ///< the plan's precision is that of the passes to come, and not fp32
};

/// The model has its weights and is in evaluation mode; it outlives the result.
Result<std::unique_ptr<compile::CompiledModel>> compileBlocks(const train::Assembly& assembly,
                                                              const project::Project& project, const CompileWish& wish,
                                                              RunControl* control);

/// For session::Engine::compile: compiles, runs every batch once more and tells.
Result<Json> compileReport(const session::CompileRequest& request, RunControl& control);

}  // namespace plumbline::runtime
