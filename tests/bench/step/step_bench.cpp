// The training step of the application, all monitors on, against a loop written by hand on LibTorch with the same
// kernels, allocator and memory layout: same process, one thread, interleaved. Prints JSON.
//
//     step_bench [PAIRS [STEPS A SEGMENT [MODEL]]]        MODEL: mlp or cnn; both when left out

#include <ATen/Parallel.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/from_blob.h>
#include <torch/torch.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>

#include "core/files.h"
#include "core/json.h"
#include "core/random.h"
#include "data/dataset.h"
#include "model/memory.h"
#include "project/project.h"
#include "support/temporary_folder.h"
#include "support/thread_time.h"
#include "train/training_loop.h"

namespace plumbline {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::int64_t kSamples = 64 * 2000;
constexpr std::int64_t kBatch = 64;

/// Time that this thread has computed: the same on a machine that is busy with something else.
double threadSeconds() { return testing::threadMilliseconds() * 1e-3; }

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void writeBigEndian(std::ofstream& file, std::uint32_t value) {
    const char bytes[4] = {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8), static_cast<char>(value)};
    file.write(bytes, 4);
}

void writeData(const std::filesystem::path& folder) {
    Random random(1);
    std::ofstream images(folder / "images.idx", std::ios::binary), labels(folder / "labels.idx", std::ios::binary);
    for (const std::uint32_t value : {0x803U, static_cast<std::uint32_t>(kSamples), 8U, 8U}) {
        writeBigEndian(images, value);
    }
    for (const std::uint32_t value : {0x801U, static_cast<std::uint32_t>(kSamples)}) {
        writeBigEndian(labels, value);
    }
    for (std::int64_t i = 0; i < kSamples; ++i) {
        const auto label = random.below(10);
        for (std::uint64_t k = 0; k < 64; ++k) {
            images.put(static_cast<char>(random.below(128) + (k / 6 == label ? 100 : 0)));
        }
        labels.put(static_cast<char>(label));
    }
}

Json projectOf(const Json& nodes, const std::string& output) {
    Json json = parseJson(R"({"schema_version": 1, "name": "bench", "description": "",
  "model": {"definitions": {}, "graph": {"inputs": {"image": {"shape": ["B", 1, 8, 8], "dtype": "float32"}}}},
  "data": {"sources": {"d": {"type": "idx", "images": "images.idx", "labels": "labels.idx"}},
    "inputs": {"image": {"from": "d.image", "transforms": [{"type": "scale", "by": 0.00390625}]}}, "targets": {"label": {"from": "d.label"}},
    "splits": {"train": 1.0, "validation": 0.0, "test": 0.0, "seed": 0},
    "loader": {"batch_size": 64, "workers": 0, "prefetch_batches": 2, "shuffle": true, "drop_last": true}},
  "training": {"seed": 0, "device": "cpu", "threads": 1, "stop": {"epochs": 1000},
    "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
    "optimizer": {"type": "AdamW", "lr": 0.001}, "checkpoints": {"every": 1000000, "unit": "step"}},
  "monitor": {"stride": "auto", "detectors": {}}})", "bench").value();
    json["model"]["graph"]["nodes"] = nodes;
    json["model"]["graph"]["outputs"] = {{"logits", output}};
    return json;
}

Json node(const char* type, const char* from, Json params = Json::object()) { return {{"type", type}, {"from", from}, {"params", std::move(params)}}; }

/// What a person writes who knows LibTorch well: lists prepared once, fused kernel, gradients set to none.
class HandWrittenLoop {
public:
    HandWrittenLoop(torch::nn::Sequential net, std::shared_ptr<const data::Dataset> dataset, bool channelsLast)
        : m_net(std::move(net)), m_channelsLast(channelsLast) {
        if (channelsLast) {
            for (at::Tensor& parameter : m_net->parameters()) {
                if (parameter.dim() == 4) {
                    parameter.set_data(parameter.data().contiguous(at::MemoryFormat::ChannelsLast));
                }
            }
        }
        m_parameters = m_net->parameters();
        for (const at::Tensor& parameter : m_parameters) {
            m_average.push_back(at::zeros_like(parameter));
            m_square.push_back(at::zeros_like(parameter));
            m_steps.push_back(at::zeros({}));
        }
        data::LoaderOptions options;
        options.batchSize = kBatch;
        options.workers = 0;
        options.prefetchBatches = 2;
        options.shuffle = true;
        options.dropLast = true;
        m_loader = *data::makeLoader(std::move(dataset), options);
    }

