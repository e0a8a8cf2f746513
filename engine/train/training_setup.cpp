#include "train/training_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/files.h"
#include "model/memory.h"
#include "plan/loss_traits.h"
#include "project/block_choice.h"
#include "project/data_fit.h"
#include "project/phase_fit.h"
#include "train/device_memory.h"
#include "train/environment_trial.h"
#include "train/losses.h"
#include "train/packages.h"
#include "train/versions.h"

namespace plumbline::train {

namespace {

/// The smallest and the largest value that a target has in training, where all of its values were looked at.
std::optional<std::pair<double, double>> rangeOf(const data::FeedInfo& target, const data::Dataset& dataset) {
    const bool whole = !target.range.min.empty();
    if (!whole && (target.statistics.min.empty() || target.statistics.samples < dataset.size(data::Split::kTrain))) {
        return std::nullopt;
    }
    const std::vector<double>& min = whole ? target.range.min : target.statistics.min;
    const std::vector<double>& max = whole ? target.range.max : target.statistics.max;
    return std::pair{*std::min_element(min.begin(), min.end()), *std::max_element(max.begin(), max.end())};
}

/// Whether a loss may count two batches of as many samples differently: by class weights, or labels that it ignores.
bool countsVary(const plan::LossSpec& loss, const data::Dataset& dataset) {
    const std::optional<std::int64_t> ignored = plan::ignoredLabel(loss);
    const auto target = std::find_if(dataset.targets().begin(), dataset.targets().end(),
                                     [&](const data::FeedInfo& feed) { return feed.name == loss.target; });
    const plan::LossTraits& traits = plan::lossTraits(loss.type);
    if (!ignored || target == dataset.targets().end() ||
        (traits.takesProbabilities && isFloatingPoint(target->dtype))) {
        return false;
    }
    if (traits.kind == plan::LossKind::kClasses && !loss.numbers("class_weights").empty()) {
        return true;
    }
    const std::vector<std::int64_t> classes = dataset.classCounts(data::Split::kTrain, loss.target);
    if (!classes.empty()) {
        return *ignored >= 0 && *ignored < static_cast<std::int64_t>(classes.size()) &&
               classes[static_cast<std::size_t>(*ignored)] > 0;
    }
    // Labels of positions are counted by nobody, but a label outside of all that there are is not among them.
    const auto range = rangeOf(*target, dataset);
    const auto label = static_cast<double>(*ignored);
    return !range || (label >= range->first && label <= range->second);
}

class SetupMaker {
public:
    SetupMaker(const session::TrainRequest& request, session::RunSink& sink, RunControl& control)
        : m_request(request), m_plan(request.project.training), m_sink(sink), m_control(control) {}

