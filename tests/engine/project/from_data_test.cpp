#include <gtest/gtest.h>
#include <fstream>
#include <functional>
#include <map>

#include "blocks/register.h"
#include "core/files.h"
#include "data/dataset.h"
#include "project/from_data.h"
#include "project/project.h"
#include "support/temporary_folder.h"

using namespace plumbline;
using namespace plumbline::project;

namespace {

using plumbline::testing::TemporaryFolder;

const std::filesystem::path kSamples = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects";

std::filesystem::path write(const TemporaryFolder& folder, const std::string& name, const std::string& content) {
    std::ofstream(folder / name, std::ios::binary) << content;
    return folder / name;
}

/// `rows` lines of `line(i)` under a header.
std::string table(const std::string& header, int rows, const std::function<std::string(int)>& line) {
    std::string text = header + "\n";
    for (int i = 0; i < rows; ++i) {
        text += line(i) + "\n";
    }
    return text;
}

Result<DataProposal> propose(const std::filesystem::path& path, const DataChoices& choices = {}) {
    PLUMBLINE_ASSIGN(const data::FoundData found, data::inspectData({path}));
    return proposeProject(found, choices);
}

/// The project is readable, has no problem, and its data opens with the shapes that the model expects.
Project usable(const DataProposal& proposal) {
    const auto json = makeFromData(proposal, "mine");
    if (!json) {
        ADD_FAILURE() << toSentence(json.error());
        return {};
    }
    const auto project = readProject(*json, "/");
    if (!project) {
        ADD_FAILURE() << toSentence(project.error());
        return {};
    }
    const CheckReport report = checkProject(*project, blocks::builtinBlocks());
    for (const graph::Problem& problem : report.problems) {
        ADD_FAILURE() << problem.message;
    }
    const auto dataset = data::Dataset::open(project->data, "/");
    if (!dataset) {
        ADD_FAILURE() << toSentence(dataset.error());
        return {};
    }
    for (const data::FeedInfo& feed : (*dataset)->inputs()) {
        const Json& shape = (*json)["model"]["graph"]["inputs"][feed.name]["shape"];
        EXPECT_EQ(shape.size(), feed.dims.size() + 1) << feed.name;
        for (std::size_t i = 0; i < feed.dims.size(); ++i) {
            EXPECT_EQ(shape[i + 1], feed.dims[i]) << feed.name;
        }
    }
    return *project;
}

std::string sentence(const Result<DataProposal>& proposal) {
    return proposal ? "accepted" : toSentence(proposal.error());
}

}  // namespace

TEST(FromData, ATableWithATextTargetBecomesAClassifier) {
    const auto proposal = propose(kSamples / "wine" / "data" / "wine.csv");
    ASSERT_TRUE(proposal) << sentence(proposal);
    EXPECT_EQ(proposal->target, "class");
    EXPECT_EQ(proposal->task, Task::kClasses);
    EXPECT_FALSE(proposal->canChooseTask);
    const Project project = usable(*proposal);
    EXPECT_EQ(project.json["training"]["losses"][0]["type"], "CrossEntropyLoss");
    EXPECT_EQ(project.json["training"]["metrics"][0]["type"], "accuracy");
    EXPECT_EQ(project.json["model"]["graph"]["nodes"]["output"]["params"]["out_features"], 3);
    EXPECT_EQ(project.json["data"]["splits"]["stratify"], "target");
}

TEST(FromData, ANumericTargetIsPredictedInItsOwnUnit) {
    const auto proposal = propose(kSamples / "diabetes" / "data" / "diabetes.csv");
    ASSERT_TRUE(proposal) << sentence(proposal);
    EXPECT_EQ(proposal->task, Task::kNumber);
    const Project project = usable(*proposal);
    EXPECT_EQ(project.json["training"]["losses"][0]["type"], "MSELoss");
    EXPECT_EQ(project.json["training"]["metrics"][0]["type"], "mae");
    EXPECT_EQ(project.json["training"]["metrics"][1]["type"], "rmse");
    const Json& unit = project.json["model"]["graph"]["nodes"]["to_unit"];
    EXPECT_TRUE(unit["frozen"].get<bool>());
    EXPECT_NEAR(unit["init"]["bias"].get<double>(), 152, 10);  // the mean progression
    EXPECT_NEAR(unit["init"]["value"].get<double>(), 77, 8);
}

