#include "cuda/cpu_statistics.h"

#include <bit>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace plumbline::cuda {

namespace {

// Without their sign, floats order as their bits do, and everything from here on is infinite or not a number.
constexpr std::uint32_t kInfinityBits = 0x7f800000U;
constexpr std::uint32_t kAbsoluteMask = 0x7fffffffU;

/// What the fast pass gives: right as long as maxBits is below kInfinityBits.
struct FastPass {
    double sumSquares = 0.0;
    std::uint32_t maxBits = 0;
};

/// Sixteen accumulators, so that the plain and the AVX2 path add in the same order and give the same bits.
constexpr int kLanes = 16;

double sumLanes(const double (&lanes)[kLanes]) {
    double sum = 0.0;
    for (const double lane : lanes) {
        sum += lane;
    }
    return sum;
}

void addScalars(const float* values, std::int64_t begin, std::int64_t end, double (&lanes)[kLanes],
                std::uint32_t& maxBits) {
    for (std::int64_t i = begin; i < end; ++i) {
        const double value = static_cast<double>(values[i]);
        double& lane = lanes[i % kLanes];
        lane = std::fma(value, value, lane);
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(values[i]) & kAbsoluteMask;
        maxBits = bits > maxBits ? bits : maxBits;
    }
}

FastPass plainPass(const float* values, std::int64_t count) {
    double lanes[kLanes] = {};
    FastPass result;
    addScalars(values, 0, count, lanes, result.maxBits);
    result.sumSquares = sumLanes(lanes);
    return result;
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) FastPass avx2Pass(const float* values, std::int64_t count) {
    __m256d sums[kLanes / 4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
    __m256i highest = _mm256_setzero_si256();
    const __m256i mask = _mm256_set1_epi32(static_cast<int>(kAbsoluteMask));
    const std::int64_t whole = count - count % kLanes;
    for (std::int64_t i = 0; i < whole; i += kLanes) {
        for (int half = 0; half < 2; ++half) {
            const __m256 eight = _mm256_loadu_ps(values + i + half * 8);
            highest = _mm256_max_epu32(highest, _mm256_and_si256(_mm256_castps_si256(eight), mask));
            const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(eight));
            const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(eight, 1));
            sums[half * 2] = _mm256_fmadd_pd(low, low, sums[half * 2]);
            sums[half * 2 + 1] = _mm256_fmadd_pd(high, high, sums[half * 2 + 1]);
        }
    }
    double lanes[kLanes];
    for (int part = 0; part < kLanes / 4; ++part) {
        _mm256_storeu_pd(lanes + part * 4, sums[part]);
    }
    std::uint32_t bits[8];
    std::memcpy(bits, &highest, sizeof(bits));
    FastPass result;
    for (const std::uint32_t lane : bits) {
        result.maxBits = lane > result.maxBits ? lane : result.maxBits;
    }
    addScalars(values, whole, count, lanes, result.maxBits);
    result.sumSquares = sumLanes(lanes);
    return result;
}
#endif

FastPass fastPass(const float* values, std::int64_t count) {
#if defined(__x86_64__)
    static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (wide) {
        return avx2Pass(values, count);
    }
#endif
    return plainPass(values, count);
}

}  // namespace

GradientStatistics statisticsOf(const float* values, std::int64_t count) {
    const FastPass fast = fastPass(values, count);
    if (fast.maxBits >= kInfinityBits) {
        return statisticsOneByOne(values, count);
    }
    return {fast.sumSquares, static_cast<double>(std::bit_cast<float>(fast.maxBits)), 0};
}

GradientStatistics statisticsOf(const double* values, std::int64_t count) {
    GradientStatistics result;
    for (std::int64_t i = 0; i < count; ++i) {
        if (!std::isfinite(values[i])) {
            ++result.nonFinite;
            continue;
        }
        result.sumSquares += values[i] * values[i];
        result.maxAbs = std::fmax(result.maxAbs, std::fabs(values[i]));
    }
    return result;
}

}  // namespace plumbline::cuda
