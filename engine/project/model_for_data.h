#pragma once
// A template's model fitted to an opened dataset.

#include "core/error.h"
#include "core/json.h"
#include "data/dataset.h"

namespace plumbline::project {

/// The whole project of a template with inputs as the dataset has them and an output "logits" of its classes, or, for
/// `number`, "prediction" in the target's own unit. The data section is still the template's.
Result<Json> modelForData(const std::string& templateId, const data::Dataset& dataset, bool number,
                          const std::string& name);

}  // namespace plumbline::project
