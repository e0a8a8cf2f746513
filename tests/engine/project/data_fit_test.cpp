#include "project/data_fit.h"

#include <gtest/gtest.h>

#include "blocks/register.h"
#include "core/files.h"

using namespace plumbline;
using namespace plumbline::project;

namespace {

/// The wine sample (13 numbers, 3 classes) with an edit.
template <typename Edit>
Status fits(Edit edit) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/wine";
    Json json = readJsonFile(folder / "project.json").value();
    edit(json);
    const Project project = readProject(json, folder).value();
    return checkData(project, graph::resolve(project.model, blocks::builtinBlocks()));
}

}  // namespace

TEST(DataFit, SampleFits) {
    const Status fit = fits([](Json&) {});
    EXPECT_TRUE(fit) << fit.error().message;
}

TEST(DataFit, InputOfAnotherWidthIsRefusedWithBothShapes) {
    const Status fit = fits([](Json& json) { json["model"]["graph"]["inputs"]["features"]["shape"] = Json::array({"B", 12}); });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "input-shape");
    EXPECT_EQ(fit.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(fit.error().message.find("[B, 13]"), std::string::npos) << fit.error().message;
    EXPECT_NE(fit.error().message.find("[B, 12]"), std::string::npos) << fit.error().message;
}

TEST(DataFit, InputThatNothingFeedsIsRefused) {
    const Status fit = fits([](Json& json) {
        json["data"]["inputs"]["other"] = json["data"]["inputs"]["features"];
        json["data"]["inputs"].erase("features");
    });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "input-without-data");
}

TEST(DataFit, ClassThatTheOutputLacksIsRefused) {
    const Status fit = fits([](Json& json) { json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 2; });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "label-out-of-range");
    EXPECT_EQ(fit.error().where, "/training/losses/0");
}

TEST(DataFit, MissingFileIsTheDatasOwnError) {
    const Status fit = fits([](Json& json) { json["data"]["sources"]["wine"]["path"] = "data/nowhere.csv"; });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().kind, ErrorKind::kInvalid);
}

TEST(DataFit, ElementWiseLossOnAClassIsRefusedWithBothShapes) {
    const Status fit = fits([](Json& json) { json["training"]["losses"][0]["type"] = "MSELoss"; });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "loss-target-shape");
    EXPECT_EQ(fit.error().where, "/training/losses/0");
    EXPECT_NE(fit.error().message.find("[B, 3]"), std::string::npos) << fit.error().message;
    EXPECT_NE(fit.error().hint.find("CrossEntropyLoss"), std::string::npos) << fit.error().hint;
}

TEST(DataFit, OneNumberASampleFitsAColumnAndWhatIsDeclared) {
    const auto one = [](Json& json) {
        json["training"]["losses"][0]["type"] = "MSELoss";
        json["model"]["graph"]["nodes"]["output"]["params"]["out_features"] = 1;
        json["training"]["metrics"] = Json::array();
    };
    EXPECT_TRUE(fits(one)) << "[B, 1] and [B]";
    EXPECT_TRUE(fits([](Json& json) {
        json["training"]["losses"][0]["type"] = "MSELoss";
        json["training"]["losses"][0]["scalar_target"] = true;
    }));
    EXPECT_TRUE(fits([](Json& json) {
        json["training"]["losses"][0]["type"] = "MSELoss";
        json["training"]["expert"]["allow_broadcast_loss"] = true;  // a mistake to be found while it trains
    }));
}

TEST(DataFit, ANumberIsNoClass) {
    const Status fit = fits([](Json& json) {
        json["data"]["targets"]["number"] = {{"from", "wine.alcohol"}};
        json["model"]["graph"]["inputs"]["features"]["shape"] = {"B", 12};  // a target is no input
        json["training"]["losses"][0]["target"] = "number";
    });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, "loss-target-shape") << fit.error().message;
}
