#pragma once
// What an export format is given.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/run_control.h"
#include "data/dataset.h"
#include "graph/block_type.h"
#include "model/model.h"
#include "session/engine.h"
#include "session/export_formats.h"

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
/// So many positions from all over a split of this size (all of it, in order, where it has no more): files are often
/// sorted by class. Where it has fewer, some come again.
std::vector<std::int64_t> positionsIn(std::int64_t splitSize, std::int64_t count);
/// The samples that numbers are compared on: those `wanted` or as many as there are; exactly as many as the model
/// takes, where it takes a fixed number at a time.
std::vector<std::int64_t> positionsToCompare(const FormatContext& context, data::Split split, std::int64_t wanted);
/// What went wrong while numbers were compared: a model or program that does not run is a verification that does not
/// hold.
Error comparisonError(Error error);

/// Writes the files, fills in files (relative names) and, when the request asks for it, the parity.
using FormatFunction = Status (*)(FormatContext& context, session::ExportReport& report);

#define PLUMBLINE_DECLARE(function, ...) Status function(FormatContext& context, session::ExportReport& report);
PLUMBLINE_EXPORT_FORMATS(PLUMBLINE_DECLARE)
#undef PLUMBLINE_DECLARE

}  // namespace plumbline::exporting
