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

TEST(ProjectEdit, AppendsToAListOrMakesOne) {
    EXPECT_EQ(applyJsonPatch(kProject, ProjectEdit(kProject).append("Add", "/list", 3).patch).value()["list"], Json({1, 2, 3}));
    EXPECT_EQ(applyJsonPatch(kProject, ProjectEdit(kProject).append("Add", "/training/more", 3).patch).value()["training"]["more"],
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
