// The validation batches before the first step: what they find, and that nothing is left of them.
#include <algorithm>

#include "exact_resume.h"
#include "split_rows.h"
#include "train/training_loop.h"

namespace plumbline::test {

Result<session::RunSummary> trainHere(const session::TrainRequest& request, session::RunSink& sink, RunControl& control,
                                      session::LiveCommands& live) {
    return train::train(request, sink, control, live);
}

namespace {

TEST(SanityPass, ChangesNoNumberOfTheRun) {
    for (const bool stochastic : {false, true}) {
        TinyProject project;
        project.training()["averaging"] = {{"type", "ema"}, {"decay", 0.9}};
        if (stochastic) {
            // Its forward passes draw numbers and move BatchNorm's statistics in a validation as well.
            project.training()["expert"] = {{"validate_in_train_mode", true}};
        }
        project.training()["validation"] = {{"sanity_batches", 0}};
        TestRun without(project, "without");
        const auto plain = without.start();
        ASSERT_TRUE(plain.has_value()) << toSentence(plain.error());
        project.training()["validation"] = {{"sanity_batches", 3}};
        TestRun with(project, "with");
        const auto passed = with.start();
        ASSERT_TRUE(passed.has_value()) << toSentence(passed.error());
        expectSameRun(without, *plain, with, *passed, stochastic ? "in training mode" : "plain");
        EXPECT_EQ(with.sink.detectors(), without.sink.detectors());
    }
}

/// A table of ten rows that is looked up by x0, whose fraction falls away; one sample of the validation asks for the
/// hundredth. What a column of fractions holds outside of the training split nobody looks at before.
struct BrokenValidation : TinyProject {
    BrokenValidation() {
        json["model"]["graph"]["nodes"] = parseJson(R"({
          "first": {"type": "Select", "from": "x", "params": {"dim": 1, "index": 0}}, "id": {"type": "ToDtype", "from": "first", "params": {"dtype": "int64"}},
          "table": {"type": "Embedding", "from": "id", "params": {"num_embeddings": 10, "embedding_dim": 8}}, "fc": {"type": "Linear", "from": "table", "params": {"out_features": 3}}})",
                                                    "nodes")
                                              .value();
        for (const data::Split split : {data::Split::kTrain, data::Split::kValidation, data::Split::kTest}) {
            int row = 0;
            changeRows(*this, split, 1000,
                       [&](std::vector<std::string>& cells) { cells[0] = std::to_string(row++ % 10) + ".5"; });
        }
        changeRows(*this, data::Split::kValidation, 1, [](std::vector<std::string>& cells) { cells[0] = "99.5"; });
    }
};

TEST(SanityPass, WhatTheValidationCannotDoEndsTheRunBeforeItsFirstStep) {
    BrokenValidation project;
    project.training()["validation"] = {{"sanity_batches", 4}};
    TestRun run(project, "first");
    const auto failed = run.start();
    ASSERT_FALSE(failed.has_value());
    EXPECT_NE(failed.error().message.find("The block table"), std::string::npos) << failed.error().message;
    EXPECT_TRUE(run.sink.values("train.loss").empty());
    EXPECT_TRUE(train::CheckpointFolder(run.request.runFolder).list().empty());
    EXPECT_EQ(run.sink.states.back(), session::RunState::kFailed);
    // Without it the same sentence comes after an epoch.
    project.training()["validation"] = {{"sanity_batches", 0}};
    TestRun late(project, "late");
    const auto later = late.start();
    ASSERT_FALSE(later.has_value());
    EXPECT_EQ(later.error().message, failed.error().message);
    EXPECT_EQ(late.sink.values("train.loss").size(), 12U);
}

TEST(SanityPass, IsLeftOutWhereNothingIsValidatedAndOnAResume) {
    BrokenValidation project;
    project.training()["validation"] = {{"every", 0}};
    EXPECT_TRUE(TestRun(project, "none").start(2).has_value());
    project.training()["validation"] = {{"every", 1}, {"sanity_batches", 0}};
    TestRun parts(project, "parts");
    ASSERT_TRUE(parts.start(2).has_value());
    parts.request.project.training.sanityBatches = 4;
    EXPECT_TRUE(parts.resume(4).has_value()) << "its beginning was another start's";
}

}  // namespace
}  // namespace plumbline::test
