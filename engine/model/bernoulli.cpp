#include "model/bernoulli.h"

#include <ATen/ops/bernoulli.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace plumbline::model {

namespace {

// The Mersenne twister of Matsumoto and Nishimura (1998), whose state at::mt19937_data_pod is.
constexpr std::size_t kWords = 624;
constexpr std::size_t kShift = 397;
/// bernoulli_ compares 53 bits with p, as std::uniform_real_distribution<double> would.
constexpr std::uint64_t kDrawnBits = (std::uint64_t{1} << 53) - 1;
constexpr std::size_t kChunk = 1024;  // draws

[[gnu::always_inline]] inline std::uint32_t twisted(std::uint32_t upper, std::uint32_t lower) {
    return (((upper & 0x80000000U) | (lower & 0x7fffffffU)) >> 1) ^ ((0U - (lower & 1U)) & 0x9908b0dfU);
}

[[gnu::always_inline]] inline void nextState(std::uint32_t* state) {
    for (std::size_t i = 0; i < kWords - kShift; ++i) {
        state[i] = state[i + kShift] ^ twisted(state[i], state[i + 1]);
    }
    for (std::size_t i = kWords - kShift; i < kWords - 1; ++i) {
        state[i] = state[i + kShift - kWords] ^ twisted(state[i], state[i + 1]);
    }
    state[kWords - 1] = state[kShift - 1] ^ twisted(state[kWords - 1], state[0]);
}

[[gnu::always_inline]] inline void temper(const std::uint32_t* state, std::uint32_t* words, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t word = state[i];
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c5680U;
        word ^= (word << 15) & 0xefc60000U;
        words[i] = word ^ (word >> 18);
    }
}

[[gnu::always_inline]] inline void take(at::mt19937_data_pod& pod, std::uint32_t* words, std::size_t count) {
    while (count > 0) {
        if (pod.left_ == 1) {
            nextState(pod.state_.data());
            pod.left_ = static_cast<int>(kWords) + 1;  // one is counted off before each word
            pod.next_ = 0;
        }
        const std::size_t now = std::min(count, static_cast<std::size_t>(pod.left_ - 1));
        temper(pod.state_.data() + pod.next_, words, now);
        pod.left_ -= static_cast<int>(now);
        pod.next_ += static_cast<std::uint32_t>(now);
        words += now;
        count -= now;
    }
}

[[gnu::always_inline]] inline void draw(at::mt19937_data_pod& pod, std::int64_t limit, std::uint8_t* drawn,
                                        std::size_t count) {
    std::array<std::uint32_t, 2 * kChunk> words;
    while (count > 0) {
        const std::size_t now = std::min(count, kChunk);
        take(pod, words.data(), 2 * now);
        for (std::size_t i = 0; i < now; ++i) {
            // The first of the two words is the upper one.
            const std::uint64_t bits =
                ((static_cast<std::uint64_t>(words[2 * i]) << 32) | words[2 * i + 1]) & kDrawnBits;
            drawn[i] = static_cast<std::int64_t>(bits) < limit ? 1 : 0;
        }
        drawn += now;
        count -= now;
    }
}

void drawAnywhere(at::mt19937_data_pod& pod, std::int64_t limit, std::uint8_t* drawn, std::size_t count) {
    draw(pod, limit, drawn, count);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void drawWithAvx2(at::mt19937_data_pod& pod, std::int64_t limit, std::uint8_t* drawn,
                                          std::size_t count) {
    draw(pod, limit, drawn, count);
}
const auto drawHere = __builtin_cpu_supports("avx2") ? drawWithAvx2 : drawAnywhere;
#else
const auto drawHere = drawAnywhere;
#endif

bool tryDraws() {
    constexpr std::int64_t kTried = 2000;  // more than two states of the generator
    constexpr double kP = 0.9;
    at::Generator theirs = at::detail::createCPUGenerator(17), ours = at::detail::createCPUGenerator(17);
    at::Tensor expected = at::empty({kTried}, at::kFloat);
    expected.bernoulli_(kP, theirs);
    std::vector<std::uint8_t> drawn(kTried);
    BernoulliDraws(*ours.get<at::CPUGeneratorImpl>(), kP).take(drawn.data(), drawn.size());
    const float* value = expected.const_data_ptr<float>();
    return std::equal(drawn.begin(), drawn.end(), value,
                      [](std::uint8_t mine, float other) { return static_cast<float>(mine) == other; }) &&
           theirs.get<at::CPUGeneratorImpl>()->random() == ours.get<at::CPUGeneratorImpl>()->random();
}

}  // namespace

// bits · 2^-53 < p, in whole numbers.
BernoulliDraws::BernoulliDraws(at::CPUGeneratorImpl& generator, double p)
    : m_generator(generator),
      m_engine(generator.engine()),
      m_state(m_engine.data()),
      m_limit(static_cast<std::int64_t>(std::ceil(std::ldexp(p, 53)))) {}

BernoulliDraws::~BernoulliDraws() {
    m_engine.set_data(m_state);
    m_generator.set_engine(m_engine);
}

void BernoulliDraws::take(std::uint8_t* drawn, std::size_t count) {
    drawHere(m_state, m_limit, drawn, count);
}

bool drawsAreLibTorchs() {
    static const bool are = tryDraws();
    return are;
}

}  // namespace plumbline::model
