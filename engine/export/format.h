#pragma once
// What an export format is given.

#include <filesystem>
#include <functional>
#include <string>

#include "core/run_control.h"
#include "data/dataset.h"
#include "graph/block_type.h"
#include "model/model.h"
#include "session/engine.h"

namespace plumbline::exporting {

struct FormatContext {
    const session::ExportRequest& request;
    const graph::ResolvedModel& graph;
    const graph::BlockRegistry& registry;
    model::Model& model;                           ///< weights loaded, on the CPU
    std::shared_ptr<const data::Dataset> dataset;  ///< null when the data could not be opened
    Error dataError;                               ///< why, then
    std::filesystem::path folder;                  ///< the temporary one that is written into
    RunControl& control;
    const std::function<void(const std::string&)>& progress;
};

/// The data are there and are what the model takes: asked before numbers are compared on them.
Status requireData(const FormatContext& context);
/// What went wrong while numbers were compared: a model or program that does not run is a verification that does not hold.
Error comparisonError(Error error);

/// Writes the files, fills in files (relative names) and, when the request asks for it, the parity.
using FormatFunction = Status (*)(FormatContext& context, session::ExportReport& report);

Status exportCpp(FormatContext& context, session::ExportReport& report);
Status exportTorchScript(FormatContext& context, session::ExportReport& report);
Status exportStateDict(FormatContext& context, session::ExportReport& report);

}  // namespace plumbline::exporting
