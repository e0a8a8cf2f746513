#include "train/evaluation.h"

#include <ATen/core/grad_mode.h>

#include <cmath>

#include "model/failure.h"
#include "train/phases.h"
#include "train/step.h"

namespace plumbline::train {

bool isStop(const Error& error) {
    return error.code == "stopped";
}

Error stopError() {
    return {ErrorKind::kInterrupted, "stopped", "The run was asked to stop.", "", ""};
}

Status passOrStop(RunControl& control, const std::function<void()>& look) {
    if (look) {
        look();
    } else if (control.pauseRequested()) [[unlikely]] {
        control.waitWhilePaused();
    }
    if (control.stopRequested()) [[unlikely]] {
        return fail(stopError());
    }
    return {};
}

EvaluationMode::EvaluationMode(model::Model& model, bool stayInTraining, bool neverRestore)
    : m_model(model), m_restore(!neverRestore) {
    for (std::size_t leaf = 0; leaf < model.graph().nodes.size(); ++leaf) {
        m_before.push_back(model.isTraining(static_cast<int>(leaf)));
    }
    if (!stayInTraining) {
        model.train(false);
    }
}

EvaluationMode::~EvaluationMode() {
    for (std::size_t leaf = 0; m_restore && leaf < m_before.size(); ++leaf) {
        m_model.setTraining(static_cast<int>(leaf), m_before[leaf]);
    }
}

Result<std::unique_ptr<Evaluator>> Evaluator::make(const plan::TrainingPlan& plan, const data::LoaderSpec& loader,
                                                   data::Split split, Parts parts) {
    std::unique_ptr<Evaluator> evaluator(new Evaluator());
    PLUMBLINE_ASSIGN(Objective objective, Objective::make(plan, parts.names, parts.device));
    evaluator->m_objective = std::make_unique<Objective>(std::move(objective));
    PLUMBLINE_ASSIGN(evaluator->m_metrics, MetricSet::make(plan, parts.names));
    data::LoaderOptions options;
    options.split = split;
    options.batchSize = loader.batchSize;
    options.workers = loader.workers;
    options.epochs = 1;  // each run starts again at the first batch
    options.prefetchBatches = loader.prefetchBatches;
    options.seed = plan.seed;
    PLUMBLINE_ASSIGN(evaluator->m_loader, data::makeLoader(parts.dataset, options));
    evaluator->m_split = split;
    evaluator->m_precision = plan.precision;
    evaluator->m_parts = std::move(parts);
    return evaluator;
}

Result<Evaluation> Evaluator::run(RunControl& control, monitor::Monitor* monitor, const plan::ExpertSpec& expert,
                                  const std::function<void()>& look, StallWatch* stalls, std::int64_t mostBatches) {
    const at::NoGradGuard noGrad;
    const EvaluationMode mode(*m_parts.model, expert.validateInTrainMode, expert.keepEvalAfterValidation);
    if (monitor != nullptr) {
        monitor->beginValidation();
    }
    m_metrics.reset();
    m_objective->resetGathered();
    m_loader->seek({});
    for (std::int64_t done = 0; mostBatches == 0 || done < mostBatches; ++done) {
        PLUMBLINE_TRY(passOrStop(control, look));
        PLUMBLINE_ASSIGN(std::optional<data::HostBatch> host, nextBatch(control, stalls));
        if (!host) {
            break;
        }
        PLUMBLINE_TRY(addBatch(*host));
        m_loader->recycle(std::move(*host));
    }
    Evaluation result;
    const std::optional<double> loss = m_objective->gathered();
    if (loss) {
        result.values["loss"] = *loss;
    }
    std::vector<LossOver> losses;
    for (std::size_t i = 0; i < m_objective->size(); ++i) {
        const std::optional<double> one = m_objective->phase(i).empty() ? std::nullopt : m_objective->gathered(i);
        losses.push_back({one.value_or(0), one.has_value()});
    }
    result.values.merge(phaseLosses(*m_objective, losses));
    if (monitor != nullptr) {
        monitor->endValidation(loss.value_or(0));
    }
    PLUMBLINE_TRY(readMetrics(result));
    return result;
}

Result<std::optional<data::HostBatch>> Evaluator::nextBatch(RunControl& control, StallWatch* stalls) {
    const StallWatch::Waiting waiting(stalls);
    return m_loader->next(&control);
}

Status Evaluator::readMetrics(Evaluation& result) const {
    try {
        MetricValues read = m_metrics.read(std::string(data::toString(m_split)));
        result.values.merge(read.values);
        result.undefined = std::move(read.undefined);
        result.matrices = std::move(read.matrices);
        if (const ClassCounts* accuracy = m_metrics.accuracy()) {
            result.judged = accuracy->samples;
            result.correct = accuracy->correct;
            result.distinctPredictions = accuracy->distinctPredictions();
        }
        return {};
    } catch (...) {
        return fail(model::errorOfCurrentException("The metrics could not be read", ""));
    }
}

Status Evaluator::addBatch(const data::HostBatch& host) {
    try {
        const AutocastScope autocast(m_precision, m_parts.device.type());
        m_parts.binder->bind(host, m_batch);
        PLUMBLINE_ASSIGN(const std::vector<at::Tensor> outputs, m_parts.model->forward(m_batch.inputs));
        PLUMBLINE_TRY(m_objective->gather(outputs, m_batch.targets));
        m_metrics.add(outputs, m_batch.targets);
        m_batch.clear();
        return {};
    } catch (...) {
        return fail(model::errorOfCurrentException("Evaluating a batch failed", ""));
    }
}

}  // namespace plumbline::train