TEST(FromData, TheTargetCanBeChosenAndMisspellingsAreToldTheNearest) {
    const auto file = kSamples / "wine" / "data" / "wine.csv";
    DataChoices choices;
    choices.target = "alcohol";
    const auto proposal = propose(file, choices);
    ASSERT_TRUE(proposal) << sentence(proposal);
    EXPECT_EQ(proposal->task, Task::kNumber);
    const Project project = usable(*proposal);
    EXPECT_TRUE(
        project.json["model"]["graph"]["inputs"].contains("class"));  // a text column is an input of its own, one hot
    choices.target = "alcohl";
    EXPECT_NE(sentence(propose(file, choices)).find("Did you mean \"alcohol\"?"), std::string::npos);
}

TEST(FromData, GapsTextsNumberingAndConstantColumnsAreDealtWithAndTold) {
    const TemporaryFolder folder;
    const auto file = write(folder, "mix.csv", table("id,size,color,same,comment,label", 40, [](int i) {
                                return std::to_string(i) + "," + (i % 7 == 0 ? "" : std::to_string(i * 0.5)) + "," +
                                       (i % 2 != 0 ? "red" : "blue") + ",1,text " + std::to_string(i) + "," +
                                       std::to_string(i % 3);
                            }));
    const auto proposal = propose(file);
    ASSERT_TRUE(proposal) << sentence(proposal);
    EXPECT_EQ(proposal->target, "label");
    EXPECT_EQ(proposal->task, Task::kClasses);  // 0, 1, 2: whole numbers that come back
    EXPECT_TRUE(proposal->canChooseTask);
    std::map<std::string, ColumnUse> uses;
    for (const ColumnUse& use : proposal->columns) {
        uses[use.name] = use;
    }
    EXPECT_EQ(uses["id"].role, ColumnUse::Role::kLeftOut);
    EXPECT_EQ(uses["same"].role, ColumnUse::Role::kLeftOut);
    EXPECT_EQ(uses["comment"].role, ColumnUse::Role::kLeftOut);
    EXPECT_EQ(uses["color"].role, ColumnUse::Role::kCategory);
    EXPECT_EQ(noteText(uses["size"]), "6 gaps are filled with the median");
    const Project project = usable(*proposal);
    EXPECT_EQ(project.json["data"]["inputs"]["features"]["from"], Json::array({"mix.size"}));
    DataChoices choices;
    choices.task = "number";
    choices.leftOut = {"color"};
    const auto other = propose(file, choices);
    ASSERT_TRUE(other) << sentence(other);
    EXPECT_EQ(other->task, Task::kNumber);
    EXPECT_EQ(usable(*other).data.inputs.size(), 1U);
}

TEST(FromData, DelimiterDecimalCommaAndAMissingHeaderAreFound) {
    const TemporaryFolder folder;
    const auto german = propose(write(folder, "german.csv", table("a;b;y", 20, [](int i) {
                                          return std::to_string(i) + ",5;" + std::to_string(i * i % 17) + ",25;" +
                                                 (i % 2 != 0 ? "ja" : "nein");
                                      })));
    ASSERT_TRUE(german) << sentence(german);
    EXPECT_EQ(german->found.table.delimiter, ';');
    EXPECT_EQ(german->found.table.decimal, ',');
    usable(*german);
    const auto bare = propose(write(folder, "bare.tsv", table("1\t2\t3", 20, [](int i) {
                                        return std::to_string(i % 5) + "\t" + std::to_string(i * 1.5) + "\t" +
                                               std::to_string(i * 7.25);
                                    })));
    ASSERT_TRUE(bare) << sentence(bare);
    EXPECT_FALSE(bare->found.table.header);
    EXPECT_EQ(bare->found.table.rows, 21);
    EXPECT_EQ(bare->target, "2");
    usable(*bare);
}

