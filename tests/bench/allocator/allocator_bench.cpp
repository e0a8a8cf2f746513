// One training with or without the program's allocator settings, in a process of its own: step time and peak memory.
// Prints JSON.
//     allocator_bench with|without [STEPS]

#include <ATen/Parallel.h>

#include <cstdlib>
#include <string>

#include "bench/bench.h"
#include "bench/train/quiet_sink.h"
#include "model/memory.h"
#include "project/project.h"
#include "support/temporary_folder.h"
#include "train/training_loop.h"

namespace {

/// Four convolutions on 3×32×32 images at batch 64: its activations are blocks of 4 to 8 MB, past glibc's threshold.
plumbline::Json benchProject() {
    return plumbline::Json::parse(R"({
      "schema_version": 1, "name": "allocator", "description": "",
      "model": {"definitions": {}, "graph": {"inputs": {"image": {"shape": ["B", 3, 32, 32], "dtype": "float32"}}, "nodes": {
        "conv1": {"type": "Conv2d", "from": "image", "params": {"out_channels": 16, "kernel_size": 3, "padding": 1}},
        "bn1": {"type": "BatchNorm2d", "from": "conv1"}, "relu1": {"type": "ReLU", "from": "bn1"},
        "conv2": {"type": "Conv2d", "from": "relu1", "params": {"out_channels": 32, "kernel_size": 3, "padding": 1}},
        "bn2": {"type": "BatchNorm2d", "from": "conv2"}, "relu2": {"type": "ReLU", "from": "bn2"},
        "pool": {"type": "MaxPool2d", "from": "relu2", "params": {"kernel_size": 2}},
        "conv3": {"type": "Conv2d", "from": "pool", "params": {"out_channels": 32, "kernel_size": 3, "padding": 1}},
        "relu3": {"type": "ReLU", "from": "conv3"}, "average": {"type": "AdaptiveAvgPool2d", "from": "relu3", "params": {"output_size": 1}},
        "flatten": {"type": "Flatten", "from": "average"}, "fc": {"type": "Linear", "from": "flatten", "params": {"out_features": 10}}},
        "outputs": {"logits": "fc"}}},
      "data": {"sources": {"g": {"type": "generated", "kind": "images", "samples": 1024, "channels": 3, "size": 32, "classes": 10, "seed": 0}},
        "inputs": {"image": {"from": "g.image"}}, "targets": {"label": {"from": "g.label"}},
        "splits": {"train": 1.0, "validation": 0.0, "test": 0.0, "seed": 0}, "loader": {"batch_size": 64, "workers": 0, "shuffle": true, "drop_last": true}},
      "training": {"seed": 0, "device": "cpu", "threads": 1, "stop": {"epochs": 100000},
        "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}], "optimizer": {"type": "AdamW", "lr": 0.001},
        "checkpoints": {"every": 1000000, "unit": "step"}}})");
}

}  // namespace

int main(int argc, char** argv) {
    using namespace plumbline;
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode != "with" && mode != "without") {
        return bench::print({{"error", "Say with or without."}});
    }
    if (mode == "with") {
        model::setAllocatorSettings();
    }
    model::installCountingAllocator();
    at::set_num_threads(1);
    const testing::TemporaryFolder folder;
    auto read = project::readProject(benchProject(), folder.path());
    if (!read) {
        return bench::print({{"error", toSentence(read.error())}});
    }
    session::TrainRequest request;
    request.project = *read;
    request.runFolder = folder.path();
    request.maxSteps = argc > 2 ? std::atoi(argv[2]) : 60;
    bench::QuietSink sink;
    RunControl control;
    session::LiveCommands live;
    const auto summary = train::train(request, sink, control, live);
    if (!summary) {
        return bench::print({{"error", toSentence(summary.error())}});
    }
    return bench::print({{"settings", mode},
                         {"steps", summary->steps.attempted},
                         {"median_step_ms", bench::median(sink.values("step.ms"))},
                         {"median_step_cpu_ms", bench::median(sink.stepCpu)},
                         {"peak_tensor_bytes", summary->peakMemoryBytes},
                         {"peak_resident_bytes", bench::peakResidentBytes()}});
}
