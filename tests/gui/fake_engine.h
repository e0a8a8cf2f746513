// SPDX-License-Identifier: GPL-3.0-or-later
// An engine without LibTorch: makes numbers, findings and errors on demand.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "core/files.h"
#include "session/engine.h"

namespace plumbline::gui::test {

class FakeEngine : public session::Engine {
public:
    std::atomic<int> steps{50};
    std::atomic<int> resumeAfter{20};    ///< the step of the checkpoint that a resumed run goes on from
    std::atomic<bool> holdAtEnd{false};  ///< goes on until it is stopped
    std::atomic<int> stepMs{0};          ///< what a step takes at least
    std::atomic<bool> failAtEnd{false};
    std::atomic<bool> findSomething{false};
    std::atomic<bool> saving{false};          ///< its end waits until letGo(), as with a large checkpoint
    std::vector<session::Prediction> answer;  ///< what it predicts for any input
    std::vector<std::string> asked;           ///< the inputs of predict(); read once it is not computing
    std::atomic<bool> scales{false};          ///< tells of a gradient scaler that skips steps 5 and 9
    std::atomic<bool> findIsCritical{false};
    std::atomic<double> validationLoss{0};         ///< told at the end when it is not 0
    std::map<std::string, double> blockValues;     ///< series and what each has at every step
    session::ExportReport exported;                ///< what an export ends in
    std::atomic<bool> holdExport{false};           ///< goes on until it is stopped
    std::atomic<int> exports{0};                   ///< how many were begun
    Json probed;                                   ///< what a probe ends in; null: it fails
    std::atomic<bool> holdProbe{false};            ///< goes on until it is stopped
    std::atomic<int> probes{0};                    ///< how many were begun
    std::atomic<int> probeDone{0}, probeTotal{0};  ///< what a probe counts; 0, 0: nothing
    session::ProbeRequest lastProbe;               ///< read once it has ended

