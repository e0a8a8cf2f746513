#include "train/training_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/processors.h"
#include "core/text.h"
#include "model/failure.h"
#include "plan/run_length.h"
#include "project/thread_fit.h"
#include "train/batch_queue.h"
#include "train/branch.h"
#include "train/checkpoint.h"
#include "train/environment_trial.h"
#include "train/epoch_values.h"
#include "train/evaluation.h"
#include "train/live_control.h"
#include "train/live_profile.h"
#include "train/live_settings.h"
#include "train/out_of_memory.h"
#include "train/packages.h"
#include "train/recalibration.h"
#include "train/run_ending.h"
#include "train/run_keeper.h"
#include "train/run_reporter.h"
#include "train/sanity_pass.h"
#include "train/stall_watch.h"
#include "train/step_start.h"
#include "train/stop_conditions.h"
#include "train/training_setup.h"

namespace plumbline::train {

namespace {

Json parentOf(const session::BranchPoint& branch, const Checkpoint& checkpoint) {
    const Json position = checkpoint.meta.value("position", Json::object());
    return {{"run", branch.run},
            {"checkpoint", branch.checkpoint.filename().string()},
            {"step", position.value("attempted", std::int64_t{0})},
            {"restored_best", position.value("restored_best", false)}};
}

Status refuseOtherData(const Json& recorded, const std::string& fingerprint) {
    const std::string before = recorded.is_object() ? recorded.value("data_fingerprint", "") : "";
    return before.empty() || before == fingerprint
               ? Status{}
               : Status(fail(ErrorKind::kInvalid, "data-changed",
                             "The data are not those that the run was trained on, so its numbers cannot come again.",
                             "/data", "Put the data back as they were."));
}

class TrainingLoop {
public:
    TrainingLoop(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                 session::LiveCommands& live)
        : m_request(request),
          m_plan(request.project.training),
          m_sink(sink),
          m_control(control),
          m_cadence(request.project.training),
          m_stops(request.project.training, m_position, !request.repeats),
          m_reporter(sink, m_position),
          m_keeper(request, sink, m_reporter, m_position),
          m_profile(request.runFolder, request.runId, m_reporter),
          m_liveControl({request, sink, control, live, m_reporter, m_keeper, m_profile, m_position, m_cadence},
                        [this] { setRates(); }) {}

    Result<session::RunSummary> run();

private:
    Status prepare();
    Status begin();
    Status branch(Checkpoint checkpoint);
    Status resume(const Json& record);
    /// After a resume or a branch: everything in the setup goes on from the position.
    void goOn();

    // The loops.
    Status trainEpochs();
    Status trainEpoch();
    Status openStep(const CountedBatch& first);
    Status trainBatch(const CountedBatch& counted);
    void beginMonitoredStep();
    Status finishStep();
    Status endEpoch();
    /// Saves what is due, and what has just become the best.
    Status keep(bool due, bool judged);
    Status validate();
    /// Takes the weights into the averaged ones, where that is due after this step.
    void average(bool applied);
    /// Gives the averaged weights BatchNorm statistics of their own, where the plan asks for it and they have none.
    Status recalibrate(LookPlace place);
    /// After a resume: a stop may have come while it was done for the newest checkpoint, which is the best.
    Status recalibrateBest();
    void halveRates(const StepOutcome& outcome);
    /// Reduces the learning rate where a validation's value says so.
    void watchPlateau(double value);
    /// Whether a forward pass of a validation draws numbers or moves statistics.
    bool validationLeavesTraces() const;
    Status testFinalModel();
    void setRates();
    /// Before a batch: takes what the run was told, waits out a pause, and is the error "stopped" where it is to stop.
    Status passBetweenBatches();
    /// What an evaluation calls once a batch.
    std::function<void()> looking(LookPlace place) {
        return [this, place] { m_liveControl.look(place); };
    }
    std::int64_t epochs() const { return m_setup != nullptr ? m_setup->length.epochs : m_plan.epochs; }
    /// All of the epoch's batches are done, and its end is not.
    bool epochEnds() const { return m_position.batch == m_setup->length.batchesPerEpoch; }
    /// Whether the run ends here, between two steps.
    bool isOver();

    Status end(Status status, Ending& ending);
    Status restoreBest();
    void saveBeforeFailure();
    session::RunSummary summary(const Ending& ending) const;

