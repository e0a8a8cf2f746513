#include "runtime/doctor.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "core/error.h"
#include "cuda/cuda_runtime.h"
#include "model/memory.h"
#include "train/versions.h"

namespace plumbline::runtime {

namespace {

constexpr std::int64_t kSize = 512;
constexpr double kSeconds = 0.2;
/// Below this a multiplication runs without vector instructions or on a machine that is busy with something else.
constexpr double kSlowGflops = 5;

/// The best of repeated float32 multiplications of two 512 x 512 matrices, with LibTorch's threads of now.
double measureGemm() {
    using Clock = std::chrono::steady_clock;
    const at::NoGradGuard noGrad;
    // Not the generator that a run may be drawing from.
    const at::Generator generator = at::detail::createCPUGenerator();
    const at::Tensor a = at::randn({kSize, kSize}, generator), b = at::randn({kSize, kSize}, generator);
    at::Tensor c = at::empty({kSize, kSize});
    const Clock::time_point began = Clock::now();
    double best = 1e9;
    do {
        const Clock::time_point start = Clock::now();
        at::mm_out(c, a, b);
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    } while (std::chrono::duration<double>(Clock::now() - began).count() < kSeconds);
    return 2.0 * kSize * kSize * kSize / best / 1e9;
}

Json cudaReport() {
    const Status loaded = cuda::loadCuda();
    if (!loaded) {
        return {{"loaded", false}, {"reason", toSentence(loaded.error())}, {"devices", Json::array()}};
    }
    Json devices = Json::array();
    for (int i = 0; i < static_cast<int>(at::detail::getCUDAHooks().deviceCount()); ++i) {
        devices.push_back(fmt::format("cuda:{}", i));
    }
    return {{"loaded", true}, {"reason", ""}, {"devices", std::move(devices)}};
}

}  // namespace

Json doctor() {
    const double gflops = measureGemm();
    const char* policy = std::getenv("OMP_WAIT_POLICY");
    const model::AllocatorSettings asked = model::allocatorSettings();
    Json problems = Json::array();
    if (gflops < kSlowGflops) {
        problems.push_back(
            {{"code", "slow-gemm"},
             {"message", fmt::format("Matrix multiplication reaches only {:.1f} GFLOP/s.", gflops)},
             {"remedy",
              "Close other programs, or check that the processor's vector instructions reach this machine."}});
    }
    if (policy == nullptr || std::string_view(policy) != "PASSIVE") {
        problems.push_back(
            {{"code", "wait-policy"},
             {"message", "Idle OpenMP threads spin instead of sleeping (OMP_WAIT_POLICY is not PASSIVE)."},
             {"remedy", "Unset OMP_WAIT_POLICY, so that the program can choose it."}});
    }
    return {{"versions", train::versions()},
            {"threads", {{"hardware", std::thread::hardware_concurrency()}, {"libtorch", at::get_num_threads()}}},
            {"gemm_gflops", gflops},
            {"allocator",
             {{"malloc_settings", asked.applied},
              {"mmap_threshold", asked.mmapThreshold},
              {"trim_threshold", asked.trimThreshold},
              {"top_pad", asked.topPad},
              {"wait_policy", policy != nullptr ? policy : ""}}},
            {"cuda", cudaReport()},
            {"problems", std::move(problems)}};
}

}  // namespace plumbline::runtime
