#pragma once
// What one sample of a field or feed is, at some point of its way through the transforms.

#include <cstdint>
#include <string>
#include <vector>

#include "core/dtype.h"

namespace plumbline::data {

struct ValueType {
    DType dtype = DType::kFloat32;
    std::vector<std::int64_t> dims;    ///< without the batch
    std::vector<std::string> classes;  ///< names, where it is a class index
    std::vector<std::string> columns;  ///< names, where it is columns of a table

    std::int64_t elementCount() const {
        std::int64_t count = 1;
        for (const std::int64_t dim : dims) {
            count *= dim;
        }
        return count;
    }
    std::size_t byteCount() const { return static_cast<std::size_t>(elementCount()) * sizeOf(dtype); }
    bool isImage() const { return dims.size() == 3; }
    /// How many parts statistics and normalisation tell apart: the channels of [C, H, W], the entries of [K], else one.
    std::int64_t channels() const { return isImage() || dims.size() == 1 ? dims[0] : 1; }
    std::int64_t elementsPerChannel() const {
        const std::int64_t count = channels();
        return count > 0 ? elementCount() / count : 0;
    }
};

/// "[3, 32, 32]"
std::string formatDims(const std::vector<std::int64_t>& dims);

}  // namespace plumbline::data
