#pragma once
// The Engine of this library.

#include "session/engine.h"

namespace plumbline::runtime {

/// One a process. Its methods may be called from any thread, one run at a time in each.
class TorchEngine final : public session::Engine {
public:
    TorchEngine();

    Result<session::RunSummary> train(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                      session::LiveCommands& live) override;
    Result<std::map<std::string, double>> evaluate(const session::EvaluateRequest& request, RunControl& control) override;
    Result<std::vector<session::Prediction>> predict(const session::PredictRequest& request) override;
    Result<session::ExportReport> exportModel(const session::ExportRequest& request, RunControl& control,
                                              const std::function<void(const std::string&)>& progress) override;
    Json doctor() override;
    Json versions() override;
};

}  // namespace plumbline::runtime