    Result<session::RunSummary> train(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                      session::LiveCommands& commands) override {
        sink.state(session::RunState::kRunning);
        sink.record(Json{{"device", "cpu"}, {"threads", 1}});
        const session::SeriesId loss = sink.series("train.loss", 1);
        const session::SeriesId norm = sink.series("grad.norm/conv", 1);
        session::RunSummary summary;
        int first = 1;
        if (request.resume) {  // from a checkpoint in the middle of what it had
            first = resumeAfter + 1;
            sink.dropAfter(resumeAfter, resumeAfter * 1.0);
        }
        for (int step = first; (step <= steps || holdAtEnd) && !control.stopRequested(); ++step) {
            sink.metric({loss, 0, step, step * 1.0, 1.0 / step});
            sink.metric({norm, 0, step, step * 1.0, 2.0});
            for (const auto& [name, value] : blockValues) {
                sink.metric({sink.series(name, 1), 0, step, step * 1.0, value});
            }
            if (scales) {
                sink.metric({sink.series("scaler.scale", 1), 0, step, step * 1.0,
                             step < 5   ? 65536.0
                             : step < 9 ? 32768.0
                                        : 16384.0});
                sink.metric({sink.series("scaler.skipped", 1), 0, step, step * 1.0,
                             step < 5   ? 0.0
                             : step < 9 ? 1.0
                                        : 2.0});
            }
            session::RunSink::Progress progress{step, steps, 0, 1, 100, 1};
            progress.memory.tensors = {2'000'000, 9'000'000};
            progress.memory.parts[0] = {1'000'000, 1'500'000};
            sink.progress(progress);
            if (findSomething && step == 10) {
                diagnostics::Finding finding;
                finding.id = "loader-stall#1";
                finding.detector = "loader-stall";
                finding.step = step;
                finding.severity = findIsCritical ? graph::Severity::kCritical : graph::Severity::kWarning;
                finding.block = "conv";
                finding.message = "The loader waits 38 % of step time.";
                finding.evidence = Json{{"wait", 0.38}};
                finding.remedies.push_back(
                    {"Set workers to 2", Json::parse(R"([{"op":"replace","path":"/data/loader/workers","value":2}])"),
                     "next_run"});
                sink.finding(finding);
            }
            if (control.pauseRequested()) {
                sink.state(session::RunState::kPaused);
                control.waitWhilePaused();
                sink.state(session::RunState::kRunning);
            }
            for (const session::LiveCommand& command : commands.take()) {
                {
                    const std::scoped_lock lock(m_mutex);
                    m_taken.push_back(command);
                }
                if (command.path == session::kProfileInstruction) {
                    profile(request, command, step, sink);
                }
            }
            stepMs > 0 ? std::this_thread::sleep_for(std::chrono::milliseconds(stepMs)) : std::this_thread::yield();
            summary.steps.attempted = step;
        }
        saving.wait(true);
        if (validationLoss != 0) {
            sink.metric({sink.series("val.loss", 1), 0, steps, steps * 1.0, validationLoss});
        }
        if (failAtEnd) {
            return fail(ErrorKind::kRunFailed, "out-of-memory", "The batch does not fit into memory.", "train",
                        "Halve the batch size.");
        }
        summary.memory = Json{{"parameters", {{"current", 1'000'000}, {"peak", 1'500'000}}},
                              {"activations", {{"current", 0}, {"peak", 4'000'000}}}};
        summary.peakMemoryBytes = 9'000'000;
        summary.status = control.stopRequested() ? "stopped" : "completed";
        summary.stopCode = control.stopRequested() ? "user" : "epochs";
        summary.checkpoint = "checkpoints/step-000000020.ckpt";
        return summary;
    }
    Result<session::Measured> evaluate(const session::EvaluateRequest&, RunControl&) override {
        return session::Measured{};
    }
    Result<std::vector<session::Prediction>> predict(const session::PredictRequest& request) override {
        asked.insert(asked.end(), request.inputs.begin(), request.inputs.end());
        return answer;
    }
    Result<session::ExportReport> exportModel(const session::ExportRequest& request, RunControl& control,
                                              const std::function<void(const std::string&)>& progress) override {
        ++exports;
        progress("Writing " + request.format);
        while (holdExport && !control.stopRequested()) {
            std::this_thread::yield();
        }
        if (control.stopRequested()) {
            return fail(ErrorKind::kInterrupted, "stopped", "The export was stopped", {}, "Start it again.");
        }
        return exported;
    }
    Result<Json> probe(const session::ProbeRequest& request, RunControl& control,
                       const std::function<void(const std::string&)>& progress) override {
        lastProbe = request;
        ++probes;
        progress("rate 0.001: loss 2.5");
        if (probeTotal > 0 && request.counted) {
            request.counted(probeDone, probeTotal);
        }
        while (holdProbe && !control.stopRequested()) {
            std::this_thread::yield();
        }
        if (control.stopRequested()) {
            return fail(ErrorKind::kInterrupted, "stopped", "It was stopped", {}, "Start it again.");
        }
        if (probed.is_null()) {
            return fail(ErrorKind::kRunFailed, "out-of-memory", "The batch does not fit into memory.", "train",
                        "Halve the batch size.");
        }
        Json report = probed;
        if (!request.trace.empty()) {
            report["trace"] = request.trace;
        }
        return report;
    }
    Json doctor() override { return Json::object(); }
    Json versions() override { return Json::object(); }

    void letGo() {
        saving = false;
        saving.notify_all();
    }
    /// The live commands that reached the run, as "path=value".
    std::vector<std::string> taken() const {
        const std::scoped_lock lock(m_mutex);
        std::vector<std::string> all;
        for (const session::LiveCommand& command : m_taken) {
            all.push_back(command.path + "=" + command.value.dump());
        }
        return all;
    }

    Json profiled;      ///< what a profile of its steps finds; null: it is refused
    Json profileError;  ///< why its report could not be written; null: it was

private:
    void profile(const session::TrainRequest& request, const session::LiveCommand& command, int step,
                 session::RunSink& sink) {
        const Status status = profiled.is_null()
                                  ? Status(fail(ErrorKind::kUsage, "profile-on", "The run is being profiled already.",
                                                {}, "Wait until that has ended."))
                                  : Status{};
        sink.event({"answer", step * 1.0, session::answerTo(command, status, step)});
        const std::string name = "profiles/step-" + std::to_string(step) + ".json";
        if (status && makeFolder(request.runFolder / "profiles") && writeJsonFile(request.runFolder / name, profiled)) {
            sink.event({"profile", step * 1.0,
                        profileError.is_null() ? Json{{"step", step}, {"file", name}}
                                               : Json{{"step", step}, {"error", profileError}}});
        }
    }

    mutable std::mutex m_mutex;
    std::vector<session::LiveCommand> m_taken;
};

/// Has no checkpoint that it could go on from.
class RefusingEngine : public FakeEngine {
public:
    Result<session::RunSummary> train(const session::TrainRequest&, session::RunSink&, RunControl&,
                                      session::LiveCommands&) override {
        return fail(ErrorKind::kInvalid, "no-checkpoint", "The run has no whole checkpoint.", {}, "Start a new run.");
    }
};

}  // namespace plumbline::gui::test
