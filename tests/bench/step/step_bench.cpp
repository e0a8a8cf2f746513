// The training step of the application, all monitors on, against two loops written by hand on LibTorch: "same", with
// the same optimizer kernel, allocator and memory layout, and "usual", as a good engineer writes it, with torch::optim
// and the default layout (and, being in one process, the application's allocator). The application chooses its layout
// as in any longer run. Same process, one thread, interleaved. Prints JSON.
//
//     step_bench [PAIRS [STEPS A SEGMENT [MODEL]]]        MODEL: mlp, cnn, cnn28, resnet14 or transformer; all when
//     left out

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/scaled_dot_product_attention.h>
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
constexpr std::int64_t kBatch = 64;

/// Time that this thread has computed: the same on a machine that is busy with something else.
double threadSeconds() {
    return testing::threadMilliseconds() * 1e-3;
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void writeBigEndian(std::ofstream& file, std::uint32_t value) {
    const char bytes[4] = {static_cast<char>(value >> 24), static_cast<char>(value >> 16),
                           static_cast<char>(value >> 8), static_cast<char>(value)};
    file.write(bytes, 4);
}

void writeIdx(const std::filesystem::path& file, const std::vector<std::uint32_t>& dims,
              const std::function<int(std::uint64_t)>& byte) {
    std::ofstream out(file, std::ios::binary);
    writeBigEndian(out, 0x800U + static_cast<std::uint32_t>(dims.size()));
    std::uint64_t count = 1;
    for (const std::uint32_t dim : dims) {
        writeBigEndian(out, dim);
        count *= dim;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        out.put(static_cast<char>(byte(i)));
    }
}

constexpr std::uint32_t kCharacters = 25, kContext = 64;

/// Images of some shape with ten classes, a brighter band in each; or text, whose every character is to be named.
void writeData(const std::filesystem::path& folder, const std::vector<std::uint32_t>& image, std::uint32_t samples) {
    Random random(1);
    if (image.empty()) {
        writeIdx(folder / "images.idx", {samples, kContext},
                 [&](std::uint64_t i) { return static_cast<int>((i * i + i / 7) % kCharacters); });
        writeIdx(folder / "labels.idx", {samples, kContext},
                 [&](std::uint64_t i) { return static_cast<int>((i + i / 3) % kCharacters); });
        return;
    }
    std::vector<int> labels(samples);
    for (int& label : labels) {
        label = static_cast<int>(random.below(10));
    }
    std::vector<std::uint32_t> dims{samples};
    dims.insert(dims.end(), image.begin(), image.end());
    std::uint64_t size = 1;
    for (const std::uint32_t dim : image) {
        size *= dim;
    }
    writeIdx(folder / "images.idx", dims, [&](std::uint64_t i) {
        const bool bright = static_cast<int>(i % size * 10 / size) == labels[i / size];
        return static_cast<int>(random.below(128)) + (bright ? 100 : 0);
    });
    writeIdx(folder / "labels.idx", {samples}, [&](std::uint64_t i) { return labels[i]; });
}

Json projectOf(const Json& nodes, const std::string& output, const Json& input) {
    const bool isText = input.at("dtype") == "int64";
    Json json = parseJson(R"({"schema_version": 1, "name": "bench", "description": "",
  "model": {"definitions": {}, "graph": {}},
  "data": {"sources": {"d": {"type": "idx", "images": "images.idx", "labels": "labels.idx"}},
    "inputs": {"image": {"from": "d.image", "transforms": [{"type": "scale", "by": 0.00390625}]}}, "targets": {"label": {"from": "d.label"}},
    "splits": {"train": 1.0, "validation": 0.0, "test": 0.0, "seed": 0},
    "loader": {"batch_size": 64, "workers": 0, "prefetch_batches": 2, "shuffle": true, "drop_last": true}},
  "training": {"seed": 0, "device": "cpu", "threads": 1, "stop": {"epochs": 100000},
    "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
    "optimizer": {"type": "AdamW", "lr": 0.001}, "checkpoints": {"every": 1000000, "unit": "step"}},
  "monitor": {"stride": "auto", "detectors": {}}})",
                          "bench")
                    .value();
    json["model"]["graph"] = {{"inputs", {{"image", input}}}, {"nodes", nodes}, {"outputs", {{"logits", output}}}};
    if (isText) {
        json["data"]["sources"] = {{"text", {{"type", "idx"}, {"images", "images.idx"}}},
                                   {"next", {{"type", "idx"}, {"images", "labels.idx"}}}};
        json["data"]["inputs"]["image"] = {{"from", "text.image"}, {"dtype", "int64"}};
        json["data"]["targets"]["label"] = {{"from", "next.image"}, {"dtype", "int64"}};
    }
    return json;
}

