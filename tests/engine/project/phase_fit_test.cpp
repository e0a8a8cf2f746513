// What training.phases says of a model's parameters.
#include "project/phase_fit.h"

#include <gtest/gtest.h>

#include "blocks/register.h"
#include "core/files.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

/// The sample of a generator and a discriminator, with other phases.
CheckReport checkedPhases(const Json& phases, const Json& freeze = Json::array()) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/dcgan";
    Json json = parseJson(readFile(folder / "project.json").value(), "dcgan").value();
    json["training"]["phases"] = phases;
    json["training"]["freeze"] = freeze;
    const auto project = readProject(json, folder);
    EXPECT_TRUE(project.has_value()) << (project ? "" : toSentence(project.error()));
    return checkProject(*project, blocks::builtinBlocks());
}

/// Codes of what was found, in order.
std::vector<std::string> codesOf(const CheckReport& report) {
    std::vector<std::string> codes;
    for (const graph::Problem& problem : report.problems) {
        codes.push_back(problem.code);
    }
    return codes;
}

Json twoPhases(const Json& first, const Json& second) {
    return Json::array({Json{{"name", "discriminator"}, {"train", first}}, Json{{"name", "generator"}, {"train", second}}});
}

TEST(PhaseFit, TellsWhichParametersAPhaseCannotHave) {
    using Codes = std::vector<std::string>;
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("discriminator.*", "generator.*"))), Codes{});
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("disc.*", "generator.*"))), Codes{"phase-matches-nothing"});
    EXPECT_EQ(codesOf(checkedPhases(twoPhases({"discriminator.*", "*.bn0.*"}, "generator.*"))), Codes{"phases-overlap"});
    // Weights that are shared have the first block's name.
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("judge.*", "generator.*"))), Codes{"phase-matches-nothing"});
    const auto frozen = [](int epochs) { return Json::array({Json{{"match", "generator.*"}, {"epochs", epochs}}}); };
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("discriminator.*", "generator.*"), frozen(0))), Codes{"nothing-to-train"});
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("discriminator.*", "generator.*"), frozen(2))), Codes{"nothing-to-train"});
}

TEST(PhaseFit, WarnsOfWhatNoPhaseTrains) {
    const CheckReport report = checkedPhases(twoPhases("discriminator.*", {"generator.conv0.*", "generator.conv1.*", "generator.bn1.*"}));
    ASSERT_EQ(codesOf(report), std::vector<std::string>{"untrained-parameters"});
    EXPECT_TRUE(report.ok());
    EXPECT_NE(report.problems[0].message.find("generator.bn0.weight and 2 more, so they stay"), std::string::npos) << report.problems[0].message;
    const Json meant = Json::array({Json{{"match", "generator.bn0.*"}, {"buffers", false}}, Json{{"match", "generator.conv2.*"}}});
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("discriminator.*", {"generator.conv0.*", "generator.conv1.*", "generator.bn1.*"}), meant)), std::vector<std::string>{});
}

}  // namespace
}  // namespace plumbline::project
