// What accuracy is compared with: the classes of its own target.
#include "data/dataset.h"
#include "run_fixture.h"
#include "train/model_watch.h"

namespace plumbline::test {
namespace {

/// 100 rows: kind is a, b and c 60, 30 and 10 times; flag is 0 and 1 80 and 20 times; half is 0.5 everywhere.
class ClassFacts : public ::testing::Test {
protected:
    ClassFacts() {
        std::string text = "x0,x1,x2,x3,kind,flag,half\n";
        for (int i = 0; i < 100; ++i) {
            text += "0,1,2,3," +
                    std::string(i < 60   ? "a"
                                : i < 90 ? "b"
                                         : "c") +
                    (i % 5 == 0 ? ",1" : ",0") + (i % 2 == 0 ? ",0.5\n" : ",0\n");
        }
        EXPECT_TRUE(writeFileAtomically(m_project.folder() / "points.csv", text).has_value());
        m_project.json["data"]["targets"] =
            Json::parse(R"({"kind": {"from": "points.kind"}, "flag": {"from": "points.flag", "dtype": "int64"},
            "number": {"from": "points.flag"}, "half": {"from": "points.half"}})");
        m_project.json["data"]["splits"] = Json::parse(R"({"train": 1.0})");
    }
    train::ClassFacts facts(const char* losses, const char* metrics) {
        m_project.training()["losses"] = Json::parse(losses);
        m_project.training()["metrics"] = Json::parse(metrics);
        const project::Project project = m_project.read();
        const auto dataset = data::Dataset::open(project.data, project.folder);
        EXPECT_TRUE(dataset.has_value()) << (dataset ? "" : toSentence(dataset.error()));
        return dataset ? train::classFacts(project.training, **dataset) : train::ClassFacts{};
    }
    TinyProject m_project;
};

TEST_F(ClassFacts, AreThoseOfTheTargetThatTheFirstAccuracyJudges) {
    const train::ClassFacts found = facts(
        R"([{"type": "BCEWithLogitsLoss", "output": "side", "target": "flag"}, {"type": "CrossEntropyLoss", "output": "logits", "target": "kind"}])",
        R"([{"type": "mae", "output": "side", "target": "number"}, {"type": "accuracy", "output": "logits", "target": "kind"}])");
    EXPECT_EQ(found.classes, 3);
    EXPECT_DOUBLE_EQ(found.majorityShare, 0.6);
    const train::ClassFacts other = facts(
        R"([{"type": "CrossEntropyLoss", "output": "logits", "target": "kind"}, {"type": "CrossEntropyLoss", "output": "side", "target": "flag"}])",
        R"([{"type": "accuracy", "output": "side", "target": "flag"}])");
    EXPECT_EQ(other.classes, 2);
    EXPECT_DOUBLE_EQ(other.majorityShare, 0.8);
}

TEST_F(ClassFacts, AreThoseOfAnyLossBetweenClassesAndOfAnyOfYesAndNo) {
    const std::string accuracy = R"([{"type": "accuracy", "output": "logits", "target": ")";
    for (const char* type : {"NLLLoss", "FocalLoss", "DiceLoss", "DiceCELoss", "MultiMarginLoss"}) {
        const train::ClassFacts found =
            facts((R"([{"type": ")" + std::string(type) + R"(", "output": "logits", "target": "kind"}])").c_str(),
                  (accuracy + R"(kind"}])").c_str());
        EXPECT_EQ(found.classes, 3) << type;
        EXPECT_DOUBLE_EQ(found.majorityShare, 0.6) << type;
    }
    for (const char* type : {"BCELoss", "FocalLoss", "DiceLoss"}) {
        const train::ClassFacts found =
            facts((R"([{"type": ")" + std::string(type) + R"(", "output": "logits", "target": "number"}])").c_str(),
                  (accuracy + R"(number"}])").c_str());
        EXPECT_EQ(found.classes, 2) << type;
        EXPECT_NEAR(found.majorityShare, 0.8, 1e-6) << type;
    }
    EXPECT_EQ(
        facts(R"([{"type": "HuberLoss", "output": "logits", "target": "number"}])", (accuracy + R"(number"}])").c_str())
            .classes,
        0);
}

TEST_F(ClassFacts, LeaveOutTheClassThatTheLossIgnores) {
    const train::ClassFacts found =
        facts(R"([{"type": "CrossEntropyLoss", "output": "logits", "target": "kind", "ignore_index": 0}])",
              R"([{"type": "accuracy", "output": "logits", "target": "kind"}])");
    EXPECT_EQ(found.classes, 2);
    EXPECT_DOUBLE_EQ(found.majorityShare, 0.75);
}

TEST_F(ClassFacts, KnowTheTwoClassesOfOneLogit) {
    for (const char* target : {"flag", "number"}) {
        const std::string name(target);
        const train::ClassFacts found =
            facts((R"([{"type": "BCEWithLogitsLoss", "output": "logits", "target": ")" + name + R"("}])").c_str(),
                  (R"([{"type": "accuracy", "output": "logits", "target": ")" + name + R"("}])").c_str());
        EXPECT_EQ(found.classes, 2) << target;
        EXPECT_NEAR(found.majorityShare, 0.8, 1e-6) << target;
    }
}

TEST_F(ClassFacts, AreNoneWhereNoAccuracyIsMeasuredOrTheTargetIsANumber) {
    EXPECT_EQ(facts(R"([{"type": "CrossEntropyLoss", "output": "logits", "target": "kind"}])", "[]").classes, 0);
    EXPECT_EQ(facts(R"([{"type": "BCEWithLogitsLoss", "output": "logits", "target": "half"}])",
                    R"([{"type": "accuracy", "output": "logits", "target": "half"}])")
                  .classes,
              0);
    EXPECT_EQ(facts(R"([{"type": "MSELoss", "output": "logits", "target": "number"}])",
                    R"([{"type": "accuracy", "output": "logits", "target": "number"}])")
                  .classes,
              0);
}

}  // namespace
}  // namespace plumbline::test
