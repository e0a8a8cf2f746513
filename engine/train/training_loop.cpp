#include "train/training_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "core/text.h"
#include "model/failure.h"
#include "train/checkpoint.h"
#include "train/evaluation.h"
#include "train/live_settings.h"
#include "train/run_keeper.h"
#include "train/run_reporter.h"
#include "train/stall_watch.h"
#include "train/training_setup.h"

namespace plumbline::train {

namespace {

/// Why a run ended, when it did not fail.
struct Ending {
    std::string status = "completed";
    std::string code = "epochs";
    std::string message;
};

/// A batch, and what counts in it for each loss (Objective::counts); empty where that is all of its samples.
struct CountedBatch {
    data::HostBatch host;
    std::vector<double> counts;

    double counted(std::size_t loss) const { return counts.empty() ? static_cast<double>(host.size()) : counts[loss]; }
};

std::string codeOf(StopReason reason) {
    switch (reason) {
        case StopReason::kInterrupt: return "interrupt";
        case StopReason::kTerminate: return "terminate";
        case StopReason::kFinding: return "finding";
        case StopReason::kNone:
        case StopReason::kUser: break;
    }
    return "user";
}

class TrainingLoop {
public:
    TrainingLoop(const session::TrainRequest& request, session::RunSink& sink, RunControl& control, session::LiveCommands& live)
        : m_request(request),
          m_plan(request.project.training),
          m_sink(sink),
          m_control(control),
          m_live(live),
          m_reporter(sink, m_position),
          m_keeper(request, sink, m_reporter, m_position) {}

    Result<session::RunSummary> run();

private:
    Status prepare();
    Status begin();
    Status resume();

    // The loops.
    Status trainEpochs();
    Status trainEpoch();
    Result<std::optional<CountedBatch>> nextBatch();
    Result<std::optional<CountedBatch>> loadBatch();
    Status openStep(const CountedBatch& first);
    Status trainBatch(const CountedBatch& counted);
    void beginMonitoredStep();
    Status finishStep();
    Status endEpoch();
    /// Saves what is due, and what has just become the best.
    Status keep(bool due, bool judged);
    Status validate();
    /// Whether a forward pass of a validation draws numbers or moves statistics.
    bool validationLeavesTraces() const;
    Status testFinalModel();
    void setRates();
    void takeLiveCommands();
    void applyLive(const session::LiveCommand& command, bool announce);
    Status waitWhilePaused();
    std::int64_t epochs() const { return m_setup != nullptr ? m_setup->length.epochs : m_plan.epochs; }
    /// All of the epoch's batches are done, and its end is not.
    bool epochEnds() const { return m_position.batch == m_setup->length.batchesPerEpoch; }
    bool limitReached() const { return m_setup->length.stepLimit > 0 && m_position.steps.attempted >= m_setup->length.stepLimit; }

    Status end(Status status, Ending& ending);
    Ending endingOfStop() const;
    session::RunSummary summary(const Ending& ending) const;

    const session::TrainRequest& m_request;
    const plan::TrainingPlan& m_plan;
    session::RunSink& m_sink;
    RunControl& m_control;
    session::LiveCommands& m_live;

