#pragma once
// Losses and metrics over a whole split, in evaluation mode and without gradients.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"
#include "data/dataset.h"
#include "model/model.h"
#include "monitor/monitor.h"
#include "plan/plan.h"
#include "train/batch.h"
#include "train/metric_set.h"
#include "train/objective.h"
#include "train/stall_watch.h"

namespace plumbline::train {

/// Puts every leaf into evaluation mode and back into the mode that it had.
class EvaluationMode {
public:
    /// The two switches are the mistakes of `training.expert`.
    explicit EvaluationMode(model::Model& model, bool stayInTraining = false, bool neverRestore = false);
    ~EvaluationMode();
    EvaluationMode(const EvaluationMode&) = delete;
    EvaluationMode& operator=(const EvaluationMode&) = delete;

private:
    model::Model& m_model;
    std::vector<bool> m_before;
    bool m_restore;
};

struct Evaluation {
    std::map<std::string, double>
        values;  ///< "loss", where anything counted for one, and each metric that has a value by its name
    std::vector<std::string> undefined;  ///< as MetricValues
    Json matrices = Json::object();      ///< as MetricValues
    std::int64_t judged = 0, correct = 0,
                 distinctPredictions = 0;  ///< of the first accuracy: what it counted, one a sample or a position
};

/// One split, any number of times. Exact: sums over all samples, whatever the batch size. One thread.
class Evaluator {
public:
    struct Parts {
        model::Model* model = nullptr;
        const BatchBinder* binder = nullptr;
        std::shared_ptr<const data::Dataset> dataset;
        BindingNames names;
        at::Device device = at::kCPU;
    };
    static Result<std::unique_ptr<Evaluator>> make(const plan::TrainingPlan& plan, const data::LoaderSpec& loader,
                                                   data::Split split, Parts parts);

    /// Looks at `control` once a batch: pauses there (by `look`, as passOrStop), and stops with the error code
    /// "stopped". `monitor`, and `stalls` (told while it waits for the loader) may be nullptr. `mostBatches`: it ends
    /// after so many; 0: the whole split.
    Result<Evaluation> run(RunControl& control, monitor::Monitor* monitor, const plan::ExpertSpec& expert,
                           const std::function<void()>& look = {}, StallWatch* stalls = nullptr,
                           std::int64_t mostBatches = 0);
    /// Of the whole split.
    std::int64_t batches() const { return m_loader->batchesPerEpoch(); }
    std::size_t prefetchedBytes() const { return m_loader->prefetchedBytes(); }

private:
    Evaluator() = default;
    Result<std::optional<data::HostBatch>> nextBatch(RunControl& control, StallWatch* stalls);
    Status addBatch(const data::HostBatch& host);
    Status readMetrics(Evaluation& result) const;

    Parts m_parts;
    data::Split m_split = data::Split::kValidation;
    plan::Precision m_precision = plan::Precision::kFp32;
    std::unique_ptr<Objective> m_objective;
    MetricSet m_metrics;
    std::unique_ptr<data::Loader> m_loader;
    TensorBatch m_batch;
};

/// The error that says "stopped": not a failure of the run.
bool isStop(const Error& error);
Error stopError();
/// Waits out a pause, or lets `look` do it, which is called in any case; a stop is the error "stopped".
Status passOrStop(RunControl& control, const std::function<void()>& look);

}  // namespace plumbline::train
