#include "train/probes/probe_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <utility>

#include "model/failure.h"
#include "train/out_of_memory.h"
#include "train/probes/probe.h"

namespace plumbline::train {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

double medianOf(std::vector<double> values) {
    if (values.empty()) {
        return std::nan("");
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Result<std::unique_ptr<ProbeBench>> ProbeBench::make(const project::Project& project, RunControl& control) {
    std::unique_ptr<ProbeBench> bench(new ProbeBench(project, control));
    PLUMBLINE_ASSIGN(bench->m_setup, setUpTraining(bench->m_request, bench->m_sink, control));
    bench->m_setup->loader->seek({});
    return bench;
}

Status ProbeBench::nextBatch() {
    PLUMBLINE_TRY(passOrStop(m_control, {}));
    if (m_profile != nullptr) {
        m_profile->enter(Phase::kLoaderWait);
    }
    PLUMBLINE_ASSIGN(std::optional<data::HostBatch> host, m_setup->loader->next(&m_control));
    if (!host) {
        PLUMBLINE_ASSIGN(host, m_setup->loader->next(&m_control));
    }
    if (!host) {
        return fail(ErrorKind::kInvalid, "no-batches", "The training split gives no batch.", "/data/loader/batch_size",
                    "Lower batch_size, or set drop_last to false.");
    }
    m_waitMs = m_setup->loader->lastWaitMs();
    m_setup->batch.clear();
    m_host = std::move(host);
    if (m_profile != nullptr) {
        m_profile->enter(Phase::kToDevice);
    }
    return bind(*m_host);
}

Status ProbeBench::bind(const data::HostBatch& host) {
    try {
        m_setup->batch.clear();
        m_setup->assembly.binder.bind(host, m_setup->batch);
        return {};
    } catch (...) {
        return fail(model::errorOfCurrentException("A batch could not be taken over", ""));
    }
}

Result<ProbeStep> ProbeBench::step() {
    return timedStep([this] { return m_setup->step->run(m_setup->batch); });
}

Result<ProbeStep> ProbeBench::wholeStep() {
    TrainingSetup& setup = *m_setup;
    const std::int64_t batches = setup.length.accumulation;
    // What counts in the step decides each batch's share, so its batches are there first.
    std::deque<data::HostBatch> hosts;
    std::vector<double> inStep(setup.objective->size(), 0);
    std::int64_t samples = 0;
    double waitMs = 0;
    while (static_cast<std::int64_t>(hosts.size()) < batches) {
        PLUMBLINE_TRY(nextBatch());
        waitMs += m_waitMs;
        const std::vector<double> counts = setup.objective->counts(BatchBinder::hostTargets(*m_host), m_host->size());
        for (std::size_t loss = 0; loss < inStep.size(); ++loss) {
            inStep[loss] += counts[loss];
        }
        samples += m_host->size();
        setup.batch.clear();
        hosts.push_back(std::move(*m_host));
        m_host.reset();
    }
    m_waitMs = waitMs;
    PLUMBLINE_ASSIGN(ProbeStep step, timedStep([&]() -> Result<StepOutcome> {
                         for (const data::HostBatch& host : hosts) {
                             PLUMBLINE_TRY(bind(host));
                             std::vector<double> shares =
                                 setup.objective->counts(setup.batch.targets, setup.batch.samples);
                             for (std::size_t loss = 0; loss < shares.size(); ++loss) {
                                 shares[loss] = setup.objective->share(loss, shares[loss], inStep[loss]);
                             }
                             PLUMBLINE_TRY(setup.step->accumulate(setup.batch, shares));
                         }
                         return setup.step->finish();
                     }));
    step.samples = samples;
    m_host = std::move(hosts.back());  // the memory of the batch at hand
    return step;
}

Result<ProbeStep> ProbeBench::timedStep(const std::function<Result<StepOutcome>()>& compute) {
    PLUMBLINE_TRY(passOrStop(m_control, {}));
    TrainingSetup& setup = *m_setup;
    const Clock::time_point began = Clock::now();
    if (setup.monitor != nullptr) {
        setup.monitor->beginStep(1, 0);
        for (const BatchBinder::Converted& converted : setup.assembly.binder.converted()) {
            setup.monitor->sawInputDtype({converted.leaf, converted.dtype, converted.expected, converted.input});
        }
    }
    const Result<StepOutcome> computed = compute();
    if (!computed) {
        return fail(explainOutOfMemory(computed.error(), setup, m_request.project));
    }
    const StepOutcome& outcome = *computed;
    synchronize();
    ProbeStep step;
    step.ms = milliseconds(Clock::now() - began);
    step.loss = outcome.loss;
    step.applied = outcome.applied;
    step.waitMs = m_waitMs;
    step.samples = setup.batch.samples;
    if (setup.monitor != nullptr) {
        if (outcome.counts) {
            monitor::StepReport report;
            report.learningRate = setup.optimizer->largestLearningRate();
            report.applied = outcome.applied;
            report.usesScaler = setup.scaler != nullptr;
            report.scale = setup.scaler != nullptr ? setup.scaler->currentScale() : 1.0;
            report.foundInf = !outcome.applied;
            report.updateCalled = outcome.updateCalled;
            report.stepMs = step.ms;
            report.loaderWaitMs = m_waitMs;
            setup.monitor->afterStep(report);
        } else {
            setup.monitor->passOverStep();
        }
    }
    return step;
}

void ProbeBench::synchronize() const {
    const std::vector<at::Tensor>& parameters = m_setup->optimizer->parameters();
    if (!m_setup->device().is_cpu() && !parameters.empty()) {
        readScalar(parameters.front().detach().reshape({-1}).slice(0, 0, 1).reshape({}).to(at::kCPU));
    }
}

Result<Json> probe(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress) {
    switch (request.kind) {
        case session::ProbeKind::kPreflight:
            return probePreflight(request, control, progress);
        case session::ProbeKind::kLearningRate:
            return probeLearningRate(request, control, progress);
        case session::ProbeKind::kBatchSize:
            return probeBatchSize(request, control, progress);
        case session::ProbeKind::kProfile:
            return probeProfile(request, control, progress);
        case session::ProbeKind::kOverfit:
            return probeOverfit(request, control, progress);
    }
    return fail(ErrorKind::kUsage, "unknown-probe", "There is no such probe.");
}

}  // namespace plumbline::train
