#pragma once
// An engine whose training is a function of the test, and a runs folder.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>

#include "session/training_session.h"
#include "store/run_store.h"
#include "support/temporary_folder.h"

namespace plumbline::session {

struct Call {
    const TrainRequest& request;
    RunSink& sink;
    RunControl& control;
    LiveCommands& live;
};
using Training = std::function<Result<RunSummary>(const Call&)>;

class FakeEngine final : public Engine {
public:
    explicit FakeEngine(Training training) : m_training(std::move(training)) {}

    Result<RunSummary> train(const TrainRequest& request, RunSink& sink, RunControl& control,
                             LiveCommands& live) override {
        return m_training({request, sink, control, live});
    }
    Result<Measured> evaluate(const EvaluateRequest&, RunControl&) override { return Measured{}; }
    Result<std::vector<Prediction>> predict(const PredictRequest&) override { return {}; }
    Result<ExportReport> exportModel(const ExportRequest&, RunControl&,
                                     const std::function<void(const std::string&)>&) override {
        return ExportReport{};
    }
    Json doctor() override { return Json::object(); }
    Json versions() override { return Json::object(); }

private:
    Training m_training;
};

inline RunSummary summaryOf(const std::string& status, std::int64_t steps = 0) {
    RunSummary summary;
    summary.status = status;
    summary.stopCode = status == "completed" ? "epochs" : "user";
    summary.stopMessage = "It is over.";
    summary.steps = {steps, steps, 0};
    summary.metrics = {{"val.loss", 0.5}};
    return summary;
}

inline diagnostics::Finding findingOf(const std::string& id, diagnostics::Severity severity, std::int64_t step = 1) {
    diagnostics::Finding finding;
    finding.id = id;
    finding.detector = "non-finite";
    finding.severity = severity;
    finding.step = step;
    finding.message = "A NaN.";
    return finding;
}

/// Waits for a condition that another thread makes true; false after a generous limit.
template <class Condition>
bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

class SessionTest : public ::testing::Test {
protected:
    SessionOptions options() const {
        SessionOptions options;
        options.project =
            project::readProject(project::makeFromTemplate("mlp", Json::object(), "sample").value(), m_folder.path())
                .value();
        options.runsFolder = m_folder / "runs";
        return options;
    }
    std::unique_ptr<TrainingSession> make(SessionOptions options, Training training) {
        auto session = TrainingSession::create(std::move(options), std::make_shared<FakeEngine>(std::move(training)));
        EXPECT_TRUE(session) << (session ? "" : toSentence(session.error()));
        return session ? std::move(*session) : nullptr;
    }
    std::unique_ptr<TrainingSession> make(Training training) { return make(options(), std::move(training)); }

    /// Runs to the end; what wait() gave.
    Result<RunSummary> runToEnd(TrainingSession& session) {
        session.start(false);
        return session.wait();
    }
    store::RunInfo stored(const TrainingSession& session) {
        const auto reader = store::RunReader::open(session.runFolder());
        EXPECT_TRUE(reader);
        const auto info = reader ? (*reader)->info() : Result<store::RunInfo>(store::RunInfo{});
        EXPECT_TRUE(info);
        return info ? *info : store::RunInfo{};
    }
    std::size_t storedPoints(const TrainingSession& session, const std::string& series) {
        std::size_t count = 0;
        const auto reader = store::RunReader::open(session.runFolder());
        EXPECT_TRUE(reader && (*reader)->points(series, [&](const store::StoredPoint&) { ++count; }));
        return count;
    }

    testing::TemporaryFolder m_folder;
};

}  // namespace plumbline::session
