// The smallest runtime there can be.
#include "session/engine.h"
#include "session/engine_abi.h"

namespace {

using namespace plumbline;

class SmallEngine final : public session::Engine {
public:
    Result<session::RunSummary> train(const session::TrainRequest&, session::RunSink&, RunControl&,
                                      session::LiveCommands&) override {
        return session::RunSummary{};
    }
    Result<session::Measured> evaluate(const session::EvaluateRequest&, RunControl&) override {
        return session::Measured{};
    }
    Result<std::vector<session::Prediction>> predict(const session::PredictRequest&) override { return {}; }
    Result<session::ExportReport> exportModel(const session::ExportRequest&, RunControl&,
                                              const std::function<void(const std::string&)>&) override {
        return session::ExportReport{};
    }
    Json doctor() override { return {{"engine", "small"}}; }
    Json versions() override { return Json::object(); }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) plumbline::session::Engine* plumbline_make_engine(int abi) {
    return abi == plumbline::session::kEngineAbi ? new SmallEngine : nullptr;
}