    Result<std::unique_ptr<TrainingSetup>> make() {
        TrainingSetup& made = *m_made;
        PLUMBLINE_ASSIGN(made.assembly,
                         assemble(m_request.project, m_request.recorded, "", &m_control,
                                  [this](const auto& graph, const auto& dataset, Environment& environment) {
                                      // An experiment before a run takes what is remembered, and measures nothing.
                                      if (m_request.recorded.is_null()) {
                                          chooseByTrial({m_request.project, !m_request.runFolder.empty(),
                                                         userCacheFolder() / "trials", m_control},
                                                        graph, dataset, environment);
                                      }
                                  }));
        PLUMBLINE_TRY(project::checkBatches(m_request.project, made.assembly.model->graph(), *made.assembly.dataset));
        model::resetMemoryPeaks();
        resetDevicePeak(made.device());
        made.fingerprint = made.assembly.dataset->fingerprint();
        PLUMBLINE_TRY(addTraining());
        PLUMBLINE_TRY(addLoaders());
        PLUMBLINE_TRY(addCheckpointing());
        PLUMBLINE_TRY(addMonitor());
        made.step = std::make_unique<TrainStep>(
            m_plan,
            StepParts{made.assembly.model.get(), made.objective.get(), &(*made.optimizer)[0], made.scaler.get(),
                      &made.metrics, made.monitor.get(), made.activations.get(), made.phases.get()},
            made.device());
        made.publisher = std::make_unique<MetricPublisher>(m_sink, *made.optimizer, made.scaler != nullptr,
                                                           made.monitor.get(), made.device());
        return std::move(m_made);
    }

private:
    Status addTraining() {
        TrainingSetup& made = *m_made;
        PLUMBLINE_ASSIGN(Objective objective, Objective::make(m_plan, made.assembly.names, made.device()));
        made.objective = std::make_unique<Objective>(std::move(objective));
        PLUMBLINE_ASSIGN(made.metrics, MetricSet::make(m_plan, made.assembly.names));
        PLUMBLINE_ASSIGN(Freezing freezing, Freezing::make(m_plan, *made.assembly.model));
        made.freezing = std::make_unique<Freezing>(std::move(freezing));
        PLUMBLINE_TRY(project::checkPhaseFit(m_plan, made.assembly.model->graph()));
        PLUMBLINE_ASSIGN(made.optimizer, OptimizerSet::make(m_plan, made.freezing->trained(), *made.assembly.model));
        PLUMBLINE_ASSIGN(made.phases,
                         Phases::make(m_plan, *made.assembly.model, *made.optimizer, *made.objective, made.metrics));
        if (m_plan.precision == plan::Precision::kFp16) {
            made.scaler = std::make_unique<GradScaler>(m_plan.gradScaler, made.device());
        }
        made.average = WeightAverage::make(m_plan.averaging, *made.assembly.model);
        return {};
    }

    Status addLoaders() {
        TrainingSetup& made = *m_made;
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
        PLUMBLINE_ASSIGN(made.loader, data::makeLoader(made.assembly.dataset, options));
        if (made.average != nullptr && made.average->recalibrates()) {
            options.epochs = 1;
            PLUMBLINE_ASSIGN(made.recalibration, data::makeLoader(made.assembly.dataset, options));
        }
        RunLength& length = made.length;
        length.batchesPerEpoch = made.loader->batchesPerEpoch();
        length.accumulation = m_plan.accumulation;
        length.batchSize = spec.batchSize;
        length.samplesPerEpoch = made.assembly.dataset->size(data::Split::kTrain);
        const std::int64_t asked = m_request.maxSteps, planned = m_plan.maxSteps;
        length.stepLimit = asked == 0 ? planned : planned == 0 ? asked : std::min(asked, planned);
        length.epochs = plan::epochsToRun(m_plan, length.stepsPerEpoch());
        length.schedule = plan::scheduleLength(m_plan, length.stepsPerEpoch());
        made.schedule = std::make_unique<plan::Schedule>(m_plan.scheduler, length.schedule);
        if (plan::Plateau::isMeant(m_plan.scheduler)) {
            made.plateau = std::make_unique<plan::Plateau>(m_plan.scheduler);
        }
        made.countsVary = std::any_of(m_plan.losses.begin(), m_plan.losses.end(), [&](const plan::LossSpec& loss) {
            return countsVary(loss, *made.assembly.dataset);
        });
        if (made.assembly.dataset->size(data::Split::kValidation) > 0) {
            PLUMBLINE_ASSIGN(made.validation,
                             Evaluator::make(m_plan, spec, data::Split::kValidation,
                                             {made.assembly.model.get(), &made.assembly.binder, made.assembly.dataset,
                                              made.assembly.names, made.device()}));
        }
        return {};
    }

    Status addCheckpointing() {
        if (!m_plan.activationCheckpointing.enabled()) {
            return {};
        }
        TrainingSetup& made = *m_made;
        PLUMBLINE_ASSIGN(made.checkpointing,
                         chooseCheckpointing(m_request.project, made.assembly, made.optimizer->parameters(),
                                             m_request.recorded, m_control));
        if (!made.checkpointing.warning.empty()) {
            m_sink.event({"log", m_sink.elapsedMs(), {{"level", "warning"}, {"message", made.checkpointing.warning}}});
        }
        // What looking at the model took is not what the run takes.
        model::resetMemoryPeaks();
        resetDevicePeak(made.device());
        return {};
    }

