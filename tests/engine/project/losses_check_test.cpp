// What a loss is refused for before a run: by the model alone, and by the data.
#include <gtest/gtest.h>
#include <set>

#include <fmt/format.h>

#include "blocks/register.h"
#include "core/files.h"
#include "project/data_fit.h"
#include "support/temporary_folder.h"

namespace plumbline::project {
namespace {

/// Rows of four numbers, a class of three, a flag of 0 and 1, a sign of -1 and 1, three flags and three class numbers;
/// a model with the outputs scores [B, 3], one [B, 1], code and twin [B, 5], frames [B, 4, 3].
class LossChecks : public ::testing::Test {
protected:
    LossChecks() {
        std::string text = "x0,x1,x2,x3,kind,flag,sign,many0,many1,many2,row0,row1,row2,price\n";
        for (int i = 0; i < 40; ++i) {
            text += fmt::format("0.5,1,2,{},{},{},{},{},{},{},{},{},{},{}\n", i % 7,
                                i % 3 == 0   ? "a"
                                : i % 3 == 1 ? "b"
                                             : "c",
                                i % 2, i % 2 == 0 ? -1 : 1, i % 2, (i / 2) % 2, (i / 3) % 2, i % 3,
                                (i + 1) % 3 == 0 ? -1 : (i + 1) % 3, -1, i * 0.25);
        }
        EXPECT_TRUE(writeFileAtomically(m_folder.path() / "rows.csv", text));
        m_json = parseJson(R"({"schema_version": 1, "name": "t", "model": {"definitions": {}, "graph": {
            "inputs": {"x": {"shape": ["B", 4], "dtype": "float32"}},
            "nodes": {"fc": {"type": "Linear", "from": "x", "params": {"out_features": 3}}, "single": {"type": "Linear", "from": "x", "params": {"out_features": 1}},
                      "left": {"type": "Linear", "from": "x", "params": {"out_features": 5}}, "right": {"type": "Linear", "from": "x", "params": {"out_features": 5}},
                      "long": {"type": "Linear", "from": "x", "params": {"out_features": 12}}, "rows": {"type": "Reshape", "from": "long", "params": {"shape": [-1, 4, 3]}},
                      "label": {"type": "ArgMax", "from": "fc", "params": {"dim": 1}}},
            "outputs": {"scores": "fc", "one": "single", "code": "left", "twin": "right", "frames": "rows", "answer": "label"}}},
          "data": {"sources": {"r": {"type": "csv", "path": "rows.csv"}}, "inputs": {"x": {"from": ["r.x0", "r.x1", "r.x2", "r.x3"]}},
                   "targets": {"kind": {"from": "r.kind"}, "flag": {"from": "r.flag"}, "sign": {"from": "r.sign"}, "many": {"from": ["r.many0", "r.many1", "r.many2"]},
                               "row": {"from": ["r.row0", "r.row1", "r.row2"], "dtype": "int64"}, "price": {"from": "r.price"}},
                   "splits": {"train": 0.8, "validation": 0.2, "seed": 0}, "loader": {"batch_size": 8, "workers": 0}},
          "training": {"seed": 0, "device": "cpu", "stop": {"epochs": 1}, "losses": [], "metrics": [], "optimizer": {"type": "SGD", "lr": 0.1}}, "monitor": {}})",
                           "test")
                     .value();
    }

    /// "code pointer" of the first critical problem of the plan, else of the data's refusal; "" where the loss would
    /// run.
    std::string refusal(const std::string& loss) {
        m_json["training"]["losses"] = Json::array({parseJson(loss, "loss").value()});
        const auto project = readProject(m_json, m_folder.path());
        if (!project) {
            return project.error().code + " " + project.error().where;
        }
        const CheckReport report = checkProject(*project, blocks::builtinBlocks());
        m_codes.clear();
        for (const graph::Problem& problem : report.problems) {
            m_codes.insert(problem.code + " " + problem.pointer);
        }
        for (const graph::Problem& problem : report.problems) {
            if (problem.severity == graph::Severity::kCritical && problem.pointer.starts_with("/training")) {
                m_message = problem.message;
                return problem.code + " " + problem.pointer;
            }
        }
        const Status fit = checkData(*project, report.model);
        m_message = fit ? "" : toSentence(fit.error());
        EXPECT_TRUE(fit || !fit.error().hint.empty()) << m_message;
        return fit ? "" : fit.error().code + " " + fit.error().where;
    }

    testing::TemporaryFolder m_folder;
    Json m_json;
    std::string m_message;
    std::set<std::string> m_codes;
};

