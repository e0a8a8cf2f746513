#pragma once
// Tells a training loop what is silently wrong with it. Made for Plumbline's own loop and for anybody else's:
//
//     auto monitor = *monitor::Monitor::make(monitor::watchModule(net.ptr()), {});
//     monitor->onFinding([](const diagnostics::Finding& finding) { std::cerr << finding.message << '\n'; });
//     for (…epochs…) {
//         for (…batches…) {
//             monitor->beginStep();
//             …zero_grad, forward, loss, backward…
//             monitor->afterBackward(loss.item<double>());
//             optimizer.step();
//             monitor->afterStep({.learningRate = 0.1});
//         }
//         net->eval();
//         monitor->beginValidation();
//         …
//         monitor->endValidation();   // before net->train()
//         net->train();
//     }

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "diagnostics/detector.h"
#include "monitor/change_watch.h"
#include "monitor/governor.h"
#include "monitor/tensor_statistics.h"
#include "monitor/update_watch.h"
#include "monitor/watch.h"
#include "monitor/zero_watch.h"

namespace plumbline::monitor {

struct MonitorOptions {
    std::int64_t stride = 0;                ///< steps between statistics; 0 = as often as `budget` allows
    double budget = 0.02;                   ///< share of the step time that the monitor may take
    std::map<std::string, Json> detectors;  ///< id → {"enabled": bool, thresholds}; those left out have their defaults
};

/// What a step did, as far as only the loop knows it.
struct StepReport {
    double learningRate = 0;
    bool applied = true;  ///< false: a gradient scaler skipped the step
    bool usesScaler = false;
    double scale = 1;  ///< after the step
    bool foundInf = false;
    bool updateCalled = true;            ///< the scaler's update() after the step
    std::optional<double> stepMs;        ///< measured by the monitor when absent: from the end of the step before
    std::optional<double> loaderWaitMs;  ///< measured by the monitor when absent: from there to beginStep()
    bool includesCheckpoint = false;     ///< something else than training fell into this step's time
};

struct EpochReport {
    double trainLoss = 0;               ///< mean over the epoch; NaN = nothing counted for any loss
    std::int64_t evaluatedSamples = 0;  ///< of the validation
    std::int64_t correctSamples = 0;
    std::int64_t distinctPredictions = 0;
};

/// One thread: the one that trains.
class Monitor {
public:
    using FindingCallback = std::function<void(const diagnostics::Finding&)>;
    /// Looks for the first block whose output is not finite; appends what it finds. Called before the optimizer steps.
    using ActivationSearch = std::function<void(std::vector<diagnostics::StepStats::NonFinite>&)>;

    static Result<std::unique_ptr<Monitor>> make(Watch watch, const MonitorOptions& options);

    void onFinding(FindingCallback callback) { m_onFinding = std::move(callback); }
    void onNonFinite(ActivationSearch search) { m_search = std::move(search); }

    /// Before the forward pass. `epoch` and `batch` only name the place in a finding.
    void beginStep(std::int64_t epoch = 0, std::int64_t batch = 0);
    /// Whether this step is measured: every `stride` steps, and where an exact look at a parameter is due.
    bool measures() const { return m_measures; }
    /// Whether activations are looked at as well: at the stride alone, since they are what costs most.
    bool measuresActivations() const { return m_isDue; }
    /// The prediction and target that a loss was given.
    void sawLossShape(diagnostics::StepStats::LossShape shape) { m_stats.lossShapes.push_back(std::move(shape)); }
    void sawInputDtype(diagnostics::StepStats::InputDtype dtype) { m_stats.inputDtypes.push_back(std::move(dtype)); }
    /// After the forward pass of one batch of several that make a step: a loss that is not finite is looked into while
    /// that batch is still at hand. A loop with one batch a step need not call it.
    void sawBatchLoss(double loss, std::int64_t batch);
    /// An output of a block that holds what is not finite, seen during the forward pass of a measured step.
    void sawNonFiniteActivation(int block, std::int64_t count);
    /// Time that looking at activations took: it counts against the budget.
    void activationsTook(double ms) { m_costMs += ms; }
    /// After the gradients are there (and unscaled), before they are clipped. `loss` is the mean over the batch. With
    /// `gradients` (one a watched parameter, in order) nothing is measured a second time, and what is not finite in
    /// them is found in this step even if it is not measured; `gradientsMs` is what taking them has cost, where it was
    /// done for the monitor alone.
    void afterBackward(double loss, const std::vector<TensorStatistics>* gradients = nullptr, double gradientsMs = 0);
    /// Where a step has several optimizers: before one of them updates ahead of afterBackward().
    void beforePartOfStep();
    /// training.optimizer.lr as it is from now on: what a remedy that lowers it starts from.
    void setLiveLearningRate(double rate) { m_stats.liveLearningRate = rate; }
    /// After the optimizer's step, before the gradients are dropped.
    void afterStep(const StepReport& report);

