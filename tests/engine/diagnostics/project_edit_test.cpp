#include "diagnostics/project_edit.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumbline::diagnostics {
namespace {

const Json kProject = {{"training", {{"optimizer", {{"lr", 0.5}}}, {"precision", "fp16"}}}, {"list", {1, 2}}};

TEST(ProjectEdit, TestsAnOldValueBeforeItReplacesIt) {
    const Remedy remedy = ProjectEdit(kProject).set("Halve it", "/training/optimizer/lr", 0.25, "live");
    EXPECT_EQ(remedy.applies, "live");
    EXPECT_EQ(applyJsonPatch(kProject, remedy.patch).value()["training"]["optimizer"]["lr"], 0.25);
    Json moved = kProject;
    moved["training"]["optimizer"]["lr"] = 0.4;
    EXPECT_FALSE(applyJsonPatch(moved, remedy.patch));
}

TEST(ProjectEdit, AddsWhatIsMissingOnlyWhereTheSurroundingsAreAsTheyWere) {
    const Remedy remedy = ProjectEdit(kProject).set("Clip", "/training/clip/max_norm", 1.0);
    const Json edited = applyJsonPatch(kProject, remedy.patch).value();
    EXPECT_EQ(edited["training"]["clip"]["max_norm"], 1.0);
    EXPECT_EQ(edited["training"]["precision"], "fp16");
    Json moved = kProject;
    moved["training"]["clip"] = {{"max_norm", 5.0}};
    EXPECT_FALSE(applyJsonPatch(moved, remedy.patch)) << "somebody's later choice is never overwritten";
}

TEST(ProjectEdit, ARefusedEditNamesTheValueThatIsNowAnother) {
    const Remedy remedy = ProjectEdit(kProject).set("Halve it", "/training/optimizer/lr", 0.25, "live");
    Json moved = kProject;
    moved["training"]["optimizer"]["lr"] = 0.4;
    const auto refused = applyJsonPatch(moved, remedy.patch);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "training.optimizer.lr is 0.4 now, but the edit was made for 0.5");
    EXPECT_FALSE(refused.error().hint.empty());

    const Remedy clip = ProjectEdit(kProject).set("Clip", "/training/clip", 1.0);
    const auto around = applyJsonPatch(moved, clip.patch);
    ASSERT_FALSE(around);
    EXPECT_EQ(around.error().message, "training.optimizer.lr is 0.4 now, but the edit was made for 0.5");

    moved["training"].erase("optimizer");
    EXPECT_EQ(applyJsonPatch(moved, remedy.patch).error().message,
              "training.optimizer.lr is no longer there, and the edit was made for 0.5");
    for (const Json& broken :
         {Json(1), Json::object(), Json::array({1}), Json::array({Json{{"op", "fly"}, {"path", "/list"}}}),
          Json::array({Json{{"op", "replace"}, {"path", "list"}, {"value", 1}}})}) {
        const auto wrong = applyJsonPatch(kProject, broken);
        ASSERT_FALSE(wrong) << broken;
        EXPECT_EQ(wrong.error().message.find("json.exception"), std::string::npos) << broken;
        EXPECT_NE(wrong.error().message.find("RFC 6902"), std::string::npos) << broken;
    }
}

TEST(ProjectEdit, WhatIsStillMissingCanBeAddedAfterChangesElsewhere) {
    const Remedy clip = ProjectEdit(kProject).set("Clip", "/training/clip/max_norm", 1.0);
    Json moved = kProject;
    moved["training"]["optimizer"]["lr"] = 0.4;
    const Json edited = applyJsonPatch(moved, refitted(moved, clip).patch).value();
    EXPECT_EQ(edited["training"]["clip"]["max_norm"], 1.0);
    EXPECT_EQ(edited["training"]["optimizer"]["lr"], 0.4);
    moved["training"]["clip"] = {{"max_norm", 5.0}};
    EXPECT_FALSE(applyJsonPatch(moved, refitted(moved, clip).patch)) << "somebody's later choice is never overwritten";
    const Remedy halve = ProjectEdit(kProject).set("Halve it", "/training/optimizer/lr", 0.25, "live");
    EXPECT_FALSE(applyJsonPatch(moved, refitted(moved, halve).patch));
}

