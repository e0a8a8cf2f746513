#pragma once
// Whole training runs in the test's own process: tiny projects made on the spot, and a sink that keeps everything.

#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/json.h"
#include "core/random.h"
#include "project/project.h"
#include "session/engine.h"
#include "support/temporary_folder.h"

namespace plumbline::test {

class RecordingSink final : public session::RunSink {
public:
    struct Point {
        std::int64_t step;
        double value;
        double elapsedMs = 0;
        std::int32_t epoch = 0;
        bool operator==(const Point& other) const {
            return step == other.step && (value == other.value || (std::isnan(value) && std::isnan(other.value)));
        }
    };

    std::map<std::string, std::vector<Point>> points;
    std::vector<session::Event> events;
    std::vector<diagnostics::Finding> findings;  ///< in the order they were told
    std::vector<session::RunState> states;
    std::vector<std::int64_t> flushed;  ///< the step that was told last, at each flush
    Json recorded;
    std::function<void(std::int64_t step)> onStep;  ///< after each train.loss
    std::function<void(session::RunState)> onState;
    std::function<void(const session::Event&)> onEvent;
    std::function<void(const diagnostics::Finding&)> onFinding;

    session::SeriesId series(const std::string& name, std::int64_t) override {
        for (std::size_t i = 0; i < m_names.size(); ++i) {
            if (m_names[i] == name) {
                return static_cast<session::SeriesId>(i);
            }
        }
        m_names.push_back(name);
        return static_cast<session::SeriesId>(m_names.size() - 1);
    }
    void metric(const session::MetricPoint& point) override {
        points[m_names[point.series]].push_back({point.step, point.value, point.elapsedMs, point.epoch});
        if (point.series == 0 && onStep) {
            onStep(point.step);
        }
    }
    void state(session::RunState state) override {
        states.push_back(state);
        if (onState) {
            onState(state);
        }
    }
    void event(session::Event event) override {
        events.push_back(std::move(event));
        if (onEvent) {
            onEvent(session::Event(events.back()));
        }
    }
    void forgetCallbacks() {
        onStep = {};
        onState = {};
        onFinding = {};
        onEvent = {};
    }
    void finding(const diagnostics::Finding& finding) override {
        findings.push_back(finding);
        if (onFinding) {
            onFinding(finding);
        }
    }
    void record(const Json& choices) override { recorded = choices; }
    void progress(const Progress& progress) override { m_told = progress.step; }
    double elapsedMs() const override {
        return m_elapsedBefore +
               std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_began).count();
    }
    void dropAfter(std::int64_t step, double elapsedMs) override {
        m_elapsedBefore = elapsedMs;
        m_began = std::chrono::steady_clock::now();
        for (auto& [name, list] : points) {
            std::erase_if(list, [&](const Point& point) {
                return point.step > step || (point.step == step && point.elapsedMs > elapsedMs);
            });
        }
        std::erase_if(events, [&](const session::Event& event) {
            if (event.event == "command") {
                return false;
            }
            const std::int64_t at = event.data.value("step", std::int64_t{-1});
            return at > step || (at == step && event.tMs > elapsedMs && event.event != "checkpoint");
        });
        std::erase_if(findings, [step](const diagnostics::Finding& finding) { return finding.step > step; });
    }
    Status flush() override {
        flushed.push_back(m_told);
        return {};
    }

    std::vector<double> values(const std::string& name) const {
        std::vector<double> result;
        if (const auto found = points.find(name); found != points.end()) {
            for (const Point& point : found->second) {
                result.push_back(point.value);
            }
        }
        return result;
    }
    double last(const std::string& name) const {
        const auto found = points.find(name);
        return found == points.end() || found->second.empty() ? std::nan("") : found->second.back().value;
    }
    std::vector<session::Event> eventsOf(const std::string& name) const {
        std::vector<session::Event> found;
        std::copy_if(events.begin(), events.end(), std::back_inserter(found),
                     [&](const session::Event& event) { return event.event == name; });
        return found;
    }
    /// Ids of the detectors that found something, each once.
    std::vector<std::string> detectors() const {
        std::vector<std::string> names;
        for (const diagnostics::Finding& finding : findings) {
            if (std::find(names.begin(), names.end(), finding.detector) == names.end()) {
                names.push_back(finding.detector);
            }
        }
        return names;
    }

private:
    std::vector<std::string> m_names;
    std::int64_t m_told = 0;
    double m_elapsedBefore = 0;
    std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
};

