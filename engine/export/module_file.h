#pragma once
// Weights as torch::load(module, file) reads them.

#include <filesystem>

#include "core/error.h"
#include "model/model.h"

namespace plumbline::exporting {

Status writeModuleFile(const std::filesystem::path& file, model::Model& model);

}  // namespace plumbline::exporting