    void run(int steps) {
        for (int step = 0; step < steps; ++step) {
            auto next = m_loader->next();
            if (!*next) {
                next = m_loader->next();
            }
            data::HostBatch& host = **next;
            at::Tensor x = at::from_blob(host.inputs[0].memory.get(), host.inputs[0].dims, at::kFloat);
            if (m_channelsLast) {
                x = x.contiguous(at::MemoryFormat::ChannelsLast);
            }
            const at::Tensor y = at::from_blob(host.targets[0].memory.get(), host.targets[0].dims, at::kLong);
            for (at::Tensor& parameter : m_parameters) {
                parameter.mutable_grad().reset();
            }
            const at::Tensor loss = torch::nn::functional::cross_entropy(m_net->forward(x), y);
            loss.backward();
            m_loss = *loss.const_data_ptr<float>();
            m_gradients.clear();
            for (const at::Tensor& parameter : m_parameters) {
                m_gradients.push_back(parameter.grad());
            }
            for (const at::Tensor& count : m_steps) {
                *count.data_ptr<float>() += 1;
            }
            {
                const torch::NoGradGuard noGrad;
                at::_fused_adamw_(m_parameters, m_gradients, m_average, m_square, {}, m_steps, 1e-3, 0.9, 0.999, 0.01, 1e-8, false, false);
            }
            m_gradients.clear();
            m_loader->recycle(std::move(host));
        }
    }
    double loss() const { return m_loss; }

private:
    torch::nn::Sequential m_net;
    bool m_channelsLast;
    std::vector<at::Tensor> m_parameters, m_gradients, m_average, m_square, m_steps;
    std::unique_ptr<data::Loader> m_loader;
    double m_loss = 0;
};

/// Keeps points as a session does; at every segment's end it pauses the run and lets the other loop run.
class InterleavingSink final : public session::RunSink {
public:
    InterleavingSink(RunControl& control, int pairs, int steps, std::function<void()> other)
        : m_control(control), m_pairs(pairs), m_steps(steps), m_other(std::move(other)) {
        m_points.reserve(1 << 16);
    }

    session::SeriesId series(const std::string& name, std::int64_t stride) override {
        if (name == "grad.norm") {
            stride_ = stride;
        }
        const auto found = std::find(m_names.begin(), m_names.end(), name);
        if (found == m_names.end()) {
            m_names.push_back(name);
            return static_cast<session::SeriesId>(m_names.size() - 1);
        }
        return static_cast<session::SeriesId>(found - m_names.begin());
    }
    void metric(const session::MetricPoint& point) override {
        const std::scoped_lock lock(m_mutex);
        m_points.push_back(point);
        if (point.series == 0 && point.step % m_steps == 0) {
            loss = point.value;
            m_appSeconds = secondsSince(m_segment);
            m_appThread = threadSeconds() - m_segmentThread;
            m_points.clear();
            m_control.requestPause();
        }
    }
    void state(session::RunState state) override {
        if (state != session::RunState::kPaused) {
            m_segment = Clock::now();
            m_segmentThread = threadSeconds();
            return;
        }
        const Clock::time_point start = Clock::now();
        const double startThread = threadSeconds();
        m_other();
        const double other = secondsSince(start), otherThread = threadSeconds() - startThread;
        if (m_warm++ >= 2) {
            app.push_back(m_appSeconds);
            hand.push_back(other);
            threadRatios.push_back(m_appThread / otherThread);
        }
        static_cast<int>(app.size()) >= m_pairs ? m_control.requestStop() : m_control.requestResume();
    }
    void event(session::Event) override {}
    void finding(const diagnostics::Finding& finding) override { findings.push_back(finding.message); }
    void record(const Json&) override {}
    void progress(const Progress&) override {}
    double elapsedMs() const override { return 0; }
    void dropAfter(std::int64_t, double) override {}
    Status flush() override { return {}; }

