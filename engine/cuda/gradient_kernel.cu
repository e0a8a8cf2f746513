// Norm, largest value and non-finite count of every tensor of a list in one launch.
//
// The tensors are cut into chunks of kChunk elements. Blocks take chunks in turn and write one partial result a chunk; the
// block that finishes last adds each tensor's partials in order. So the result depends on nothing but the values: there is
// no floating-point atomic, and no second launch.

#include "gradient_kernel.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int64_t kChunk = 16384;

struct Partial {
    double sumSquares;
    double maxAbs;
    long long nonFinite;
};

// How the workspace is laid out; every part is aligned to 16 bytes.
struct Layout {
    int64_t chunks = 0;
    size_t tensors = 0, firstChunks = 0, partials = 0, results = 0, counter = 0, total = 0;
    size_t uploaded() const { return partials; }  // the front, which the host fills
};

size_t aligned(size_t bytes) { return (bytes + 15) / 16 * 16; }

Layout layoutOf(const PlumblineTensor* tensors, int64_t count) {
    Layout layout;
    for (int64_t i = 0; i < count; ++i) {
        layout.chunks += (tensors[i].count + kChunk - 1) / kChunk;
    }
    layout.tensors = 0;
    layout.firstChunks = aligned(sizeof(PlumblineTensor) * count);
    layout.counter = layout.firstChunks + aligned(sizeof(int64_t) * (count + 1));
    layout.partials = layout.counter + 16;
    layout.results = layout.partials + aligned(sizeof(Partial) * layout.chunks);
    layout.total = layout.results + aligned(sizeof(PlumblineStatistics) * count);
    return layout;
}

__device__ double load(const float* values, int64_t i) { return static_cast<double>(values[i]); }
__device__ double load(const double* values, int64_t i) { return values[i]; }
__device__ double load(const __half* values, int64_t i) { return static_cast<double>(__half2float(values[i])); }
__device__ double load(const __nv_bfloat16* values, int64_t i) { return static_cast<double>(__bfloat162float(values[i])); }

template <class Value>
__device__ Partial scan(const void* data, int64_t begin, int64_t end) {
    const Value* values = static_cast<const Value*>(data);
    Partial mine = {0.0, 0.0, 0};
    for (int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        const double value = load(values, i);
        if (isfinite(value)) {
            mine.sumSquares = fma(value, value, mine.sumSquares);
            mine.maxAbs = fmax(mine.maxAbs, fabs(value));
        } else {
            ++mine.nonFinite;
        }
    }
    return mine;
}

__device__ Partial combine(const Partial& a, const Partial& b) {
    return {a.sumSquares + b.sumSquares, fmax(a.maxAbs, b.maxAbs), a.nonFinite + b.nonFinite};
}

__device__ Partial reduceWarp(Partial value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        Partial other;
        other.sumSquares = __shfl_down_sync(0xffffffffU, value.sumSquares, offset);
        other.maxAbs = __shfl_down_sync(0xffffffffU, value.maxAbs, offset);
        other.nonFinite = __shfl_down_sync(0xffffffffU, value.nonFinite, offset);
        value = combine(value, other);
    }
    return value;
}

// The whole block's value, valid in thread 0.
__device__ Partial reduceBlock(Partial value) {
    __shared__ Partial warps[kWarps];
    value = reduceWarp(value);
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = value;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        value = threadIdx.x < kWarps ? warps[threadIdx.x] : Partial{0.0, 0.0, 0};
        value = reduceWarp(value);
    }
    return value;
}

