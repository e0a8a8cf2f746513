#pragma once
// Gaussian noise on the gradients (Neelakantan et al. 2015, "Adding Gradient Noise Improves Learning for Very Deep
// Networks").

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/error.h"
#include "plan/plan.h"

namespace plumbline::train {

/// One thread. Draws from a generator of its own, so that other chance in the run is the same with it and without.
class GradientNoise {
public:
    /// nullptr where the plan wants none. `seed` is the run's.
    static std::unique_ptr<GradientNoise> make(const plan::GradientNoiseSpec& spec, std::uint64_t seed,
                                               at::Device device);

    /// Adds noise of variance eta / (1 + t)^gamma to each gradient there is; t counts the steps from 0. A step may take
    /// several calls, each for parameters of its own.
    void add(const std::vector<at::Tensor>& parameters);
    /// Once a step in which noise was added.
    void endStep() { ++m_count; }
    std::int64_t count() const { return m_count; }

    at::Tensor generatorState() const;
    /// Throws what LibTorch throws for a state that is none.
    void restore(const at::Tensor& generatorState, std::int64_t count);

private:
    GradientNoise(const plan::GradientNoiseSpec& spec, at::Generator generator)
        : m_spec(spec), m_generator(std::move(generator)) {}

    plan::GradientNoiseSpec m_spec;
    at::Generator m_generator;
    std::int64_t m_count = 0;
};

}  // namespace plumbline::train
