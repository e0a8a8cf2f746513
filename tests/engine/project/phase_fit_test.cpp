// What training.phases says of a model's parameters.
#include "project/phase_fit.h"

#include <gtest/gtest.h>
#include <algorithm>

#include "blocks/register.h"
#include "core/files.h"
#include "project/project.h"

namespace plumbline::project {
namespace {

/// The sample of a generator and a discriminator, with other settings.
CheckReport checkedWith(const Json& training) {
    const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects/dcgan";
    Json json = parseJson(readFile(folder / "project.json").value(), "dcgan").value();
    json["training"].update(training);
    const auto project = readProject(json, folder);
    EXPECT_TRUE(project.has_value()) << (project ? "" : toSentence(project.error()));
    return checkProject(*project, blocks::builtinBlocks());
}

/// With other phases.
CheckReport checkedPhases(const Json& phases, const Json& freeze = Json::array()) {
    return checkedWith({{"phases", phases}, {"freeze", freeze}});
}

/// Code and place of the first critical problem, and its sentence in `message`.
std::string criticalWith(const Json& training, std::string* message = nullptr) {
    for (const graph::Problem& problem : checkedWith(training).problems) {
        if (problem.severity == graph::Severity::kCritical) {
            if (message != nullptr) {
                *message = problem.message;
            }
            return problem.code + " " + problem.pointer;
        }
    }
    return {};
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
    return Json::array(
        {Json{{"name", "discriminator"}, {"train", first}}, Json{{"name", "generator"}, {"train", second}}});
}

TEST(PhaseFit, TellsWhichParametersAPhaseCannotHave) {
    using Codes = std::vector<std::string>;
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("discriminator.*", "generator.*"))), Codes{});
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("disc.*", "generator.*"))), Codes{"phase-matches-nothing"});
    EXPECT_EQ(codesOf(checkedPhases(twoPhases({"discriminator.*", "*.bn0.*"}, "generator.*"))),
              Codes{"phases-overlap"});
    // Weights that are shared have the first block's name.
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("judge.*", "generator.*"))), Codes{"phase-matches-nothing"});
    const auto frozen = [](int epochs) { return Json::array({Json{{"match", "generator.*"}, {"epochs", epochs}}}); };
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("discriminator.*", "generator.*"), frozen(0))),
              Codes{"nothing-to-train"});
    EXPECT_EQ(codesOf(checkedPhases(twoPhases("discriminator.*", "generator.*"), frozen(2))),
              Codes{"nothing-to-train"});
}

TEST(PhaseFit, SaysWhatAPatternMayMeanThatMatchesNothing) {
    const auto said = [](const Json& second) {
        std::string message;
        EXPECT_EQ(criticalWith({{"phases", twoPhases("discriminator.*", second)}}, &message),
                  "phase-matches-nothing /training/phases/1/train");
        return message;
    };
    const std::string begin = "The phase \"generator\" is to train \"",
                      end = "\", and no parameter of the model has such a name. ";
    EXPECT_EQ(said("gen.*"), begin + "gen.*" + end + "Did you mean \"generator.*\"?");
    EXPECT_EQ(said("generator"), begin + "generator" + end + "Did you mean \"generator.*\"?");
    EXPECT_EQ(said("genrator.*"), begin + "genrator.*" + end + "Did you mean \"generator.*\"?");
    EXPECT_EQ(said("generator.conv_0.*"), begin + "generator.conv_0.*" + end + "Did you mean \"generator.conv0.*\"?");
    EXPECT_EQ(said("generator.conv0.wieght"),
              begin + "generator.conv0.wieght" + end + "Did you mean \"generator.conv0.weight\"?");
    EXPECT_NE(said("encoder.*").find("Write full names, with * for anything: "), std::string::npos);
}

