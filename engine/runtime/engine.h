#pragma once
// The Engine of this library.

#include <atomic>
#include <mutex>

#include "runtime/prediction.h"
#include "session/engine.h"

namespace plumbline::runtime {

/// One a process; its methods may be called from any thread. LibTorch's generators, flags and memory counters belong to
/// the process, so one call works at a time and a run stays what its seed says: while a run goes on the others refuse
/// ("engine-busy"), else whoever comes second waits.
class TorchEngine final : public session::Engine {
public:
    TorchEngine();

    Result<session::RunSummary> train(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                      session::LiveCommands& live) override;
    Result<session::Measured> evaluate(const session::EvaluateRequest& request, RunControl& control) override;
    Result<std::vector<session::Prediction>> predict(const session::PredictRequest& request) override;
    Result<session::ExportReport> exportModel(const session::ExportRequest& request, RunControl& control,
                                              const std::function<void(const std::string&)>& progress) override;
    Result<Json> compile(const session::CompileRequest& request, RunControl& control) override;
    Result<Json> probe(const session::ProbeRequest& request, RunControl& control,
                       const std::function<void(const std::string&)>& progress) override;
    Result<session::CheckpointFacts> checkpointFacts(const std::filesystem::path& file) override;
    Result<session::CheckpointComparison> compareCheckpoints(const std::filesystem::path& a,
                                                             const std::filesystem::path& b) override;
    Json doctor() override;
    Json versions() override;
    Status checkDevice(const std::string& device) override;

private:
    using Turn = std::unique_lock<std::timed_mutex>;
    /// Waits for the turn; empty when `control` asked to stop meanwhile. Refuses while a run goes on.
    Result<Turn> takeTurn(const RunControl* control);

    /// The same for work on another model: nothing of a prediction is held beside it.
    Result<Turn> takeWholeTurn(const RunControl* control);

    std::timed_mutex m_use;
    Predictor m_predictor;  ///< of who has the turn
    std::atomic<bool> m_training{false};
};

}  // namespace plumbline::runtime
