#pragma once
// IDX files as MNIST comes in: two zeros, a type, a rank, big-endian dims, big-endian values. Plain or gzip.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/run_control.h"

namespace plumbline::data {

struct IdxArray {
    DType dtype = DType::kUInt8;     ///< of the file; values are in this machine's byte order
    std::vector<std::int64_t> dims;  ///< the first is the number of samples
    std::vector<std::byte> bytes;

    std::int64_t elementsPerSample() const;
};

/// A header that promises more than the file holds, a truncated or damaged gzip stream, bytes left over: errors, before
/// any memory is asked for where that can be known.
Result<IdxArray> readIdx(const std::filesystem::path& file, RunControl* control);

/// Whether the file starts as IDX does, gzip or plain; false for what cannot be read.
bool isIdx(const std::filesystem::path& file);

}  // namespace plumbline::data
