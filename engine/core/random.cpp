#include "core/random.h"

#include <bit>
#include <cmath>
#include <utility>

#include "core/hash.h"

namespace plumbline {
namespace {

std::uint64_t splitMix(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

}  // namespace

std::uint64_t deriveSeed(std::uint64_t seed, std::string_view purpose, std::uint64_t a, std::uint64_t b) {
    std::uint64_t state = seed ^ hash64(purpose);
    const std::uint64_t first = splitMix(state);
    state = first ^ (a * 0xd1342543de82ef95ULL + 1);
    const std::uint64_t second = splitMix(state);
    state = second ^ (b * 0xaf251af3b0f025b5ULL + 1);
    return splitMix(state);
}

Random::Random(std::uint64_t seed) {
    for (std::uint64_t& word : m_state) {
        word = splitMix(seed);
    }
}

Random::result_type Random::operator()() {
    const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9;
    const std::uint64_t t = m_state[1] << 17;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= t;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
    // Values under 2^64 mod bound are thrown away, so that every residue is equally likely.
    const std::uint64_t threshold = (0 - bound) % bound;
    for (;;) {
        const std::uint64_t value = (*this)();
        if (value >= threshold) {
            return value % bound;
        }
    }
}

double Random::uniform() {
    return static_cast<double>((*this)() >> 11) * 0x1.0p-53;
}

double Random::normal() {
    for (;;) {
        const double u = 2.0 * uniform() - 1.0;
        const double v = 2.0 * uniform() - 1.0;
        const double s = u * u + v * v;
        if (s > 0.0 && s < 1.0) {
            return u * std::sqrt(-2.0 * std::log(s) / s);
        }
    }
}

std::vector<std::int64_t> permutation(std::int64_t n, Random& random) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        order[static_cast<std::size_t>(i)] = i;
    }
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[random.below(i)]);
    }
    return order;
}

}  // namespace plumbline
