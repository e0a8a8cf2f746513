#include "train/environment.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/anomaly_mode.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "core/text.h"
#include "cuda/cuda_runtime.h"
#include "graph/block_patterns.h"

namespace plumbline::train {

namespace {

constexpr std::int64_t kDeterministicStride = 50;
/// Below so many multiply-accumulates a step, a second thread costs more than it brings.
constexpr std::int64_t kMacsForThreads = 20'000'000;

std::int64_t chooseThreads(const graph::ResolvedModel& graph, std::int64_t batchSize) {
    const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
    return forwardMacs(graph, batchSize) < kMacsForThreads ? 1 : std::min<std::int64_t>(cores, 16);
}

}  // namespace

std::int64_t forwardMacs(const graph::ResolvedModel& graph, std::int64_t batchSize) {
    std::map<std::string, std::int64_t> symbols;
    for (const auto& [name, value] : graph.inputs) {
        for (const graph::Dim& dim : graph.values[static_cast<std::size_t>(value)].type.dims) {
            if (!dim.isConstant()) {
                symbols.emplace(dim.toString(), dim.toString() == "B" ? batchSize : 32);
            }
        }
    }
    return graph.macs().evaluate(symbols).value_or(kMacsForThreads);
}

bool isConvolutional(const graph::ResolvedModel& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const graph::ResolvedNode& node) {
        return node.type == "Conv2d" || node.type == "ConvTranspose2d";
    });
}

Status threadsCanStart(std::int64_t count) {
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
    std::vector<std::thread> threads;
    Status status;
    try {
        threads.reserve(static_cast<std::size_t>(count));
        while (static_cast<std::int64_t>(threads.size()) + 1 < count) {
            threads.emplace_back([&] {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return over; });
            });
        }
    } catch (const std::exception&) {
        status =
            fail(ErrorKind::kMachine, "no-threads",
                 fmt::format("This machine starts {} of the {} threads that are to compute", threads.size() + 1, count),
                 "/training/threads", "Lower training.threads, or raise the limits on threads and memory.");
    }
    {
        const std::scoped_lock lock(mutex);
        over = true;
    }
    changed.notify_all();
    for (std::thread& thread : threads) {
        thread.join();
    }
    return status;
}

Json Environment::choices() const {
    Json json = {{"device", deviceName},
                 {"threads", threads},
                 {"memory_format", channelsLast ? "channels_last" : "contiguous"},
                 {"chosen_by", {{"threads", threadsBy}, {"memory_format", memoryFormatBy}}},
                 {"monitor_stride", monitorStride == 0 ? Json("auto") : Json(monitorStride)},
                 {"deterministic", deterministic}};
    if (!trial.is_null()) {
        json["trial"] = trial;
    }
    return json;
}

Result<at::Device> parseDevice(const std::string& text) {
    if (text == "cpu") {
        return at::Device(at::kCPU);
    }
    const bool named = text.starts_with("cuda:") && text.size() > 5 && text.size() < 9 &&
                       text.find_first_not_of("0123456789", 5) == std::string::npos;
    if (text != "auto" && text != "cuda" && !named) {
        return fail(ErrorKind::kUsage, "unknown-device", fmt::format("There is no device \"{}\".", shortened(text)), "",
                    "Choose auto, cpu or cuda:0 and up.");
    }
    const Status loaded = cuda::loadCuda();
    if (text == "auto") {
        return loaded && at::detail::getCUDAHooks().deviceCount() > 0 ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    }
    if (!loaded) {
        Error error = loaded.error();
        error.kind = ErrorKind::kMachine;
        return fail(std::move(error));
    }
    const int index = text.size() > 5 ? std::atoi(text.c_str() + 5) : 0;
    const int count = static_cast<int>(at::detail::getCUDAHooks().deviceCount());
    if (index >= count) {
        return fail(ErrorKind::kMachine, "no-such-device",
                    fmt::format("There is no {}: {} CUDA devices are here.", text, count), "/training/device",
                    "Choose auto or cpu.");
    }
    return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(index));
}

Status precisionRuns(plan::Precision precision, at::Device device) {
    if (precision == plan::Precision::kFp32) {
        return {};
    }
    const bool isFp16 = precision == plan::Precision::kFp16;
    bool right = false;
    try {
        const at::NoGradGuard noGrad;
        const at::Tensor ones =
            at::ones({8, 8}, at::TensorOptions().device(device).dtype(isFp16 ? at::kHalf : at::kBFloat16));
        right = at::mm(ones, ones).eq(8).all().item<bool>();
    } catch (const std::exception&) {
        right = false;  // LibTorch has no such operation there
    }
    if (!right) {
        return fail(ErrorKind::kMachine, "precision-not-supported",
                    fmt::format("The device {} does not compute in {}.", device.str(), isFp16 ? "fp16" : "bf16"),
                    "/training/precision",
                    isFp16 ? "Set training.precision to bf16 or fp32, or choose another device."
                           : "Set training.precision to fp32, or choose another device.");
    }
    return {};
}

