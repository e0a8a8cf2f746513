#include <gtest/gtest.h>

#include "blocks/register.h"
#include "project/project.h"

using namespace plumbline;
using namespace plumbline::project;

TEST(Templates, EachMakesAProjectWithoutProblems) {
    for (const TemplateInfo& info : templates()) {
        const auto json = makeFromTemplate(info.id, Json::object(), "fresh");
        ASSERT_TRUE(json) << info.id;
        const auto project = readProject(*json, "");
        ASSERT_TRUE(project) << info.id << ": " << project.error().message;
        const CheckReport report = checkProject(*project, blocks::builtinBlocks());
        for (const graph::Problem& problem : report.problems) {
            ADD_FAILURE() << info.id << ": " << problem.message;
        }
    }
}

TEST(Templates, ResNet18HasTorchvisionsParameterCount) {
    const auto json = makeFromTemplate("resnet18", Json{{"classes", 1000}, {"size", 224}}, "resnet");
    const Project project = readProject(*json, "").value();
    const graph::ResolvedModel model = graph::resolve(project.model, blocks::builtinBlocks());
    EXPECT_TRUE(model.ok());
    EXPECT_EQ(model.parameterCount(), 11'689'512);  // torchvision.models.resnet18
    EXPECT_NE(model.find("layer2.0.downsample.0"), nullptr);
    EXPECT_EQ(model.find("layer1.0.downsample.0"), nullptr);
}

TEST(Templates, ParametersAreChecked) {
    EXPECT_EQ(makeFromTemplate("cn", Json(), "x").error().hint, "Did you mean \"cnn\"?");
    EXPECT_EQ(makeFromTemplate("mlp", Json{{"klasses", 2}}, "x").error().code, "unknown-parameter");
    EXPECT_EQ(makeFromTemplate("mlp", Json{{"classes", 0}}, "x").error().code, "wrong-type");
    EXPECT_EQ(makeFromTemplate("mlp", Json{{"hidden", "wide"}}, "x").error().code, "wrong-type");
    const Json json = makeFromTemplate("mlp", Json{{"classes", 5}, {"hidden", Json::array({7})}}, "x").value();
    EXPECT_EQ(json["model"]["graph"]["nodes"]["linear0"]["params"]["out_features"], 7);
    EXPECT_EQ(json["model"]["graph"]["nodes"]["output"]["params"]["out_features"], 5);
}
