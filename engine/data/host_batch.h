#pragma once
// Batches in plain memory, as the loader hands them over and before LibTorch sees them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/dtype.h"

namespace plumbline::data {

/// A dense, row-major, 64-byte aligned tensor in host memory. Copies share the memory.
struct HostTensor {
    std::string name;  ///< the model input or target it feeds
    DType dtype = DType::kFloat32;
    std::vector<std::int64_t> dims;  ///< the first is the batch
    std::shared_ptr<std::byte> memory;
    std::size_t capacity = 0;  ///< bytes behind `memory`; at least byteCount()

    std::int64_t elementCount() const;
    std::size_t byteCount() const { return static_cast<std::size_t>(elementCount()) * sizeOf(dtype); }
    template <class T>
    T* as() const {
        return reinterpret_cast<T*>(memory.get());
    }
    /// Throws std::bad_alloc where the memory is not there.
    static HostTensor allocate(std::string name, DType dtype, std::vector<std::int64_t> dims);
    /// Makes this tensor what is named, in the memory it has where that is large enough and nobody else's.
    void reuseOrAllocate(const std::string& newName, DType newDtype, std::int64_t batch,
                         const std::vector<std::int64_t>& sampleDims);
};

struct HostBatch {
    std::vector<HostTensor> inputs;
    std::vector<HostTensor> targets;
    std::vector<std::int64_t> indices;  ///< positions in the split, in order; -1 for a sample from outside (makeInput)
    std::int64_t epoch = 0;
    std::int64_t index = 0;  ///< position in the epoch
    std::int64_t size() const { return static_cast<std::int64_t>(indices.size()); }
    std::size_t byteCount() const;
    /// Hash of names, dtypes, dims and values.
    std::uint64_t contentHash() const;
};

}  // namespace plumbline::data
