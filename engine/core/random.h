#pragma once
// Random numbers that are the same on every machine and whose state can be saved.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

/// A seed for one purpose, worker and epoch, derived from the run's seed; different purposes never share a sequence.
std::uint64_t deriveSeed(std::uint64_t seed, std::string_view purpose, std::uint64_t a = 0, std::uint64_t b = 0);

/// xoshiro256** 1.0 (Blackman and Vigna, 2018), seeded by SplitMix64. Not thread-safe; one a thread.
class Random {
public:
    using result_type = std::uint64_t;
    using State = std::array<std::uint64_t, 4>;

    explicit Random(std::uint64_t seed);
    explicit Random(const State& state) : m_state(state) {}

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    result_type operator()();
    /// Uniform in [0, bound), without bias; bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// Uniform in [0, 1) with 53 bits.
    double uniform();
    /// Standard normal (Marsaglia's polar method, one value a call).
    double normal();

    const State& state() const { return m_state; }

private:
    State m_state{};
};

/// 0 … n-1 in random order (Fisher and Yates).
std::vector<std::int64_t> permutation(std::int64_t n, Random& random);

}  // namespace plumbline