    std::vector<double> app, hand, threadRatios;
    std::vector<std::string> findings;
    std::int64_t stride_ = 0;
    double loss = 0;  ///< of the last step of the last segment

private:
    RunControl& m_control;
    int m_pairs, m_steps, m_warm = 0;
    std::function<void()> m_other;
    std::mutex m_mutex;
    std::vector<session::MetricPoint> m_points;
    std::vector<std::string> m_names;
    Clock::time_point m_segment = Clock::now();
    double m_appSeconds = 0, m_appThread = 0, m_segmentThread = 0;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// The 95 % upper bound of the median by 4,000 resamples.
double upperBound(const std::vector<double>& values) {
    Random random(5);
    std::vector<double> medians;
    for (int round = 0; round < 4000; ++round) {
        std::vector<double> sample;
        for (std::size_t i = 0; i < values.size(); ++i) {
            sample.push_back(values[random.below(values.size())]);
        }
        medians.push_back(median(sample));
    }
    std::sort(medians.begin(), medians.end());
    return medians[static_cast<std::size_t>(0.95 * static_cast<double>(medians.size()))];
}

Json compare(const std::filesystem::path& folder, const Json& json, const std::function<torch::nn::Sequential()>& net, bool channelsLast, int pairs, int steps) {
    auto project = project::readProject(json, folder);
    if (!project) {
        return {{"error", toSentence(project.error())}};
    }
    auto dataset = data::Dataset::open(project->data, folder);
    if (!dataset) {
        return {{"error", toSentence(dataset.error())}};
    }
    torch::manual_seed(0);
    HandWrittenLoop hand(net(), *dataset, channelsLast);
    RunControl control;
    // Both start from the same values and see the same batches: what they compute must be the same, or the times say nothing.
    double largestLossDifference = 0;
    InterleavingSink sink(control, pairs, steps, [&] {
        hand.run(steps);
        largestLossDifference = std::max(largestLossDifference, std::abs(hand.loss() - sink.loss));
    });
    session::LiveCommands live;
    session::TrainRequest request;
    request.project = *project;
    request.runFolder = folder / "run";
    std::filesystem::remove_all(request.runFolder);
    std::filesystem::create_directories(request.runFolder);
    const auto summary = train::train(request, sink, control, live);
    if (!summary) {
        return {{"error", toSentence(summary.error())}};
    }
    std::vector<double> ratios;
    for (std::size_t i = 0; i < sink.app.size(); ++i) {
        ratios.push_back(sink.app[i] / sink.hand[i]);
    }
    return {{"pairs", ratios.size()},
            {"steps", steps},
            {"app_ms_a_step", 1000 * median(sink.app) / steps},
            {"hand_ms_a_step", 1000 * median(sink.hand) / steps},
            {"median_ratio", median(ratios)},
            {"upper_95", upperBound(ratios)},
            {"thread_time_median_ratio", median(sink.threadRatios)},
            {"thread_time_upper_95", upperBound(sink.threadRatios)},
            {"monitor_stride", sink.stride_},
            {"loss", sink.loss},
            {"largest_loss_difference", largestLossDifference},
            {"findings", sink.findings}};
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
    using namespace plumbline;
    model::setAllocatorSettings();
    model::installCountingAllocator();
    at::set_num_threads(1);
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 60;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
    const plumbline::testing::TemporaryFolder folder;
    writeData(folder.path());
    Json mlp = {{"flatten", node("Flatten", "image")},
                {"fc1", node("Linear", "flatten", {{"out_features", 128}})}, {"relu1", node("ReLU", "fc1")},
                {"fc2", node("Linear", "relu1", {{"out_features", 64}})}, {"relu2", node("ReLU", "fc2")},
                {"fc3", node("Linear", "relu2", {{"out_features", 10}})}};
    Json cnn = {{"conv1", node("Conv2d", "image", {{"out_channels", 16}, {"kernel_size", 3}, {"padding", 1}})}, {"bn1", node("BatchNorm2d", "conv1")},
                {"relu1", node("ReLU", "bn1")}, {"conv2", node("Conv2d", "relu1", {{"out_channels", 32}, {"kernel_size", 3}, {"padding", 1}})},
                {"bn2", node("BatchNorm2d", "conv2")}, {"relu2", node("ReLU", "bn2")}, {"pool", node("AdaptiveAvgPool2d", "relu2", {{"output_size", 1}})},
                {"flatten", node("Flatten", "pool")}, {"fc", node("Linear", "flatten", {{"out_features", 10}})}};
    using namespace torch::nn;
    // Braces: the layers draw their values from the first to the last.
    const auto handMlp = [] { return Sequential{Flatten(), Linear(64, 128), ReLU(), Linear(128, 64), ReLU(), Linear(64, 10)}; };
    const auto handCnn = [] {
        return Sequential{Conv2d(Conv2dOptions(1, 16, 3).padding(1)), BatchNorm2d(16), ReLU(), Conv2d(Conv2dOptions(16, 32, 3).padding(1)), BatchNorm2d(32),
                          ReLU(), AdaptiveAvgPool2d(1), Flatten(), Linear(32, 10)};
    };
    const std::string only = argc > 3 ? argv[3] : "";
    Json result = Json::object();
    if (only != "cnn") {
        result["mlp_64_128_64_10"] = compare(folder.path(), projectOf(mlp, "fc3"), handMlp, false, pairs, steps);
    }
    if (only != "mlp") {
        result["small_cnn"] = compare(folder.path(), projectOf(cnn, "fc"), handCnn, true, pairs, steps);
    }
    std::cout << formatJson(result);
    return 0;
}
