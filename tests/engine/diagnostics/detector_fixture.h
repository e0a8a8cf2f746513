#pragma once
// A small model's facts, healthy records to start from, and all detectors at their defaults.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "diagnostics/detector.h"

namespace plumbline::diagnostics {

/// The project that the facts below belong to.
inline Json sampleProject() {
    return Json::parse(R"({
      "model": {"graph": {"nodes": {
        "conv": {"type": "Conv2d", "from": "image"},
        "bn": {"type": "BatchNorm2d", "from": "conv"},
        "drop": {"type": "Dropout", "from": "bn"},
        "fc": {"type": "Linear", "from": "drop"}}}},
      "data": {"inputs": {"image": {"from": "digits.image", "transforms": [{"type": "resize", "size": 8}]}},
               "loader": {"batch_size": 64, "workers": 1, "prefetch_batches": 4}},
      "training": {"precision": "fp32", "optimizer": {"type": "SGD", "lr": 0.1}, "expert": {}}
    })");
}

/// Blocks: 0 conv, 1 bn, 2 drop, 3 fc. Parameters: 0 conv.weight, 1 bn.weight, 2 bn.bias, 3 fc.weight.
inline RunFacts sampleFacts() {
    RunFacts facts;
    facts.parameters = {{"conv.weight", "conv", 90, false, false},
                        {"bn.weight", "bn", 10, false, false},
                        {"bn.bias", "bn", 10, false, false},
                        {"fc.weight", "fc", 100, false, false}};
    const auto block = [](const char* path, const char* type) {
        RunFacts::Block result;
        result.path = path;
        result.type = type;
        result.pointer = std::string("/model/graph/nodes/") + path;
        return result;
    };
    facts.blocks = {block("conv", "Conv2d"), block("bn", "BatchNorm2d"), block("drop", "Dropout"),
                    block("fc", "Linear")};
    facts.blocks[1].isBatchNorm = true;
    facts.classes = 10;
    facts.majorityShare = 0.1;
    facts.batchSize = 64;
    facts.learningRate = 0.1;
    facts.project = sampleProject();
    return facts;
}

inline StepStats trainStep(std::int64_t step) {
    StepStats stats;
    stats.step = step;
    stats.epoch = step / 100;
    stats.batch = step % 100;
    stats.loss = 1.0;
    stats.learningRate = 0.1;
    stats.stepMs = 10;
    stats.loaderWaitMs = 0.1;
    stats.gradNormL2 = 1.0;
    return stats;
}

inline StepStats validation(std::int64_t step) {
    StepStats stats = trainStep(step);
    stats.phase = Phase::kValidation;
    stats.attempted = stats.applied = false;
    return stats;
}

class DetectorTest : public ::testing::Test {
protected:
    void SetUp() override { begin(); }

    void begin(const std::map<std::string, Json>& settings = {}) {
        auto made = Diagnostics::make(settings);
        ASSERT_TRUE(made) << toSentence(made.error());
        m_diagnostics = std::move(*made);
        m_diagnostics->start(m_facts);
    }

    /// What is new after this record.
    std::vector<Finding> feed(const StepStats& stats) { return m_diagnostics->observe(stats); }

    const std::vector<Finding>& all() const { return m_diagnostics->all(); }
    bool isSilent() const { return all().empty(); }

    /// The only finding there is, checked for what every finding has to have.
    Finding only(const std::string& detector, Severity severity, const std::string& block) const {
        EXPECT_EQ(all().size(), 1U);
        if (all().empty()) {
            return {};
        }
        const Finding& finding = all().front();
        EXPECT_EQ(finding.detector, detector);
        EXPECT_EQ(finding.id, detector + "#1");
        EXPECT_EQ(finding.severity, severity);
        EXPECT_EQ(finding.block, block);
        EXPECT_GT(finding.message.size(), 60U);
        EXPECT_EQ(finding.message.back(), '.') << finding.message;
        EXPECT_EQ(finding.message.find('!'), std::string::npos);
        EXPECT_TRUE(finding.evidence.is_object());
        EXPECT_FALSE(finding.remedies.empty());
        EXPECT_TRUE(finding.cause.empty());
        return finding;
    }

    /// The project after a remedy; the patch has to test before it changes, and to refuse a project that has moved on.
    Json applied(const Remedy& remedy) const {
        EXPECT_FALSE(remedy.patch.empty()) << remedy.title << " is advice only";
        EXPECT_EQ(remedy.patch.at(0).at("op"), "test");
        const auto result = applyJsonPatch(m_facts.project, remedy.patch);
        EXPECT_TRUE(result) << toSentence(result.error());
        EXPECT_FALSE(applyJsonPatch(*result, remedy.patch)) << "what has been mended is not mended again";
        return result ? *result : Json();
    }

    Json& project() { return m_facts.project; }

    RunFacts m_facts = sampleFacts();
    std::unique_ptr<Diagnostics> m_diagnostics;
};

}  // namespace plumbline::diagnostics