TEST_F(LossChecks, WhatFitsIsNotRefused) {
    for (const char* loss : {R"({"type": "CrossEntropyLoss", "output": "scores", "target": "kind"})",
                             R"({"type": "NLLLoss", "output": "scores", "target": "kind"})",
                             R"({"type": "FocalLoss", "output": "scores", "target": "kind"})",
                             R"({"type": "FocalLoss", "output": "scores", "target": "many", "alpha": 0.25})",
                             R"({"type": "FocalLoss", "output": "one", "target": "flag"})",
                             R"({"type": "DiceCELoss", "output": "scores", "target": "kind"})",
                             R"({"type": "MultiMarginLoss", "output": "scores", "target": "kind"})",
                             R"({"type": "MultiLabelMarginLoss", "output": "scores", "target": "row"})",
                             R"({"type": "MultiLabelSoftMarginLoss", "output": "scores", "target": "many"})",
                             R"({"type": "BCEWithLogitsLoss", "output": "one", "target": "flag"})",
                             R"({"type": "HingeLoss", "output": "one", "target": "sign"})",
                             R"({"type": "SoftMarginLoss", "output": "one", "target": "sign"})",
                             R"({"type": "HuberLoss", "output": "one", "target": "price"})",
                             R"({"type": "CosineEmbeddingLoss", "output": "code", "other": "twin", "target": "sign"})",
                             R"({"type": "ContrastiveLoss", "output": "code", "other": "twin", "target": "flag"})",
                             R"({"type": "MarginRankingLoss", "output": "one", "other": "one", "target": "sign"})",
                             R"x({"type": "ExpressionLoss", "expression": "mean((one - price) ** 2)"})x",
                             R"({"type": "CTCLoss", "output": "frames", "target": "row", "blank": 0})"}) {
        const std::string why = refusal(loss);
        EXPECT_TRUE(why.empty() || why.starts_with("loss-output-twice")) << loss << ": " << why << " " << m_message;
    }
}

TEST_F(LossChecks, AFormulaWhoseShapesCannotWorkIsRefusedBeforeTheRun) {
    const auto formula = [this](const std::string& text) {
        return refusal(fmt::format(R"x({{"type": "ExpressionLoss", "expression": "{}"}})x", text));
    };
    const std::string place = "/training/losses/0/expression";
    // By the model alone.
    EXPECT_EQ(formula("mean(scores - code)"), "formula " + place);
    EXPECT_NE(m_message.find("- at position 13 of the formula got the shapes [B, 3] and [B, 5]"), std::string::npos)
        << m_message;
    EXPECT_EQ(formula("mean(frames * scores)"), "formula " + place);
    EXPECT_EQ(formula("square(one)"), "loss-target-shape " + place);
    EXPECT_EQ(formula("sum(scores, 2)"), "formula " + place);
    EXPECT_EQ(formula("mean(scores, 1)"), "loss-target-shape " + place);
    // With the data.
    EXPECT_EQ(formula("mean(scores - row * many - code * price)"), "formula " + place);
    EXPECT_EQ(formula("mean(where(kind > 0, scores, 0 - scores))"), "formula " + place)
        << "classes of samples beside scores of classes";
    EXPECT_EQ(formula("square(one - price)"), "loss-target-shape " + place);
    for (const char* fits : {"mean(scores * many)", "mean(square(one - price))", "mean(sum(code * twin, 1))",
                             "norm(mean(frames, -1) - 0.5)", "mean(max(scores, many), 0) * 0 + 1 - 1",
                             "sum(mean(mean(frames, 2), 1) * price)", "0.5 * mean(one * sign) + max(scores)"}) {
        const std::string why = formula(fits);
        EXPECT_EQ(why, std::string(fits).ends_with("+ 1 - 1") ? "loss-target-shape " + place : "")
            << fits << " " << m_message;
    }
}

