#pragma once
// Which packages of compiled code a model runs: what it is goes into a run's record and its checkpoints, so that
// nothing goes on with another one unnoticed. They have no weights of ours to save.

#include <filesystem>

#include "core/error.h"
#include "core/json.h"
#include "model/model.h"

namespace plumbline::train {

/// {"<block>": SHA-256}, of a built model's graph.
Json packagesOf(const graph::ResolvedModel& graph);
/// The first block that `before` and `now` both have, with different sums; "" = none.
std::string otherPackage(const Json& before, const Json& now);
/// Refuses a model with a package that is not the one of `before`, which is what packagesOf() gave.
Status refuseOtherPackages(const Json& before, const graph::ResolvedModel& graph);
/// Gives the model a checkpoint's weights, as readModelState() reads them. It has to run the packages that they were
/// trained with. `notRecalibrated`: as there.
Status loadModelState(model::Model& model, const std::filesystem::path& checkpoint, bool* notRecalibrated = nullptr);

}  // namespace plumbline::train
