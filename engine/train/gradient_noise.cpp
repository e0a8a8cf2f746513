#include "train/gradient_noise.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/empty_like.h>

#include <cmath>
#include <mutex>

#include "core/random.h"

namespace plumbline::train {

std::unique_ptr<GradientNoise> GradientNoise::make(const plan::GradientNoiseSpec& spec, std::uint64_t seed,
                                                   at::Device device) {
    if (spec.eta <= 0) {
        return nullptr;
    }
    at::Generator generator =
        device.is_cpu() ? at::detail::createCPUGenerator() : at::detail::getCUDAHooks().getNewGenerator(device.index());
    {
        const std::scoped_lock lock(generator.mutex());
        generator.set_current_seed(deriveSeed(seed, "gradient-noise"));
    }
    return std::unique_ptr<GradientNoise>(new GradientNoise(spec, std::move(generator)));
}

void GradientNoise::add(const std::vector<at::Tensor>& parameters) {
    const at::NoGradGuard noGrad;
    const double deviation = std::sqrt(m_spec.eta / std::pow(1 + static_cast<double>(m_count), m_spec.gamma));
    for (const at::Tensor& parameter : parameters) {
        if (const at::Tensor& gradient = parameter.grad(); gradient.defined()) {
            at::Tensor live = gradient;
            live.add_(at::empty_like(live).normal_(0, 1, m_generator), deviation);
        }
    }
}

at::Tensor GradientNoise::generatorState() const {
    at::Generator generator = m_generator;
    const std::scoped_lock lock(generator.mutex());
    return generator.get_state();
}

void GradientNoise::restore(const at::Tensor& generatorState, std::int64_t count) {
    const std::scoped_lock lock(m_generator.mutex());
    m_generator.set_state(generatorState);
    m_count = count;
}

}  // namespace plumbline::train