TEST_F(LossChecks, WhatIsNamedHasToBeThere) {
    EXPECT_EQ(refusal(R"({"type": "MSELoss", "output": "on", "target": "price"})"),
              "unknown-output /training/losses/0/output");
    EXPECT_EQ(refusal(R"({"type": "MSELoss", "output": "one", "target": "prise"})"),
              "unknown-target /training/losses/0/target");
    EXPECT_EQ(refusal(R"({"type": "ContrastiveLoss", "output": "code", "other": "twins", "target": "flag"})"),
              "unknown-output /training/losses/0/other");
    EXPECT_NE(m_message.find("Did you mean \"twin\"?"), std::string::npos) << m_message;
    EXPECT_EQ(refusal(R"({"type": "TripletMarginLoss", "output": "code", "positive": "twin", "negative": "nothing"})"),
              "unknown-output /training/losses/0/negative");
    EXPECT_EQ(refusal(R"({"type": "CTCLoss", "output": "frames", "target": "row", "target_lengths": "lengths"})"),
              "unknown-target /training/losses/0/target_lengths");
    EXPECT_EQ(refusal(R"x({"type": "ExpressionLoss", "expression": "mean((one - prise) ** 2)"})x"),
              "formula-name /training/losses/0/expression");
    EXPECT_NE(m_message.find("position 13"), std::string::npos) << m_message;
    EXPECT_EQ(refusal(R"x({"type": "ExpressionLoss", "expression": "mean((one - price)"})x"),
              "formula /training/losses/0/expression");
    EXPECT_EQ(refusal(R"x({"type": "ExpressionLoss", "expression": ""})x"), "formula /training/losses/0/expression");
}

TEST_F(LossChecks, OutputsHaveTheShapeThatTheLossTakes) {
    EXPECT_EQ(refusal(R"({"type": "MultiMarginLoss", "output": "frames", "target": "kind"})"),
              "loss-shape /training/losses/0/output");
    EXPECT_EQ(refusal(R"({"type": "CTCLoss", "output": "scores", "target": "row"})"),
              "loss-shape /training/losses/0/output");
    EXPECT_EQ(refusal(R"({"type": "CTCLoss", "output": "frames", "target": "row", "blank": 3})"),
              "blank /training/losses/0/blank");
    EXPECT_EQ(refusal(R"({"type": "ContrastiveLoss", "output": "code", "other": "scores", "target": "flag"})"),
              "loss-shape /training/losses/0");
    EXPECT_EQ(refusal(R"({"type": "ContrastiveLoss", "output": "code", "other": "code", "target": "flag"})"),
              "loss-output-twice /training/losses/0");
    refusal(R"({"type": "MSELoss", "output": "answer", "target": "price"})");
    EXPECT_TRUE(m_codes.contains("loss-dtype /training/losses/0/output"));
    EXPECT_EQ(refusal(R"({"type": "FocalLoss", "output": "scores", "target": "kind", "class_weights": [1, 2]})"),
              "class-weights /training/losses/0/class_weights");
    EXPECT_EQ(refusal(R"({"type": "MultiMarginLoss", "output": "scores", "target": "kind", "p": 1.5})"),
              "out-of-range /training/losses/0/p");
}

TEST_F(LossChecks, TargetsHoldWhatTheFormulaIsFor) {
    for (const char* type : {"HingeLoss", "HingeEmbeddingLoss", "SoftMarginLoss"}) {
        EXPECT_EQ(refusal(fmt::format(R"({{"type": "{}", "output": "one", "target": "flag"}})", type)),
                  "target-range /training/losses/0")
            << type;
        EXPECT_NE(m_message.find("from 0 to 1"), std::string::npos) << m_message;
    }
    EXPECT_EQ(refusal(R"({"type": "CosineEmbeddingLoss", "output": "code", "other": "twin", "target": "flag"})"),
              "target-range /training/losses/0");
    for (const char* type : {"BCEWithLogitsLoss", "BCELoss", "FocalLoss", "DiceLoss"}) {
        EXPECT_EQ(refusal(fmt::format(R"({{"type": "{}", "output": "one", "target": "price"}})", type)),
                  "target-range /training/losses/0")
            << type;
    }
    EXPECT_EQ(refusal(R"({"type": "ContrastiveLoss", "output": "code", "other": "twin", "target": "price"})"),
              "target-range /training/losses/0");
    EXPECT_EQ(refusal(R"({"type": "ContrastiveLoss", "output": "code", "other": "twin", "target": "many"})"),
              "loss-target-shape /training/losses/0");
    EXPECT_EQ(refusal(R"({"type": "NLLLoss", "output": "scores", "target": "price"})"),
              "loss-target-shape /training/losses/0");
    EXPECT_EQ(refusal(R"({"type": "MultiLabelMarginLoss", "output": "scores", "target": "many"})"),
              "loss-target-shape /training/losses/0");
    EXPECT_EQ(refusal(R"({"type": "CTCLoss", "output": "frames", "target": "kind"})"),
              "loss-target-shape /training/losses/0");
    EXPECT_EQ(refusal(R"({"type": "HuberLoss", "output": "scores", "target": "price"})"),
              "loss-target-shape /training/losses/0");
}

TEST_F(LossChecks, LabelsAreClassesOfTheOutput) {
    m_json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"] = 2;
    for (const char* type : {"CrossEntropyLoss", "NLLLoss", "FocalLoss", "DiceLoss", "DiceCELoss", "MultiMarginLoss"}) {
        EXPECT_EQ(refusal(fmt::format(R"({{"type": "{}", "output": "scores", "target": "kind"}})", type)),
                  "label-out-of-range /training/losses/0")
            << type;
        EXPECT_NE(m_message.find("the class 2 "), std::string::npos) << m_message;
    }
    EXPECT_EQ(refusal(R"({"type": "FocalLoss", "output": "scores", "target": "kind", "ignore_index": 2})"), "");
    m_json["model"]["graph"]["nodes"]["rows"]["params"]["shape"] = {-1, 6, 2};
    EXPECT_EQ(refusal(R"({"type": "CTCLoss", "output": "frames", "target": "row"})"),
              "label-out-of-range /training/losses/0");
}

}  // namespace
}  // namespace plumbline::project
