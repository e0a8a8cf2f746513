#pragma once
// Where the time and the memory of a running run's next steps go, from when somebody asks.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/error.h"
#include "core/json.h"
#include "train/profile/step_profile.h"
#include "train/run_reporter.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// Changes no number of the run. Its report is a file profiles/step-000000123.json in the run's folder, after the last
/// step that was looked at: StepProfile::report() with "run", "first_step", "last_step", and "trace", the name of a
/// Chrome trace beside it. An event "profile" names it: {"step", "first_step", "steps", "total_ms", "file", "trace"};
/// of a report that there is none of: {"step", "first_step", "error"}, with
/// {"code", "message", "hint"}. A trace is of the steps after those that were looked at, as recording each
/// operation takes longer than many of them do; it ends where anything else than steps comes. What cannot be written is
/// told and harms nothing. One thread: the one that trains. Everything it is given outlives it.
class LiveProfile {
public:
    LiveProfile(std::filesystem::path runFolder, std::string run, RunReporter& reporter)
        : m_folder(std::move(runFolder)), m_run(std::move(run)), m_reporter(reporter) {}
    /// Once the setup is there.
    void use(TrainingSetup& setup) { m_setup = &setup; }

    /// {"steps": 1 … kMostProfiledSteps, "trace": bool}: begins with the next step. Refused while one is on.
    Status ask(const Json& asked);
    /// What ask() would refuse; changes nothing.
    Status check(const Json& asked) const;
    static Status refusalWhileOn();
    bool isOn() const { return m_left > 0 || m_tracesLeft > 0; }

    /// Before the first batch of a step is fetched.
    void beginStep() {
        if (isOn()) [[unlikely]] {
            begin();
        }
    }
    /// Within a step.
    void enter(Phase phase) {
        if (m_inStep) [[unlikely]] {
            m_profile->enter(phase);
        }
    }
    /// Once a step has been counted as `step`.
    void endStep(std::int64_t step) {
        if (isOn()) [[unlikely]] {
            end(step);
        }
    }
    /// A pause of so long, which is no part of a step.
    void leaveOut(double pauseMs);
    /// Something else than a step comes.
    void interrupt() {
        if (m_recording != nullptr) [[unlikely]] {
            endTrace();
        }
    }
    /// The run ends, in whatever way: what there is of a profile is written.
    void endRun();
    /// One that was to begin after what ended the run.
    void tellNoStep();

private:
    void begin();
    void end(std::int64_t step);
    void beginTrace();
    void endTrace();
    void detach();
    /// Writes the report and tells of it.
    void finish();
    Status write();
    /// Who waits for the report waits no longer.
    void tellNone(const Error& error);
    std::string nameOf(const char* ending) const;

    std::filesystem::path m_folder;
    std::string m_run;
    RunReporter& m_reporter;
    TrainingSetup* m_setup = nullptr;
    std::unique_ptr<StepProfile> m_profile;  ///< the newest one; stays, as a graph that it saw may
    std::unique_ptr<OperationTrace> m_recording;
    bool m_inStep = false;                      ///< of those that are looked at
    std::int64_t m_left = 0, m_tracesLeft = 0;  ///< steps
    std::int64_t m_firstStep = 0, m_lastStep = 0;
    std::string m_trace;  ///< written already
};

}  // namespace plumbline::train