    std::unique_ptr<TrainingSetup> m_setup;
    Position m_position;
    RunReporter m_reporter;
    RunKeeper m_keeper;
    std::vector<double> m_shares;              ///< of the batch at hand in its step, by loss
    std::deque<CountedBatch> m_ahead;          ///< batches of the open step that had to be counted before its first one is trained on
    std::unique_ptr<StallWatch> m_stallWatch;  ///< of the loader; nullptr without a monitor
};

Status TrainingLoop::prepare() {
    PLUMBLINE_ASSIGN(m_setup, setUpTraining(m_request, m_sink, m_control));
    m_reporter.use(*m_setup);
    m_sink.record(recordOf(*m_setup, m_request.project));
    for (const std::string& warning : m_setup->assembly.dataset->warnings()) {
        m_reporter.log("warning", warning);
    }
    PLUMBLINE_TRY(m_keeper.use(*m_setup));
    if (m_setup->monitor != nullptr) {
        m_stallWatch = std::make_unique<StallWatch>([monitor = m_setup->monitor.get()](double ms) { monitor->loaderGivesNothing(ms); });
        m_stallWatch->start();
    }
    return m_request.resume ? resume() : begin();
}

Status TrainingLoop::begin() {
    m_setup->loader->seek({});
    m_position.epochLosses.resize(m_setup->objective->size());
    m_position.scheduleLength = m_setup->length.schedule;
    return m_keeper.save();
}

Status TrainingLoop::resume() {
    PLUMBLINE_TRY(m_keeper.restore());
    m_reporter.progress(true);
    for (const auto& [path, value] : m_position.live.items()) {
        applyLive({path, value}, false);
    }
    if (m_position.leftInEval) {
        m_setup->assembly.model->train(false);
    }
    if (m_setup->step->isOpen()) {
        beginMonitoredStep();
    }
    if (m_position.scheduleLength == 0) {
        // Begun before stop.steps counted for the length of a schedule: it goes on as it began.
        const bool countsSteps = m_setup->scheduler->unit() == plan::Unit::kStep;
        m_position.scheduleLength = countsSteps ? m_setup->length.totalSteps() : m_setup->length.epochs;
    }
    m_setup->scheduler = std::make_unique<Scheduler>(m_plan.scheduler, m_position.scheduleLength);
    m_setup->loader->seek(epochEnds() ? data::LoaderState{m_position.epoch + 1, 0} : data::LoaderState{m_position.epoch, m_position.batch});
    m_reporter.log("info", fmt::format("Goes on after step {}, epoch {}.", m_position.steps.attempted, m_position.epoch + 1));
    return {};
}

// ---- The loops ------------------------------------------------------------------------------------------------------

Result<session::RunSummary> TrainingLoop::run() {
    Status status = prepare();
    const bool running = status.has_value();
    if (running) {
        m_sink.state(session::RunState::kRunning);
        status = trainEpochs();
    }
    Ending ending;
    status = end(std::move(status), ending);
    if (running) {
        m_reporter.progress(true);
    }
    if (!status) {
        m_sink.state(session::RunState::kFailed);
        return fail(status.error());
    }
    PLUMBLINE_TRY(m_sink.flush());
    m_sink.state(ending.status == "completed" ? session::RunState::kCompleted : session::RunState::kStopped);
    return summary(ending);
}

Status TrainingLoop::trainEpochs() {
    m_reporter.restartStepClock();
    if (m_position.validationPending) {
        PLUMBLINE_TRY(validate());
        PLUMBLINE_TRY(keep(false, m_keeper.validationDecides()));
    }
    while (m_position.epoch < epochs()) {
        // The end of an epoch belongs to its last step, also where that is the run's last and a stop came in between.
        if (!epochEnds()) {
            PLUMBLINE_TRY(trainEpoch());
        }
        if (!epochEnds()) {
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
        PLUMBLINE_ASSIGN(std::optional<CountedBatch> next, nextBatch());
        if (!next) {
            break;
        }
        if (!m_setup->step->isOpen()) {
            PLUMBLINE_TRY(openStep(*next));
        }
        PLUMBLINE_TRY(trainBatch(*next));
        m_setup->batch.clear();
        m_setup->loader->recycle(std::move(next->host));
    }
    return {};
}

Result<std::optional<CountedBatch>> TrainingLoop::nextBatch() {
    if (m_ahead.empty()) {
        return loadBatch();
    }
    std::optional<CountedBatch> next = std::move(m_ahead.front());
    m_ahead.pop_front();
    return next;
}

Result<std::optional<CountedBatch>> TrainingLoop::loadBatch() {
    std::optional<CountedBatch> loaded;
    const StallWatch::Waiting waiting(m_stallWatch.get());
    auto host = m_setup->loader->next(&m_control);
    m_reporter.waitedForLoader(m_setup->loader->lastWaitMs());
    if (!host) {
        return fail(host.error());
    }
    if (*host) {
        CountedBatch& batch = loaded.emplace(CountedBatch{std::move(**host), {}});
        if (m_setup->countsVary) {
            batch.counts = m_setup->objective->counts(BatchBinder::hostTargets(batch.host), batch.host.size());
        }
    }
    return loaded;
}

/// Before the first batch of a step: how much will count in it for each loss. Where only the labels tell, all of its batches
/// are fetched first.
Status TrainingLoop::openStep(const CountedBatch& first) {
    const RunLength& length = m_setup->length;
    m_position.stepSamples = length.samplesOfStep(m_position.batch);
    if (m_setup->countsVary) {
        m_position.stepCounted = first.counts;
    } else {
        m_position.stepCounted.assign(m_setup->objective->size(), static_cast<double>(m_position.stepSamples));
    }
    for (std::int64_t batch = m_position.batch + 1; m_setup->countsVary && !length.endsStep(batch); ++batch) {
        PLUMBLINE_ASSIGN(std::optional<CountedBatch> next, loadBatch());
        if (!next) {
            break;
        }
        for (std::size_t loss = 0; loss < next->counts.size(); ++loss) {
            m_position.stepCounted[loss] += next->counts[loss];
        }
        m_ahead.push_back(std::move(*next));
    }
    beginMonitoredStep();
    return {};
}

/// Before the first batch of a step; after a resume, for the one that was open.
void TrainingLoop::beginMonitoredStep() {
    monitor::Monitor* const monitor = m_setup->monitor.get();
    if (monitor == nullptr) {
        return;
    }
    monitor->beginStep(m_position.epoch + 1, m_setup->length.firstBatchOfStep(m_position.batch));
    for (const BatchBinder::Converted& converted : m_setup->assembly.binder.converted()) {
        monitor->sawInputDtype({converted.leaf, converted.dtype, converted.expected, converted.input});
    }
}

Status TrainingLoop::trainBatch(const CountedBatch& counted) {
    TensorBatch& batch = m_setup->batch;
    try {
        m_setup->assembly.binder.bind(counted.host, batch);
    } catch (...) {
        return fail(model::errorOfCurrentException("A batch could not be taken over", ""));
    }
    TrainStep& step = *m_setup->step;
    m_shares.resize(m_setup->objective->size());
    for (std::size_t loss = 0; loss < m_shares.size(); ++loss) {
        const double count = counted.counted(loss);
        // A step that a version 1 checkpoint left open goes on by samples.
        m_shares[loss] = count <= 0                       ? 0.0
                         : m_position.stepCounted.empty() ? static_cast<double>(batch.samples) / static_cast<double>(m_position.stepSamples)
                                                          : count / m_position.stepCounted[loss];
    }
    PLUMBLINE_TRY(step.accumulate(batch, m_shares));
    for (std::size_t loss = 0; loss < m_shares.size(); ++loss) {
        // The mean over nothing is no number and counts nothing.
        if (m_shares[loss] > 0) {
            m_position.epochLosses[loss].sum += step.batchValues()[loss] * counted.counted(loss);
            m_position.epochLosses[loss].counted += counted.counted(loss);
        }
    }
    if (m_setup->monitor != nullptr && step.batchCounts()) {
        m_setup->monitor->sawBatchLoss(step.batchLoss(), m_position.batch);
    }
    ++m_position.batch;
    return m_setup->length.endsStep(m_position.batch) ? finishStep() : Status{};
}

Status TrainingLoop::finishStep() {
    PLUMBLINE_ASSIGN(const StepOutcome outcome, m_setup->step->finish());
    session::StepCounts& steps = m_position.steps;
    ++steps.attempted;
    outcome.applied ? ++steps.applied : ++steps.skipped;
    m_reporter.step(outcome);
    setRates();
    bool judged = false;
    const auto isDue = [&](std::int64_t every, plan::Unit unit) { return unit == plan::Unit::kStep && every > 0 && steps.attempted % every == 0; };
    if (m_setup->validation != nullptr && isDue(m_plan.validationEvery, m_plan.validationUnit)) {
        m_position.validationPending = true;
        PLUMBLINE_TRY(validate());
        // The best weights are those that were validated, not the ones at the end of the epoch.
        judged = m_keeper.validationDecides();
    }
    return keep(isDue(m_plan.checkpoints.every, m_plan.checkpoints.unit), judged);
}

Status TrainingLoop::keep(bool due, bool judged) {
    if (judged) {
        m_position.judgedStep = m_position.steps.attempted;
    }
    const bool best = judged && m_keeper.isBest();
    if (best || due) {
        PLUMBLINE_TRY(m_keeper.save());
    }
    return best ? m_keeper.markBest() : Status{};
}

Status TrainingLoop::endEpoch() {
    const bool last = m_position.epoch + 1 == epochs();
    const auto isDue = [&](std::int64_t every, plan::Unit unit) {
        return unit == plan::Unit::kEpoch && (last || (every > 0 && (m_position.epoch + 1) % every == 0));
    };
    const bool validates = m_setup->validation != nullptr && m_plan.validationEvery > 0;
    if (validates && !m_position.validated && (last || isDue(m_plan.validationEvery, m_plan.validationUnit))) {
        PLUMBLINE_TRY(validate());
    }
    const StepPoint now = m_reporter.point();
    double loss = std::nan("");  // no value where nothing counted for any loss; one for which nothing did adds nothing
    bool hasLoss = false;
    for (std::size_t i = 0; i < m_position.epochLosses.size(); ++i) {
        const GatheredLoss& gathered = m_position.epochLosses[i];
        if (gathered.counted > 0) {
            loss = (hasLoss ? loss : 0) + m_setup->objective->weight(i) * (gathered.sum / gathered.counted);
            hasLoss = true;
        }
    }
    if (hasLoss) {
        m_position.values["train.loss"] = loss;
    } else {
        m_position.values.erase("train.loss");
    }
    Json data = {{"epoch", m_position.epoch + 1}, {"step", m_position.steps.attempted}};
    for (std::size_t i = 0; i < m_setup->metrics.size(); ++i) {
        const std::string name = "train." + m_setup->metrics.name(i);
        m_position.values[name] = m_setup->metrics.value(i);
        m_setup->publisher->epochValue(now, name, m_setup->metrics.value(i));
    }
    Json values = Json::object();
    for (const auto& [name, value] : m_position.values) {
        // What an earlier epoch's validation gave is no news of this one.
        if (!name.starts_with("val.") || m_position.validationEpoch == m_position.epoch) {
            values[name] = std::isfinite(value) ? Json(value) : Json();
        }
    }
    data["metrics"] = std::move(values);
    m_reporter.event("epoch", std::move(data));
    if (m_setup->monitor != nullptr) {
        m_setup->monitor->endEpoch({loss, m_position.judgedSamples, m_position.correctSamples, m_position.distinctPredictions});
    }
    // What an earlier step's validation gave is no news of the model as it is now.
    const bool decided = m_position.validated || !m_keeper.validationDecides();
    const bool saves = isDue(m_plan.checkpoints.every, m_plan.checkpoints.unit);
    ++m_position.epoch;
    m_position.batch = 0;
    m_position.epochLosses.assign(m_position.epochLosses.size(), {});
    m_position.validated = false;
    m_position.judgedSamples = 0;
    m_setup->metrics.reset();
    setRates();
    PLUMBLINE_TRY(keep(saves, decided));
    m_reporter.restartStepClock();
    return {};
}

Status TrainingLoop::validate() {
    std::optional<ForwardTraces> before;
    if (validationLeavesTraces()) {
        before.emplace(*m_setup->assembly.model);
    }
    auto evaluated = m_setup->validation->run(m_control, m_setup->monitor.get(), m_plan.expert, [this] { (void)waitWhilePaused(); }, m_stallWatch.get());
    if (!evaluated) {
        // A stop: the validation is done again after a resume, so it may leave no trace.
        if (before) {
            before->restore();
        }
        return fail(evaluated.error());
    }
    const StepPoint now = m_reporter.point();
    for (const auto& [name, value] : evaluated->values) {
        m_position.values["val." + name] = value;
        m_setup->publisher->epochValue(now, "val." + name, value);
    }
    // Without an accuracy there is nothing for the detectors to judge.
    m_position.judgedSamples = evaluated->judged;
    m_position.correctSamples = evaluated->correct;
    m_position.distinctPredictions = evaluated->distinctPredictions;
    m_position.validated = epochEnds();
    m_position.validationEpoch = m_position.epoch;
    m_position.validationPending = false;
    m_position.leftInEval = m_plan.expert.keepEvalAfterValidation;
    m_reporter.restartStepClock();
    return {};
}

bool TrainingLoop::validationLeavesTraces() const {
    const auto& blocks = m_setup->assembly.model->graph().nodes;
    return m_plan.expert.validateInTrainMode || std::any_of(blocks.begin(), blocks.end(), [](const graph::ResolvedNode& block) { return block.mode == "stochastic"; });
}

Status TrainingLoop::testFinalModel() {
    const Assembly& assembly = m_setup->assembly;
    if (assembly.dataset->size(data::Split::kTest) == 0) {
        return {};
    }
    if (!m_position.bestCheckpoint.empty()) {
        auto best = readModelState(m_keeper.bestFile());
        if (best) {
            PLUMBLINE_TRY(assembly.model->loadStateDict(*best));
        } else {
            m_reporter.log("warning", "The best checkpoint cannot be read, so the last model is tested. " + toSentence(best.error()));
        }
    }
    PLUMBLINE_ASSIGN(const auto evaluator, Evaluator::make(m_plan, m_request.project.data.loader, data::Split::kTest,
                                                           {assembly.model.get(), &assembly.binder, assembly.dataset, assembly.names, m_setup->device()}));
    PLUMBLINE_ASSIGN(const Evaluation evaluated, evaluator->run(m_control, nullptr, {}, [this] { (void)waitWhilePaused(); }, m_stallWatch.get()));
    const StepPoint now = m_reporter.point();
    for (const auto& [name, value] : evaluated.values) {
        m_position.values["test." + name] = value;
        m_setup->publisher->epochValue(now, "test." + name, value);
    }
    return {};
}

void TrainingLoop::setRates() {
    const plan::ExpertSpec& expert = m_plan.expert;
    const std::int64_t batches = m_position.epoch * m_setup->length.batchesPerEpoch + m_position.batch;
    const std::int64_t steps = expert.schedulerOnSkippedStep ? m_position.steps.attempted : m_position.steps.applied;
    const bool countsSteps = m_setup->scheduler->unit() == plan::Unit::kStep;
    const std::int64_t position = expert.schedulerEveryBatch ? batches : countsSteps ? steps : m_position.epoch;
    Optimizer& optimizer = *m_setup->optimizer;
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        optimizer.setLearningRate(group, m_setup->scheduler->rate(optimizer.baseLearningRate(group), position));
    }
}

void TrainingLoop::takeLiveCommands() {
    if (m_setup->step->isOpen()) {
        return;
    }
    for (const session::LiveCommand& command : m_live.take()) {
        applyLive(command, true);
    }
}

void TrainingLoop::applyLive(const session::LiveCommand& command, bool announce) {
    const Status status = applyLiveSetting(command, m_plan, *m_setup->optimizer, *m_setup->step);
    if (!status) {
        m_reporter.log("warning", toSentence(status.error()));
        return;
    }
    m_position.live[command.path] = command.value;
    setRates();
    if (announce) {
        m_reporter.event("command", {{"path", command.path}, {"value", command.value}, {"step", m_position.steps.attempted}});
    }
}

Status TrainingLoop::waitWhilePaused() {
    return passOrStop(m_control, [this] {
        m_sink.state(session::RunState::kPaused);
        (void)m_sink.flush();
        m_control.waitWhilePaused();
        m_sink.state(m_control.stopRequested() ? session::RunState::kStopping : session::RunState::kRunning);
        m_reporter.restartStepClock();
    });
}

// ---- The end --------------------------------------------------------------------------------------------------------

/// What is left to do after the loops: the last checkpoint and the test split. Says in `ending` why the run ended.
Status TrainingLoop::end(Status status, Ending& ending) {
    if (!status && isStop(status.error())) {
        m_sink.state(session::RunState::kStopping);
        ending = endingOfStop();
        return m_setup != nullptr && m_keeper.hasAny() ? m_keeper.save() : Status{};
    }
    PLUMBLINE_TRY(std::move(status));
    if (limitReached()) {
        const bool ofPlan = m_request.maxSteps == 0 || (m_plan.maxSteps > 0 && m_plan.maxSteps <= m_request.maxSteps);
        ending = {ofPlan ? "completed" : "stopped", "max_steps",
                  fmt::format("Reached the limit of {} in epoch {} of {}.", counted(m_setup->length.stepLimit, "step"), std::min(m_position.epoch + 1, epochs()), epochs())};
    } else {
        ending.message = fmt::format("Trained for {}, {}.", counted(epochs(), "epoch"), counted(m_position.steps.attempted, "step"));
    }
    if (!m_keeper.isSaved()) {
        PLUMBLINE_TRY(m_keeper.save());
    }
    Status tested = testFinalModel();
    if (!tested && isStop(tested.error())) {
        ending = endingOfStop();
        return {};
    }
    return tested;
}

Ending TrainingLoop::endingOfStop() const {
    const StopReason reason = m_control.stopReason();
    if (!m_keeper.hasAny()) {
        const session::RunSummary nothing = stoppedBeforeItBegan(reason);
        return {nothing.status, nothing.stopCode, nothing.stopMessage};
    }
    const std::string where = fmt::format("after {}, in epoch {} of {}", counted(m_position.steps.attempted, "step"),
                                          std::min(m_position.epoch + 1, epochs()), epochs());
    switch (reason) {
        case StopReason::kInterrupt: return {"stopped", codeOf(reason), fmt::format("Interrupted {}; everything so far is saved.", where)};
        case StopReason::kTerminate: return {"stopped", codeOf(reason), fmt::format("Terminated {}; everything so far is saved.", where)};
        case StopReason::kFinding: return {"stopped", codeOf(reason), fmt::format("Stopped by a finding {}.", where)};
        case StopReason::kNone:
        case StopReason::kUser: break;
    }
    return {"stopped", codeOf(reason), fmt::format("Stopped {}.", where)};
}

session::RunSummary TrainingLoop::summary(const Ending& ending) const {
    session::RunSummary summary;
    summary.status = ending.status;
    summary.stopCode = ending.code;
    summary.stopMessage = ending.message;
    summary.epochs = m_position.epoch;
    summary.steps = m_position.steps;
    for (const auto& [name, value] : m_position.values) {
        summary.metrics[name] = value;
    }
    summary.checkpoint = m_keeper.newest();
    summary.bestCheckpoint = m_position.bestCheckpoint;
    if (m_setup != nullptr) {
        m_reporter.fill(summary);
    }
    return summary;
}

}  // namespace

session::RunSummary stoppedBeforeItBegan(StopReason reason) {
    session::RunSummary summary;
    summary.status = "stopped";
    summary.stopCode = codeOf(reason);
    summary.stopMessage = "Stopped before it began.";
    return summary;
}

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
