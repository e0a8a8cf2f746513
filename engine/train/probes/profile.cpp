// Some steps, looked at closely.

#include <fmt/format.h>

#include <filesystem>

#include "core/files.h"
#include "model/failure.h"
#include "train/probes/probe_bench.h"
#include "train/profile/step_profile.h"

namespace plumbline::train {
namespace {

constexpr int kWarmUp = 2;  ///< steps that pay for what is done once

/// `before`: steps that were made already.
Status runSteps(ProbeBench& bench, const session::ProbeRequest& request, std::int64_t before, std::int64_t steps,
                StepProfile* profile) {
    for (std::int64_t i = 0; i < steps; ++i) {
        if (profile != nullptr) {
            profile->beginStep();
        }
        PLUMBLINE_TRY(bench.nextBatch());
        PLUMBLINE_TRY(bench.step());
        if (profile != nullptr) {
            profile->endStep();
        }
        tellCount(request, before + i + 1, kWarmUp + request.steps * (request.trace.empty() ? 1 : 2));
    }
    return {};
}

}  // namespace

Result<Json> probeProfile(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress) {
    if (!request.trace.empty()) {
        // LibTorch's profiler does not say when it cannot write.
        PLUMBLINE_TRY(writeFileAtomically(request.trace, ""));
    }
    PLUMBLINE_ASSIGN(const auto bench, ProbeBench::make(request.project, control));
    PLUMBLINE_TRY(runSteps(*bench, request, 0, kWarmUp, nullptr));
    StepProfile profile(*bench->setup().assembly.model, bench->setup().device());
    bench->setProfile(&profile);
    const Status ran = runSteps(*bench, request, kWarmUp, request.steps, &profile);
    bench->setProfile(nullptr);
    PLUMBLINE_TRY(ran);
    Json report = profile.report();
    if (!request.trace.empty()) {
        if (progress) {
            progress(fmt::format("writing the trace of {} steps to {}", request.steps, request.trace));
        }
        // By itself: recording each operation takes longer than many of them do.
        try {
            OperationTrace trace;
            PLUMBLINE_TRY(runSteps(*bench, request, kWarmUp + request.steps, request.steps, nullptr));
            trace.save(request.trace);
            std::error_code error;
            if (std::filesystem::file_size(request.trace, error) == 0 || error) {
                return fail(ErrorKind::kMachine, "trace-not-written",
                            fmt::format("The trace could not be written to {}.", request.trace), request.trace,
                            "Free space, or choose another file.");
            }
        } catch (...) {
            return fail(model::errorOfCurrentException("The trace could not be written", request.trace));
        }
        report["trace"] = request.trace;
    }
    return report;
}

}  // namespace plumbline::train
