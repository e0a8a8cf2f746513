// LibTorch's own profiler. The only file that includes it: its header is slow to compile.

#include <kineto/libkineto.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include "train/profile/step_profile.h"

namespace plumbline::train {

namespace kineto = torch::autograd::profiler;

namespace {

/// LibTorch registers with its profiler's library in the thread that opens LibTorch, and the library, which is set up
/// with the first trace, complains on standard error where that is another thread. So this thread registers again,
/// before it is set up.
void registerInThisThread() {
    libkineto::LibkinetoApi& api = libkineto::api();
    if (!api.isProfilerRegistered() && api.client() != nullptr) {
        api.registerClient(api.client());
    }
}

}  // namespace

OperationTrace::OperationTrace() {
    registerInThisThread();
    const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO,
                                                       /*report_input_shapes=*/true, /*profile_memory=*/true);
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
