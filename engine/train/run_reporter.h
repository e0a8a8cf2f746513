#pragma once
// What a run tells while it goes on: the numbers of each step, progress with its estimate, events; and the time that
// these are measured by.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "session/run_sink.h"
#include "train/recent_pace.h"
#include "train/run_state.h"
#include "train/training_setup.h"

namespace plumbline::train {

/// One thread: the one that trains. `position` is the loop's, always as it is now.
class RunReporter {
public:
    RunReporter(session::RunSink& sink, const Position& position) : m_sink(sink), m_position(position) {}
    /// Once the setup is there, which outlives it.
    void use(TrainingSetup& setup) { m_setup = &setup; }

    double elapsedMs() const { return m_sink.elapsedMs(); }
    /// Something else than training took time: it does not count for the next step.
    void restartStepClock() {
        m_lastStepEnd = Clock::now();
        m_interrupted = true;
        m_waitMs = 0;
    }
    void waitedForLoader(double ms) { m_waitMs += ms; }

    /// Where the run is: the newest step and its epoch.
    StepPoint point() const;
    /// After each optimizer step, before the learning rates change.
    void step(const StepOutcome& outcome);
    void progress(bool always);
    void event(const std::string& event, Json data) { m_sink.event({event, elapsedMs(), std::move(data)}); }
    void log(const std::string& level, const std::string& message) {
        event("log", {{"level", level}, {"message", message}});
    }
    /// Throughput, time and memory of the run.
    void fill(session::RunSummary& summary) const;

private:
    using Clock = std::chrono::steady_clock;
    static double milliseconds(Clock::duration duration) {
        return std::chrono::duration<double, std::milli>(duration).count();
    }

    /// After the second step of a run: what checkpointing was predicted to save, beside what was measured.
    void tellCheckpointing();
    void seeMemory(bool all);
    session::MemorySummary memory() const;
    void tellMonitor(const StepPoint& point, const StepOutcome& outcome);

    session::RunSink& m_sink;
    const Position& m_position;
    TrainingSetup* m_setup = nullptr;

    Clock::time_point m_lastStepEnd{}, m_lastProgress{};
    double m_waitMs = 0;
    bool m_interrupted = false;
    RecentPace m_pace;
    double m_trainingMs = 0;
    std::int64_t m_trainedSamples = 0;
    /// Bytes that were there after some step.
    struct Held {
        std::int64_t current = 0, peak = 0;
        void see(std::int64_t bytes) {
            current = bytes;
            peak = std::max(peak, bytes);
        }
    };
    Held m_prefetch, m_gradients, m_optimizerState;
};

}  // namespace plumbline::train