/// A folder with three clusters of points in four dimensions (and their distance from the origin, for regression), and
/// the project of a small network that tells them apart.
class TinyProject {
public:
    explicit TinyProject(int samples = 300) {
        Random random(7);
        std::string text = "x0,x1,x2,x3,distance,class\n";
        for (int i = 0; i < samples; ++i) {
            const int cluster = i % 3;
            double x[4], squares = 0;
            for (int k = 0; k < 4; ++k) {
                x[k] = random.normal() * 0.7 + (k == cluster ? 2.5 : 0.0);
                squares += x[k] * x[k];
                text += std::to_string(x[k]) + ",";
            }
            text += std::to_string(std::sqrt(squares)) + "," + std::string(1, static_cast<char>('a' + cluster)) + "\n";
        }
        EXPECT_TRUE(writeFileAtomically(m_folder.path() / "points.csv", text).has_value());
        json = parseJson(R"({
  "schema_version": 1, "name": "tiny", "description": "",
  "model": {"definitions": {}, "graph": {
    "inputs": {"x": {"shape": ["B", 4], "dtype": "float32"}},
    "nodes": {
      "hidden": {"type": "Linear", "from": "x", "params": {"out_features": 16}},
      "bn": {"type": "BatchNorm1d", "from": "hidden"},
      "relu": {"type": "ReLU", "from": "bn"},
      "drop": {"type": "Dropout", "from": "relu", "params": {"p": 0.2}},
      "fc": {"type": "Linear", "from": "drop", "params": {"out_features": 3}}},
    "outputs": {"logits": "fc"}}},
  "data": {
    "sources": {"points": {"type": "csv", "path": "points.csv"}},
    "inputs": {"x": {"from": ["points.x0", "points.x1", "points.x2", "points.x3"]}},
    "targets": {"label": {"from": "points.class"}},
    "splits": {"train": 0.6, "validation": 0.2, "test": 0.2, "stratify": "label", "seed": 0},
    "loader": {"batch_size": 16, "workers": 0, "prefetch_batches": 2, "shuffle": true, "drop_last": false}},
  "training": {
    "seed": 3, "device": "cpu", "precision": "fp32", "determinism": "deterministic", "threads": 1, "stop": {"epochs": 6},
    "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
    "metrics": [{"type": "accuracy", "output": "logits", "target": "label"}],
    "optimizer": {"type": "AdamW", "lr": 0.02},
    "scheduler": {"type": "cosine", "unit": "step", "warmup": 5},
    "checkpoints": {"every": 1, "unit": "epoch", "keep_last": 2}},
  "monitor": {"stride": 1, "detectors": {}}})",
                         "tiny")
                   .value();
    }

    Json json;

    Json& training() { return json["training"]; }
    /// Without what a batch gives other numbers by its make-up: normalisation, dropout, shuffling.
    void useOnlyLinearLayers() {
        Json& nodes = json["model"]["graph"]["nodes"];
        nodes.erase("bn");
        nodes.erase("drop");
        nodes["relu"]["from"] = "hidden";
        nodes["fc"]["from"] = "relu";
        json["data"]["loader"]["shuffle"] = false;
    }
    /// The distance from the origin, told by so many outputs, in place of the class.
    void regressDistance(int outputs) {
        json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"] = outputs;
        json["data"]["targets"] = {{"distance", {{"from", "points.distance"}}}};
        json["data"]["splits"].erase("stratify");
        training()["losses"] = {{{"type", "MSELoss"}, {"output", "logits"}, {"target", "distance"}}};
        training()["metrics"] = Json::array();
    }
    std::filesystem::path folder() const { return m_folder.path(); }
    project::Project read() const {
        auto project = project::readProject(json, m_folder.path());
        EXPECT_TRUE(project.has_value()) << (project ? "" : toSentence(project.error()));
        return project ? *project : project::Project{};
    }

private:
    testing::TemporaryFolder m_folder;
};

/// Trains in this process; tests that go through the runtime library instead define their own way.
Result<session::RunSummary> trainHere(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                      session::LiveCommands& live);

/// One run folder with what a session would keep between start and resume.
struct TestRun {
    explicit TestRun(const TinyProject& project, const std::string& name = "run") : request{} {
        request.project = project.read();
        request.runFolder = project.folder() / "runs" / name;
        request.runId = name;
        EXPECT_TRUE(makeFolder(request.runFolder).has_value());
    }

    session::TrainRequest request;
    RecordingSink sink;
    session::LiveCommands live;

    Result<session::RunSummary> start(std::int64_t maxSteps = 0) {
        RunControl control;
        return start(control, maxSteps);
    }
    Result<session::RunSummary> start(RunControl& control, std::int64_t maxSteps = 0) {
        request.maxSteps = maxSteps;
        return trainHere(request, sink, control, live);
    }
    Result<session::RunSummary> resume(std::int64_t maxSteps = 0) {
        request.resume = true;
        request.recorded = sink.recorded;
        return start(maxSteps);
    }
};

}  // namespace plumbline::test
