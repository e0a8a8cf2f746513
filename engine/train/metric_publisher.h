#pragma once
// Hands a run's numbers to the sink under the names of the metric series (design §7). Series are declared once; a step
// costs a few appends and no text.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "monitor/monitor.h"
#include "session/run_sink.h"
#include "train/optimizer_set.h"

namespace plumbline::train {

/// One optimizer step, as published.
struct StepPoint {
    std::int64_t step = 0;
    std::int32_t epoch = 0;
    double elapsedMs = 0;
    bool hasLoss = true;  ///< false: nothing counted in this step
    double loss = 0;
    std::vector<double> phaseLosses;  ///< by phase of the plan; NaN of one that was not taken
    double stepMs = 0;
    double loaderWaitMs = 0;
    bool usesScaler = false;
    double scale = 1;
    std::int64_t skipped = 0;  ///< so far
};

/// Resident bytes of this process, from the kernel. Its file stays open: opening it costs more than the answer. One
/// thread.
class ResidentMemory {
public:
    ResidentMemory();
    ~ResidentMemory();
    ResidentMemory(const ResidentMemory&) = delete;
    ResidentMemory& operator=(const ResidentMemory&) = delete;
    /// 0 where the kernel does not tell. An answer stands for 20 ms: steps that take less than one of the kernel's do
    /// not wait for it each time.
    std::int64_t bytes();

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kOldest{20};

    int m_file;
    Clock::time_point m_readAt;
    std::int64_t m_bytes = 0;
};

class MetricPublisher {
public:
    MetricPublisher(session::RunSink& sink, const OptimizerSet& optimizer, bool usesScaler,
                    const monitor::Monitor* monitor, at::Device device);

    void step(const StepPoint& point, const OptimizerSet& optimizer);
    /// What the monitor measured in the step, if it did.
    void measured(const StepPoint& point);
    /// Of MemorySummary::parts what changes while a run goes on, in bytes; of activations the most so far, as none are
    /// left between two steps.
    struct MemoryParts {
        std::int64_t gradients = 0, optimizerState = 0, prefetch = 0, activationsPeak = 0;
    };
    /// Memory and throughput, every kSlowStride steps.
    void slow(const StepPoint& point, double samplesPerSecond, const MemoryParts& parts);
    /// One value an epoch, under any name.
    void epochValue(const StepPoint& point, const std::string& name, double value);

    static constexpr std::int64_t kSlowStride = 10;

private:
    void put(session::SeriesId series, const StepPoint& point, double value) {
        m_sink.metric({series, point.epoch, point.step, point.elapsedMs, value});
    }
    void declareMeasured(std::int64_t stride);
    /// Declares the series with the first value there is for it.
    void putOfBlock(std::vector<session::SeriesId>& ids, const char* name, int block, const StepPoint& point,
                    double value);

    ResidentMemory m_resident;
    session::RunSink& m_sink;
    const monitor::Monitor* m_monitor;
    at::Device m_device;
    std::vector<session::SeriesId>
        m_parts;  ///< of MemoryParts, in its order; a device's allocator does not know activations
    std::vector<session::SeriesId> m_deviceBytes;  ///< CUDA: allocated, reserved, active, inactive
    session::SeriesId m_loss, m_lr, m_stepMs, m_wait, m_scale = 0, m_skipped = 0, m_throughput, m_tensors, m_rss;
    session::SeriesId m_gradNorm = 0, m_gradMax = 0;
    std::vector<session::SeriesId> m_phaseLosses;  ///< "train.loss.<phase>"
    std::vector<session::SeriesId> m_groupRates;   ///< by group; m_lr is that of the parameters that no pattern names
    bool m_hasRest = false;                        ///< there are such parameters; else m_lr is the largest rate
    std::vector<session::SeriesId> m_blockNorms, m_blockLargest, m_blockUpdates;  ///< by block
    std::int64_t m_stride = 0;
    std::map<std::string, session::SeriesId> m_epochSeries;
};

}  // namespace plumbline::train
