#include "project/project.h"

#include <gtest/gtest.h>
#include <algorithm>

#include "blocks/register.h"
#include "core/files.h"
#include "sample_document.h"
#include "support/temporary_folder.h"

using namespace plumbline;
using namespace plumbline::project;
using plumbline::testing::TemporaryFolder;

namespace {

Project open(const std::filesystem::path& folder) {
    Project project = readProject(sample(), folder).value();
    EXPECT_TRUE(saveProject(project));
    return project;
}

const graph::Problem* find(const CheckReport& report, const std::string& code) {
    for (const graph::Problem& problem : report.problems) {
        if (problem.code == code) {
            return &problem;
        }
    }
    return nullptr;
}

}  // namespace

TEST(Project, IsReadBackAsItWasSaved) {
    const TemporaryFolder folder;
    const Project saved = open(folder.path());
    const auto opened = openProject(folder.path());
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->json, saved.json);
    EXPECT_EQ(opened->json.dump(), saved.json.dump()) << "keys keep their order";
    EXPECT_EQ(opened->model, saved.model);
    EXPECT_TRUE(openProject(folder / "project.json")) << "the file is as good as its folder";
}

TEST(Project, SamplesAreWrittenAsTheProgramWritesSoThatAnEditIsASmallDifference) {
    int samples = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects")) {
        const std::filesystem::path file = entry.path() / "project.json";
        if (!std::filesystem::exists(file)) {
            continue;
        }
        const TemporaryFolder folder;
        Project project = readProject(readJsonFile(file).value(), folder.path()).value();
        ASSERT_TRUE(saveProject(project));
        EXPECT_EQ(readFile(folder / "project.json").value(), readFile(file).value()) << entry.path();
        ++samples;
    }
    EXPECT_GE(samples, 6);
}

TEST(Project, TheLayoutTravelsAndABrokenOneIsNotWorthARefusal) {
    const TemporaryFolder folder;
    Project project = open(folder.path());
    project.layout = Json{{"", {{"output", {10, 20}}}}};
    ASSERT_TRUE(saveProject(project));
    EXPECT_EQ(openProject(folder.path())->layout, project.layout);
    ASSERT_TRUE(writeFileAtomically(folder / "layout.json", "{broken"));
    const auto opened = openProject(folder.path());
    ASSERT_TRUE(opened);
    EXPECT_TRUE(opened->layout.is_null());
}

TEST(Project, ANewerSchemaIsRefusedAndLeftAlone) {
    const TemporaryFolder folder;
    open(folder.path());
    Json newer = sample();
    newer["schema_version"] = kSchemaVersion + 1;
    ASSERT_TRUE(writeJsonFile(folder / "project.json", newer));
    const auto opened = openProject(folder.path());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, "newer-schema");
    EXPECT_EQ(readJsonFile(folder / "project.json").value(), newer);
}

TEST(Project, EveryMistakeHasItsPointer) {
    for (const char* pointer :
         {"/training/optimizer/lr", "/data/loader/batch_size", "/monitor/stride", "/model/graph/nodes/output/type"}) {
        Json json = sample();
        json[Json::json_pointer(pointer)] = Json::array();
        const auto project = readProject(json, "/nowhere");
        ASSERT_FALSE(project) << pointer;
        EXPECT_EQ(project.error().where, pointer) << project.error().message;
        EXPECT_EQ(project.error().exitCode(), 3);
    }
    Json json = sample();
    json["extra"] = 1;
    EXPECT_EQ(readProject(json, "").error().where, "/extra");
}

TEST(Settings, ADottedPathChangesOneValue) {
    const Project project = readProject(sample(), "").value();
    const auto changed = withSetting(project, "training.optimizer.lr", "0.5");
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->training.optimizer.lr, 0.5);
    EXPECT_EQ(project.training.optimizer.lr, 0.002);
    EXPECT_EQ(withSetting(project, "training.precision", "bf16")->training.precision, plan::Precision::kBf16)
        << "plain text where a text is meant";
    EXPECT_EQ(withSetting(project, "training.expert.skip_zero_grad", "true")->training.expert.skipZeroGrad, true);
    EXPECT_EQ(withSetting(project, "training.losses.0.weight", "2")->training.losses[0].weight, 2.0);
    EXPECT_EQ(withSetting(project, "model.graph.nodes.output.params.out_features", "7")
                  ->model.root.find("output")
                  ->params["out_features"],
              7);
}

TEST(Settings, AWrongPathOrValueIsAUsageErrorThatNamesIt) {
    const Project project = readProject(sample(), "").value();
    for (const auto& [path, value] : {std::pair{"training.optimizer.lrr", "1"},
                                      {"training.optimizer.lr", "fast"},
                                      {"training..lr", "1"},
                                      {"", "1"},
                                      {"training.losses.9.weight", "1"},
                                      {"name.x", "1"}}) {
        const auto changed = withSetting(project, path, value);
        ASSERT_FALSE(changed) << path;
        EXPECT_EQ(changed.error().exitCode(), 2) << path;
    }
}

