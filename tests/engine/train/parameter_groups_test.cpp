#include "train/parameter_groups.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <set>

#include "core/glob.h"

namespace plumbline::train {
namespace {

plan::OptimizerSpec decayingAt(double lr) {
    plan::OptimizerSpec spec;
    spec.type = "AdamW";
    spec.lr = lr;
    spec.weightDecay = 0.01;
    return spec;
}

std::vector<std::string> namesOf(const std::vector<ParameterGroup>& groups) {
    std::vector<std::string> names;
    for (const ParameterGroup& group : groups) {
        names.push_back(group.name);
    }
    return names;
}

TEST(ParameterGroups, TheFirstPatternWinsAndAFrozenGroupIsLeftOut) {
    plan::OptimizerSpec spec = decayingAt(0.1);
    spec.groups = {
        {"head.bias", std::nullopt, std::nullopt, true}, {"head.*", 0.5, std::nullopt}, {"*", std::nullopt, 0.0}};
    const at::Tensor any = at::zeros({1});
    const auto groups = groupParameters(spec, {{"head.weight", any}, {"head.bias", any}, {"body.weight", any}});
    ASSERT_EQ(namesOf(groups), (std::vector<std::string>{"head.*", "*"}));
    EXPECT_EQ(groups[0].parameters.size(), 1U);
    EXPECT_EQ(groups[0].lr, 0.5);
    EXPECT_EQ(groups[0].weightDecay, 0.01);
    EXPECT_TRUE(groups[0].ownRate && !groups[0].ownWeightDecay);
    EXPECT_EQ(groups[1].lr, 0.1);
    EXPECT_EQ(groups[1].weightDecay, 0);
    EXPECT_TRUE(!groups[1].ownRate && groups[1].ownWeightDecay);
}

TEST(ParameterGroups, NormsAndBiasesGoWithoutWeightDecayAndEachLayerHasItsShareOfTheRate) {
    plan::OptimizerSpec spec = decayingAt(1.0);
    spec.groups = {{"neck.*", 10.0, 0.5}};
    spec.decayNormsAndBiases = false;
    const at::Tensor vector = at::zeros({1}), matrix = at::zeros({1, 1});
    const std::vector<NamedParameter> parameters{{"head.weight", matrix},
                                                 {"head.bias", vector},
                                                 {"neck.weight", matrix},
                                                 {"neck.bias", vector},
                                                 {"layers.0.weight", matrix}};
    auto groups = groupParameters(spec, parameters);
    ASSERT_EQ(namesOf(groups), (std::vector<std::string>{"", "no weight decay", "neck.*", "neck.*, no weight decay"}));
    EXPECT_EQ(groups[0].weightDecay, 0.01);
    EXPECT_EQ(groups[1].weightDecay, 0);
    EXPECT_EQ(groups[3].weightDecay, 0);
    EXPECT_EQ(groups[3].lr, 10);

    spec.decayNormsAndBiases = true;
    spec.layerDecay = 0.5;
    // stem holds nothing that is trained, so it is no layer.
    const ParameterLayers layers{{"stem", "layers.0", "neck", "head"},
                                 {{"head.weight", 3},
                                  {"head.bias", 3},
                                  {"neck.weight", 2},
                                  {"neck.bias", 2},
                                  {"layers.0.weight", 1},
                                  {"stem.weight", 0}}};
    groups = groupParameters(spec, parameters, layers);
    ASSERT_EQ(namesOf(groups), (std::vector<std::string>{"layer layers.0", "layer head", "neck.*, layer neck"}));
    EXPECT_EQ(groups[0].lr, 0.25);
    EXPECT_EQ(groups[1].lr, 1);
    EXPECT_EQ(groups[2].lr, 5);
    EXPECT_EQ(groups[2].lrScale, 0.5);
}

TEST(ParameterGroups, NormsAndBiasesAreKnownByWhatTheyAreAndNotByTheirDimensions) {
    plan::OptimizerSpec spec = decayingAt(1.0);
    spec.decayNormsAndBiases = false;
    const at::Tensor matrix = at::zeros({4, 4}), row = at::zeros({1, 1, 4});
    ParameterLayers layers;
    layers.norms = {"norm.weight", "norm.bias"};
    const auto groups = groupParameters(spec,
                                        {{"norm.weight", matrix},
                                         {"norm.bias", matrix},
                                         {"attention.bias_k", row},
                                         {"attention.in_proj_weight", matrix}},
                                        layers);
    ASSERT_EQ(namesOf(groups), (std::vector<std::string>{"", "no weight decay"}));
    ASSERT_EQ(groups[0].parameters.size(), 1U);
    EXPECT_EQ(groups[0].parameters[0].name, "attention.in_proj_weight");
    EXPECT_EQ(groups[1].parameters.size(), 3U);
}

TEST(ParameterGroups, NamesAreUnique) {
    plan::OptimizerSpec spec = decayingAt(1.0);
    spec.groups = {{"a*", 1.0, std::nullopt}, {"a*, no weight decay", 2.0, std::nullopt}};
    spec.decayNormsAndBiases = false;
    const at::Tensor vector = at::zeros({1}), matrix = at::zeros({1, 1});
    const auto groups = groupParameters(spec, {{"a", vector}, {"b", matrix}, {"a*, no weight decay", matrix}});
    const std::vector<std::string> names = namesOf(groups);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(ParameterGroups, PatternsMatchWholeNames) {
    EXPECT_TRUE(matchesGlob("*.bn.*", "layers.0.bn.weight"));
    EXPECT_FALSE(matchesGlob("*.bn.*", "bn.weight"));
    EXPECT_TRUE(matchesGlob("*bias", "fc.bias"));
    EXPECT_FALSE(matchesGlob("*bias", "fc.bias2"));
    EXPECT_TRUE(matchesGlob("fc?.w*", "fc1.weight"));
    EXPECT_TRUE(matchesGlob("*", ""));
}

}  // namespace
}  // namespace plumbline::train