Json node(const char* type, const char* from, Json params = Json::object()) {
    return {{"type", type}, {"from", from}, {"params", std::move(params)}};
}

/// A model as a person writes it.
struct Net {
    std::shared_ptr<torch::nn::Module> module;
    std::function<at::Tensor(const at::Tensor&)> forward;
};

/// What a person writes who knows LibTorch well: lists prepared once, gradients set to none. `same`: with the
/// application's kernel of the optimizer and its layout; else with torch::optim and the default one.
class HandWrittenLoop {
public:
    HandWrittenLoop(Net net, std::shared_ptr<const data::Dataset> dataset, bool same, bool channelsLast)
        : m_net(std::move(net)), m_same(same), m_channelsLast(same && channelsLast) {
        m_parameters = m_net.module->parameters();
        if (m_channelsLast) {
            for (at::Tensor& parameter : m_parameters) {
                if (parameter.dim() == 4) {
                    parameter.set_data(parameter.data().contiguous(at::MemoryFormat::ChannelsLast));
                }
            }
        }
        if (!same) {
            m_optimizer = std::make_unique<torch::optim::AdamW>(m_parameters,
                                                                torch::optim::AdamWOptions(1e-3).weight_decay(0.01));
        }
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
        // Each loop draws from a generator of its own, as it would alone.
        m_generator = at::detail::getDefaultCPUGenerator().get_state();
    }

    void run(int steps) {
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        const at::Tensor others = generator.get_state();
        generator.set_state(m_generator);
        for (int step = 0; step < steps; ++step) {
            runStep();
        }
        m_generator = generator.get_state();
        generator.set_state(others);
    }
    double loss() const { return m_loss; }

private:
    void runStep() {
        auto next = m_loader->next();
        if (!*next) {
            next = m_loader->next();
        }
        data::HostBatch& host = **next;
        at::Tensor x = at::from_blob(host.inputs[0].memory.get(), host.inputs[0].dims,
                                     host.inputs[0].dtype == DType::kInt64 ? at::kLong : at::kFloat);
        if (m_channelsLast && x.dim() == 4) {
            x = x.contiguous(at::MemoryFormat::ChannelsLast);
            if (x.size(1) == 1) {
                x = x.as_strided(x.sizes(), {x.size(2) * x.size(3), 1, x.size(3), 1});
            }
        }
        const at::Tensor y = at::from_blob(host.targets[0].memory.get(), host.targets[0].dims, at::kLong);
        for (at::Tensor& parameter : m_parameters) {
            parameter.mutable_grad().reset();
        }
        const at::Tensor loss = torch::nn::functional::cross_entropy(m_net.forward(x), y);
        loss.backward();
        m_loss = *loss.const_data_ptr<float>();
        m_same ? stepFused() : static_cast<void>(m_optimizer->step());
        m_loader->recycle(std::move(host));
    }
    void stepFused() {
        for (const at::Tensor& parameter : m_parameters) {
            m_gradients.push_back(parameter.grad());
        }
        for (const at::Tensor& count : m_steps) {
            *count.data_ptr<float>() += 1;
        }
        {
            const torch::NoGradGuard noGrad;
            at::_fused_adamw_(m_parameters, m_gradients, m_average, m_square, {}, m_steps, 1e-3, 0.9, 0.999, 0.01, 1e-8,
                              false, false);
        }
        m_gradients.clear();
    }

    Net m_net;
    bool m_same, m_channelsLast;
    std::unique_ptr<torch::optim::AdamW> m_optimizer;
    std::vector<at::Tensor> m_parameters, m_gradients, m_average, m_square, m_steps;
    std::unique_ptr<data::Loader> m_loader;
    at::Tensor m_generator;
    double m_loss = 0;
};

// ---- The models by hand
// -------------------------------------------------------------------------------------------------------------

Net netOf(torch::nn::Sequential sequence) {
    return {sequence.ptr(), [sequence](const at::Tensor& x) mutable { return sequence->forward(x); }};
}

