// What compiled blocks bring: inference of four models against their leaves, and a training step (forward and backward)
// as TorchScript against the leaves. One thread, interleaved. Prints JSON.
//
//     compile_bench [BATCH]

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randn.h>

#include <torch/csrc/jit/python/update_graph_executor_opt.h>

#include <cstdlib>

#include "bench/bench.h"
#include "blocks/register.h"
#include "codegen/script_source.h"
#include "compile/compiled_model.h"
#include "compile/measure.h"
#include "compile/script_module.h"
#include "graph/document.h"
#include "graph/resolve.h"

namespace plumbline {
namespace {

using Tensors = std::vector<at::Tensor>;

struct BenchModel {
    const char* name;
    const char* definitions;
    const char* shape;
    const char* nodes;
    const char* output;
};

constexpr const char* kResidual = R"({"Residual": {"inputs": {"x": {}}, "nodes": {
    "conv1": {"type": "Conv2d", "from": "x", "params": {"out_channels": 32, "kernel_size": 3, "padding": 1, "bias": false}},
    "bn1": {"type": "BatchNorm2d", "from": "conv1"}, "relu1": {"type": "ReLU", "from": "bn1"},
    "conv2": {"type": "Conv2d", "from": "relu1", "params": {"out_channels": 32, "kernel_size": 3, "padding": 1, "bias": false}},
    "bn2": {"type": "BatchNorm2d", "from": "conv2"}, "add": {"type": "Add", "from": ["bn2", "x"]}, "relu2": {"type": "ReLU", "from": "add"}},
    "outputs": {"y": "relu2"}},
  "Conv": {"inputs": {"x": {}}, "nodes": {
    "conv": {"type": "Conv2d", "from": "x", "params": {"out_channels": 32, "kernel_size": 3, "padding": 1}},
    "bn": {"type": "BatchNorm2d", "from": "conv"}, "relu": {"type": "ReLU", "from": "bn"}}, "outputs": {"y": "relu"}},
  "Dense": {"inputs": {"x": {}}, "nodes": {"linear": {"type": "Linear", "from": "x", "params": {"out_features": 256}},
    "gelu": {"type": "GELU", "from": "linear"}}, "outputs": {"y": "gelu"}}})";

constexpr BenchModel kModels[] = {
    {"conv-bn-relu", kResidual, "3, 32, 32", R"("blocks": {"type": "Conv", "from": "x", "repeat": 6})", "blocks"},
    {"residual", kResidual, "32, 16, 16", R"("blocks": {"type": "Residual", "from": "x", "repeat": 4})", "blocks"},
    {"mlp", kResidual, "64", R"("blocks": {"type": "Dense", "from": "x", "repeat": 4})", "blocks"},
    {"transformer", kResidual, "32, 64",
     R"("layers": {"type": "TransformerEncoderLayer", "from": "x", "repeat": 2, "params": {"nhead": 4, "dim_feedforward": 128, "dropout": 0.0, "batch_first": true}})",
     "layers"}};

Result<std::unique_ptr<model::Model>> built(const BenchModel& from) {
    PLUMBLINE_ASSIGN(const Json json, parseJson(std::string(R"({"definitions": )") + from.definitions +
                                                    R"(, "graph": {"inputs": {"x": {"shape": ["B", )" + from.shape +
                                                    R"(], "dtype": "float32"}}, "nodes": {)" + from.nodes +
                                                    R"(}, "outputs": {"y": ")" + from.output + R"("}}})",
                                                from.name));
    PLUMBLINE_ASSIGN(const graph::Document document, graph::readDocument(json));
    return model::Model::build(graph::resolve(document, blocks::builtinBlocks()), {});
}

std::vector<std::int64_t> dimsOf(const model::Model& model, std::int64_t batch) {
    std::vector<std::int64_t> dims{batch};
    const graph::TensorType& type = model.graph().values[static_cast<std::size_t>(model.graph().inputs[0].second)].type;
    for (std::size_t dim = 1; dim < type.rank(); ++dim) {
        dims.push_back(type.dims[dim].constant().value_or(1));
    }
    return dims;
}

Result<Json> inference(model::Model& model, std::int64_t batch) {
    model.train(false);
    const auto sample = [&](std::int64_t size) { return Tensors{at::randn(dimsOf(model, size))}; };
    compile::CompileOptions options;
    PLUMBLINE_ASSIGN(const auto compiled,
                     compile::CompiledModel::make(model, blocks::builtinBlocks(),
                                                  {sample(batch), sample(batch), sample(batch / 2 + 1)}, options));
    return compiled->report();
}

/// Median time of forward and backward, of the leaves and as TorchScript, optimised by its profiling executor or as
/// written.
Result<Json> training(model::Model& model, std::int64_t batch) {
    model.train(true);
    PLUMBLINE_ASSIGN(const std::string source, codegen::scriptSource(model.graph(), blocks::builtinBlocks()));
    const at::Tensor x = at::randn(dimsOf(model, batch));
    std::optional<Error> failed;
    const auto eager = [&] {
        auto outputs = model.forward({x});
        if (!outputs) {
            failed = outputs.error();
            return;
        }
        outputs->front().square().mean().backward();
    };
    Json result = Json::object();
    for (const bool optimised : {true, false}) {
        torch::jit::setGraphExecutorOptimize(optimised);
        torch::jit::Module script = compile::makeScriptModule(model);
        script.define(source);
        const auto scripted = [&] { script.forward({x}).toTensor().square().mean().backward(); };
        for (int i = 0; i < 5; ++i) {
            eager();
            scripted();
        }
        const compile::Times times = compile::interleaved(at::kCPU, eager, scripted);
        result[optimised ? "optimised" : "as_written"] = {
            {"eager_ms", times.first}, {"scripted_ms", times.second}, {"speedup", times.speedup()}};
    }
    torch::jit::setGraphExecutorOptimize(true);
    if (failed) {
        return tl::unexpected(*failed);
    }
    return result;
}

Result<Json> measured(std::int64_t batch) {
    Json result{{"batch", batch}, {"inference", Json::object()}, {"training", Json::object()}};
    for (const BenchModel& each : kModels) {
        PLUMBLINE_ASSIGN(const auto model, built(each));
        PLUMBLINE_ASSIGN(result["inference"][each.name], inference(*model, batch));
        PLUMBLINE_ASSIGN(result["training"][each.name], training(*model, batch));
    }
    return result;
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
    at::set_num_threads(1);
    const auto result = plumbline::measured(argc > 1 ? std::max(2L, std::atol(argv[1])) : 32);
    return plumbline::bench::print(result ? *result
                                          : plumbline::Json{{"error", plumbline::toSentence(result.error())}});
}
