#pragma once
// Where and how a run computes: device, threads, memory layout, determinism. Every automatic choice is written down, so
// that a resumed or repeated run makes the same ones.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>

#include "core/error.h"
#include "core/json.h"
#include "graph/resolve.h"
#include "plan/plan.h"

namespace plumbline::train {

struct Environment {
    at::Device device = at::kCPU;
    std::string deviceName = "cpu";  ///< "cpu", "cuda:0"
    std::int64_t threads = 1;        ///< LibTorch's intra-op threads
    bool channelsLast = false;
    bool deterministic = false;
    std::int64_t monitorStride = 0;  ///< 0 = governed
    /// How threads and layout were chosen: "set" in the plan, "recorded" by an earlier start, "estimated" from the
    /// model alone, "measured" by a trial, "remembered" from a trial of another run of the same model on this machine.
    std::string threadsBy = "estimated", memoryFormatBy = "estimated";
    Json trial;  ///< what a trial measured (environment_trial.h); null without one

    /// {"device", "threads", "memory_format", "chosen_by": {"threads", "memory_format"}, "trial" where there was one,
    /// "monitor_stride", "deterministic"}: what RunSink::record() gets.
    Json choices() const;
};

/// Chooses what the plan leaves open. `recorded`: an earlier run's choices() to make again; null = choose. A device
/// that is not there is an error that says why.
Result<Environment> chooseEnvironment(const plan::TrainingPlan& plan, const plan::MonitorPlan& monitor,
                                      const graph::ResolvedModel& graph, std::int64_t batchSize, const Json& recorded);

/// Multiply-accumulates of one forward pass of a batch; where they are not known, as many as a second thread pays for.
std::int64_t forwardMacs(const graph::ResolvedModel& graph, std::int64_t batchSize);
/// Whether the model has blocks that a layout of 4-d tensors matters for.
bool isConvolutional(const graph::ResolvedModel& graph);
/// OpenMP ends the whole program when it cannot start a thread, with all that is not saved yet: it is tried before.
Status threadsCanStart(std::int64_t count);

/// "auto" takes CUDA where it loads.
Result<at::Device> parseDevice(const std::string& text);

/// Whether a device computes in a precision, tried on two small matrices; else the error that says so.
Status precisionRuns(plan::Precision precision, at::Device device);

/// What the settings of training.determinism set: cuDNN's autotuning and determinism, TF32, deterministic algorithms.
struct DeterminismFlags {
    bool deterministicAlgorithms = false;
    bool cudnnDeterministic = false;
    bool cudnnBenchmark = false;
    bool tf32 = false;       ///< in cuBLAS' matrix products
    bool tf32Cudnn = false;  ///< in cuDNN's convolutions, where LibTorch's own setting is true
    bool anomalies =
        false;  ///< autograd's anomaly mode: a backward that gives NaN is an error that names the operation
};
/// default: LibTorch's own. deterministic: deterministic algorithms, the same bits every time. research: no autotuning,
/// deterministic cuDNN, full float32. production: autotuning and TF32. debug: as deterministic, and anomalies.
DeterminismFlags determinismFlags(const std::string& determinism);

/// Sets threads and flags for a run and puts the flags back. Make it in the thread that trains.
class EnvironmentScope {
public:
    EnvironmentScope(const Environment& environment, const std::string& determinism);
    ~EnvironmentScope();
    EnvironmentScope(const EnvironmentScope&) = delete;
    EnvironmentScope& operator=(const EnvironmentScope&) = delete;

private:
    DeterminismFlags m_before;
    bool m_warnOnlyBefore = false;
};

}  // namespace plumbline::train