TEST(PhaseFit, WarnsOfWhatNoPhaseTrains) {
    const CheckReport report =
        checkedPhases(twoPhases("discriminator.*", {"generator.conv0.*", "generator.conv1.*", "generator.bn1.*"}));
    ASSERT_EQ(codesOf(report), std::vector<std::string>{"untrained-parameters"});
    EXPECT_TRUE(report.ok());
    EXPECT_NE(report.problems[0].message.find("generator.bn0.weight and 2 more, so they stay"), std::string::npos)
        << report.problems[0].message;
    const Json meant =
        Json::array({Json{{"match", "generator.bn0.*"}, {"buffers", false}}, Json{{"match", "generator.conv2.*"}}});
    EXPECT_EQ(codesOf(checkedPhases(
                  twoPhases("discriminator.*", {"generator.conv0.*", "generator.conv1.*", "generator.bn1.*"}), meant)),
              std::vector<std::string>{});
}

TEST(PhaseFit, CountsBlocksWithoutGradientsAsNotTrained) {
    std::string message;
    EXPECT_EQ(criticalWith({{"no_grad", {"generator"}}}, &message), "nothing-to-train /training/no_grad");
    EXPECT_NE(message.find("phase \"generator\""), std::string::npos) << message;
    EXPECT_EQ(criticalWith({{"no_grad", {"generator.conv0", "generator.bn*"}}}), "");
    EXPECT_EQ(
        criticalWith({{"no_grad", {"generator.conv*"}}, {"freeze", Json::array({Json{{"match", "generator.bn*"}}})}}),
        "nothing-to-train /training/no_grad");
    // Its second call still gives it gradients.
    EXPECT_EQ(criticalWith({{"no_grad", {"discriminator", "seen"}}}), "");
    EXPECT_EQ(criticalWith({{"no_grad", {"genrator"}}}), "pattern-matches-nothing /training/no_grad/0");
    // They are meant to stay as they are, so nobody is told that no phase trains them.
    const Json phases = twoPhases("discriminator.*", {"generator.conv1.*", "generator.bn1.*", "generator.conv2.*"});
    EXPECT_EQ(codesOf(checkedPhases(phases)), std::vector<std::string>{"untrained-parameters"});
    const std::vector<std::string> codes =
        codesOf(checkedWith({{"phases", phases}, {"no_grad", {"generator.conv0", "generator.bn0"}}}));
    EXPECT_EQ(std::count(codes.begin(), codes.end(), "untrained-parameters"), 0);
}

TEST(PhaseFit, TellsAPhaseWhoseLossesReachNothingThatItTrains) {
    std::string message;
    EXPECT_EQ(criticalWith({{"no_grad", {"judge"}}}, &message), "nothing-learns /training/no_grad");
    EXPECT_NE(message.find("phase \"generator\" reach no parameter that it trains: judge."), std::string::npos)
        << message;
    EXPECT_EQ(criticalWith({{"no_grad", {"generator.tanh"}}}, &message), "nothing-learns /training/no_grad");
    EXPECT_NE(message.find("generator.tanh runs without gradients"), std::string::npos) << message;
    const auto losses = [](const char* judging, const char* generating) {
        const auto loss = [](const char* expression, const char* phase) {
            return Json{{"type", "ExpressionLoss"}, {"expression", expression}, {"phase", phase}};
        };
        return Json{{"losses", Json::array({loss(judging, "discriminator"), loss(generating, "generator")})}};
    };
    EXPECT_EQ(criticalWith(losses("mean(softplus(judged))", "mean(softplus(-judged))")), "");
    EXPECT_EQ(criticalWith(losses("mean(softplus(judged))", "mean(softplus(-real))")),
              "nothing-learns /training/phases/1");
    EXPECT_EQ(criticalWith(losses("mean(square(generated))", "mean(square(generated))")),
              "nothing-learns /training/phases/0");
    // Of the generator the losses reach what is frozen at first, and nothing else.
    const Json late = Json::array({Json{{"match", "generator.*"}, {"epochs", 2}}});
    Json unreached = losses("mean(softplus(real))", "mean(softplus(-judged))");
    unreached["freeze"] = late;
    unreached["phases"] = twoPhases("discriminator.conv0.*", {"generator.*", "discriminator.conv1.*",
                                                              "discriminator.conv2.*", "discriminator.bn1.*"});
    EXPECT_EQ(criticalWith(unreached), "");
    unreached["losses"][1]["expression"] = "mean(square(generated))";
    EXPECT_EQ(criticalWith(unreached), "nothing-learns /training/phases/1");
}

}  // namespace
}  // namespace plumbline::project