TEST(FromData, AnIdxPairIsFoundFromEitherHalf) {
    for (const char* half : {"images.idx.gz", "labels.idx.gz"}) {
        const auto proposal = propose(kSamples / "digits-cnn" / "data" / half);
        ASSERT_TRUE(proposal) << sentence(proposal);
        EXPECT_EQ(proposal->found.path.filename(), "images.idx.gz");
        EXPECT_EQ(proposal->templateId, "cnn");
        const Project project = usable(*proposal);
        EXPECT_EQ(project.json["model"]["graph"]["inputs"]["image"]["shape"], Json::array({"B", 1, 8, 8}));
        EXPECT_EQ(project.json["model"]["graph"]["nodes"]["fc"]["params"]["out_features"], 10);
    }
    EXPECT_TRUE(propose(kSamples / "digits-cnn" / "data"));  // the folder of the pair
    for (const char* id : {"mlp", "resnet18"}) {
        DataChoices choices;
        choices.templateId = id;
        const auto proposal = propose(kSamples / "mnist5k-cnn" / "data", choices);
        ASSERT_TRUE(proposal) << sentence(proposal);
        usable(*proposal);
    }
}

TEST(FromData, AFolderOfImagesBecomesASmallCnn) {
    const auto proposal = propose(kSamples / "shapes" / "data");
    ASSERT_TRUE(proposal) << sentence(proposal);
    EXPECT_EQ(proposal->found.images.classes, (std::vector<std::string>{"circle", "square", "star", "triangle"}));
    EXPECT_EQ(proposal->templateId, "cnn");
    const Project project = usable(*proposal);
    EXPECT_EQ(project.json["training"]["metrics"][0]["type"], "accuracy");
}

TEST(FromData, WhatCannotBeUsedIsOneSentenceWithANextStep) {
    const TemporaryFolder folder;
    const auto refused = [](const Result<DataProposal>& proposal, const std::string& code) {
        ASSERT_FALSE(proposal) << code;
        EXPECT_EQ(proposal.error().code, code);
        EXPECT_FALSE(proposal.error().message.empty());
        EXPECT_FALSE(proposal.error().hint.empty()) << code;
    };
    refused(propose(write(folder, "empty.csv", "")), "empty-file");
    refused(propose(write(folder, "one.csv", "a\n1\n2\n")), "no-table");
    refused(propose(write(folder, "few.csv", "a,b\n1,2\n2,3\n")), "too-few-samples");
    refused(propose(write(folder, "ragged.csv", "a,b\n1,2\n2,3,4\n")), "csv-ragged");
    refused(propose(write(folder, "zip.csv", std::string("PK\x03\x04 and more"))), "spreadsheet");
    refused(propose(write(folder, "binary.dat", std::string("\x01\x00\x02\x00", 4))), "unknown-file");
    refused(propose(write(folder, "lonely.idx", std::string("\0\0\x08\x01\0\0\0\x01\x05", 9))), "idx-pair");
    refused(propose(write(
                folder, "texts.csv",
                table("name,city", 30, [](int i) { return "n" + std::to_string(i) + ",c" + std::to_string(i); }))),
            "no-target");
    refused(propose(kSamples / "shapes" / "data" / "star"), "no-classes");
    refused(propose(kSamples / "shapes" / "data" / "star" / "star-01.png"), "one-image");
    refused(propose(kSamples / "shapes"), "is-a-project");
    refused(propose(folder / "nowhere.csv"), propose(folder / "nowhere.csv").error().code);
    std::filesystem::create_directories(folder / "nothing");
    refused(propose(folder / "nothing"), "no-data");
    std::filesystem::create_directories(folder / "both" / "train");
    std::filesystem::copy(kSamples / "shapes" / "data", folder / "both" / "train",
                          std::filesystem::copy_options::recursive);
    refused(propose(folder / "both"), "folders-of-classes");
    std::filesystem::create_directories(folder / "deep" / "one two" / "three");
    std::filesystem::rename(folder / "both", folder / "deep" / "one two" / "three" / "both");
    const auto deep = propose(folder / "deep");
    refused(deep, "folders-of-classes");
    EXPECT_NE(deep.error().hint.find("one two/three/both/train"), std::string::npos) << deep.error().hint;
}

