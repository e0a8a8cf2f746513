#pragma once
// Whether opened data are what the model and its losses take: asked by `check`, by the window and before a run, without
// LibTorch.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/dataset.h"
#include "project/project.h"

namespace plumbline::project {

/// Place of a model input among the dataset's; an error that names both sides where the data do not feed it.
Result<std::size_t> feedOfInput(const std::string& input, const data::Dataset& dataset);

/// "B, 13" for samples of 13 numbers.
std::string batchShape(const data::FeedInfo& feed);
/// Whether a tensor of this type can hold a batch of it. `leading`: dimensions before a sample's own, as 2 for [B, C,
/// …].
bool takes(const graph::TensorType& wanted, const data::FeedInfo& feed, std::size_t leading = 1);
/// [B, 1] and one number a sample, or [B] and a column.
bool isColumnAndVector(const graph::TensorType& type, const data::FeedInfo& feed);

/// The size of every batch, where an input of the model states one, and that input.
std::optional<std::pair<std::string, std::int64_t>> fixedBatch(const graph::ResolvedModel& model);

/// Every input is fed with the shape that the model states, no label is a class that its output does not have, each
/// loss and metric can compare its output with its target, and no id is past the end of the table that looks it up. The
/// first thing that does not fit is the error.
Status checkDataFit(const plan::TrainingPlan& plan, const graph::ResolvedModel& model, const data::Dataset& dataset);

/// What training would refuse in the middle of it, by the sizes of the splits and batches: a formula as loss whose
/// shapes cannot work, no batch at all, one of another size than the model's fixed one, no sample that any loss counts,
/// a last one whose single value no normalisation can work with, a schedule that does not last for all steps. The first
/// of it is the error.
Status checkBatches(const Project& project, const graph::ResolvedModel& model, const data::Dataset& dataset);

/// What opened data tell of the project that no error is: what the length of the run, which is known only with them,
/// leaves out; losses that count nothing; and what the data say of themselves, as a class that a split lacks.
std::vector<plan::PlanProblem> warningsOfData(const Project& project, const graph::ResolvedModel& model,
                                              const data::Dataset& dataset);

/// Adds warnings as problems, without those that are among `problems` already.
void addWarnings(const std::vector<plan::PlanProblem>& warnings, std::vector<graph::Problem>& problems);

/// Opens the data of a project and looks whether they fit, in both ways. Takes as long as reading them; `control` ends
/// it early with "stopped". `warnings`: those of warningsOfData().
Status checkData(const Project& project, const graph::ResolvedModel& model, RunControl* control = nullptr,
                 std::vector<plan::PlanProblem>* warnings = nullptr);

}  // namespace plumbline::project
