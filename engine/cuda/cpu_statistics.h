#pragma once
// The CPU path of gradient_statistics.h on plain memory.

#include <cstdint>

#include "cuda/gradient_statistics.h"

namespace plumbline::cuda {

GradientStatistics statisticsOf(const float* values, std::int64_t count);
GradientStatistics statisticsOf(const double* values, std::int64_t count);

/// Any type that converts to float, value by value: float16, bfloat16, and float32 where something is not finite.
template <class Value>
GradientStatistics statisticsOneByOne(const Value* values, std::int64_t count) {
    GradientStatistics result;
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = static_cast<double>(static_cast<float>(values[i]));
        if (!std::isfinite(value)) {
            ++result.nonFinite;
            continue;
        }
        result.sumSquares += value * value;
        result.maxAbs = std::fmax(result.maxAbs, std::fabs(value));
    }
    return result;
}

}  // namespace plumbline::cuda