TEST(FromData, ADamagedHalfOfAnIdxPairIsToldAsSuch) {
    const std::string images = *readFile(kSamples / "digits-mlp" / "data" / "images.idx.gz"),
                      labels = *readFile(kSamples / "digits-mlp" / "data" / "labels.idx.gz");
    const auto expectTruncated = [](const Result<data::FoundData>& found, const std::string& file) {
        ASSERT_FALSE(found) << file;
        EXPECT_EQ(found.error().code, "file-truncated") << found.error().message;
        EXPECT_NE(found.error().message.find(file), std::string::npos) << found.error().message;
    };
    for (const std::size_t kept : {12UL, 200UL, images.size() / 2}) {
        const TemporaryFolder folder;
        const auto half = write(folder, "images.idx.gz", images.substr(0, kept));
        const auto whole = write(folder, "labels.idx.gz", labels);
        expectTruncated(data::inspectData({folder.path()}), "images.idx.gz");
        expectTruncated(data::inspectData({half}), "images.idx.gz");
        expectTruncated(data::inspectData({whole}), "images.idx.gz");
        expectTruncated(data::inspectData({half, whole}), "images.idx.gz");
    }
    for (const std::size_t kept : {12UL, labels.size() / 2}) {
        const TemporaryFolder folder;
        const auto whole = write(folder, "images.idx.gz", images);
        const auto half = write(folder, "labels.idx.gz", labels.substr(0, kept));
        expectTruncated(data::inspectData({folder.path()}), "labels.idx.gz");
        expectTruncated(data::inspectData({half}), "labels.idx.gz");
        expectTruncated(data::inspectData({whole, half}), "labels.idx.gz");
    }
}

TEST(FromData, FilesOfTheWrongShapeSayWhichShapeTheyHave) {
    const TemporaryFolder folder;
    const auto idx = [&](const char* name, const std::vector<int>& dims) {
        std::string bytes("\0\0\x08", 3);
        bytes += static_cast<char>(dims.size());
        std::size_t count = 1;
        for (const int dim : dims) {
            bytes += std::string("\0\0\0", 3) + static_cast<char>(dim);
            count *= static_cast<std::size_t>(dim);
        }
        return write(folder, name, bytes + std::string(count, '\1'));
    };
    const auto images = idx("images.idx", {20, 4, 4}), cubes = idx("cubes.idx", {20, 4, 4}),
               codes = idx("codes.idx", {20, 5}), few = idx("few.idx", {19}), one = idx("one.idx", {20});
    for (const auto& [labels, code] :
         {std::pair{cubes, "idx-labels"}, std::pair{codes, "idx-labels"}, std::pair{few, "idx-counts"}}) {
        const auto found = data::inspectData({images, labels});
        ASSERT_FALSE(found) << labels;
        EXPECT_EQ(found.error().code, code) << found.error().message;
    }
    EXPECT_NE(data::inspectData({images, cubes}).error().message.find("[20, 4, 4]"), std::string::npos);
    EXPECT_EQ(data::inspectData({one, few}).error().code, "idx-images");
    EXPECT_TRUE(data::inspectData({images, one}));
    EXPECT_TRUE(data::inspectData({one, images})) << "in whichever order";
}

TEST(FromData, AGzipFileOfSomethingElseIsToBeUnpacked) {
    const TemporaryFolder folder;
    // "a,b" and a row, packed.
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x4b\xd4\x49\xe2\x32\xd4\x31\xe2\x02\x00\x7b\x07\x97\x0a\x08\x00\x00"
        "\x00",
        28);
    const auto found = data::inspectData({write(folder, "table.csv.gz", packed)});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, "packed") << found.error().message;
    EXPECT_FALSE(found.error().hint.empty());
}

TEST(FromData, WhatIsLeftOutOfAFolderOfImagesIsTold) {
    const TemporaryFolder folder;
    std::filesystem::copy(kSamples / "shapes" / "data", folder / "shapes", std::filesystem::copy_options::recursive);
    std::filesystem::create_directories(folder / "shapes" / "star" / "more");
    std::vector<std::string> warnings;
    ASSERT_TRUE(makeFromData(*propose(folder / "shapes"), "mine", nullptr, &warnings));
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings.front().find("1 of them"), std::string::npos) << warnings.front();
}

TEST(FromData, CopiedDataIsReadFromTheProject) {
    const TemporaryFolder folder;
    auto json = makeFromData(*propose(kSamples / "wine" / "data" / "wine.csv"), "mine");
    ASSERT_TRUE(json);
    ASSERT_TRUE(copyDataInto(folder.path(), *json));
    EXPECT_EQ((*json)["data"]["sources"]["wine"]["path"], "data/wine.csv");
    EXPECT_TRUE(data::Dataset::open(readProject(*json, folder.path())->data, folder.path()));
    auto again = makeFromData(*propose(kSamples / "wine" / "data" / "wine.csv"), "mine");
    EXPECT_EQ(copyDataInto(folder.path(), *again).error().code, "file-exists");
}
