// What looking costs: all detectors on one healthy record, and gathering the accuracy of one sample. Prints JSON.
//     detector_bench

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include "bench/bench.h"
#include "diagnostics/detector.h"
#include "train/metrics/class_counter.h"

namespace {

using namespace plumbline;

Json detectors() {
    auto diagnostics = *diagnostics::Diagnostics::make({});
    diagnostics::RunFacts facts;
    for (int i = 0; i < 8; ++i) {
        const std::string name = "block" + std::to_string(i);
        diagnostics::RunFacts::Block block;
        block.path = name;
        block.type = i % 2 == 0 ? "Conv2d" : "BatchNorm2d";
        block.isBatchNorm = i % 2 != 0;
        facts.blocks.push_back(block);
        facts.parameters.push_back({name + ".weight", name, 100, false, false});
    }
    facts.classes = 10;
    facts.majorityShare = 0.1;
    facts.batchSize = 64;
    facts.learningRate = 0.1;
    diagnostics->start(facts);
    diagnostics::StepStats stats;
    stats.loss = 1;
    stats.learningRate = 0.1;
    stats.stepMs = 1;
    stats.loaderWaitMs = 0.01;
    constexpr int kRecords = 200'000;
    std::size_t findings = 0;
    const Json times = bench::timed(9, [&] {
        for (int i = 0; i < kRecords; ++i) {
            ++stats.step;
            findings += diagnostics->observe(stats).size();
        }
    });
    return {{"ns_a_record", 1e6 * times["median_cpu_ms"].get<double>() / kRecords}, {"findings", findings}};
}

Json accuracy(std::int64_t batch, std::int64_t classes) {
    const at::Tensor logits = at::randn({batch, classes});
    const at::Tensor target = at::randint(classes, {batch}, at::kLong);
    train::ClassCounter metric({});
    const int rounds = static_cast<int>(20'000'000 / (batch * classes));
    const Json times = bench::timed(9, [&] {
        for (int i = 0; i < rounds; ++i) {
            metric.add(logits, target);
        }
    });
    return {{"batch", batch},
            {"classes", classes},
            {"ns_a_sample",
             1e6 * times["median_cpu_ms"].get<double>() / (static_cast<double>(rounds) * static_cast<double>(batch))}};
}

}  // namespace

int main() {
    return bench::print(
        {{"detectors", detectors()},
         {"accuracy", Json::array({accuracy(64, 10), accuracy(256, 10), accuracy(256, 100), accuracy(64, 1000)})}});
}