TEST(Settings, APathThatLeadsNowhereNamesTheSettingThatWasMeant) {
    const Project project = readProject(sample(), "").value();
    for (const auto& [path, meant] : {std::pair{"training.epochs", "training.stop.epochs"},
                                      {"training.lr", "training.optimizer.lr"},
                                      {"epochs", "training.stop.epochs"},
                                      {"training.stops.epochs", "training.stop.epochs"},
                                      {"training.validations.every", "training.validation.every"},
                                      {"training.sead", "seed"},
                                      {"monitor.strid", "stride"}}) {
        const auto changed = withSetting(project, path, "3");
        ASSERT_FALSE(changed) << path;
        EXPECT_NE(changed.error().hint.find("\"" + std::string(meant) + "\""), std::string::npos)
            << path << ": " << changed.error().hint;
    }
    const auto nothing = withSetting(project, "training." + std::string(5000, 'q'), "3");
    ASSERT_FALSE(nothing);
    EXPECT_NE(nothing.error().hint.find("plumbline settings"), std::string::npos) << nothing.error().hint;
    EXPECT_LT(nothing.error().message.size(), 500U);
}

TEST(Patches, AreAppliedWholeOrNotAtAll) {
    const Project project = readProject(sample(), "").value();
    const Json good = Json::array({Json{{"op", "test"}, {"path", "/training/seed"}, {"value", 0}},
                                   Json{{"op", "replace"}, {"path", "/training/seed"}, {"value", 9}}});
    EXPECT_EQ(withPatch(project, good)->training.seed, 9U);
    const Json stale = Json::array({Json{{"op", "test"}, {"path", "/training/seed"}, {"value", 5}},
                                    Json{{"op", "replace"}, {"path", "/training/seed"}, {"value", 9}}});
    EXPECT_EQ(withPatch(project, stale).error().code, "patch-refused");
    const Json breaking = Json::array({Json{{"op", "replace"}, {"path", "/training/seed"}, {"value", "x"}}});
    EXPECT_FALSE(withPatch(project, breaking));
}

TEST(DefinitionHash, SeesWhatDecidesTheNumbersAndNothingElse) {
    const Project project = readProject(sample(), "").value();
    Project renamed = project;
    renamed.json["name"] = "another";
    EXPECT_EQ(definitionHash(project), definitionHash(renamed));
    EXPECT_NE(definitionHash(project), definitionHash(*withSetting(project, "training.seed", "1")));
}

TEST(Check, ALossHasOneNumberAClass) {
    const auto& registry = blocks::builtinBlocks();
    Json json = sample();
    const auto problemWith = [&](const Json& weights) {
        json["training"]["losses"][0]["class_weights"] = weights;
        const CheckReport report = checkProject(readProject(json, "").value(), registry);
        const graph::Problem* found = find(report, "class-weights");
        return found == nullptr ? std::string() : found->pointer + " " + found->message;
    };
    ASSERT_EQ(json["training"]["losses"][0]["type"], "CrossEntropyLoss");
    const CheckReport report = checkProject(readProject(json, "").value(), registry);
    const auto classes =
        *report.model.values[static_cast<std::size_t>(report.model.outputs.front().second)].type.dims[1].constant();
    EXPECT_EQ(problemWith(std::vector<double>(static_cast<std::size_t>(classes), 1.0)), "");
    const std::string told = problemWith(std::vector<double>(static_cast<std::size_t>(classes) + 1, 1.0));
    EXPECT_TRUE(told.starts_with("/training/losses/0/class_weights ")) << told;
    EXPECT_NE(told.find(std::to_string(classes) + " classes"), std::string::npos) << told;
}

TEST(Check, AFixedBatchIsTheLoadersAndItsRemedyLeavesItOpen) {
    const auto& registry = blocks::builtinBlocks();
    Json json = sample();
    Json& input = json["model"]["graph"]["inputs"].begin().value();
    const std::int64_t batch = readProject(json, "").value().data.loader.batchSize;
    input["shape"][0] = batch;
    EXPECT_EQ(find(checkProject(readProject(json, "").value(), registry), "fixed-batch"), nullptr);
    input["shape"][0] = batch + 1;
    const Project project = readProject(json, "").value();
    const CheckReport report = checkProject(project, registry);
    const graph::Problem* problem = find(report, "fixed-batch");
    ASSERT_NE(problem, nullptr);
    EXPECT_FALSE(report.ok());
    EXPECT_NE(problem->message.find("fixed batch of " + std::to_string(batch + 1)), std::string::npos)
        << problem->message;
    ASSERT_EQ(problem->remedies.size(), 1U);
    EXPECT_TRUE(checkProject(*withPatch(project, problem->remedies[0].patch), registry).ok());
}

