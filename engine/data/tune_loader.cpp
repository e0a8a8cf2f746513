// The worker sweep behind `plumbline tune-loader`.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <thread>

#include "data/dataset.h"

namespace plumbline::data {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kGain = 1.05;
constexpr int kRepeats = 3;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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
        : m_dataset(std::move(dataset)), m_options(options), m_seconds(std::clamp(secondsAPoint, 0.01, 600.0)), m_control(control) {
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
    std::vector<std::vector<Measurement>> m_points;  ///< by workers
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
    measurement.bytesPerSecond =
        measurement.samplesPerSecond * static_cast<double>(m_batchBytes) / static_cast<double>(std::min(m_options.batchSize, m_dataset->size(m_options.split)));
    measurement.busyCores = (processCpuSeconds() - cpuStart) / seconds;
    m_points.resize(std::max(m_points.size(), static_cast<std::size_t>(workers + 1)));
    m_points[static_cast<std::size_t>(workers)].push_back(measurement);
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

double medianOf(std::vector<Measurement> measurements) {
    std::sort(measurements.begin(), measurements.end(), [](const auto& a, const auto& b) { return a.samplesPerSecond < b.samplesPerSecond; });
    return measurements[measurements.size() / 2].samplesPerSecond;
}

double spreadOf(const std::vector<Measurement>& measurements) {
    const auto [low, high] = std::minmax_element(measurements.begin(), measurements.end(),
                                                 [](const auto& a, const auto& b) { return a.samplesPerSecond < b.samplesPerSecond; });
    const double median = medianOf(measurements);
    return median > 0 ? (high->samplesPerSecond - low->samplesPerSecond) / median : 0.0;
}

Result<TuneResult> Sweep::run() {
    // Up to a gain under 5 %; the knee is the last that was worth it.
    const std::int64_t most = std::min<std::int64_t>(64, 4 * m_cores);
    PLUMBLINE_ASSIGN(const Measurement none, measure(0));
    double best = none.samplesPerSecond;
    std::int64_t knee = 0;
    bool stillGaining = true;
    for (std::int64_t workers = 1; workers <= most && stillGaining; ++workers) {
        PLUMBLINE_ASSIGN(const Measurement measurement, measure(workers));
        stillGaining = measurement.samplesPerSecond >= best * kGain;
        if (stillGaining) {
            best = measurement.samplesPerSecond;
            knee = workers;
        } else if (workers == 1 && m_cores > 1) {
            // One worker only moves the work to another thread; what a second one brings is seen with two.
            stillGaining = true;
        }
    }
    const std::int64_t low = std::max<std::int64_t>(0, knee - 1);
    const std::int64_t high = std::min(most, knee + 1);
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        for (std::int64_t workers = low; workers <= high; ++workers) {
            PLUMBLINE_TRY(measure(workers));
        }
    }
    TuneResult result;
    for (std::size_t workers = 0; workers < m_points.size(); ++workers) {
        result.sweep.push_back({static_cast<std::int64_t>(workers), medianOf(m_points[workers]), spreadOf(m_points[workers])});
    }
    double top = 0;
    for (std::int64_t workers = low; workers <= high; ++workers) {
        top = std::max(top, result.sweep[static_cast<std::size_t>(workers)].samplesPerSecond);
    }
    const SweepPoint* chosen = nullptr;
    for (std::int64_t workers = low; workers <= high; ++workers) {
        const SweepPoint& point = result.sweep[static_cast<std::size_t>(workers)];
        if (point.samplesPerSecond * kGain >= top && (chosen == nullptr || point.spread < chosen->spread)) {
            chosen = &point;
        }
    }
    result.chosen = chosen->workers;
    explain(result, static_cast<std::int64_t>(m_points.size()) - 1, stillGaining && knee == most);
    return result;
}

void Sweep::explain(TuneResult& result, std::int64_t mostTried, bool stillGaining) {
    const std::vector<Measurement>& chosen = m_points[static_cast<std::size_t>(result.chosen)];
    const Measurement& last = chosen.back();
    const double copySpeed = copyBytesPerSecond(m_batchBytes);
    const double usableCores = static_cast<double>(std::min<std::int64_t>(m_cores, std::max<std::int64_t>(1, result.chosen)));
    if (stillGaining) {
        result.limitedBy = "workers";
        result.explanation = fmt::format("Each worker up to the {} that were tried made it faster by 5 % or more.", mostTried);
    } else if (last.bytesPerSecond > 0.4 * copySpeed) {
        result.limitedBy = "memory copy";
        result.explanation = fmt::format("Batches are made at {:.1f} GB/s and this machine copies memory at {:.1f} GB/s.", last.bytesPerSecond / 1e9,
                                         copySpeed / 1e9);
    } else if (last.busyCores > 0.6 * usableCores) {
        result.limitedBy = "cpu";
        result.explanation = fmt::format("{:.1f} of {} cores are busy with making batches; more workers bring less than 5 %.", last.busyCores, m_cores);
    } else if (!m_dataset->readsFiles()) {
        result.limitedBy = "waiting";
        result.explanation = fmt::format("Only {:.1f} of {} cores are busy, and the data are in memory: the workers wait for each other, or for cores that other programs use.",
                                         last.busyCores, m_cores);
    } else {
        result.limitedBy = "disk";
        result.explanation = fmt::format("Only {:.1f} of {} cores are busy: the workers wait for the files.", last.busyCores, m_cores);
    }
}

}  // namespace

Result<TuneResult> tuneLoader(std::shared_ptr<const Dataset> dataset, LoaderOptions options, double secondsAPoint, RunControl* control) {
    if (dataset->size(options.split) == 0) {
        return fail(ErrorKind::kInvalid, "no-samples", fmt::format("The {} split is empty", toString(options.split)), "/data/splits");
    }
    options.dropLast = false;
    return Sweep(std::move(dataset), options, secondsAPoint, control).run();
}

}  // namespace plumbline::data