TEST(ProjectEdit, ARateIsLoweredFromWhatTheRunHasAndTheProjectMayHaveThatToo) {
    EXPECT_EQ(ProjectEdit(kProject).lowerLearningRate(10, 0.3).at(0).title, "Lower the learning rate from 0.5 to 0.05");
    const Remedy told = ProjectEdit(kProject, 0.2).lowerLearningRate(2, 0.3).at(0);
    EXPECT_EQ(told.title, "Halve the learning rate from 0.2 to 0.1");
    EXPECT_EQ(told.applies, "live");
    // The run was told by another process: its project has the value before.
    EXPECT_EQ(applyJsonPatch(kProject, refitted(kProject, told).patch).value()["training"]["optimizer"]["lr"], 0.1);
    // It was told by its window, whose project has the new one.
    Json changed = kProject;
    changed["training"]["optimizer"]["lr"] = 0.2;
    EXPECT_EQ(applyJsonPatch(changed, refitted(changed, told).patch).value()["training"]["optimizer"]["lr"], 0.1);
    changed["training"]["optimizer"]["lr"] = 0.4;
    EXPECT_FALSE(applyJsonPatch(changed, refitted(changed, told).patch))
        << "somebody's later choice is never overwritten";
    changed["training"]["optimizer"].erase("lr");
    EXPECT_FALSE(applyJsonPatch(changed, refitted(changed, told).patch));
    EXPECT_TRUE(ProjectEdit(kProject, 5.0).lowerLearningRate(10, 0.3).at(0).patch.empty())
        << "the project has it already";
    const Json nothing;
    EXPECT_TRUE(ProjectEdit(nothing).lowerLearningRate(10, 0).empty());
}

TEST(ProjectEdit, AppendsToAListOrMakesOne) {
    EXPECT_EQ(applyJsonPatch(kProject, ProjectEdit(kProject).append("Add", "/list", 3).patch).value()["list"],
              Json({1, 2, 3}));
    EXPECT_EQ(applyJsonPatch(kProject, ProjectEdit(kProject).append("Add", "/training/more", 3).patch)
                  .value()["training"]["more"],
              Json::array({3}));
}

TEST(ProjectEdit, IsAdviceWhereThereIsNoProject) {
    const Json nothing;
    EXPECT_TRUE(ProjectEdit(nothing).set("Halve it", "/training/optimizer/lr", 1).patch.empty());
    EXPECT_TRUE(ProjectEdit(nothing).append("Add", "/list", 1).patch.empty());
    EXPECT_TRUE(ProjectEdit(kProject).set("Inside a number", "/training/optimizer/lr/x", 1).patch.empty());
    EXPECT_EQ(ProjectEdit(kProject).at("not a pointer"), nullptr);
}

TEST(ProjectEdit, SaysNumbersThatJsonCannot) {
    EXPECT_EQ(evidenceNumber(1.5), 1.5);
    EXPECT_EQ(evidenceNumber(std::numeric_limits<double>::quiet_NaN()), "NaN");
    EXPECT_EQ(evidenceNumber(-std::numeric_limits<double>::infinity()), "-Infinity");
}

TEST(ProjectEdit, ListsNamesAsAPersonWould) {
    EXPECT_EQ(listed({"a"}), "a");
    EXPECT_EQ(listed({"a", "b"}), "a and b");
    EXPECT_EQ(listed({"a", "b", "c", "d"}), "a, b, c and d");
    EXPECT_EQ(listed({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

}  // namespace
}  // namespace plumbline::diagnostics
