#pragma once
// Draws of LibTorch's generator for the CPU, many at a time.

#include <ATen/CPUGeneratorImpl.h>
#include <cstddef>
#include <cstdint>

namespace plumbline::model {

/// The draws that Tensor::bernoulli_(p) takes from a generator, in its order. The generator goes on from where they
/// ended once this is gone; until then whoever made it holds the generator's mutex.
class BernoulliDraws {
public:
    BernoulliDraws(at::CPUGeneratorImpl& generator, double p);
    ~BernoulliDraws();
    BernoulliDraws(const BernoulliDraws&) = delete;
    BernoulliDraws& operator=(const BernoulliDraws&) = delete;

    /// Writes 1 with probability p and else 0, `count` times.
    void take(std::uint8_t* drawn, std::size_t count);

private:
    at::CPUGeneratorImpl& m_generator;
    at::mt19937 m_engine;
    at::mt19937_data_pod m_state;
    std::int64_t m_limit;  ///< of 2^53 equally likely numbers those below it are a 1
};

/// Whether bernoulli_ draws like this on this machine, tried once: on some processors LibTorch asks MKL instead.
bool drawsAreLibTorchs();

}  // namespace plumbline::model
