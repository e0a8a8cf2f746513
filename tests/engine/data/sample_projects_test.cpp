#include "fixtures.h"

#include <cmath>

#include "core/json.h"

namespace plumbline::data {
namespace {

const std::filesystem::path kProjects = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "projects";

TEST(SampleProjects, DigitsComeAsNormalisedImagesWithTenClasses) {
    const Json json = parsed(R"({
        "sources": {"digits": {"type": "idx", "images": "data/images.idx.gz", "labels": "data/labels.idx.gz"}},
        "inputs": {"image": {"from": "digits.image", "transforms": [{"type": "scale", "by": 0.0625}, {"type": "normalize", "statistics": "train"}]}},
        "targets": {"label": {"from": "digits.label"}},
        "splits": {"train": 0.7, "validation": 0.15, "test": 0.15, "stratify": "label", "seed": 0}})");
    auto opened = open(json, kProjects / "digits-cnn");
    ASSERT_TRUE(opened.has_value()) << toSentence(opened.error());
    const Dataset& dataset = **opened;
    EXPECT_EQ(dataset.size(Split::kTrain), 1258);
    EXPECT_EQ(dataset.size(Split::kValidation) + dataset.size(Split::kTest), 539);
    const FeedInfo& image = dataset.inputs()[0];
    EXPECT_EQ(image.dims, (std::vector<std::int64_t>{1, 8, 8}));
    EXPECT_EQ(image.dtype, DType::kFloat32);
    EXPECT_NEAR(image.statistics.mean[0], 0.0, 1e-9);
    EXPECT_NEAR(image.statistics.std[0], 1.0, 1e-9);
    EXPECT_EQ(dataset.targets()[0].classes.size(), 10U);
    EXPECT_TRUE(dataset.warnings().empty());

    // What a batch holds has the statistics that were promised.
    const auto batch = dataset.makeBatch(Split::kTrain, allPositions(dataset, Split::kTrain), 0, false);
    ASSERT_TRUE(batch.has_value());
    double sum = 0;
    double squares = 0;
    for (const float value : floatsOf(batch->inputs[0])) {
        sum += value;
        squares += static_cast<double>(value) * value;
    }
    const auto count = static_cast<double>(batch->inputs[0].elementCount());
    EXPECT_NEAR(sum / count, 0.0, 1e-6);
    EXPECT_NEAR(std::sqrt(squares / count), 1.0, 1e-6);
    // The uint8 images are the only copy.
    EXPECT_EQ(dataset.residentBytes(), 1797U * 64U + 1797U);
}

TEST(SampleProjects, WineHasThirteenStandardisedColumnsAndThreeClasses) {
    const Json json = parsed(R"({
        "sources": {"wine": {"type": "csv", "path": "data/wine.csv"}},
        "inputs": {"x": {"from": "wine.*", "transforms": [{"type": "normalize", "statistics": "train"}]}},
        "targets": {"class": {"from": "wine.class"}},
        "splits": {"train": 0.7, "validation": 0.15, "test": 0.15, "stratify": "class"}})");
    auto opened = open(json, kProjects / "wine");
    ASSERT_TRUE(opened.has_value()) << toSentence(opened.error());
    const Dataset& dataset = **opened;
    EXPECT_EQ(dataset.inputs()[0].dims, (std::vector<std::int64_t>{13}));
    EXPECT_EQ(dataset.inputs()[0].columns.front(), "alcohol");
    EXPECT_EQ(dataset.targets()[0].classes, (std::vector<std::string>{"class_0", "class_1", "class_2"}));
    EXPECT_EQ(dataset.targets()[0].dtype, DType::kInt64);
    EXPECT_TRUE(dataset.targets()[0].dims.empty());
    std::int64_t sum = 0;
    for (const Split split : {Split::kTrain, Split::kValidation, Split::kTest}) {
        for (const std::int64_t count : dataset.classCounts(split, "class")) {
            sum += count;
        }
    }
    EXPECT_EQ(sum, 178);
    for (const double mean : dataset.inputs()[0].statistics.mean) {
        EXPECT_NEAR(mean, 0.0, 1e-9);
    }
    const auto one = dataset.makeInput("14.23,1.71,2.43,15.6,127,2.8,3.06,0.28,2.29,5.64,1.04,3.92,1065");
    ASSERT_TRUE(one.has_value()) << toSentence(one.error());
    const auto row = dataset.makeInput("14.23,1.71,2.43,15.6,127,2.8,3.06,0.28,2.29,5.64,1.04,3.92,1065,class_0");
    ASSERT_TRUE(row.has_value()) << toSentence(row.error());
    EXPECT_EQ(one->contentHash(), row->contentHash());
}

TEST(SampleProjects, DiabetesIsARegressionWithOneNumberASample) {
    const Json json = parsed(R"({
        "sources": {"d": {"type": "csv", "path": "data/diabetes.csv"}},
        "inputs": {"x": {"from": "d.*", "transforms": [{"type": "normalize", "statistics": "train"}]}},
        "targets": {"y": {"from": "d.target"}}})");
    auto opened = open(json, kProjects / "diabetes");
    ASSERT_TRUE(opened.has_value()) << toSentence(opened.error());
    EXPECT_EQ((*opened)->inputs()[0].dims, (std::vector<std::int64_t>{10}));
    EXPECT_EQ((*opened)->targets()[0].dims, (std::vector<std::int64_t>{1}));
    EXPECT_EQ((*opened)->targets()[0].dtype, DType::kFloat32);
    EXPECT_TRUE((*opened)->classCounts(Split::kTrain, "y").empty());
}

TEST(SampleProjects, ShapesAreColourImagesOfFourClasses) {
    const Json json = parsed(R"({
        "sources": {"shapes": {"type": "image_folder", "path": "data"}},
        "inputs": {"image": {"from": "shapes.image", "transforms": [{"type": "scale", "by": 0.00392156862745098}]}},
        "targets": {"label": {"from": "shapes.label"}}, "splits": {"train": 0.7, "validation": 0.15, "test": 0.15, "stratify": "label"}})");
    auto opened = open(json, kProjects / "shapes");
    ASSERT_TRUE(opened.has_value()) << toSentence(opened.error());
    const Dataset& dataset = **opened;
    EXPECT_EQ(dataset.inputs()[0].dims, (std::vector<std::int64_t>{3, 32, 32}));
    EXPECT_EQ(dataset.targets()[0].classes, (std::vector<std::string>{"circle", "square", "star", "triangle"}));
    EXPECT_EQ(dataset.classCounts(Split::kTest, "label"), (std::vector<std::int64_t>{9, 9, 9, 9}));
    EXPECT_EQ(dataset.residentBytes(), 240U * 3U * 32U * 32U);
}

}  // namespace
}  // namespace plumbline::data