struct BasicBlockImpl : torch::nn::Module {
    BasicBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride) {
        using namespace torch::nn;
        conv1 = register_module("conv1", Conv2d(Conv2dOptions(in, out, 3).stride(stride).padding(1).bias(false)));
        bn1 = register_module("bn1", BatchNorm2d(out));
        conv2 = register_module("conv2", Conv2d(Conv2dOptions(out, out, 3).padding(1).bias(false)));
        bn2 = register_module("bn2", BatchNorm2d(out));
        if (stride != 1 || in != out) {
            down = register_module("down", Conv2d(Conv2dOptions(in, out, 1).stride(stride).bias(false)));
            downBn = register_module("down_bn", BatchNorm2d(out));
        }
    }
    at::Tensor forward(const at::Tensor& x) {
        const at::Tensor y = bn2(conv2(torch::relu(bn1(conv1(x)))));
        return torch::relu(y + (down.is_empty() ? x : downBn(down(x))));
    }
    torch::nn::Conv2d conv1{nullptr}, conv2{nullptr}, down{nullptr};
    torch::nn::BatchNorm2d bn1{nullptr}, bn2{nullptr}, downBn{nullptr};
};
TORCH_MODULE(BasicBlock);

/// Three stages of two basic blocks, 16, 32 and 64 channels wide.
Net resnet14() {
    using namespace torch::nn;
    Sequential net{Conv2d(Conv2dOptions(3, 16, 3).padding(1).bias(false)), BatchNorm2d(16), ReLU()};
    std::int64_t width = 16;
    for (const std::int64_t out : {16, 32, 64}) {
        net->push_back(BasicBlock(width, out, out == 16 ? 1 : 2));
        net->push_back(BasicBlock(out, out, 1));
        width = out;
    }
    net->push_back(AdaptiveAvgPool2d(1));
    net->push_back(Flatten());
    net->push_back(Linear(64, 10));
    return netOf(net);
}

constexpr std::int64_t kWidth = 128, kHeads = 4;

/// Two layers, 128 wide, 4 heads, 64 characters: attention by LibTorch's own function of it.
struct CharTransformer : torch::nn::Module {
    CharTransformer() {
        using namespace torch::nn;
        tokens = register_module("tokens", Embedding(kCharacters, kWidth));
        places = register_module("places", Embedding(kContext, kWidth));
        for (int i = 0; i < 2; ++i) {
            layers.push_back(register_module(
                "layer" + std::to_string(i),
                TransformerEncoderLayer(
                    TransformerEncoderLayerOptions(kWidth, kHeads).dim_feedforward(4 * kWidth).dropout(0.1))));
        }
        head = register_module("head", Linear(kWidth, kCharacters));
    }
    at::Tensor forward(const at::Tensor& text) {
        at::Tensor x = tokens(text) + places->weight;
        for (torch::nn::TransformerEncoderLayer& layer : layers) {
            const auto parts = torch::linear(x, layer->self_attn->in_proj_weight, layer->self_attn->in_proj_bias)
                                   .view({x.size(0), x.size(1), 3, kHeads, -1})
                                   .unbind(2);
            const at::Tensor attended = at::scaled_dot_product_attention(
                parts[0].transpose(1, 2), parts[1].transpose(1, 2), parts[2].transpose(1, 2), std::nullopt, 0.1, true);
            x = layer->norm1(
                x + torch::dropout(layer->self_attn->out_proj(attended.transpose(1, 2).reshape(x.sizes())), 0.1, true));
            const at::Tensor wide = torch::dropout(torch::relu(layer->linear1(x)), 0.1, true);
            x = layer->norm2(x + torch::dropout(layer->linear2(wide), 0.1, true));
        }
        return head(x).transpose(1, 2);
    }
    torch::nn::Embedding tokens{nullptr}, places{nullptr};
    std::vector<torch::nn::TransformerEncoderLayer> layers;
    torch::nn::Linear head{nullptr};
};

Net charTransformer() {
    const auto net = std::make_shared<CharTransformer>();
    return {net, [net](const at::Tensor& text) { return net->forward(text); }};
}

