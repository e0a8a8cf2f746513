#include "train/training_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/files.h"
#include "core/random.h"
#include "model/failure.h"
#include "model/memory.h"
#include "train/assembly.h"
#include "train/checkpoint.h"
#include "train/device_memory.h"
#include "train/evaluation.h"
#include "train/generators.h"
#include "train/live_settings.h"
#include "train/metric_publisher.h"
#include "train/model_watch.h"
#include "train/run_state.h"
#include "train/scheduler.h"
#include "train/step.h"
#include "train/versions.h"

namespace plumbline::train {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double kProgressEveryMs = 50;
/// A batch that took this long is told to the detectors by itself.
constexpr double kLongWaitMs = 1000;

double milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

/// Why a run ended, when it did not fail.
struct Ending {
    std::string status = "completed";
    std::string code = "epochs";
    std::string message;
};

class TrainingLoop {
public:
    TrainingLoop(const session::TrainRequest& request, session::RunSink& sink, RunControl& control, session::LiveCommands& live)
        : m_request(request), m_plan(request.project.training), m_sink(sink), m_control(control), m_live(live), m_checkpoints(request.runFolder) {}

    Result<session::RunSummary> run();

private:
    // Once, in this order.
    Status prepare();
    Status prepareTraining();
    Status prepareMonitor();
    Status begin();
    Status resume();
    void recordChoices();

    // The loops.
    Status trainEpochs();
    Status trainEpoch();
    Status trainBatch(data::HostBatch& host);
    Status finishStep();
    Status endEpoch();
    Status validate();
    Status testFinalModel();
    void setRates();
    void takeLiveCommands();
    void applyLive(const session::LiveCommand& command, bool announce);
    Status waitWhilePaused();
    bool limitReached() const;

    // Telling.
    StepPoint point() const;
    void publishStep(const StepOutcome& outcome);
    void tellProgress(bool always);
    void tell(const std::string& event, Json data);
    void tellLog(const std::string& level, const std::string& message) { tell("log", {{"level", level}, {"message", message}}); }
    double elapsedMs() const { return m_elapsedBefore + milliseconds(Clock::now() - m_began); }
    /// Something else than training took time: it does not count for the next step.
    void restartStepClock() {
        m_lastStepEnd = Clock::now();
        m_interrupted = true;
        m_waitMs = 0;
    }

    // Keeping.
    Status saveCheckpoint();
    /// Whether the series that decides has just had its best value; remembers it.
    bool isBest();
    RunParts parts() { return {m_assembly.model.get(), m_optimizer.get(), m_scaler.get(), m_step.get(), &m_metrics, m_monitor.get()}; }
    Ending endingOfStop() const;
    session::RunSummary summary(const Ending& ending);

    std::int64_t batchesPerEpoch() const { return m_loader->batchesPerEpoch(); }
    std::int64_t stepsPerEpoch() const { return (batchesPerEpoch() + m_plan.accumulation - 1) / m_plan.accumulation; }
    std::int64_t totalSteps() const { return m_plan.epochs * stepsPerEpoch(); }
    std::int64_t stepLimit() const;
    std::int64_t samplesOfStep(std::int64_t batch) const;

    const session::TrainRequest& m_request;
    const plan::TrainingPlan& m_plan;
    session::RunSink& m_sink;
    RunControl& m_control;
    session::LiveCommands& m_live;
    CheckpointFolder m_checkpoints;

    Assembly m_assembly;
    std::unique_ptr<Objective> m_objective;
    MetricSet m_metrics;
    std::unique_ptr<Optimizer> m_optimizer;
    std::unique_ptr<GradScaler> m_scaler;
    std::unique_ptr<monitor::Monitor> m_monitor;
    std::unique_ptr<TrainStep> m_step;
    std::unique_ptr<Scheduler> m_scheduler;
    std::unique_ptr<data::Loader> m_loader;
    std::unique_ptr<Evaluator> m_validation;
    std::unique_ptr<MetricPublisher> m_publisher;
    std::string m_fingerprint;

