#pragma once
// What every probe works with: the setup of a run that nobody hears of.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run_control.h"
#include "session/probe.h"
#include "session/run_sink.h"
#include "train/training_setup.h"

namespace plumbline::train {

using ProbeProgress = std::function<void(const std::string&)>;

/// So many of so many steps are done, for whoever asked to hear of it.
inline void tellCount(const session::ProbeRequest& request, std::int64_t done, std::int64_t total) {
    if (request.counted) {
        request.counted(done, total);
    }
}

/// Keeps the findings and forgets the rest.
class QuietSink final : public session::RunSink {
public:
    session::SeriesId series(const std::string&, std::int64_t) override { return 0; }
    void metric(const session::MetricPoint&) override {}
    void state(session::RunState) override {}
    void event(session::Event) override {}
    void finding(const diagnostics::Finding&) override {}
    void record(const Json&) override {}
    void progress(const Progress&) override {}
    double elapsedMs() const override { return 0; }
    void dropAfter(std::int64_t, double) override {}
    Status flush() override { return {}; }
};

struct ProbeStep {
    double loss = 0;  ///< NaN where nothing counted
    bool applied = true;
    double ms = 0;      ///< forward, backward and update
    double waitMs = 0;  ///< for the loader
    std::int64_t samples = 0;
};

/// A model, its data and its optimizer, as a run would have them at its first step. One thread.
class ProbeBench {
public:
    /// `project` outlives the bench.
    static Result<std::unique_ptr<ProbeBench>> make(const project::Project& project, RunControl& control);

    TrainingSetup& setup() { return *m_setup; }
    /// Takes the next training batch, of the following epoch where one ends.
    Status nextBatch();
    /// Tells the profile of the batches and steps that follow, until it is taken away with nullptr.
    void setProfile(StepProfile* profile) {
        m_profile = profile;
        m_setup->step->setProfile(profile);
    }
    /// One optimizer step on the batch at hand.
    Result<ProbeStep> step();
    /// Takes the next batches of a step, as many as training.accumulation says, and does it; the batch at hand is then
    /// its last.
    Result<ProbeStep> wholeStep();
    /// Waits until the device has done what it was given.
    void synchronize() const;

private:
    explicit ProbeBench(const project::Project& project, RunControl& control) : m_control(control) {
        m_request.project = project;
    }

    session::TrainRequest m_request;
    RunControl& m_control;
    QuietSink m_sink;
    Status bind(const data::HostBatch& host);
    Result<ProbeStep> timedStep(const std::function<Result<StepOutcome>()>& compute);

    std::optional<data::HostBatch> m_host;  ///< the memory of the batch at hand
    std::unique_ptr<TrainingSetup> m_setup;
    StepProfile* m_profile = nullptr;
    double m_waitMs = 0;
};

Result<Json> probePreflight(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress);
Result<Json> probeLearningRate(const session::ProbeRequest& request, RunControl& control,
                               const ProbeProgress& progress);
Result<Json> probeBatchSize(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress);
Result<Json> probeProfile(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress);
Result<Json> probeOverfit(const session::ProbeRequest& request, RunControl& control, const ProbeProgress& progress);

/// Median; NaN of nothing.
double medianOf(std::vector<double> values);

}  // namespace plumbline::train