    Status addMonitor() {
        const plan::MonitorPlan& plan = m_request.project.monitor;
        if (!plan.enabled) {
            return {};
        }
        TrainingSetup& made = *m_made;
        monitor::Watch watch = watchModel(*made.assembly.model);
        tellPhases(m_plan, watch);
        const ClassFacts classes = m_plan.phases.empty() ? classFacts(m_plan, *made.assembly.dataset) : ClassFacts{};
        watch.facts.classes = classes.classes;
        watch.facts.majorityShare = classes.majorityShare;
        watch.facts.usesScaler = made.scaler != nullptr;
        watch.facts.batchSize = m_request.project.data.loader.batchSize;
        watch.facts.learningRate = made.optimizer->largestBaseLearningRate();
        watch.facts.constantLoss = constantLoss(m_plan, made.assembly.model->graph(), *made.assembly.dataset);
        watch.facts.project = m_request.project.json;
        PLUMBLINE_ASSIGN(
            made.monitor,
            monitor::Monitor::make(std::move(watch), {made.assembly.environment.monitorStride, 0.02, plan.detectors}));
        made.activations = std::make_unique<ActivationWatch>(*made.monitor);
        made.monitor->onFinding([&sink = m_sink](const diagnostics::Finding& finding) { sink.finding(finding); });
        made.monitor->onNonFinite(
            [&made, precision = m_plan.precision](std::vector<diagnostics::StepStats::NonFinite>& found) {
                findFirstNonFiniteBlock(*made.assembly.model, made.batch.inputs, precision, found);
            });
        made.objective->onShapes(
            [&made](const diagnostics::StepStats::LossShape& shape) { made.monitor->sawLossShape(shape); });
        return {};
    }

    const session::TrainRequest& m_request;
    const plan::TrainingPlan& m_plan;
    session::RunSink& m_sink;
    RunControl& m_control;
    std::unique_ptr<TrainingSetup> m_made = std::make_unique<TrainingSetup>();
};

}  // namespace

Result<std::unique_ptr<TrainingSetup>> setUpTraining(const session::TrainRequest& request, session::RunSink& sink,
                                                     RunControl& control) {
    return SetupMaker(request, sink, control).make();
}

Json recordOf(const TrainingSetup& setup, const project::Project& project) {
    Json record = setup.assembly.environment.choices();
    const DeterminismFlags flags = determinismFlags(project.training.determinism);
    record["flags"] = {{"deterministic_algorithms", flags.deterministicAlgorithms},
                       {"cudnn_deterministic", flags.cudnnDeterministic},
                       {"cudnn_benchmark", flags.cudnnBenchmark},
                       {"tf32", flags.tf32},
                       {"tf32_cudnn", flags.tf32Cudnn},
                       {"detect_anomaly", flags.anomalies}};
    const graph::ResolvedModel& graph = setup.assembly.model->graph();
    if (const auto float32 = project::float32Blocks(project.training, graph); float32 && !float32->empty()) {
        Json& kept = record["fp32_blocks"] = Json::array();
        for (std::size_t leaf = 0; leaf < float32->size(); ++leaf) {
            if ((*float32)[leaf] != 0) {
                kept.push_back(graph.nodes[leaf].path);
            }
        }
    }
    if (project.training.activationCheckpointing.enabled()) {
        record["activation_checkpointing"] = setup.checkpointing.toJson();
    }
    if (Json packages = packagesOf(graph); !packages.empty()) {
        record["packages"] = std::move(packages);
    }
    record["seed"] = project.training.seed;
    record["batches_per_epoch"] = setup.length.batchesPerEpoch;
    record["total_steps"] = setup.length.totalSteps();
    record["data_fingerprint"] = setup.fingerprint;
    record["definition_hash"] = project::definitionHash(project);
    record["versions"] = versions();
    return record;
}

}  // namespace plumbline::train
