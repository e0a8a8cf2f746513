#pragma once
// How far what was exported is from the model: max|Δ| / max(1, max|reference|), tensor by tensor.

#include <string>
#include <vector>

#include "export/tensor_files.h"
#include "session/engine.h"

namespace plumbline::exporting {

constexpr double kForwardTolerance = 1e-6;
constexpr double kTrainingTolerance = 1e-5;
constexpr int kTrainingSteps = 5;

/// Infinite when the shapes differ or only one side is NaN.
double difference(const at::Tensor& reference, const at::Tensor& other);

/// Fills in forwardMax ("forward." and "prepared." tensors), trainingMax (all others), worst (the five largest) and
/// passed; a maximum of no tensor stays empty. A tensor that the other side lacks fails.
void compare(const NamedTensors& reference, const NamedTensors& other, session::ExportReport& report);

}  // namespace plumbline::exporting
