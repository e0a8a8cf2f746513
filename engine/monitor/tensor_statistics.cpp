#include "monitor/tensor_statistics.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace plumbline::monitor {

namespace {

using Floats = float __attribute__((vector_size(16)));
constexpr std::int64_t kLanes = 4;
/// Elements that are added up in float32 before they go into a double: the error stays near 1e-6.
constexpr std::int64_t kChunk = 2048;

}  // namespace

namespace {

/// A tensor of an element type without a norm has none; whatever else went wrong (a device that failed) may not pass for zero.
void orThrow(const Status& status) {
    if (!status && status.error().code != "gradient-dtype") {
        throw std::runtime_error(status.error().message);
    }
}

}  // namespace

TensorStatistics statisticsOf(const at::Tensor& tensor) {
    TensorStatistics result;
    orThrow(cuda::gradientStatistics({&tensor, 1}, {&result, 1}));
    return result;
}

void statisticsOf(const std::vector<at::Tensor>& tensors, std::vector<TensorStatistics>& result) {
    result.assign(tensors.size(), {});
    orThrow(cuda::gradientStatistics(tensors, result));
}

double squaredDistance(const float* after, const float* before, std::int64_t count) {
    double total = 0;
    std::int64_t done = 0;
    while (count - done >= 2 * kLanes) {
        const std::int64_t end = done + std::min(kChunk, (count - done) / (2 * kLanes) * (2 * kLanes));
        Floats squares[2] = {};
        for (std::int64_t i = done; i < end; i += 2 * kLanes) {
            for (int half = 0; half < 2; ++half) {
                Floats a, b;
                std::memcpy(&a, after + i + half * kLanes, sizeof a);
                std::memcpy(&b, before + i + half * kLanes, sizeof b);
                squares[half] += (a - b) * (a - b);
            }
        }
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            total += static_cast<double>(squares[0][lane]) + static_cast<double>(squares[1][lane]);
        }
        done = end;
    }
    for (; done < count; ++done) {
        const double difference = static_cast<double>(after[done]) - before[done];
        total += difference * difference;
    }
    return total;
}

bool isAllZero(const at::Tensor& tensor) {
    const TensorStatistics statistics = statisticsOf(tensor);
    return statistics.maxAbs == 0 && statistics.nonFinite == 0;
}

std::int64_t countNonFinite(const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_floating_point() ? statisticsOf(tensor).nonFinite : 0;
}

}  // namespace plumbline::monitor