namespace {

/// Packages compute on the CPU, so that "auto" is the CPU for a model with one, whatever there is or was recorded.
Result<std::string> deviceFor(const std::string& asked, const std::string& recorded,
                              const graph::ResolvedModel& graph) {
    const auto package = std::find_if(graph.nodes.begin(), graph.nodes.end(), graph::runsPackage);
    if (package == graph.nodes.end()) {
        return asked == "auto" && !recorded.empty() ? recorded : asked;
    }
    if (asked.starts_with("cuda")) {
        return fail(ErrorKind::kInvalid, "package-device",
                    fmt::format("{} runs a package that was compiled for the CPU, and the device is to be {}",
                                package->path, shortened(asked)),
                    "/training/device", "Choose auto or cpu.");
    }
    return asked == "auto" ? std::string("cpu") : asked;
}

}  // namespace

Result<Environment> chooseEnvironment(const plan::TrainingPlan& plan, const plan::MonitorPlan& monitor,
                                      const graph::ResolvedModel& graph, std::int64_t batchSize, const Json& recorded) {
    const Json earlier = recorded.is_object() ? recorded : Json::object();
    const auto text = [&](const char* key) {
        return earlier.contains(key) && earlier[key].is_string() ? earlier[key].get<std::string>() : std::string();
    };
    Environment environment;
    PLUMBLINE_ASSIGN(const std::string device, deviceFor(plan.device, text("device"), graph));
    PLUMBLINE_ASSIGN(environment.device, parseDevice(device));
    PLUMBLINE_TRY(precisionRuns(plan.precision, environment.device));
    environment.deviceName = environment.device.is_cpu() ? "cpu" : fmt::format("cuda:{}", environment.device.index());
    environment.deterministic = plan.determinism == "deterministic" || plan.determinism == "debug";
    const bool threadsAreRecorded = earlier.contains("threads") && earlier["threads"].is_number_integer();
    environment.threads = plan.threads > 0     ? plan.threads
                          : threadsAreRecorded ? earlier["threads"].get<std::int64_t>()
                                               : chooseThreads(graph, batchSize);
    environment.threadsBy = plan.threads > 0 ? "set" : threadsAreRecorded ? "recorded" : "estimated";
    PLUMBLINE_TRY(threadsCanStart(environment.threads));
    const std::string format = plan.memoryFormat != "auto" ? plan.memoryFormat : text("memory_format");
    environment.channelsLast = format.empty() ? isConvolutional(graph) : format == "channels_last";
    environment.memoryFormatBy = plan.memoryFormat != "auto" ? "set" : format.empty() ? "estimated" : "recorded";
    environment.trial = earlier.value("trial", Json());
    environment.monitorStride = monitor.stride > 0          ? monitor.stride
                                : environment.deterministic ? kDeterministicStride
                                                            : 0;
    return environment;
}

DeterminismFlags determinismFlags(const std::string& determinism) {
    if (determinism == "deterministic" || determinism == "debug") {
        return {true, true, false, false, false, determinism == "debug"};
    }
    if (determinism == "research") {
        return {false, true, false, false, false, false};
    }
    if (determinism == "production") {
        return {false, false, true, true, true, false};
    }
    const at::Context& context = at::globalContext();
    return {context.deterministicAlgorithms(), context.deterministicCuDNN(), context.benchmarkCuDNN(),
            context.allowTF32CuBLAS(),         context.allowTF32CuDNN(),     false};
}

namespace {

void apply(const DeterminismFlags& flags, bool warnOnly) {
    at::Context& context = at::globalContext();
    context.setDeterministicAlgorithms(flags.deterministicAlgorithms, warnOnly);
    context.setDeterministicCuDNN(flags.cudnnDeterministic);
    context.setBenchmarkCuDNN(flags.cudnnBenchmark);
    if (context.allowTF32CuBLAS() != flags.tf32) {
        context.setAllowTF32CuBLAS(flags.tf32);
    }
    if (context.allowTF32CuDNN() != flags.tf32Cudnn) {
        context.setAllowTF32CuDNN(flags.tf32Cudnn);
    }
    torch::autograd::AnomalyMode::set_enabled(flags.anomalies, true);
}

}  // namespace

EnvironmentScope::EnvironmentScope(const Environment& environment, const std::string& determinism)
    : m_before(determinismFlags("default")), m_warnOnlyBefore(at::globalContext().deterministicAlgorithmsWarnOnly()) {
    at::set_num_threads(static_cast<int>(environment.threads));
    apply(determinismFlags(determinism), false);
}

EnvironmentScope::~EnvironmentScope() {
    apply(m_before, m_warnOnlyBefore);
}

}  // namespace plumbline::train
