// Which learning rates a run of a project would write, by name and by what they begin from.
#include "project/planned_rates.h"

#include <gtest/gtest.h>

#include "blocks/register.h"
#include "core/files.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

using Rates = std::vector<std::pair<std::string, double>>;

/// The sample of a generator and a discriminator, with other settings of training.
Project adversariesWith(const Json& training) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/dcgan";
    Json json = parseJson(readFile(folder / "project.json").value(), "dcgan").value();
    json["training"].update(training);
    auto project = readProject(json, folder);
    EXPECT_TRUE(project.has_value()) << (project ? "" : toSentence(project.error()));
    return *project;
}

std::vector<plan::RateSeries> seriesWith(const Json& training) {
    const Project project = adversariesWith(training);
    return rateSeriesOf(project.training, graph::resolve(project.model, blocks::builtinBlocks()));
}

Rates ratesOf(const std::vector<plan::RateSeries>& series) {
    Rates rates;
    for (const plan::RateSeries& each : series) {
        rates.emplace_back(each.name, each.base);
    }
    return rates;
}

Json phasesWith(const Json& optimizer) {
    return {
        {"phases",
         Json::array({Json{{"name", "discriminator"}, {"train", "discriminator.*"}},
                      Json{{"name", "generator"}, {"train", "generator.*"}, {"optimizer", optimizer}, {"every", 3}}})}};
}

TEST(PlannedRates, AreOnePhaseAfterTheOther) {
    const std::vector<plan::RateSeries> series = seriesWith(phasesWith({{"lr", 0.5}}));
    EXPECT_EQ(ratesOf(series), (Rates{{"lr/discriminator", 0.0002}, {"lr/generator", 0.5}}));
    EXPECT_EQ(series[0].every, 1);
    EXPECT_EQ(series[1].every, 3);
    EXPECT_EQ(series[1].phase, "generator");
}

TEST(PlannedRates, AreThoseOfTheGroupsOfAPhaseAsWell) {
    const Json groups = Json::array(
        {Json{{"match", "generator.conv0.*"}, {"lr", 0.1}}, Json{{"match", "generator.bn*"}, {"weight_decay", 0}},
         Json{{"match", "generator.conv2.*"}, {"frozen", true}}, Json{{"match", "nothing.*"}, {"lr", 7}}});
    const std::vector<plan::RateSeries> series = seriesWith(phasesWith({{"lr", 0.5}, {"groups", groups}}));
    EXPECT_EQ(ratesOf(series), (Rates{{"lr/discriminator", 0.0002},
                                      {"lr/generator", 0.5},
                                      {"lr/generator: generator.conv0.*", 0.1},
                                      {"lr/generator: generator.bn*", 0.5}}));
    // Two curves that lie on each other are one; those of two phases are not.
    EXPECT_EQ(ratesOf(differingRates(series)),
              (Rates{{"lr/discriminator", 0.0002}, {"lr/generator", 0.5}, {"lr/generator: generator.conv0.*", 0.1}}));
    EXPECT_EQ(differingRates(seriesWith(phasesWith(Json::object()))).size(), 2U);
}

TEST(PlannedRates, AreThoseOfTheLayers) {
    const Rates rates = ratesOf(seriesWith(
        {{"phases", Json::array()},
         {"losses", Json::array({Json{{"type", "ExpressionLoss"}, {"expression", "mean(softplus(judged))"}}})},
         {"optimizer", {{"type", "Adam"}, {"lr", 0.01}, {"layer_decay", 0.5}}}}));
    EXPECT_EQ(rates, (Rates{{"lr/layer generator", 0.005}, {"lr/layer discriminator", 0.01}}));
}

TEST(PlannedRates, OfAModelThatIsNotWholeAreThoseOfThePhases) {
    const Project project = adversariesWith(phasesWith({{"lr", 0.5}}));
    EXPECT_EQ(ratesOf(rateSeriesOf(project.training, graph::ResolvedModel())),
              (Rates{{"lr/discriminator", 0.0002}, {"lr/generator", 0.5}}));
}

TEST(PlannedRates, GoOnWithEachStepOfTheRunHoweverRarelyAPhaseIsTaken) {
    Json settings = phasesWith({{"lr", 0.5}});
    settings["scheduler"] = {
        {"type", "linear"}, {"unit", "step"}, {"start_factor", 1.0}, {"end_factor", 0.0}, {"total", 10}};
    const Project project = adversariesWith(settings);
    const plan::PlannedRates planned =
        plan::plannedRates(project.training, 5, 1000,
                           rateSeriesOf(project.training, graph::resolve(project.model, blocks::builtinBlocks())));
    ASSERT_EQ(planned.points.size(), 60U);
    ASSERT_EQ(planned.series.size(), 2U);
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_EQ(planned.points[i].position, static_cast<std::int64_t>(i));
        EXPECT_NEAR(planned.series[0].rates[i], 0.0002 * (1 - 0.1 * static_cast<double>(i)), 1e-15);
        EXPECT_NEAR(planned.series[1].rates[i], 0.5 * (1 - 0.1 * static_cast<double>(i)), 1e-12);
        EXPECT_EQ(planned.points[i].lr, planned.series[1].rates[i]) << "\"lr\" is the largest of them";
    }
}

}  // namespace
}  // namespace plumbline::project