TEST(Check, NamesWhatDoesNotFitTogether) {
    const auto& registry = blocks::builtinBlocks();
    const Project project = readProject(sample(), "").value();
    EXPECT_TRUE(checkProject(project, registry).ok());

    const auto wrongOutput = readProject(
        sample().patch(Json::parse(R"([{"op":"replace","path":"/training/losses/0/output","value":"logit"}])")), "");
    const CheckReport report = checkProject(*wrongOutput, registry);
    const graph::Problem* problem = find(report, "unknown-output");
    ASSERT_NE(problem, nullptr);
    EXPECT_NE(problem->message.find("Did you mean \"logits\"?"), std::string::npos) << problem->message;

    const auto wrongTarget = readProject(
        sample().patch(Json::parse(R"([{"op":"replace","path":"/training/losses/0/target","value":"nobody"}])")), "");
    EXPECT_NE(find(checkProject(*wrongTarget, registry), "unknown-target"), nullptr);

    const auto unfed = readProject(
        sample().patch(Json::parse(R"([{"op":"move","from":"/data/inputs/features","path":"/data/inputs/other"}])")),
        "");
    const CheckReport unfedReport = checkProject(*unfed, registry);
    EXPECT_NE(find(unfedReport, "unknown-input"), nullptr);
    EXPECT_NE(find(unfedReport, "input-not-fed"), nullptr);
}

TEST(Check, TellsWhatIsFrozenInVainAndThatNothingIsLeftToTrain) {
    const auto& registry = blocks::builtinBlocks();
    const auto problemOf = [&](const char* pointer, const Json& value) {
        Json json = sample();
        json[Json::json_pointer(pointer)] = value;
        const CheckReport report = checkProject(readProject(json, "").value(), registry);
        const auto found =
            std::find_if(report.problems.begin(), report.problems.end(),
                         [](const graph::Problem& problem) { return problem.severity == graph::Severity::kCritical; });
        if (found == report.problems.end()) {
            return std::string();
        }
        return found->code == "nothing-to-train" ? found->code + " " + found->pointer : found->code;
    };
    const auto freeze = [](const char* match, int epochs) {
        return Json::array({Json{{"match", match}, {"epochs", epochs}}});
    };
    EXPECT_EQ(problemOf("/training/freeze", freeze("backbone.*", 0)), "freeze-matches-nothing");
    EXPECT_EQ(problemOf("/training/freeze", freeze("*", 0)), "nothing-to-train /training/freeze");
    EXPECT_EQ(problemOf("/training/freeze", freeze("*", 1)), "nothing-to-train /training/freeze");
    EXPECT_EQ(problemOf("/training/freeze", freeze("*.bias", 1)), "");
    EXPECT_EQ(problemOf("/training/optimizer/groups", Json::array({Json{{"match", "*"}, {"frozen", true}}})),
              "nothing-to-train /training/optimizer/groups");
}

TEST(Project, AMisspeltDetectorOrAThresholdOutOfRangeIsRefusedAsItIsRead) {
    const std::pair<const char*, Json> cases[] = {{"/monitor/detectors/non-finit", Json::object()},
                                                  {"/monitor/detectors/loader-stall/warning_shares", 0.3},
                                                  {"/monitor/detectors/loader-stall/warning_share", 1.5},
                                                  {"/monitor/detectors/non-finite/enabled", "no"}};
    for (const auto& [pointer, value] : cases) {
        Json json = sample();
        json["monitor"]["detectors"] = Json::object();
        json[Json::json_pointer(pointer)] = value;
        const auto project = readProject(json, "");
        ASSERT_FALSE(project) << pointer;
        EXPECT_EQ(project.error().where, pointer) << project.error().message;
        EXPECT_EQ(project.error().exitCode(), 3);
    }
    Json json = sample();
    json["monitor"]["detectors"] = {{"loader-stall", {{"warning_share", 0.3}}}};
    EXPECT_TRUE(readProject(json, ""));
}

TEST(Settings, EveryDefaultIsTakenWhereItIsWritten) {
    for (const plan::SettingSpec& spec : plan::settings()) {
        Json json = sample();
        if (spec.path.starts_with("data.splits.")) {
            json["data"]["splits"] = {{"train", 0.8}, {"validation", 0.1}, {"test", 0.1}};
        }
        Json* at = &json;
        std::string rest = spec.path;
        for (std::size_t dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.')) {
            at = &(*at)[rest.substr(0, dot)];
            rest = rest.substr(dot + 1);
        }
        (*at)[rest] = spec.defaultValue;
        const auto project = readProject(json, "");
        EXPECT_TRUE(project) << spec.path << ": " << (project ? "" : project.error().message);
    }
}

TEST(Schema, KnowsEverySetting) {
    const Json schema = projectSchema(blocks::builtinBlocks());
    for (const plan::SettingSpec& spec : plan::settings()) {
        Json::json_pointer pointer;
        std::string_view rest = spec.path;
        while (!rest.empty()) {
            const std::size_t dot = rest.find('.');
            pointer = pointer / "properties" / std::string(rest.substr(0, dot));
            rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
        }
        ASSERT_TRUE(schema.contains(pointer)) << spec.path;
        EXPECT_EQ(schema[pointer]["default"], spec.defaultValue) << spec.path;
    }
}
