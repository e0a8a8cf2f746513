#include "data/host_batch.h"

#include <algorithm>
#include <limits>
#include <new>

#include "core/hash.h"

namespace plumbline::data {
namespace {

constexpr std::align_val_t kAlignment{64};

std::shared_ptr<std::byte> allocateBytes(std::size_t bytes) {
    auto* memory = static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), kAlignment));
    return {memory, [](std::byte* pointer) { ::operator delete(pointer, kAlignment); }};
}

}  // namespace

std::int64_t HostTensor::elementCount() const {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) {
        count *= dim;
    }
    return count;
}

HostTensor HostTensor::allocate(std::string name, DType dtype, std::vector<std::int64_t> dims) {
    std::size_t bytes = sizeOf(dtype);
    for (const std::int64_t dim : dims) {
        if (dim < 0 || (dim > 0 && bytes > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max() / dim))) {
            throw std::bad_alloc();
        }
        bytes *= static_cast<std::size_t>(dim);
    }
    HostTensor tensor;
    tensor.name = std::move(name);
    tensor.dtype = dtype;
    tensor.dims = std::move(dims);
    tensor.memory = allocateBytes(bytes);
    tensor.capacity = bytes;
    return tensor;
}

void HostTensor::reuseOrAllocate(const std::string& newName, DType newDtype, std::int64_t batch,
                                 const std::vector<std::int64_t>& sampleDims) {
    name = newName;
    dtype = newDtype;
    dims.resize(sampleDims.size() + 1);
    dims[0] = batch;
    std::copy(sampleDims.begin(), sampleDims.end(), dims.begin() + 1);
    if (memory == nullptr || memory.use_count() != 1 || capacity < byteCount()) {
        *this = allocate(newName, newDtype, dims);
    }
}

std::size_t HostBatch::byteCount() const {
    std::size_t bytes = 0;
    for (const auto* tensors : {&inputs, &targets}) {
        for (const HostTensor& tensor : *tensors) {
            bytes += tensor.byteCount();
        }
    }
    return bytes;
}

std::uint64_t HostBatch::contentHash() const {
    std::uint64_t hash = 0;
    for (const auto* tensors : {&inputs, &targets}) {
        for (const HostTensor& tensor : *tensors) {
            hash = hash64(tensor.name, hash);
            hash = hash64(toString(tensor.dtype), hash);
            hash = hash64(tensor.dims.data(), tensor.dims.size() * sizeof(std::int64_t), hash);
            hash = hash64(tensor.memory.get(), tensor.byteCount(), hash);
        }
    }
    return hash;
}

}  // namespace plumbline::data
