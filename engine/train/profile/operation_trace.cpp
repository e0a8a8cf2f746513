// LibTorch's own profiler. The only file that includes it: its header is slow to compile.

#include <torch/csrc/autograd/profiler_kineto.h>

#include "train/profile/step_profile.h"

namespace plumbline::train {

namespace kineto = torch::autograd::profiler;

OperationTrace::OperationTrace() {
    const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO, /*report_input_shapes=*/true, /*profile_memory=*/true);
    const std::set<torch::profiler::impl::ActivityType> activities{torch::profiler::impl::ActivityType::CPU};
    kineto::prepareProfiler(config, activities);
    kineto::enableProfiler(config, activities);
    m_recording = true;
}

OperationTrace::~OperationTrace() {
    if (m_recording) {
        kineto::disableProfiler();
    }
}

void OperationTrace::save(const std::string& file) {
    m_recording = false;
    kineto::disableProfiler()->save(file);
}

}  // namespace plumbline::train
