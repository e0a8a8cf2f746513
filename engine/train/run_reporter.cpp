#include "train/run_reporter.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"
#include "model/memory.h"
#include "train/device_memory.h"

namespace plumbline::train {

namespace {

constexpr double kProgressEveryMs = 50;
constexpr std::int64_t kSettledStep = 2;  ///< by then the optimizer has its state

}  // namespace

StepPoint RunReporter::point() const {
    StepPoint point;
    point.step = m_position.steps.attempted;
    // Between two epochs it is the one that is over.
    point.epoch = static_cast<std::int32_t>(m_position.batch == 0 && m_position.epoch > 0 ? m_position.epoch
                                                                                          : m_position.epoch + 1);
    point.elapsedMs = elapsedMs();
    point.skipped = m_position.steps.skipped;
    return point;
}

void RunReporter::step(const StepOutcome& outcome) {
    const Clock::time_point now = Clock::now();
    StepPoint point = this->point();
    point.loss = outcome.loss;
    point.hasLoss = outcome.counts;
    point.phaseLosses = outcome.phaseLosses;
    point.stepMs = milliseconds(now - m_lastStepEnd);
    point.loaderWaitMs = m_waitMs;
    point.usesScaler = m_setup->scaler != nullptr;
    point.scale = m_setup->scaler != nullptr ? m_setup->scaler->currentScale() : 1.0;
    if (m_setup->monitor != nullptr) {
        outcome.counts ? tellMonitor(point, outcome) : m_setup->monitor->passOverStep();
    }
    m_setup->publisher->step(point, *m_setup->optimizer);
    if (outcome.counts && !outcome.applied) {
        event("skipped", {{"step", point.step},
                          {"epoch", point.epoch},
                          {"scale", outcome.scaleBefore},
                          {"next_scale", outcome.scaleAfter},
                          {"blocks", outcome.nonFiniteBlocks}});
    }
    m_trainedSamples += m_position.stepSamples;
    m_trainingMs += point.stepMs;
    m_pace.step(m_position.stepSamples, point.stepMs);
    const bool slow = point.step % MetricPublisher::kSlowStride == 0;
    seeMemory(slow || m_optimizerState.peak == 0);
    if (slow) {
        const std::int64_t activations = model::tensorMemory(model::MemoryCategory::kActivations).peak;
        m_setup->publisher->slow(point, m_pace.samplesPerSecond(),
                                 {m_gradients.current, m_optimizerState.current, m_prefetch.current, activations});
    }
    if (point.step - m_position.beganAt == kSettledStep && !m_setup->checkpointing.blocks.empty()) [[unlikely]] {
        tellCheckpointing();
    }
    if (milliseconds(now - m_lastProgress) >= kProgressEveryMs) {
        progress(false);
    }
    m_waitMs = 0;
    m_interrupted = false;
    m_lastStepEnd = now;
}

void RunReporter::tellCheckpointing() {
    const CheckpointingChoice& choice = m_setup->checkpointing;
    if (choice.peak >= choice.peakWithout) {
        log("warning",
            fmt::format("Activation checkpointing of {} saves nothing: a step's peak of {:.1f} MB was predicted with "
                        "it and {:.1f} MB without. Leave these blocks out of training.activation_checkpointing.blocks.",
                        counted(static_cast<std::int64_t>(choice.blocks.size()), "block"), megabytes(choice.peak),
                        megabytes(choice.peakWithout)));
        return;
    }
    log("info", fmt::format("Activation checkpointing of {} keeps {:.1f} MB less than {:.1f} MB without it: a step's "
                            "peak of {:.1f} MB was predicted and {:.1f} MB measured.",
                            counted(static_cast<std::int64_t>(choice.blocks.size()), "block"),
                            megabytes(choice.peakWithout - choice.peak), megabytes(choice.peakWithout),
                            megabytes(choice.peak), megabytes(memory().tensors.peak)));
}

/// What stays after a step: scratch memory of the backward pass or of the optimizer is no gradient and no state.
void RunReporter::seeMemory(bool all) {
    m_prefetch.see(static_cast<std::int64_t>(m_setup->loader->prefetchedBytes()));
    if (!all) {
        return;
    }
    std::int64_t gradients = 0;
    for (const at::Tensor& parameter : m_setup->optimizer->parameters()) {
        const at::Tensor& gradient = parameter.grad();
        gradients += gradient.defined() ? static_cast<std::int64_t>(gradient.nbytes()) : 0;
    }
    m_gradients.see(gradients);
    m_optimizerState.see(m_setup->optimizer->stateBytes() +
                         (m_setup->average != nullptr ? m_setup->average->bytes() : 0));
}

void RunReporter::tellMonitor(const StepPoint& point, const StepOutcome& outcome) {
    monitor::StepReport report;
    report.learningRate = m_setup->optimizer->largestLearningRate();
    report.applied = outcome.applied;
    report.usesScaler = point.usesScaler;
    report.scale = point.scale;
    report.foundInf = !outcome.applied;
    report.updateCalled = outcome.updateCalled;
    report.stepMs = point.stepMs;
    report.loaderWaitMs = point.loaderWaitMs;
    report.includesCheckpoint = m_interrupted;
    m_setup->monitor->afterStep(report);
    if (m_setup->monitor->measures()) {
        m_setup->publisher->measured(point);
    }
}

void RunReporter::progress(bool always) {
    if (m_setup == nullptr || (m_position.steps.attempted == 0 && !always)) {
        return;
    }
    m_lastProgress = Clock::now();
    const RunLength& length = m_setup->length;
    session::RunSink::Progress progress;
    progress.step = m_position.steps.attempted;
    progress.totalSteps = length.lastStep();
    progress.epoch = std::min(m_position.epoch + 1, length.epochs);
    progress.totalEpochs = length.epochs;
    progress.applied = m_position.steps.applied;
    progress.skipped = m_position.steps.skipped;
    progress.samplesPerSecond = m_pace.samplesPerSecond();
    // By the pace that is told beside it: a pause and the slow first steps say nothing about what is left.
    progress.etaSeconds = m_pace.secondsFor(progress.totalSteps - progress.step);
    progress.memory = memory();
    m_sink.progress(progress);
}

session::MemorySummary RunReporter::memory() const {
    session::MemorySummary memory;
    const at::Device device = m_setup->device();
    if (device.is_cpu()) {
        const model::MemoryUse use = model::tensorMemory();
        memory.tensors = {use.current, use.peak};
    } else {
        const DeviceMemory use = deviceMemory(device);
        memory.tensors = {use.allocated, use.peakAllocated};
    }
    std::int64_t parameters = 0;
    for (const auto* states : {&m_setup->assembly.model->parameters(), &m_setup->assembly.model->buffers()}) {
        for (const model::NamedState& state : *states) {
            parameters += state.shared ? 0 : static_cast<std::int64_t>(state.tensor.nbytes());
        }
    }
    // A device's allocator does not tell what a block is for: there activations stay 0.
    const model::MemoryUse activations =
        device.is_cpu() ? model::tensorMemory(model::MemoryCategory::kActivations) : model::MemoryUse();
    memory.parts = {session::MemoryUse{parameters, parameters},
                    {m_gradients.current, m_gradients.peak},
                    {m_optimizerState.current, m_optimizerState.peak},
                    {activations.current, activations.peak},
                    {m_prefetch.current, m_prefetch.peak}};
    return memory;
}

void RunReporter::fill(session::RunSummary& summary) const {
    summary.samplesPerSecond = m_trainingMs > 0 ? 1000.0 * static_cast<double>(m_trainedSamples) / m_trainingMs : 0;
    summary.seconds = elapsedMs() / 1000;
    const session::MemorySummary used = memory();
    summary.memory = Json::object();
    for (std::size_t i = 0; i < used.parts.size(); ++i) {
        if (session::kMemoryParts[i] != "activations" || m_setup->device().is_cpu()) {
            summary.memory[std::string(session::kMemoryParts[i])] = {{"current", used.parts[i].current},
                                                                     {"peak", used.parts[i].peak}};
        }
    }
    summary.peakMemoryBytes = used.tensors.peak;
}

}  // namespace plumbline::train