// The tensor that `chunk` belongs to: the last one whose first chunk is not after it.
__device__ int64_t ownerOf(const int64_t* firstChunks, int64_t count, int64_t chunk) {
    int64_t low = 0;
    int64_t high = count;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (firstChunks[middle] <= chunk) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

__global__ void statisticsKernel(const PlumblineTensor* tensors, const int64_t* firstChunks, int64_t count, int64_t chunks,
                                 Partial* partials, PlumblineStatistics* results, unsigned int* finished) {
    for (int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        const int64_t owner = ownerOf(firstChunks, count, chunk);
        const PlumblineTensor tensor = tensors[owner];
        const int64_t begin = (chunk - firstChunks[owner]) * kChunk;
        const int64_t end = begin + kChunk < tensor.count ? begin + kChunk : tensor.count;
        Partial mine;
        switch (tensor.dtype) {
            case PLUMBLINE_FLOAT16: mine = scan<__half>(tensor.data, begin, end); break;
            case PLUMBLINE_BFLOAT16: mine = scan<__nv_bfloat16>(tensor.data, begin, end); break;
            case PLUMBLINE_FLOAT64: mine = scan<double>(tensor.data, begin, end); break;
            default: mine = scan<float>(tensor.data, begin, end); break;
        }
        mine = reduceBlock(mine);
        if (threadIdx.x == 0) {
            partials[chunk] = mine;
        }
    }

    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();  // the partials are seen before the count
        last = atomicAdd(finished, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) {
        return;
    }
    __threadfence();
    for (int64_t tensor = threadIdx.x; tensor < count; tensor += kThreads) {
        Partial sum = {0.0, 0.0, 0};
        for (int64_t chunk = firstChunks[tensor]; chunk < firstChunks[tensor + 1]; ++chunk) {
            const volatile Partial& part = partials[chunk];
            sum = combine(sum, Partial{part.sumSquares, part.maxAbs, part.nonFinite});
        }
        results[tensor] = {sum.sumSquares, sum.maxAbs, sum.nonFinite};
    }
}

#define PLUMBLINE_CUDA_TRY(call)          \
    do {                                  \
        const cudaError_t code = (call);  \
        if (code != cudaSuccess) {        \
            return static_cast<int>(code);\
        }                                 \
    } while (false)

}  // namespace

extern "C" __attribute__((visibility("default"))) size_t plumbline_gradient_workspace(const PlumblineTensor* tensors,
                                                                                      int64_t count) {
    return layoutOf(tensors, count).total;
}

extern "C" __attribute__((visibility("default"))) int plumbline_gradient_statistics(int device,
                                                                                    const PlumblineTensor* tensors,
                                                                                    int64_t count, void* workspace,
                                                                                    PlumblineStatistics* results,
                                                                                    void* stream) {
    if (count == 0) {
        return 0;
    }
    PLUMBLINE_CUDA_TRY(cudaSetDevice(device));
    const Layout layout = layoutOf(tensors, count);
    std::vector<char> front(layout.uploaded(), 0);
    std::memcpy(front.data() + layout.tensors, tensors, sizeof(PlumblineTensor) * count);
    int64_t first = 0;
    for (int64_t i = 0; i <= count; ++i) {
        std::memcpy(front.data() + layout.firstChunks + sizeof(int64_t) * i, &first, sizeof(first));
        if (i < count) {
            first += (tensors[i].count + kChunk - 1) / kChunk;
        }
    }

    char* base = static_cast<char*>(workspace);
    const cudaStream_t queue = static_cast<cudaStream_t>(stream);
    PLUMBLINE_CUDA_TRY(cudaMemcpyAsync(base, front.data(), front.size(), cudaMemcpyHostToDevice, queue));
    int processors = 0;
    PLUMBLINE_CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const int64_t most = static_cast<int64_t>(processors) * 8;
    const unsigned int blocks = static_cast<unsigned int>(layout.chunks < most ? layout.chunks : most);
    statisticsKernel<<<blocks, kThreads, 0, queue>>>(
        reinterpret_cast<const PlumblineTensor*>(base + layout.tensors),
        reinterpret_cast<const int64_t*>(base + layout.firstChunks), count, layout.chunks,
        reinterpret_cast<Partial*>(base + layout.partials), reinterpret_cast<PlumblineStatistics*>(base + layout.results),
        reinterpret_cast<unsigned int*>(base + layout.counter));
    PLUMBLINE_CUDA_TRY(cudaGetLastError());
    PLUMBLINE_CUDA_TRY(cudaMemcpyAsync(results, base + layout.results, sizeof(PlumblineStatistics) * count,
                                       cudaMemcpyDeviceToHost, queue));
    PLUMBLINE_CUDA_TRY(cudaStreamSynchronize(queue));
    return 0;
}

extern "C" __attribute__((visibility("default"))) const char* plumbline_cuda_error(int code) {
    return cudaGetErrorString(static_cast<cudaError_t>(code));
}