/// The same models as blocks.
Json resnetNodes() {
    Json nodes = {
        {"conv", node("Conv2d", "image", {{"out_channels", 16}, {"kernel_size", 3}, {"padding", 1}, {"bias", false}})},
        {"bn", node("BatchNorm2d", "conv")},
        {"relu", node("ReLU", "bn")}};
    std::string last = "relu";
    int width = 16;
    for (const int out : {16, 32, 64}) {
        for (int block = 0; block < 2; ++block) {
            const int stride = out != 16 && block == 0 ? 2 : 1;
            const std::string p = "s" + std::to_string(out) + "b" + std::to_string(block) + "_";
            const auto add = [&](const std::string& name, const char* type, const std::string& from,
                                 Json params = Json::object()) {
                nodes[p + name] = node(type, from.c_str(), std::move(params));
                return p + name;
            };
            const std::string relu1 = add("relu1", "ReLU",
                                          add("bn1", "BatchNorm2d",
                                              add("conv1", "Conv2d", last,
                                                  {{"out_channels", out},
                                                   {"kernel_size", 3},
                                                   {"stride", stride},
                                                   {"padding", 1},
                                                   {"bias", false}})));
            const std::string bn2 =
                add("bn2", "BatchNorm2d",
                    add("conv2", "Conv2d", relu1,
                        {{"out_channels", out}, {"kernel_size", 3}, {"padding", 1}, {"bias", false}}));
            std::string shortcut = last;
            if (stride != 1 || width != out) {
                shortcut = add("down_bn", "BatchNorm2d",
                               add("down", "Conv2d", last,
                                   {{"out_channels", out}, {"kernel_size", 1}, {"stride", stride}, {"bias", false}}));
            }
            nodes[p + "add"] = {{"type", "Add"}, {"from", {bn2, shortcut}}};
            last = add("relu2", "ReLU", p + "add");
            width = out;
        }
    }
    nodes["average"] = node("AdaptiveAvgPool2d", last.c_str(), {{"output_size", 1}});
    nodes["flatten"] = node("Flatten", "average");
    nodes["fc"] = node("Linear", "flatten", {{"out_features", 10}});
    return nodes;
}

Json transformerNodes() {
    const Json layer = {{"nhead", kHeads},
                        {"dim_feedforward", 4 * kWidth},
                        {"dropout", 0.1},
                        {"batch_first", true},
                        {"is_causal", true}};
    return {{"tokens", node("Embedding", "image", {{"num_embeddings", kCharacters}, {"embedding_dim", kWidth}})},
            {"places", node("LearnedPositionalEncoding", "tokens", {{"max_len", kContext}, {"batch_first", true}})},
            {"layer0", node("TransformerEncoderLayer", "places", layer)},
            {"layer1", node("TransformerEncoderLayer", "layer0", layer)},
            {"head", node("Linear", "layer1", {{"out_features", kCharacters}})},
            {"classes", node("Permute", "head", {{"dims", {0, 2, 1}}})}};
}

/// Keeps points as a session does; at every segment's end it pauses the run and lets the other loop run.
class InterleavingSink final : public session::RunSink {
public:
    InterleavingSink(RunControl& control, int pairs, int steps, std::vector<std::function<void()>> others)
        : others(others.size()), m_control(control), m_pairs(pairs), m_steps(steps), m_others(std::move(others)) {
        m_points.reserve(1 << 16);
    }
    /// What another loop took in each pair, and the application's time over it.
    struct Other {
        std::vector<double> seconds, ratios, threadRatios;
    };

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
        const bool counts = m_warm++ >= 2;
        for (std::size_t i = 0; i < m_others.size(); ++i) {
            const Clock::time_point start = Clock::now();
            const double startThread = threadSeconds();
            m_others[i]();
            if (counts) {
                const double took = secondsSince(start);
                others[i].seconds.push_back(took);
                others[i].ratios.push_back(m_appSeconds / took);
                others[i].threadRatios.push_back(m_appThread / (threadSeconds() - startThread));
            }
        }
        if (counts) {
            app.push_back(m_appSeconds);
        }
        static_cast<int>(app.size()) >= m_pairs ? m_control.requestStop() : m_control.requestResume();
    }
    void event(session::Event) override {}
    void finding(const diagnostics::Finding& finding) override { findings.push_back(finding.message); }
    void record(const Json& choices) override { recorded = choices; }
    void progress(const Progress&) override {}
    double elapsedMs() const override { return 0; }
    void dropAfter(std::int64_t, double) override {}
    Status flush() override { return {}; }

    std::vector<double> app;
    std::vector<Other> others;
    std::vector<std::string> findings;
    Json recorded;
    std::int64_t stride_ = 0;
    double loss = 0;  ///< of the last step of the last segment

private:
    RunControl& m_control;
    int m_pairs, m_steps, m_warm = 0;
    std::vector<std::function<void()>> m_others;
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