    const session::TrainRequest& m_request;
    const plan::TrainingPlan& m_plan;
    session::RunSink& m_sink;
    RunControl& m_control;

    std::unique_ptr<TrainingSetup> m_setup;
    Position m_position;
    Cadence m_cadence;
    StopConditions m_stops;
    std::unique_ptr<StepStart> m_stepStart;
    bool m_isWhole = true;  ///< what is in memory is a state that the run had between two batches
    RunReporter m_reporter;
    RunKeeper m_keeper;
    LiveProfile m_profile;
    LiveControl m_liveControl;
    std::vector<double> m_shares;              ///< of the batch at hand in its step, by loss
    std::unique_ptr<StallWatch> m_stallWatch;  ///< of the loader; nullptr without a monitor
    std::unique_ptr<BatchQueue> m_batches;
    std::unique_ptr<EpochValues> m_values;
};

Status TrainingLoop::prepare() {
    PLUMBLINE_ASSIGN(m_setup, setUpTraining(m_request, m_sink, m_control));
    m_stepStart = std::make_unique<StepStart>(*m_setup->assembly.model);
    m_reporter.use(*m_setup);
    m_values = std::make_unique<EpochValues>(m_plan, *m_setup, m_reporter, m_position);
    m_profile.use(*m_setup);
    m_liveControl.use(*m_setup);
    Json record = recordOf(*m_setup, m_request.project);
    if (m_request.repeats) {
        PLUMBLINE_TRY(refuseOtherData(m_request.recorded, m_setup->fingerprint));
        PLUMBLINE_TRY(
            refuseOtherPackages(m_request.recorded.is_object() ? m_request.recorded.value("packages", Json()) : Json(),
                                m_setup->assembly.model->graph()));
    }
    Checkpoint parent;
    if (m_request.branch) {
        PLUMBLINE_ASSIGN(parent, readCheckpoint(m_request.branch->checkpoint));
        record["parent"] = parentOf(*m_request.branch, parent);
    } else if (m_request.resume && m_request.recorded.is_object() && m_request.recorded.contains("parent")) {
        record["parent"] = m_request.recorded["parent"];
    }
    if (!m_request.resume) {
        m_sink.record(record);
    }
    if (const std::string told = trialSentence(m_setup->assembly.environment); !told.empty()) {
        m_reporter.log("info", told);
    }
    // A new run's is told where it is checked, unless only LibTorch knew where it would be.
    const bool isToldHere =
        m_request.resume || m_request.repeats || project::mayBeOnCuda(m_request.project, hasNvidiaDriver());
    if (const auto threads =
            isToldHere ? project::threadsAboveCores(m_request.project, usableProcessors(), m_setup->device().is_cuda())
                       : std::nullopt) {
        m_reporter.log("warning", threads->message);
    }
    for (const std::string& warning : m_setup->assembly.dataset->warnings()) {
        m_reporter.log("warning", warning);
    }
    PLUMBLINE_TRY(m_keeper.use(*m_setup));
    if (m_setup->monitor != nullptr) {
        m_stallWatch = std::make_unique<StallWatch>(
            [monitor = m_setup->monitor.get()](double ms) { monitor->loaderGivesNothing(ms); });
        m_stallWatch->start();
    }
    m_batches = std::make_unique<BatchQueue>(*m_setup, m_reporter, m_profile, m_control, m_stallWatch.get());
    return m_request.resume ? resume(record) : m_request.branch ? branch(std::move(parent)) : begin();
}

Status TrainingLoop::begin() {
    m_setup->loader->seek({});
    m_liveControl.goOn();
    m_position.epochLosses.resize(m_setup->objective->size());
    m_position.scheduleLength = m_setup->length.schedule;
    const std::int64_t epochSteps = m_setup->length.stepsPerEpoch();
    for (const auto& part : {plan::checkSchedule(m_plan, epochSteps, m_setup->validation != nullptr),
                             plan::checkRunLength(m_plan, epochSteps, m_setup->validation != nullptr)}) {
        for (const plan::PlanProblem& problem : part) {
            m_reporter.log("warning", problem.message + " " + problem.hint);
        }
    }
    PLUMBLINE_TRY(
        passSanity(*m_setup, m_request.project, m_control, looking(LookPlace::kWithinForward), m_stallWatch.get()));
    return m_keeper.save();
}

Status TrainingLoop::branch(Checkpoint checkpoint) {
    PLUMBLINE_ASSIGN(Branched branched, branchOff(std::move(checkpoint), *m_setup, m_request.project));
    m_position = std::move(branched.position);
    goOn();
    m_reporter.log("info", fmt::format("Goes on from run {}, step {}, epoch {}.", m_request.branch->run,
                                       m_position.steps.attempted, m_position.epoch + 1));
    for (const std::string& sentence : branched.afresh) {
        m_reporter.log("info", sentence);
    }
    PLUMBLINE_TRY(
        passSanity(*m_setup, m_request.project, m_control, looking(LookPlace::kWithinForward), m_stallWatch.get()));
    return m_keeper.save();
}

Status TrainingLoop::resume(const Json& record) {
    PLUMBLINE_TRY(m_keeper.restore());
    m_sink.record(record);  // of a run that goes on: one that is refused leaves the record as it was
    goOn();
    PLUMBLINE_TRY(recalibrateBest());
    m_reporter.log("info",
                   fmt::format("Goes on after step {}, epoch {}.", m_position.steps.attempted, m_position.epoch + 1));
    return {};
}

void TrainingLoop::goOn() {
    m_setup->freezing->enterEpoch(m_position.epoch, m_position.leftInEval);
    m_reporter.progress(true);
    m_liveControl.goOn();
    for (std::size_t group = 0; group < m_position.baseRates.size() && group < m_setup->optimizer->groupCount();
         ++group) {
        m_setup->optimizer->setBaseLearningRate(group, m_position.baseRates[group]);
    }
    if (m_position.leftInEval) {
        m_setup->assembly.model->train(false);
    }
    if (m_setup->step->isOpen()) {
        beginMonitoredStep();
    }
    if (m_position.scheduleLength == 0) {
        // Begun before stop.steps counted for the length of a schedule: it goes on as it began.
        const bool countsSteps = m_setup->schedule->unit() == plan::Unit::kStep;
        m_position.scheduleLength = countsSteps ? m_setup->length.totalSteps() : m_setup->length.epochs;
    }
    m_setup->schedule = std::make_unique<plan::Schedule>(m_plan.scheduler, m_position.scheduleLength);
    m_setup->loader->seek(epochEnds() ? data::LoaderState{m_position.epoch + 1, 0}
                                      : data::LoaderState{m_position.epoch, m_position.batch});
    setRates();
}

// ---- The loops ------------------------------------------------------------------------------------------------------

Result<session::RunSummary> TrainingLoop::run() {
    Status status = prepare();
    const bool running = status.has_value();
    if (running) {
        m_sink.state(session::RunState::kRunning);
        try {
            status = trainEpochs();
            if (status) {
                m_liveControl.endSteps(m_position.epoch < epochs() && !m_stops.reached());
            }
        } catch (...) {
            status = fail(model::errorOfCurrentException("The run failed", ""));
        }
    }
    if (!status && m_setup != nullptr) {
        try {
            m_liveControl.breakOff(isStop(status.error()) && m_isWhole && m_keeper.hasAny());
        } catch (...) {  // what was asked for last is no reason to leave the run without its end
            m_reporter.log("warning", toSentence(model::errorOfCurrentException("What was asked for last failed", "")));
        }
    }
    m_profile.endRun();
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
    while (m_position.epoch < epochs() && !(m_stops.reached() && !epochEnds())) {
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
    m_setup->freezing->enterEpoch(m_position.epoch, m_position.leftInEval);
    setRates();
    while (!isOver()) {
        PLUMBLINE_TRY(passBetweenBatches());
        if (!m_setup->step->isOpen() && !epochEnds()) {
            m_profile.beginStep();
        }
        PLUMBLINE_ASSIGN(std::optional<CountedBatch> next, m_batches->next());
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

bool TrainingLoop::isOver() {
    // A step that is open is finished first.
    if (!m_setup->step->isOpen() && m_plan.maxSeconds > 0) {
        m_stops.lookAtClock(m_reporter.elapsedMs() - m_position.pausedMs);
    }
    return m_stops.reached() || m_setup->length.isLimitReached(m_position.steps.attempted);
}

/// Before the first batch of a step.
Status TrainingLoop::openStep(const CountedBatch& first) {
    m_position.stepSamples = m_setup->length.samplesOfStep(m_position.batch);
    PLUMBLINE_ASSIGN(m_position.stepCounted, m_batches->countStep(first, m_position.batch));
    beginMonitoredStep();
    m_stepStart->remember();
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
    m_profile.enter(Phase::kToDevice);
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
        m_shares[loss] = count <= 0 ? 0.0
                         : m_position.stepCounted.empty()
                             ? m_setup->objective->share(loss, static_cast<double>(batch.samples),
                                                         static_cast<double>(m_position.stepSamples))
                             : m_setup->objective->share(loss, count, m_position.stepCounted[loss]);
    }
    m_isWhole = false;  // until the batch is counted
    if (Status trained = step.accumulate(batch, m_shares); !trained) {
        m_isWhole = !step.hasChanged() && m_stepStart->putBack() && !m_plan.expert.skipZeroGrad &&
                    step.restorePending({}, false, 0, false).has_value();
        return trained;
    }
    m_stepStart->forget();
    for (std::size_t loss = 0; loss < m_shares.size(); ++loss) {
        m_setup->objective->add(loss, step.batchValues()[loss], step.tookLoss(loss) ? counted.counted(loss) : 0.0,
                                m_position.epochLosses[loss]);
    }
    if (m_setup->monitor != nullptr && step.batchCounts()) {
        m_setup->monitor->sawBatchLoss(step.batchLoss(), m_position.batch);
    }
    ++m_position.batch;
    m_isWhole = !m_setup->length.endsStep(m_position.batch);
    return m_isWhole ? Status{} : finishStep();
}

Status TrainingLoop::finishStep() {
    PLUMBLINE_ASSIGN(const StepOutcome outcome, m_setup->step->finish());
    session::StepCounts& steps = m_position.steps;
    ++steps.attempted;
    outcome.applied ? ++steps.applied : ++steps.skipped;
    m_isWhole = true;
    m_liveControl.endStep();
    m_profile.enter(Phase::kMonitor);
    m_reporter.step(outcome);
    m_profile.endStep(steps.attempted);
    if (outcome.scaleReset) {
        halveRates(outcome);
    }
    setRates();
    average(outcome.applied);
    bool judged = false;
    const auto isDue = [&](std::int64_t every, plan::Unit unit) {
        return unit == plan::Unit::kStep && every > 0 && steps.attempted % every == 0;
    };
    if (m_setup->validation != nullptr && isDue(m_cadence.validationEvery, m_plan.validationUnit)) {
        m_position.validationPending = true;
        PLUMBLINE_TRY(validate());
        // The best weights are those that were validated, not the ones at the end of the epoch.
        judged = m_keeper.validationDecides();
    }
    return keep(isDue(m_cadence.checkpointsEvery, m_plan.checkpoints.unit), judged);
}

void TrainingLoop::average(bool applied) {
    WeightAverage* const average = m_setup->average.get();
    if (average == nullptr) {
        return;
    }
    const bool stepDue = applied && average->isDue(plan::Unit::kStep, m_position.steps.applied);
    if (stepDue || (epochEnds() && average->isDue(plan::Unit::kEpoch, m_position.epoch + 1))) {
        average->update();
    }
}

Status TrainingLoop::recalibrate(LookPlace place) {
    WeightAverage* const average = m_setup->average.get();
    if (average == nullptr || !average->wantsRecalibration()) {
        return {};
    }
    const AveragedWeights averaged(average);
    PLUMBLINE_TRY(recalibrateBatchNorm(*m_setup->assembly.model, m_setup->assembly.binder, *m_setup->recalibration,
                                       m_plan.precision, m_setup->device().type(), m_control, looking(place),
                                       m_stallWatch.get()));
    average->setRecalibrated();
    return {};
}

Status TrainingLoop::recalibrateBest() {
    const WeightAverage* const average = m_setup->average.get();
    const bool isBest = m_position.hasBest && m_position.bestStep == m_keeper.savedStep() && !m_position.restoredBest &&
                        !m_setup->step->isOpen();
    if (average == nullptr || !average->wantsRecalibration() || !isBest || m_keeper.validationDecides() ||
        m_request.provesBatch >= 0) {
        return {};
    }
    PLUMBLINE_TRY(recalibrate(LookPlace::kWithinRecalibration));
    return m_keeper.save(true);
}

void TrainingLoop::halveRates(const StepOutcome& outcome) {
    OptimizerSet& optimizer = *m_setup->optimizer;
    const double before = optimizer.largestLearningRate();
    if (!plan::followsBase(m_plan.scheduler)) {
        const std::string message = fmt::format(
            "The scaler has skipped {} in a row, so after step {} its scale is {} again. The learning rate stays: its "
            "schedule sets it by itself.",
            counted(m_plan.gradScaler.resetAfterSkips, "step"), m_position.steps.attempted, outcome.scaleAfter);
        m_reporter.event("log", {{"level", "warning"}, {"message", message}, {"step", m_position.steps.attempted}});
        return;
    }
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        optimizer.setBaseLearningRate(group, 0.5 * optimizer.baseLearningRate(group));
    }
    setRates();
    const std::string message = fmt::format(
        "The scaler has skipped {} in a row, so after step {} its scale is {} again and the learning rate {} instead "
        "of {}.",
        counted(m_plan.gradScaler.resetAfterSkips, "step"), m_position.steps.attempted, outcome.scaleAfter,
        optimizer.largestLearningRate(), before);
    m_reporter.event("log", {{"level", "warning"}, {"message", message}, {"step", m_position.steps.attempted}});
}

Status TrainingLoop::keep(bool due, bool judged) {
    if (judged) {
        m_position.judgedStep = m_position.steps.attempted;
    }
    const bool best = judged && m_keeper.isBest();
    const bool stays = judged && m_keeper.isAmongBest();
    if (best || stays) {
        // Where no validation has done it. Interrupted, it is done by the resume.
        PLUMBLINE_TRY(recalibrate(LookPlace::kWithinRecalibration));
    }
    if (best || stays || due) {
        return m_keeper.save(best, stays);
    }
    return {};
}

Status TrainingLoop::endEpoch() {
    const bool last = m_position.epoch + 1 == epochs();
    const auto isDue = [&](std::int64_t every, plan::Unit unit) {
        return unit == plan::Unit::kEpoch && (last || (every > 0 && (m_position.epoch + 1) % every == 0));
    };
    const bool validates = m_setup->validation != nullptr && m_cadence.validationEvery > 0;
    if (validates && !m_position.validated && (last || isDue(m_cadence.validationEvery, m_plan.validationUnit))) {
        PLUMBLINE_TRY(validate());
    }
    const double loss = m_values->tellEpoch();
    if (m_setup->monitor != nullptr) {
        m_setup->monitor->endEpoch(
            {loss, m_position.judgedSamples, m_position.correctSamples, m_position.distinctPredictions});
    }
    // What an earlier step's validation gave is no news of the model as it is now.
    const bool decided = m_position.validated || !m_keeper.validationDecides();
    const bool saves = isDue(m_cadence.checkpointsEvery, m_plan.checkpoints.unit);
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
    m_profile.interrupt();
    PLUMBLINE_TRY(recalibrate(LookPlace::kWithinForward));
    const AveragedWeights averaged(m_setup->average.get());
    std::optional<ForwardTraces> before;
    if (validationLeavesTraces()) {
        before.emplace(*m_setup->assembly.model);
    }
    auto evaluated = m_setup->validation->run(m_control, m_setup->monitor.get(), m_plan.expert,
                                              looking(LookPlace::kWithinForward), m_stallWatch.get());
    if (!evaluated) {
        // A stop: the validation is done again after a resume, so it may leave no trace.
        if (before) {
            before->restore();
        }
        return fail(evaluated.error());
    }
    m_values->take("val.", evaluated->values, evaluated->undefined, evaluated->matrices);
    // Without an accuracy there is nothing for the detectors to judge.
    m_position.judgedSamples = evaluated->judged;
    m_position.correctSamples = evaluated->correct;
    m_position.distinctPredictions = evaluated->distinctPredictions;
    m_position.validated = epochEnds();
    m_position.validationEpoch = m_position.epoch;
    m_position.validationPending = false;
    m_position.leftInEval = m_plan.expert.keepEvalAfterValidation;
    if (m_setup->plateau != nullptr) {
        const auto found = std::find_if(evaluated->values.begin(), evaluated->values.end(), [&](const auto& value) {
            return "val." + value.first == m_setup->plateau->series();
        });
        watchPlateau(found == evaluated->values.end() ? std::nan("") : found->second);
    }
    m_stops.judge(m_cadence.patience);
    m_reporter.restartStepClock();
    return {};
}

void TrainingLoop::watchPlateau(double value) {
    const double before = m_setup->optimizer->largestLearningRate();
    if (!m_setup->plateau->see(value)) {
        return;
    }
    setRates();
    if (const double now = m_setup->optimizer->largestLearningRate(); now != before) {
        m_reporter.log(
            "info",
            fmt::format("After step {} the learning rate goes from {} to {}: {} is {} and has not got better for {}.",
                        m_position.steps.attempted, numberText(before), numberText(now), m_setup->plateau->series(),
                        numberText(value), counted(m_plan.scheduler.integer("patience") + 1, "validation")));
    }
}

bool TrainingLoop::validationLeavesTraces() const {
    const auto& blocks = m_setup->assembly.model->graph().nodes;
    return m_plan.expert.validateInTrainMode ||
           std::any_of(blocks.begin(), blocks.end(),
                       [](const graph::ResolvedNode& block) { return block.mode == "stochastic"; });
}

Status TrainingLoop::testFinalModel() {
    const Assembly& assembly = m_setup->assembly;
    if (assembly.dataset->size(data::Split::kTest) == 0) {
        return {};
    }
    WeightAverage* average = m_setup->average.get();
    if (!m_position.bestCheckpoint.empty()) {
        auto best = readModelState(m_keeper.bestFile());
        if (best) {
            PLUMBLINE_TRY(assembly.model->loadStateDict(*best));
            average = nullptr;  // these are the averaged ones already, where there are any
        } else {
            m_reporter.log("warning", "The best checkpoint cannot be read, so the last model is tested. " +
                                          toSentence(best.error()));
        }
    }
    const AveragedWeights averaged(average);
    PLUMBLINE_ASSIGN(const auto evaluator, Evaluator::make(m_plan, m_request.project.data.loader, data::Split::kTest,
                                                           {assembly.model.get(), &assembly.binder, assembly.dataset,
                                                            assembly.names, m_setup->device()}));
    PLUMBLINE_ASSIGN(const Evaluation evaluated,
                     evaluator->run(m_control, nullptr, {}, looking(LookPlace::kAfterSteps), m_stallWatch.get()));
    m_values->take("test.", evaluated.values, evaluated.undefined, evaluated.matrices);
    if (!evaluated.matrices.empty()) {
        Json matrices = Json::object();
        for (const auto& [name, matrix] : evaluated.matrices.items()) {
            matrices["test." + name] = matrix;
        }
        m_reporter.event("test", {{"step", m_position.steps.attempted}, {"matrices", std::move(matrices)}});
    }
    return {};
}

void TrainingLoop::setRates() {
    const plan::ExpertSpec& expert = m_plan.expert;
    if (const std::int64_t rise = m_plan.stochasticDepthEpochs; rise > 0) {
        m_setup->assembly.model->setDropShare(
            std::min(1.0, static_cast<double>(m_position.epoch) / static_cast<double>(rise)));
    }
    // A step over several batches has the rate of its first one, also where it changes or a resume comes in between.
    const std::int64_t batch =
        m_setup->step->isOpen() ? m_setup->length.firstBatchOfStep(m_position.batch) : m_position.batch;
    const std::int64_t batches = m_position.epoch * m_setup->length.batchesPerEpoch + batch;
    const std::int64_t steps = expert.schedulerOnSkippedStep ? m_position.steps.attempted : m_position.steps.applied;
    const plan::Schedule& schedule = *m_setup->schedule;
    const bool countsSteps = schedule.unit() == plan::Unit::kStep;
    const std::int64_t position = expert.schedulerEveryBatch ? batches : countsSteps ? steps : m_position.epoch;
    OptimizerSet& optimizer = *m_setup->optimizer;
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        const double base = optimizer.baseLearningRate(group);
        optimizer.setLearningRate(
            group, schedule.rate(m_setup->plateau != nullptr ? m_setup->plateau->reduced(base) : base, position));
    }
    if (optimizer.hasMomentum()) {
        optimizer.setMomentum(schedule.momentum(position));
    }
    if (m_setup->monitor != nullptr) {
        m_setup->monitor->setLiveLearningRate(liveLearningRate(optimizer));
    }
}

Status TrainingLoop::passBetweenBatches() {
    return passOrStop(m_control, [this] {
        // What is told at an epoch's end takes effect after it, whenever it comes: so a run that repeats this one has
        // it there too.
        if (!epochEnds()) {
            m_liveControl.look(m_setup->step->isOpen() ? LookPlace::kWithinStep : LookPlace::kBetweenSteps);
        }
    });
}

// ---- The end --------------------------------------------------------------------------------------------------------

/// What is left to do after the loops: the last checkpoint and the test split. Says in `ending` why the run ended.
Status TrainingLoop::end(Status status, Ending& ending) {
    if (!status && isStop(status.error())) {
        m_sink.state(session::RunState::kStopping);
        ending = endingOfStop(m_control.stopReason(), m_keeper.hasAny(), m_position, epochs());
        return m_setup != nullptr && m_keeper.hasAny() ? m_keeper.save() : Status{};
    }
    if (!status && m_setup != nullptr) {
        status = fail(explainOutOfMemory(status.error(), *m_setup, m_request.project));
    }
    if (!status) {
        saveBeforeFailure();
        return status;
    }
    ending = endingOfPlan(m_plan, m_request.maxSteps, m_setup->length, m_position, m_stops);
    if (m_request.provesBatch >= 0) {
        // The checkpoint of the last step is compared, as the run wrote it there: before the end of its epoch, or
        // after.
        const bool isThere = m_keeper.isSaved() || (m_keeper.savedStep() == m_position.steps.attempted &&
                                                    m_keeper.savedBatch() == m_request.provesBatch);
        return isThere ? Status{} : m_keeper.save();
    }
    const bool recalibrates = m_setup->average != nullptr && m_setup->average->wantsRecalibration();
    Status last = recalibrate(LookPlace::kAfterSteps);
    // What the clock ended is over for a resume too, whose clock begins with the checkpoint's.
    if (!m_keeper.isSaved() || (recalibrates && last) || m_position.stop.code == "time") {
        PLUMBLINE_TRY(m_keeper.save());
    }
    if (last && ending.status == "completed") {
        PLUMBLINE_TRY(restoreBest());
    }
    if (last) {
        last = testFinalModel();
    }
    if (!last && isStop(last.error())) {
        ending = endingOfStop(m_control.stopReason(), m_keeper.hasAny(), m_position, epochs());
        return {};
    }
    return last;
}

/// The run's last checkpoint, its test and whatever uses its newest model get the weights of the best one.
Status TrainingLoop::restoreBest() {
    const bool asked = m_plan.earlyStopping.restoreBest && m_plan.earlyStopping.patience > 0;
    if (!asked || !m_position.hasBest || m_position.restoredBest || m_position.bestStep == m_position.steps.attempted) {
        return {};
    }
    const auto best = readModelState(m_keeper.bestFile());
    if (!best) {
        m_reporter.log("warning", "The best checkpoint cannot be read, so the run ends with its last weights. " +
                                      toSentence(best.error()));
        return {};
    }
    {
        // Where weights are averaged, those are what was judged, and what a checkpoint's user gets.
        const AveragedWeights averaged(m_setup->average.get());
        PLUMBLINE_TRY(m_setup->assembly.model->loadStateDict(*best));
    }
    m_position.restoredBest = true;
    m_reporter.log("info", fmt::format("The weights of step {} are back, the best by {}.", m_position.bestStep,
                                       m_plan.checkpoints.bestSeries));
    return m_keeper.save();
}

/// What the run had reached is kept where it is whole: between two batches, or at the beginning of the step that
/// failed.
void TrainingLoop::saveBeforeFailure() {
    if (m_setup == nullptr || !m_isWhole || !m_keeper.hasAny() || m_keeper.isSaved() || m_keeper.couldNotSave()) {
        return;
    }
    Status saved;
    try {
        saved = m_keeper.save();
    } catch (...) {
        saved = fail(model::errorOfCurrentException("The checkpoint could not be written",
                                                    ""));  // the failure before it is the run's
    }
    if (saved) {
        m_reporter.log(
            "info", fmt::format("Saved as it was after step {}, before the failure: the run can be resumed from there.",
                                m_position.steps.attempted));
        if (m_setup->step->batchIsMeasured()) {
            m_reporter.log("info",
                           "A resume counts the batch that failed twice in the training metrics of this epoch.");
        }
    }
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
