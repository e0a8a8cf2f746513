#include "model/generators.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <mutex>

#include "cuda/cuda_runtime.h"

namespace plumbline::model {

namespace {

template <class Function>
void forEachGenerator(const Function& function) {
    function("cpu", at::detail::getDefaultCPUGenerator());
    if (cuda::cudaLoaded()) {
        for (at::DeviceIndex i = 0; i < static_cast<at::DeviceIndex>(at::detail::getCUDAHooks().deviceCount()); ++i) {
            function("cuda:" + std::to_string(i), at::globalContext().defaultGenerator(at::Device(at::kCUDA, i)));
        }
    }
}

}  // namespace

GeneratorStates saveGenerators() {
    GeneratorStates states;
    forEachGenerator([&](const std::string& name, at::Generator generator) {
        const std::scoped_lock lock(generator.mutex());
        states.emplace(name, generator.get_state());
    });
    return states;
}

void restoreGenerators(const GeneratorStates& states) {
    forEachGenerator([&](const std::string& name, at::Generator generator) {
        if (const auto saved = states.find(name); saved != states.end()) {
            const std::scoped_lock lock(generator.mutex());
            generator.set_state(saved->second);
        }
    });
}

void copyGenerators(GeneratorCopies& into) {
    std::size_t next = 0;
    forEachGenerator([&](const std::string& /*name*/, at::Generator generator) {
        const std::scoped_lock lock(generator.mutex());
        if (next == into.size()) {
            into.push_back(generator.clone());
        } else if (generator.device().is_cpu()) {
            // A new one would be seeded first, which takes longer than all of this.
            auto* const from = at::check_generator<at::CPUGeneratorImpl>(generator);
            auto* const to = at::check_generator<at::CPUGeneratorImpl>(into[next]);
            to->set_engine(from->engine());
            to->set_next_float_normal_sample(from->next_float_normal_sample());
            to->set_next_double_normal_sample(from->next_double_normal_sample());
        } else {
            into[next] = generator.clone();
        }
        ++next;
    });
    into.erase(into.begin() + static_cast<std::ptrdiff_t>(next), into.end());
}

void restoreGenerators(const GeneratorCopies& copies) {
    std::size_t next = 0;
    forEachGenerator([&](const std::string&, at::Generator generator) {
        if (next < copies.size()) {
            const std::scoped_lock lock(generator.mutex());
            generator.set_state(copies[next++].get_state());
        }
    });
}

}  // namespace plumbline::model
