#include "monitor/tensor_statistics.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace plumbline::monitor {

namespace {

using Floats = float __attribute__((vector_size(32)));
using Ints = std::int32_t __attribute__((vector_size(32)));
constexpr std::int64_t kLanes = 8;
/// Elements that are added up in float32 before they go into a double: the error stays near 1e-6.
constexpr std::int64_t kChunk = 2048;

Floats load(const float* from) {
    Floats value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// The exact way, for chunks that hold something not finite or too large to be squared in float32.
void addSlowly(const float* values, std::int64_t count, TensorStatistics& sum) {
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = values[i];
        sum.sumOfSquares += value * value;
        if (std::isfinite(values[i])) {
            sum.maxAbs = std::max(sum.maxAbs, std::abs(value));
        } else {
            ++sum.nonFinite;
        }
    }
}

TensorStatistics ofFloats(const float* values, std::int64_t count) {
    TensorStatistics sum;
    std::int64_t done = 0;
    while (count - done >= 4 * kLanes) {
        const std::int64_t end = done + std::min(kChunk, (count - done) / (4 * kLanes) * (4 * kLanes));
        Floats squares[4] = {};
        Floats largest[4] = {};
        for (std::int64_t i = done; i < end; i += 4 * kLanes) {
            for (int lane = 0; lane < 4; ++lane) {
                const Floats value = load(values + i + lane * kLanes);
                squares[lane] += value * value;
                const Floats magnitude = reinterpret_cast<Floats>(reinterpret_cast<Ints>(value) & 0x7fffffff);
                largest[lane] = magnitude > largest[lane] ? magnitude : largest[lane];
            }
        }
        double total = 0;
        float maximum = 0;
        for (int lane = 0; lane < 4; ++lane) {
            for (std::int64_t i = 0; i < kLanes; ++i) {
                total += static_cast<double>(squares[lane][i]);
                maximum = std::max(maximum, largest[lane][i]);
            }
        }
        if (std::isfinite(total)) {
            sum.sumOfSquares += total;
            sum.maxAbs = std::max(sum.maxAbs, static_cast<double>(maximum));
        } else {
            addSlowly(values + done, end - done, sum);
        }
        done = end;
    }
    addSlowly(values + done, count - done, sum);
    return sum;
}

bool isDenseFloat(const at::Tensor& tensor) {
    return tensor.is_cpu() && tensor.scalar_type() == at::kFloat && tensor.is_non_overlapping_and_dense();
}

/// Three float64 numbers on the tensor's device.
at::Tensor onDevice(const at::Tensor& tensor) {
    const at::Tensor values = tensor.detach().to(at::kDouble);
    const at::Tensor finite = values.isfinite();
    const at::Tensor magnitude = values.abs().masked_fill(finite.logical_not(), 0);
    return at::stack({values.square().sum(), magnitude.numel() == 0 ? magnitude.sum() : magnitude.max(),
                      finite.logical_not().sum().to(at::kDouble)});
}

TensorStatistics fromNumbers(const double* numbers) { return {numbers[0], numbers[1], static_cast<std::int64_t>(numbers[2])}; }

}  // namespace

TensorStatistics statisticsOf(const at::Tensor& tensor) {
    if (!tensor.defined()) {
        return {};
    }
    if (isDenseFloat(tensor)) {
        return ofFloats(tensor.const_data_ptr<float>(), tensor.numel());
    }
    const at::NoGradGuard noGrad;
    return fromNumbers(onDevice(tensor).cpu().const_data_ptr<double>());
}

void statisticsOf(const std::vector<at::Tensor>& tensors, std::vector<TensorStatistics>& result) {
    result.assign(tensors.size(), {});
    std::vector<at::Tensor> waiting;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!tensors[i].defined()) {
            continue;
        }
        if (isDenseFloat(tensors[i])) {
            result[i] = ofFloats(tensors[i].const_data_ptr<float>(), tensors[i].numel());
        } else {
            const at::NoGradGuard noGrad;
            waiting.push_back(onDevice(tensors[i]));
            places.push_back(i);
        }
    }
    if (!waiting.empty()) {
        const at::Tensor read = at::stack(waiting).cpu();
        for (std::size_t i = 0; i < places.size(); ++i) {
            result[places[i]] = fromNumbers(read.const_data_ptr<double>() + 3 * i);
        }
    }
}

double squaredDistance(const float* after, const float* before, std::int64_t count) {
    double total = 0;
    std::int64_t done = 0;
    while (count - done >= kLanes) {
        const std::int64_t end = done + std::min(kChunk, (count - done) / kLanes * kLanes);
        Floats squares = {};
        for (std::int64_t i = done; i < end; i += kLanes) {
            const Floats difference = load(after + i) - load(before + i);
            squares += difference * difference;
        }
        for (std::int64_t i = 0; i < kLanes; ++i) {
            total += static_cast<double>(squares[i]);
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