    /// Instead of afterBackward() and afterStep(): there was nothing to learn from in the step, so the optimizer was
    /// left alone.
    void passOverStep();

    /// Once validation has put the model into its mode …
    void beginValidation();
    /// … and before the mode is put back. `loss` is the mean over the validation; 0 = not known, or nothing counted for
    /// any loss.
    void endValidation(double loss = 0);
    void endEpoch(const EpochReport& report);
    /// The loader has given nothing for this long. Another thread may call it while the training thread waits for the
    /// loader and calls nothing here.
    void loaderGivesNothing(double ms);

    /// The last record of a training step; valid until the next beginStep().
    const diagnostics::StepStats& lastStep() const { return m_stats; }
    /// How far that step moved the blocks, where it was measured and applied. Blocks of a large model take turns.
    const std::vector<BlockUpdate>& blockUpdates() const { return m_blockUpdates; }
    const Governor& governor() const { return m_governor; }
    const diagnostics::RunFacts& facts() const { return m_watch.facts; }
    const std::vector<diagnostics::Finding>& findings() const { return m_diagnostics->all(); }

    Json saveState() const;
    /// Before the first step.
    Status loadState(const Json& state);

private:
    using Clock = std::chrono::steady_clock;

    Monitor(Watch watch, const MonitorOptions& options, std::unique_ptr<diagnostics::Diagnostics> diagnostics);

    void start();
    void clearStats();
    void observe(const diagnostics::StepStats& stats);
    void measureGradients(const std::vector<TensorStatistics>* known);
    void keepWeights();
    void measureUpdates();
    /// Of the updates from this one on, which tell of gradients: that one is back moves nothing which stands still.
    void dropOfWhatStandsStill(std::size_t from);
    void searchForward(double loss);
    void searchGradients();
    diagnostics::StepStats::NonFinite nonFinite(const char* what, std::size_t parameter, std::int64_t count) const;
    /// The parameter where it is trained, else undefined. `looked`: nor one of which a row may go unused.
    at::Tensor trained(std::size_t parameter, bool looked) const;
    std::vector<at::Tensor> allTrained(bool looked) const;
    /// Which parameters are frozen now. Asked before measured steps, before the first step after a validation and of an
    /// epoch, and before something is told that it could explain.
    void askWhatIsFrozen();
    void rememberFrozenNorms();
    void findFrozenDrift();
    /// A fingerprint of one BatchNorm's running statistics.
    static std::uint64_t fingerprint(const WatchedNorm& norm);

    Watch m_watch;
    Governor m_governor;
    std::unique_ptr<diagnostics::Diagnostics> m_diagnostics;
    ChangeWatch m_changes;
    ZeroWatch m_zeros;
    UpdateWatch m_updates;
    std::vector<BlockUpdate> m_blockUpdates;
    FindingCallback m_onFinding;
    ActivationSearch m_search;

    diagnostics::StepStats m_stats;
    diagnostics::StepStats m_other;  ///< validation and epoch records
    bool m_started = false;
    bool m_measures = false;
    bool m_isDue = false;          ///< by the stride, not for an exact look alone
    bool m_weightsKept = false;    ///< those from before this step's first update
    bool m_open = false;           ///< between beginStep() and afterStep()
    double m_largestGradient = 0;  ///< norm of all gradients, as measured
    bool m_searched = false;       ///< something not finite has been told: the blocks are searched once
    diagnostics::StepStats::Place
        m_lastClean;  ///< the last step whose loss and gradients were all looked at and finite
    std::optional<diagnostics::StepStats::NonFinite> m_activation;  ///< the first one seen in this step
    bool m_interrupted = false;  ///< validation or a checkpoint came since the last step
    std::int64_t m_step = 0, m_applied = 0, m_epoch = 0;
    Json m_loaded;

    std::vector<at::Tensor> m_gradients;
    std::vector<TensorStatistics> m_statistics;  ///< of the gradients, by parameter
    std::vector<double> m_blockSquares;          ///< of the gradients, by block
    std::vector<double> m_blockLargest;          ///< magnitude of a gradient, by block
    std::vector<std::uint64_t> m_normBefore;     ///< at the start of validation
    /// A frozen BatchNorm. In training mode it is looked at before and after the step, until its drift is told.
    struct FrozenNorm {
        std::uint64_t before = 0;
        bool known = false, watched = false, told = false;
    };
    std::vector<FrozenNorm> m_frozen;  ///< by norm

    Clock::time_point m_stepBegan{}, m_lastEnd{};
    double m_costMs = 0;
};

}  // namespace plumbline::monitor
