// Batches that double until memory, or the training split, ends.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string>

#include "core/text.h"
#include "model/memory.h"
#include "train/device_memory.h"
#include "train/memory_estimate.h"
#include "train/probes/probe_bench.h"

namespace plumbline::train {
namespace {

constexpr double kOfFreeMemory = 0.8;
constexpr double kAsFast = 0.95;  ///< of the best throughput: the smaller batch is taken
constexpr int kWarmUp = 2;        ///< steps before it is measured: the first makes the optimizer's state
constexpr int kMeasured = 5;
constexpr double kLongest = 2000;  ///< ms of measured steps after which fewer will do

struct Size {
    std::int64_t batch = 0;
    double ms = 0;
    std::int64_t peak = 0;
    double rate() const { return ms > 0 ? 1000 * static_cast<double>(batch) / ms : 0; }
};

Result<Size> measure(const project::Project& project, std::int64_t batch, RunControl& control) {
    project::Project sized = project;
    sized.data.loader.batchSize = batch;
    // A schedule, a validation or the length of the run has no part in it.
    PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(sized, control));
    model::resetMemoryPeaks();
    resetDevicePeak(bench->setup().device());
    Size size{batch, 0, 0};
    std::vector<double> times;
    double spent = 0;
    for (int i = 0; i < kWarmUp + kMeasured && spent < kLongest; ++i) {
        PLUMBLINE_TRY(bench->nextBatch());
        PLUMBLINE_ASSIGN(const ProbeStep step, bench->step());
        if (i >= kWarmUp) {
            times.push_back(step.ms);
            spent += step.ms;
        }
    }
    const at::Device device = bench->setup().device();
    size.ms = medianOf(times);
    size.peak = (device.is_cpu() ? model::tensorMemory().peak : deviceMemory(device).peakAllocated) +
                keptBesides(project.training, *bench->setup().assembly.model).comesLater();
    return size;
}

/// A size that was not measured, and why.
struct Skipped {
    std::int64_t batch = 0;
    std::string code, reason;
};

/// Memory grows with the batch along a line; nothing before two sizes are known.
std::optional<double> predictedPeak(const std::vector<Size>& sizes, std::int64_t batch) {
    if (sizes.size() < 2) {
        return std::nullopt;
    }
    const Size &last = sizes.back(), &before = sizes[sizes.size() - 2];
    const double perSample =
        static_cast<double>(last.peak - before.peak) / static_cast<double>(last.batch - before.batch);
    return static_cast<double>(last.peak) + perSample * static_cast<double>(batch - last.batch);
}

}  // namespace

Result<Json> probeBatchSize(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress) {
    // On CUDA nobody but the allocator knows what is left: there the search ends where it says so.
    std::int64_t budget = request.budgetBytes;
    std::int64_t samples = 0;
    {
        PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(request.project, control));
        samples = bench->setup().length.samplesPerEpoch;
        if (budget == 0) {
            budget = bench->setup().device().is_cpu()
                         ? static_cast<std::int64_t>(kOfFreeMemory * static_cast<double>(freeMemory()))
                         : std::numeric_limits<std::int64_t>::max();
        }
    }
    std::vector<Size> sizes;
    std::vector<Skipped> skipped;
    std::optional<Error> error;
    std::string limitedBy = samples < request.largest ? "data" : "largest";
    std::string why = samples < request.largest ? fmt::format("The training split has {}.", counted(samples, "sample"))
                                                : fmt::format("No batch above {} was asked for.", request.largest);
    const std::int64_t largest = std::min(request.largest, samples);
    std::int64_t tried = 0;
    for (std::int64_t batch = 1; batch <= largest; batch *= 2) {
        tellCount(request, tried++, static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(largest))));
        if (const auto predicted = predictedPeak(sizes, batch); predicted && *predicted > static_cast<double>(budget)) {
            limitedBy = "memory";
            skipped.push_back({batch, "memory", ""});
            why = fmt::format("A batch of {} would take {:.1f} MB of tensors, more than the {:.1f} MB there are.",
                              batch, *predicted / 1e6, static_cast<double>(budget) / 1e6);
            break;
        }
        const auto size = measure(request.project, batch, control);
        if (!size && (isStop(size.error()) || size.error().kind == ErrorKind::kInterrupted)) {
            return fail(size.error());
        }
        if (!size) {
            // A size that this model or this split cannot have (one sample is too few for BatchNorm) is left out.
            error = size.error();
            skipped.push_back({batch, error->code, error->message});
            if (error->code == "out-of-memory") {
                limitedBy = "memory";
                why = fmt::format("A batch of {} did not fit: {}", batch, error->message);
                break;
            }
            continue;
        }
        sizes.push_back(*size);
        if (progress) {
            progress(fmt::format("batch of {}: {} ms a step, {} samples/s, {:.1f} MB", batch, numberText(size->ms, 3),
                                 numberText(size->rate(), 4), static_cast<double>(size->peak) / 1e6));
        }
    }
    if (sizes.empty() && error) {
        return fail(*error);
    }
    if (limitedBy != "memory" && !skipped.empty() && !sizes.empty() && skipped.back().batch > sizes.back().batch) {
        // The first above the largest that could be: those beyond it are refused as well, or were measured.
        const auto first = std::find_if(skipped.begin(), skipped.end(),
                                        [&](const Skipped& one) { return one.batch > sizes.back().batch; });
        limitedBy = "settings";
        why = fmt::format("A batch of {} cannot be with the project's settings: {}", first->batch, first->reason);
    }
    Json left = Json::array();
    for (Skipped& one : skipped) {
        left.push_back(
            {{"batch_size", one.batch}, {"code", one.code}, {"reason", one.reason.empty() ? why : one.reason}});
    }
    double best = 0;
    Json list = Json::array();
    for (const Size& size : sizes) {
        best = std::max(best, size.rate());
        list.push_back({{"batch_size", size.batch},
                        {"step_ms", size.ms},
                        {"samples_per_second", size.rate()},
                        {"peak_memory_bytes", size.peak}});
    }
    const auto chosen =
        std::find_if(sizes.begin(), sizes.end(), [&](const Size& size) { return size.rate() >= kAsFast * best; });
    const double perSample = sizes.size() < 2 ? 0
                                              : static_cast<double>(sizes.back().peak - sizes.front().peak) /
                                                    static_cast<double>(sizes.back().batch - sizes.front().batch);
    return Json{
        {"sizes", list},
        {"not_tried", left},
        {"chosen", chosen == sizes.end() ? Json() : Json(chosen->batch)},
        {"largest", sizes.empty() ? Json() : Json(sizes.back().batch)},
        {"limited_by", limitedBy},
        {"budget_bytes", budget == std::numeric_limits<std::int64_t>::max() ? Json() : Json(budget)},
        {"bytes_per_sample", perSample},
        {"explanation", fmt::format("{} The smallest batch within 5 % of the best throughput is chosen.", why)}};
}

}  // namespace plumbline::train
