#pragma once
// Samples as they are before their transforms, for the programs of an export: tensors, rows of a table, one argument.

#include <string>
#include <vector>

#include "data/dataset.h"
#include "export/tensor_files.h"

namespace plumbline::exporting {

/// "raw.<name>" of a raw batch; views of its memory, which the tensors keep alive.
NamedTensors rawTensors(const data::HostBatch& batch);

/// The samples as a table with a header, written as its file is; only the columns that inputs are made from. For inputs
/// that codegen::isTable().
std::string rawTable(const std::vector<data::RawInput>& inputs, const data::HostBatch& batch);

/// A sample's values as one argument of a shell; "" where they are no table and more than a few, or a text does not
/// print.
std::string rawArgument(const std::vector<data::RawInput>& inputs, const data::HostBatch& batch, std::int64_t sample);

}  // namespace plumbline::exporting