    Position m_position;
    TensorBatch m_batch;
    std::string m_newestCheckpoint;
    std::int64_t m_newestStep = -1;
    std::pair<std::int64_t, std::int64_t> m_saved{-1, -1};  ///< epoch and batch of the newest checkpoint

    Clock::time_point m_began = Clock::now(), m_lastStepEnd{}, m_lastProgress{};
    double m_elapsedBefore = 0;
    double m_waitMs = 0;
    bool m_interrupted = false;
    double m_samplesPerSecond = 0;
    double m_trainingMs = 0;
    std::int64_t m_trainedSamples = 0;
    std::size_t m_prefetchPeak = 0;
};

// ---- From the project to the first step -----------------------------------------------------------------------------

Status TrainingLoop::prepare() {
    PLUMBLINE_ASSIGN(m_assembly, assemble(m_request.project, m_request.recorded, "", &m_control));
    model::resetMemoryPeaks();
    resetDevicePeak(m_assembly.environment.device);
    m_fingerprint = m_assembly.dataset->fingerprint();
    PLUMBLINE_TRY(prepareTraining());
    PLUMBLINE_TRY(prepareMonitor());
    m_publisher = std::make_unique<MetricPublisher>(m_sink, *m_optimizer, m_scaler != nullptr, m_monitor.get(), m_assembly.environment.device);
    recordChoices();
    for (const std::string& warning : m_assembly.dataset->warnings()) {
        tellLog("warning", warning);
    }
    PLUMBLINE_TRY(makeFolder(m_checkpoints.path()));
    return m_request.resume ? resume() : begin();
}

Status TrainingLoop::prepareTraining() {
    const at::Device device = m_assembly.environment.device;
    PLUMBLINE_ASSIGN(Objective objective, Objective::make(m_plan, m_assembly.names, device));
    m_objective = std::make_unique<Objective>(std::move(objective));
    PLUMBLINE_ASSIGN(m_metrics, MetricSet::make(m_plan, m_assembly.names));
    std::vector<NamedParameter> trained;
    for (const model::NamedState& parameter : m_assembly.model->parameters()) {
        if (!parameter.frozen) {
            trained.push_back({parameter.name, parameter.tensor});
        }
    }
    PLUMBLINE_ASSIGN(m_optimizer, Optimizer::make(m_plan.optimizer, groupParameters(m_plan.optimizer, trained)));
    if (m_plan.precision == plan::Precision::kFp16) {
        m_scaler = std::make_unique<GradScaler>(m_plan.gradScaler, device);
    }
    const data::LoaderSpec& spec = m_request.project.data.loader;
    data::LoaderOptions options;
    options.split = data::Split::kTrain;
    options.batchSize = spec.batchSize;
    options.workers = spec.workers;
    options.prefetchBatches = spec.prefetchBatches;
    options.shuffle = spec.shuffle;
    options.dropLast = spec.dropLast;
    options.augment = true;
    options.seed = m_plan.seed;
    options.sameWorkerSeed = m_plan.expert.sameWorkerSeed;
    options.noShufflePerEpoch = m_plan.expert.noShufflePerEpoch;
    PLUMBLINE_ASSIGN(m_loader, data::makeLoader(m_assembly.dataset, options));
    if (batchesPerEpoch() == 0) {
        return fail(ErrorKind::kInvalid, "no-batches",
                    fmt::format("The training split has {} samples, which gives no batch of {}.", m_assembly.dataset->size(data::Split::kTrain), spec.batchSize),
                    "/data/loader/batch_size", "Lower batch_size, or set drop_last to false.");
    }
    m_scheduler = std::make_unique<Scheduler>(m_plan.scheduler, m_plan.scheduler.unit == plan::Unit::kStep ? totalSteps() : m_plan.epochs);
    if (m_assembly.dataset->size(data::Split::kValidation) > 0) {
        PLUMBLINE_ASSIGN(m_validation, Evaluator::make(m_plan, spec, data::Split::kValidation,
                                                       {m_assembly.model.get(), &m_assembly.binder, m_assembly.dataset, m_assembly.names, device}));
    }
    return {};
}

Status TrainingLoop::prepareMonitor() {
    const plan::MonitorPlan& plan = m_request.project.monitor;
    if (plan.enabled) {
        monitor::Watch watch = watchModel(*m_assembly.model);
        const ClassFacts classes = classFacts(m_plan, *m_assembly.dataset);
        watch.facts.classes = classes.classes;
        watch.facts.majorityShare = classes.majorityShare;
        watch.facts.usesScaler = m_scaler != nullptr;
        watch.facts.batchSize = m_request.project.data.loader.batchSize;
        watch.facts.learningRate = m_plan.optimizer.lr;
        watch.facts.project = m_request.project.json;
        PLUMBLINE_ASSIGN(m_monitor, monitor::Monitor::make(std::move(watch), {m_assembly.environment.monitorStride, 0.02, plan.detectors}));
        m_monitor->onFinding([this](const diagnostics::Finding& finding) { m_sink.finding(finding); });
        m_monitor->onNonFinite([this](std::vector<diagnostics::StepStats::NonFinite>& found) {
            findFirstNonFiniteBlock(*m_assembly.model, m_batch.inputs, m_plan.precision, found);
        });
        m_objective->onShapes([this](const diagnostics::StepStats::LossShape& shape) { m_monitor->sawLossShape(shape); });
    }
    m_step = std::make_unique<TrainStep>(
        m_plan, StepParts{m_assembly.model.get(), m_objective.get(), m_optimizer.get(), m_scaler.get(), &m_metrics, m_monitor.get()},
        m_assembly.environment.device);
    return {};
}

void TrainingLoop::recordChoices() {
    Json record = m_assembly.environment.choices();
    const DeterminismFlags flags = determinismFlags(m_plan.determinism);
    record["flags"] = {{"deterministic_algorithms", flags.deterministicAlgorithms},
                       {"cudnn_deterministic", flags.cudnnDeterministic},
                       {"cudnn_benchmark", flags.cudnnBenchmark},
                       {"tf32", flags.tf32}};
    record["seed"] = m_plan.seed;
    record["batches_per_epoch"] = batchesPerEpoch();
    record["total_steps"] = totalSteps();
    record["data_fingerprint"] = m_fingerprint;
    record["definition_hash"] = project::definitionHash(m_request.project);
    record["versions"] = versions();
    m_sink.record(record);
}

Status TrainingLoop::begin() {
    m_loader->seek({});
    return saveCheckpoint();
}

Status TrainingLoop::resume() {
    std::vector<std::string> damaged;
    PLUMBLINE_ASSIGN(const Checkpoint checkpoint, m_checkpoints.newestWhole(damaged));
    for (const std::string& sentence : damaged) {
        tellLog("warning", "Passed over: " + sentence);
    }
    PLUMBLINE_ASSIGN(m_position, restoreRun(checkpoint, parts(), m_request.project, m_fingerprint));
    m_elapsedBefore = m_position.elapsedMs;
    m_began = Clock::now();
    for (const auto& [path, value] : m_position.live.items()) {
        applyLive({path, value}, false);
    }
    m_newestStep = m_position.steps.attempted;
    m_saved = {m_position.epoch, m_position.batch};
    m_newestCheckpoint = m_checkpoints.relative(m_checkpoints.fileOfStep(m_newestStep));
    m_sink.dropAfter(m_position.steps.attempted);
    m_loader->seek({m_position.epoch, m_position.batch});
    tellLog("info", fmt::format("Goes on after step {}, epoch {}.", m_position.steps.attempted, m_position.epoch + 1));
    return {};
}

// ---- The loops ------------------------------------------------------------------------------------------------------

Result<session::RunSummary> TrainingLoop::run() {
    Status status = prepare();
    if (status) {
        m_sink.state(session::RunState::kRunning);
        status = trainEpochs();
    }
    Ending ending;
    if (!status && isStop(status.error())) {
        m_sink.state(session::RunState::kStopping);
        ending = endingOfStop();
        status = m_step != nullptr && m_newestStep >= 0 ? saveCheckpoint() : Status{};
    } else if (status) {
        if (limitReached()) {
            const bool ofPlan = m_request.maxSteps == 0 || (m_plan.maxSteps > 0 && m_plan.maxSteps <= m_request.maxSteps);
            ending = {ofPlan ? "completed" : "stopped", "max_steps",
                      fmt::format("Reached the limit of {} steps in epoch {} of {}.", stepLimit(), m_position.epoch + 1, m_plan.epochs)};
        }
        if (m_saved != std::pair(m_position.epoch, m_position.batch)) {
            status = saveCheckpoint();
        }
        if (status) {
            status = testFinalModel();
            if (!status && isStop(status.error())) {
                ending = endingOfStop();
                status = {};
            }
        }
    }
    if (!status) {
        m_sink.state(session::RunState::kFailed);
        return fail(status.error());
    }
    if (ending.message.empty()) {
        ending.message = fmt::format("Finished all {} epochs, {} steps.", m_plan.epochs, m_position.steps.attempted);
    }
    tellProgress(true);
    PLUMBLINE_TRY(m_sink.flush());
    m_sink.state(ending.status == "completed" ? session::RunState::kCompleted : session::RunState::kStopped);
    return summary(ending);
}

Status TrainingLoop::trainEpochs() {
    restartStepClock();
    if (m_position.validationPending) {
        PLUMBLINE_TRY(validate());
    }
    while (m_position.epoch < m_plan.epochs && !limitReached()) {
        PLUMBLINE_TRY(trainEpoch());
        if (m_position.batch < batchesPerEpoch()) {
            break;
        }
        PLUMBLINE_TRY(endEpoch());
    }
    return {};
}

Status TrainingLoop::trainEpoch() {
    setRates();
    while (!limitReached()) {
        PLUMBLINE_TRY(waitWhilePaused());
        takeLiveCommands();
        PLUMBLINE_ASSIGN(std::optional<data::HostBatch> host, m_loader->next(&m_control));
        if (!host) {
            break;
        }
        PLUMBLINE_TRY(trainBatch(*host));
        m_batch.clear();
        m_loader->recycle(std::move(*host));
    }
    return {};
}

Status TrainingLoop::trainBatch(data::HostBatch& host) {
    m_waitMs += m_loader->lastWaitMs();
    if (m_monitor != nullptr && m_loader->lastWaitMs() >= kLongWaitMs) {
        m_monitor->loaderGivesNothing(m_loader->lastWaitMs());
    }
    try {
        m_assembly.binder.bind(host, m_batch);
    } catch (...) {
        return fail(model::errorOfCurrentException("A batch could not be taken over", ""));
    }
    const std::int64_t batch = m_position.batch;
    if (!m_step->isOpen()) {
        m_position.stepSamples = samplesOfStep(batch);
        if (m_monitor != nullptr) {
            m_monitor->beginStep(m_position.epoch + 1, batch);
            for (const BatchBinder::Converted& converted : m_assembly.binder.converted()) {
                m_monitor->sawInputDtype({converted.leaf, converted.dtype, converted.expected});
            }
        }
    }
    const double share = m_batch.samples == m_position.stepSamples ? 1.0 : static_cast<double>(m_batch.samples) / static_cast<double>(m_position.stepSamples);
    PLUMBLINE_TRY(m_step->accumulate(m_batch, share));
    ++m_position.batch;
    // The tail of an epoch is flushed: its last step has as many batches as are left.
    const bool due = m_position.batch % m_plan.accumulation == 0 || m_position.batch == batchesPerEpoch();
    return due ? finishStep() : Status{};
}

Status TrainingLoop::finishStep() {
    PLUMBLINE_ASSIGN(const StepOutcome outcome, m_step->finish());
    session::StepCounts& steps = m_position.steps;
    ++steps.attempted;
    outcome.applied ? ++steps.applied : ++steps.skipped;
    m_position.epochLossSum += outcome.loss * static_cast<double>(m_position.stepSamples);
    m_position.epochSamples += m_position.stepSamples;
    publishStep(outcome);
    setRates();
    const auto isDue = [&](std::int64_t every, plan::Unit unit) { return unit == plan::Unit::kStep && every > 0 && steps.attempted % every == 0; };
    if (m_validation != nullptr && isDue(m_plan.validationEvery, m_plan.validationUnit)) {
        m_position.validationPending = true;
        PLUMBLINE_TRY(validate());
    }
    if (isDue(m_plan.checkpoints.every, m_plan.checkpoints.unit)) {
        PLUMBLINE_TRY(saveCheckpoint());
    }
    return {};
}

Status TrainingLoop::endEpoch() {
    const bool last = m_position.epoch + 1 == m_plan.epochs;
    const auto isDue = [&](std::int64_t every, plan::Unit unit) {
        return unit == plan::Unit::kEpoch && (last || (every > 0 && (m_position.epoch + 1) % every == 0));
    };
    if (m_validation != nullptr && !m_position.validated && (last || isDue(m_plan.validationEvery, m_plan.validationUnit))) {
        PLUMBLINE_TRY(validate());
    }
    const StepPoint now = point();
    const double loss = m_position.epochSamples > 0 ? m_position.epochLossSum / static_cast<double>(m_position.epochSamples) : std::nan("");
    m_position.values["train.loss"] = loss;
    Json data = {{"epoch", m_position.epoch + 1}, {"step", m_position.steps.attempted}};
    for (std::size_t i = 0; i < m_metrics.size(); ++i) {
        const std::string name = "train." + m_metrics.name(i);
        m_position.values[name] = m_metrics.value(i);
        m_publisher->epochValue(now, name, m_metrics.value(i));
    }
    Json values = Json::object();
    for (const auto& [name, value] : m_position.values) {
        values[name] = std::isfinite(value) ? Json(value) : Json();
    }
    data["metrics"] = std::move(values);
    tell("epoch", std::move(data));
    if (m_monitor != nullptr) {
        m_monitor->endEpoch({loss, m_position.validated ? m_position.judgedSamples : 0, m_position.correctSamples, m_position.distinctPredictions});
    }
    ++m_position.epoch;
    m_position.batch = 0;
    m_position.epochLossSum = 0;
    m_position.epochSamples = 0;
    m_position.validated = false;
    m_metrics.reset();
    setRates();
    const bool best = isBest();
    if (best || isDue(m_plan.checkpoints.every, m_plan.checkpoints.unit)) {
        PLUMBLINE_TRY(saveCheckpoint());
    }
    if (best) {
        PLUMBLINE_TRY(m_checkpoints.markBest(m_checkpoints.fileOfStep(m_newestStep)));
    }
    restartStepClock();
    return {};
}

Status TrainingLoop::validate() {
    const GeneratorStates before = m_plan.expert.validateInTrainMode ? saveGenerators() : GeneratorStates{};
    auto evaluated = m_validation->run(m_control, m_monitor.get(), m_plan.expert, [this] { (void)waitWhilePaused(); });
    if (!evaluated) {
        // A stop: the validation is done again after a resume, so it may leave no trace.
        restoreGenerators(before);
        return fail(evaluated.error());
    }
    const StepPoint now = point();
    for (const auto& [name, value] : evaluated->values) {
        m_position.values["val." + name] = value;
        m_publisher->epochValue(now, "val." + name, value);
    }
    // Without an accuracy there is nothing for the detectors to judge.
    m_position.judgedSamples = m_metrics.accuracy() != nullptr ? evaluated->samples : 0;
    m_position.correctSamples = evaluated->correct;
    m_position.distinctPredictions = evaluated->distinctPredictions;
    m_position.validated = m_position.batch == batchesPerEpoch();
    m_position.validationPending = false;
    restartStepClock();
    return {};
}

Status TrainingLoop::testFinalModel() {
    if (m_assembly.dataset->size(data::Split::kTest) == 0) {
        return {};
    }
    if (!m_position.bestCheckpoint.empty()) {
        auto best = readModelState(m_checkpoints.bestFile());
        if (best) {
            PLUMBLINE_TRY(m_assembly.model->loadStateDict(*best));
        } else {
            tellLog("warning", "The best checkpoint cannot be read, so the last model is tested. " + toSentence(best.error()));
        }
    }
    PLUMBLINE_ASSIGN(const auto evaluator, Evaluator::make(m_plan, m_request.project.data.loader, data::Split::kTest,
                                                           {m_assembly.model.get(), &m_assembly.binder, m_assembly.dataset, m_assembly.names, m_assembly.environment.device}));
    PLUMBLINE_ASSIGN(const Evaluation evaluated, evaluator->run(m_control, nullptr, {}, [this] { (void)waitWhilePaused(); }));
    const StepPoint now = point();
    for (const auto& [name, value] : evaluated.values) {
        m_position.values["test." + name] = value;
        m_publisher->epochValue(now, "test." + name, value);
    }
    return {};
}

void TrainingLoop::setRates() {
    const plan::ExpertSpec& expert = m_plan.expert;
    const std::int64_t batches = m_position.epoch * batchesPerEpoch() + m_position.batch;
    const std::int64_t steps = expert.schedulerOnSkippedStep ? m_position.steps.attempted : m_position.steps.applied;
    const std::int64_t position = expert.schedulerEveryBatch                        ? batches
                                  : m_scheduler->unit() == plan::Unit::kStep ? steps
                                                                                    : m_position.epoch;
    for (std::size_t group = 0; group < m_optimizer->groupCount(); ++group) {
        m_optimizer->setLearningRate(group, m_scheduler->rate(m_optimizer->baseLearningRate(group), position));
    }
}

void TrainingLoop::takeLiveCommands() {
    if (m_step->isOpen()) {
        return;
    }
    for (const session::LiveCommand& command : m_live.take()) {
        applyLive(command, true);
    }
}

void TrainingLoop::applyLive(const session::LiveCommand& command, bool announce) {
    const Status status = applyLiveSetting(command, m_plan, *m_optimizer, *m_step);
    if (!status) {
        tellLog("warning", toSentence(status.error()));
        return;
    }
    m_position.live[command.path] = command.value;
    setRates();
    if (announce) {
        tell("command", {{"path", command.path}, {"value", command.value}, {"step", m_position.steps.attempted}});
    }
}

Status TrainingLoop::waitWhilePaused() {
    return passOrStop(m_control, [this] {
        m_sink.state(session::RunState::kPaused);
        (void)m_sink.flush();
        m_control.waitWhilePaused();
        m_sink.state(m_control.stopRequested() ? session::RunState::kStopping : session::RunState::kRunning);
        restartStepClock();
    });
}

std::int64_t TrainingLoop::stepLimit() const {
    const std::int64_t asked = m_request.maxSteps, planned = m_plan.maxSteps;
    return asked == 0 ? planned : planned == 0 ? asked : std::min(asked, planned);
}

bool TrainingLoop::limitReached() const { return stepLimit() > 0 && m_position.steps.attempted >= stepLimit(); }

std::int64_t TrainingLoop::samplesOfStep(std::int64_t batch) const {
    const std::int64_t batchSize = m_request.project.data.loader.batchSize;
    const std::int64_t first = batch / m_plan.accumulation * m_plan.accumulation;
    const std::int64_t end = std::min(first + m_plan.accumulation, batchesPerEpoch());
    return std::min(end * batchSize, m_assembly.dataset->size(data::Split::kTrain)) - first * batchSize;
}

// ---- Telling --------------------------------------------------------------------------------------------------------

StepPoint TrainingLoop::point() const {
    StepPoint point;
    point.step = m_position.steps.attempted;
    point.epoch = static_cast<std::int32_t>(m_position.epoch + 1);
    point.elapsedMs = elapsedMs();
    point.skipped = m_position.steps.skipped;
    return point;
}

void TrainingLoop::publishStep(const StepOutcome& outcome) {
    const Clock::time_point now = Clock::now();
    StepPoint point;
    point.step = m_position.steps.attempted;
    point.epoch = static_cast<std::int32_t>(m_position.epoch + 1);
    point.elapsedMs = m_elapsedBefore + milliseconds(now - m_began);
    point.loss = outcome.loss;
    point.stepMs = milliseconds(now - m_lastStepEnd);
    point.loaderWaitMs = m_waitMs;
    point.skipped = m_position.steps.skipped;
    point.usesScaler = m_scaler != nullptr;
    point.scale = m_scaler != nullptr ? m_scaler->currentScale() : 1.0;
    if (m_monitor != nullptr) {
        monitor::StepReport report;
        report.learningRate = m_optimizer->learningRate(0);
        report.applied = outcome.applied;
        report.usesScaler = point.usesScaler;
        report.scale = point.scale;
        report.foundInf = !outcome.applied;
        report.updateCalled = outcome.updateCalled;
        report.stepMs = point.stepMs;
        report.loaderWaitMs = point.loaderWaitMs;
        report.includesCheckpoint = m_interrupted;
        m_monitor->afterStep(report);
        if (m_monitor->measures()) {
            m_publisher->measured(point);
        }
    }
    m_publisher->step(point, *m_optimizer);
    m_trainedSamples += m_position.stepSamples;
    m_trainingMs += point.stepMs;
    const double rate = point.stepMs > 0 ? 1000.0 * static_cast<double>(m_position.stepSamples) / point.stepMs : 0;
    m_samplesPerSecond = m_samplesPerSecond == 0 ? rate : m_samplesPerSecond + 0.05 * (rate - m_samplesPerSecond);
    if (point.step % MetricPublisher::kSlowStride == 0) {
        m_publisher->slow(point, m_samplesPerSecond);
        m_prefetchPeak = std::max(m_prefetchPeak, m_loader->prefetchedBytes());
    }
    if (milliseconds(now - m_lastProgress) >= kProgressEveryMs) {
        tellProgress(false);
    }
    m_waitMs = 0;
    m_interrupted = false;
    m_lastStepEnd = now;
}

void TrainingLoop::tellProgress(bool always) {
    if (m_loader == nullptr || (m_position.steps.attempted == 0 && !always)) {
        return;
    }
    m_lastProgress = Clock::now();
    session::RunSink::Progress progress;
    progress.step = m_position.steps.attempted;
    progress.totalSteps = stepLimit() > 0 ? std::min(stepLimit(), totalSteps()) : totalSteps();
    progress.epoch = std::min(m_position.epoch + 1, m_plan.epochs);
    progress.totalEpochs = m_plan.epochs;
    progress.samplesPerSecond = m_samplesPerSecond;
    const double done = static_cast<double>(progress.step);
    const double left = static_cast<double>(progress.totalSteps - progress.step);
    // Elapsed time over steps holds validation and checkpoints too, as the rest of the run will.
    progress.etaSeconds = done > 0 ? elapsedMs() / 1000 / done * std::max(0.0, left) : 0;
    m_sink.progress(progress);
}

void TrainingLoop::tell(const std::string& event, Json data) { m_sink.event({event, elapsedMs(), std::move(data)}); }

// ---- Keeping --------------------------------------------------------------------------------------------------------

Status TrainingLoop::saveCheckpoint() {
    m_position.elapsedMs = elapsedMs();
    const std::int64_t step = m_position.steps.attempted;
    const std::filesystem::path file = m_checkpoints.fileOfStep(step);
    // What the run has told so far is on disk before the checkpoint that goes on from there.
    PLUMBLINE_TRY(m_sink.flush());
    PLUMBLINE_TRY(writeCheckpoint(file, captureRun(parts(), m_position, m_request.project, m_fingerprint)));
    m_newestStep = step;
    m_saved = {m_position.epoch, m_position.batch};
    m_newestCheckpoint = m_checkpoints.relative(file);
    m_checkpoints.prune(m_plan.checkpoints.keepLast);
    tell("checkpoint", {{"step", step}, {"epoch", m_position.epoch}, {"file", m_newestCheckpoint}});
    restartStepClock();
    return {};
}

bool TrainingLoop::isBest() {
    const auto found = m_position.values.find(m_plan.checkpoints.bestSeries);
    if (found == m_position.values.end() || !std::isfinite(found->second)) {
        return false;
    }
    const auto loss = m_position.values.find("val.loss");
    const double tie = loss != m_position.values.end() ? loss->second : 0;
    const double gain = m_plan.checkpoints.bestIsMax ? found->second - m_position.bestValue : m_position.bestValue - found->second;
    // On a small validation split many epochs share the best accuracy: the lowest loss among them decides.
    const bool better = !m_position.hasBest || gain > 0 || (gain == 0 && tie < m_position.bestTieLoss);
    if (better) {
        m_position.hasBest = true;
        m_position.bestValue = found->second;
        m_position.bestTieLoss = tie;
        m_position.bestCheckpoint = m_checkpoints.relative(m_checkpoints.bestFile());
    }
    return better;
}

Ending TrainingLoop::endingOfStop() const {
    const std::string where = fmt::format("after {} steps, in epoch {} of {}", m_position.steps.attempted,
                                          std::min(m_position.epoch + 1, m_plan.epochs), m_plan.epochs);
    switch (m_control.stopReason()) {
        case StopReason::kInterrupt: return {"stopped", "interrupt", fmt::format("Interrupted {}; everything so far is saved.", where)};
        case StopReason::kTerminate: return {"stopped", "terminate", fmt::format("Terminated {}; everything so far is saved.", where)};
        case StopReason::kFinding: return {"stopped", "finding", fmt::format("Stopped by a finding {}.", where)};
        case StopReason::kNone:
        case StopReason::kUser: break;
    }
    return {"stopped", "user", fmt::format("Stopped {}.", where)};
}

session::RunSummary TrainingLoop::summary(const Ending& ending) {
    session::RunSummary summary;
    summary.status = ending.status;
    summary.stopCode = ending.code;
    summary.stopMessage = ending.message;
    summary.epochs = m_position.epoch;
    summary.steps = m_position.steps;
    for (const auto& [name, value] : m_position.values) {
        summary.metrics[name] = value;
    }
    summary.checkpoint = m_newestCheckpoint;
    summary.bestCheckpoint = m_position.bestCheckpoint;
    summary.samplesPerSecond = m_trainingMs > 0 ? 1000.0 * static_cast<double>(m_trainedSamples) / m_trainingMs : 0;
    summary.seconds = elapsedMs() / 1000;
    summary.memory = Json::object();
    using Category = model::MemoryCategory;
    for (const Category category : {Category::kParameters, Category::kGradients, Category::kOptimizerState, Category::kActivations}) {
        const model::MemoryUse use = model::tensorMemory(category);
        summary.memory[std::string(model::toString(category))] = {{"current", use.current}, {"peak", use.peak}};
    }
    summary.memory["prefetch"] = {{"current", m_loader != nullptr ? m_loader->prefetchedBytes() : 0}, {"peak", m_prefetchPeak}};
    const at::Device device = m_assembly.environment.device;
    summary.peakMemoryBytes = device.is_cpu() ? model::tensorMemory().peak : deviceMemory(device).peakAllocated;
    return summary;
}

}  // namespace

Result<session::RunSummary> train(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                  session::LiveCommands& live) {
    try {
        TrainingLoop loop(request, sink, control, live);
        return loop.run();
    } catch (...) {
        sink.state(session::RunState::kFailed);
        return fail(model::errorOfCurrentException("The run failed", ""));
    }
}

}  // namespace plumbline::train