struct Case {
    const char* name;
    Json nodes;
    const char* output;
    std::vector<std::uint32_t> image;  ///< empty: text
    std::uint32_t samples;
    std::function<Net()> net;
    int shorter;  ///< a segment has so many times fewer steps
};

/// A run's folder, empty.
std::filesystem::path emptyFolder(std::filesystem::path folder) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

/// A run of so many steps. `recorded`: choices to make again; null: as any longer run does, its trial included. What it
/// chose; null: it failed.
Json runAlone(const project::Project& project, const std::filesystem::path& folder, int steps, const Json& recorded) {
    RunControl control;
    InterleavingSink sink(control, 1, 1'000'000, {});
    session::LiveCommands live;
    session::TrainRequest request;
    request.project = project;
    request.runFolder = emptyFolder(folder);
    request.maxSteps = steps;
    request.recorded = recorded;
    return train::train(request, sink, control, live) ? sink.recorded : Json();
}

/// Most bytes of tensors that `work` held at a time.
std::int64_t peakOf(const std::function<void()>& work) {
    const std::int64_t before = model::tensorMemory().current;
    model::resetMemoryPeaks();
    work();
    return model::tensorMemory().peak - before;
}

Json compare(const std::filesystem::path& folder, const Case& one, int pairs, int steps) {
    steps = std::max(1, steps / one.shorter);
    writeData(folder, one.image, one.samples);
    Json input = {{"dtype", one.image.empty() ? "int64" : "float32"}, {"shape", {"B"}}};
    for (const std::uint32_t dim : one.image.empty() ? std::vector<std::uint32_t>{kContext} : one.image) {
        input["shape"].push_back(dim);
    }
    auto project = project::readProject(projectOf(one.nodes, one.output, input), folder);
    if (!project) {
        return {{"error", toSentence(project.error())}};
    }
    auto dataset = data::Dataset::open(project->data, folder);
    if (!dataset) {
        return {{"error", toSentence(dataset.error())}};
    }
    const Json choices = runAlone(*project, folder / "first", 1, nullptr);
    if (!choices.is_object()) {
        return {{"error", "the application's choices are not known"}};
    }
    const bool channelsLast = choices.value("memory_format", "") == "channels_last";
    constexpr int kMemorySteps = 20;
    const auto handWrittenPeak = [&](bool isSame) {
        return peakOf([&] { HandWrittenLoop(one.net(), *dataset, isSame, channelsLast).run(kMemorySteps); });
    };
    const std::int64_t appPeak = peakOf([&] { (void)runAlone(*project, folder / "memory", kMemorySteps, choices); });
    const std::int64_t samePeak = handWrittenPeak(true), usualPeak = handWrittenPeak(false);
    // All start from the same values and see the same batches: what they compute must be the same, or the times say
    // nothing.
    torch::manual_seed(0);
    HandWrittenLoop same(one.net(), *dataset, true, channelsLast);
    torch::manual_seed(0);
    HandWrittenLoop usual(one.net(), *dataset, false, channelsLast);
    RunControl control;
    double largestLossDifference = 0;
    InterleavingSink sink(control, pairs, steps,
                          {[&] {
                               same.run(steps);
                               largestLossDifference =
                                   std::max(largestLossDifference, std::abs(same.loss() - sink.loss));
                           },
                           [&] { usual.run(steps); }});
    session::LiveCommands live;
    session::TrainRequest request;
    request.project = *project;
    request.runFolder = emptyFolder(folder / "run");
    request.recorded = choices;
    const auto summary = train::train(request, sink, control, live);
    if (!summary) {
        return {{"error", toSentence(summary.error())}};
    }
    const auto against = [&](const InterleavingSink::Other& other, std::int64_t peak) {
        return Json{{"peak_tensor_bytes", peak},
                    {"memory_ratio", static_cast<double>(appPeak) / static_cast<double>(peak)},
                    {"ms_a_step", 1000 * median(other.seconds) / steps},
                    {"median_ratio", median(other.ratios)},
                    {"upper_95", upperBound(other.ratios)},
                    {"thread_time_median_ratio", median(other.threadRatios)},
                    {"thread_time_upper_95", upperBound(other.threadRatios)}};
    };
    return {{"pairs", sink.app.size()},
            {"steps", steps},
            {"app_ms_a_step", 1000 * median(sink.app) / steps},
            {"app_peak_tensor_bytes", appPeak},
            {"same", against(sink.others[0], samePeak)},
            {"usual", against(sink.others[1], usualPeak)},
            {"memory_format", choices["memory_format"]},
            {"chosen_by", choices["chosen_by"]["memory_format"]},
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
    const plumbline::testing::TemporaryFolder cache;  // no choice of an earlier run
    ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
    const int pairs = argc > 1 ? std::atoi(argv[1]) : 60;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
    Json mlp = {{"flatten", node("Flatten", "image")}, {"fc1", node("Linear", "flatten", {{"out_features", 128}})},
                {"relu1", node("ReLU", "fc1")},        {"fc2", node("Linear", "relu1", {{"out_features", 64}})},
                {"relu2", node("ReLU", "fc2")},        {"fc3", node("Linear", "relu2", {{"out_features", 10}})}};
    Json cnn = {{"conv1", node("Conv2d", "image", {{"out_channels", 16}, {"kernel_size", 3}, {"padding", 1}})},
                {"bn1", node("BatchNorm2d", "conv1")},
                {"relu1", node("ReLU", "bn1")},
                {"conv2", node("Conv2d", "relu1", {{"out_channels", 32}, {"kernel_size", 3}, {"padding", 1}})},
                {"bn2", node("BatchNorm2d", "conv2")},
                {"relu2", node("ReLU", "bn2")},
                {"pool", node("AdaptiveAvgPool2d", "relu2", {{"output_size", 1}})},
                {"flatten", node("Flatten", "pool")},
                {"fc", node("Linear", "flatten", {{"out_features", 10}})}};
    Json cnn28 = {{"conv1", node("Conv2d", "image", {{"out_channels", 32}, {"kernel_size", 3}})},
                  {"relu1", node("ReLU", "conv1")},
                  {"conv2", node("Conv2d", "relu1", {{"out_channels", 64}, {"kernel_size", 3}})},
                  {"relu2", node("ReLU", "conv2")},
                  {"pool", node("MaxPool2d", "relu2", {{"kernel_size", 2}})},
                  {"drop1", node("Dropout", "pool", {{"p", 0.25}})},
                  {"flatten", node("Flatten", "drop1")},
                  {"fc1", node("Linear", "flatten", {{"out_features", 128}})},
                  {"relu3", node("ReLU", "fc1")},
                  {"drop2", node("Dropout", "relu3", {{"p", 0.5}})},
                  {"fc2", node("Linear", "drop2", {{"out_features", 10}})}};
    using namespace torch::nn;
    // Braces: the layers draw their values from the first to the last.
    const auto handMlp = [] {
        return netOf(Sequential{Flatten(), Linear(64, 128), ReLU(), Linear(128, 64), ReLU(), Linear(64, 10)});
    };
    const auto handCnn = [] {
        return netOf(Sequential{Conv2d(Conv2dOptions(1, 16, 3).padding(1)), BatchNorm2d(16), ReLU(),
                                Conv2d(Conv2dOptions(16, 32, 3).padding(1)), BatchNorm2d(32), ReLU(),
                                AdaptiveAvgPool2d(1), Flatten(), Linear(32, 10)});
    };
    const auto handCnn28 = [] {
        return netOf(Sequential{Conv2d(Conv2dOptions(1, 32, 3)), ReLU(), Conv2d(Conv2dOptions(32, 64, 3)), ReLU(),
                                MaxPool2d(2), Dropout(0.25), Flatten(), Linear(9216, 128), ReLU(), Dropout(0.5),
                                Linear(128, 10)});
    };
    const std::vector<std::pair<const char*, Case>> cases = {
        {"mlp", {"mlp_64_128_64_10", mlp, "fc3", {1, 8, 8}, 64 * 2000, handMlp, 1}},
        {"cnn", {"small_cnn", cnn, "fc", {1, 8, 8}, 64 * 2000, handCnn, 1}},
        {"cnn28", {"cnn_28x28", cnn28, "fc2", {1, 28, 28}, 64 * 40, handCnn28, 50}},
        {"resnet14", {"resnet14_32x32", resnetNodes(), "fc", {3, 32, 32}, 64 * 40, resnet14, 50}},
        {"transformer", {"char_transformer", transformerNodes(), "classes", {}, 64 * 40, charTransformer, 50}},
    };
    const std::string only = argc > 3 ? argv[3] : "";
    Json result = Json::object();
    for (const auto& [name, one] : cases) {
        if (only.empty() || only == name) {
            const plumbline::testing::TemporaryFolder folder;
            result[one.name] = compare(folder.path(), one, pairs, steps);
        }
    }
    std::cout << formatJson(result);
    return 0;
}
