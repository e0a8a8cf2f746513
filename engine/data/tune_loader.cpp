// The worker sweep behind `plumbline tune-loader`.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <map>
#include <thread>

#include "data/dataset.h"
#include "data/worker_sweep.h"

namespace plumbline::data {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double processCpuSeconds() {
    std::timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Measurement {
    double samplesPerSecond = 0;
    double bytesPerSecond = 0;
    double busyCores = 0;  ///< processor seconds a second
};

class Sweep {
public:
    Sweep(std::shared_ptr<const Dataset> dataset, LoaderOptions options, double secondsAPoint, RunControl* control)
        : m_dataset(std::move(dataset)),
          m_options(options),
          m_seconds(std::clamp(secondsAPoint, 0.01, 600.0)),
          m_control(control) {
        m_cores = std::max<std::int64_t>(1, std::thread::hardware_concurrency());
    }

    Result<TuneResult> run();

private:
    Result<Measurement> measure(std::int64_t workers);
    double copyBytesPerSecond(std::size_t bytes) const;
    void explain(TuneResult& result, std::int64_t mostTried, bool stillGaining);

    std::shared_ptr<const Dataset> m_dataset;
    LoaderOptions m_options;
    double m_seconds;
    RunControl* m_control;
    std::int64_t m_cores = 1;
    std::map<std::int64_t, Measurement> m_last;  ///< by workers
    std::size_t m_batchBytes = 0;
};

Result<Measurement> Sweep::measure(std::int64_t workers) {
    LoaderOptions options = m_options;
    options.workers = workers;
    options.prefetchBatches = std::max(options.prefetchBatches, workers);
    PLUMBLINE_ASSIGN(const std::unique_ptr<Loader> loader, makeLoader(m_dataset, options));
    const auto take = [&](std::int64_t& samples) -> Status {
        PLUMBLINE_ASSIGN(std::optional<HostBatch> batch, loader->next(m_control));
        if (batch) {
            samples += batch->size();
            m_batchBytes = std::max(m_batchBytes, batch->byteCount());
            loader->recycle(std::move(*batch));
        }
        return {};
    };
    // Buffers and threads are warm before the clock starts.
    std::int64_t samples = 0;
    const Clock::time_point warmUp = Clock::now();
    for (std::int64_t i = 0; i < 2 * options.prefetchBatches && secondsSince(warmUp) < m_seconds; ++i) {
        PLUMBLINE_TRY(take(samples));
    }
    samples = 0;
    const Clock::time_point start = Clock::now();
    const double cpuStart = processCpuSeconds();
    double seconds = 0;
    while ((seconds = secondsSince(start)) < m_seconds) {
        PLUMBLINE_TRY(take(samples));
    }
    Measurement measurement;
    measurement.samplesPerSecond = static_cast<double>(samples) / seconds;
    measurement.bytesPerSecond = measurement.samplesPerSecond * static_cast<double>(m_batchBytes) /
                                 static_cast<double>(std::min(m_options.batchSize, m_dataset->size(m_options.split)));
    measurement.busyCores = (processCpuSeconds() - cpuStart) / seconds;
    m_last[workers] = measurement;
    return measurement;
}

double Sweep::copyBytesPerSecond(std::size_t bytes) const {
    std::vector<char> from(std::max<std::size_t>(bytes, 1), 1);
    std::vector<char> to(from.size());
    const Clock::time_point start = Clock::now();
    double copied = 0;
    double seconds = 0;
    while ((seconds = secondsSince(start)) < 0.02) {
        std::memcpy(to.data(), from.data(), from.size());
        from[0] = to[to.size() / 2];
        copied += static_cast<double>(from.size());
    }
    return copied / seconds;
}

Result<TuneResult> Sweep::run() {
    const auto samplesPerSecond = [this](std::int64_t workers) -> Result<double> {
        PLUMBLINE_ASSIGN(const Measurement measurement, measure(workers));
        return measurement.samplesPerSecond;
    };
    PLUMBLINE_ASSIGN(WorkerChoice choice,
                     chooseWorkers(m_cores, std::min<std::int64_t>(64, 4 * m_cores), samplesPerSecond));
    TuneResult result;
    result.sweep = std::move(choice.sweep);
    result.chosen = choice.chosen;
    explain(result, result.sweep.back().workers, choice.stillGaining);
    return result;
}

void Sweep::explain(TuneResult& result, std::int64_t mostTried, bool stillGaining) {
    const Measurement& last = m_last[result.chosen];
    const double copySpeed = copyBytesPerSecond(m_batchBytes);
    const double usableCores =
        static_cast<double>(std::min<std::int64_t>(m_cores, std::max<std::int64_t>(1, result.chosen)));
    if (stillGaining) {
        result.limitedBy = "workers";
        result.explanation =
            fmt::format("Each worker up to the {} that were tried made it faster by 5 % or more.", mostTried);
    } else if (last.bytesPerSecond > 0.4 * copySpeed) {
        result.limitedBy = "memory copy";
        result.explanation =
            fmt::format("Batches are made at {:.1f} GB/s and this machine copies memory at {:.1f} GB/s.",
                        last.bytesPerSecond / 1e9, copySpeed / 1e9);
    } else if (last.busyCores > 0.6 * usableCores) {
        result.limitedBy = "cpu";
        result.explanation =
            fmt::format("{:.1f} of {} cores are busy with making batches; more workers bring less than 5 %.",
                        last.busyCores, m_cores);
    } else if (!m_dataset->readsFiles()) {
        result.limitedBy = "waiting";
        result.explanation = fmt::format(
            "Only {:.1f} of {} cores are busy, and the data are in memory: the workers wait for each other, or for "
            "cores that other programs use.",
            last.busyCores, m_cores);
    } else {
        result.limitedBy = "disk";
        result.explanation =
            fmt::format("Only {:.1f} of {} cores are busy: the workers wait for the files.", last.busyCores, m_cores);
    }
}

}  // namespace

Result<TuneResult> tuneLoader(std::shared_ptr<const Dataset> dataset, LoaderOptions options, double secondsAPoint,
                              RunControl* control) {
    if (dataset->size(options.split) == 0) {
        return fail(ErrorKind::kInvalid, "no-samples", fmt::format("The {} split is empty", toString(options.split)),
                    "/data/splits", "Give it a share above 0.");
    }
    options.dropLast = false;
    return Sweep(std::move(dataset), options, secondsAPoint, control).run();
}

}  // namespace plumbline::data
