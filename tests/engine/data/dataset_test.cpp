#include "fixtures.h"

namespace plumbline::data {
namespace {

TEST(DatasetWarnings, AClassThatIsMissingFromASplitIsTold) {
    TemporaryFolder folder;
    std::string table = "a,y\n";
    for (int i = 0; i < 20; ++i) {
        table += std::to_string(i) + (i == 0 ? ",rare\n" : ",common\n");
    }
    folder.write("table.csv", table);
    const auto dataset = open(tableSpec({}, {}, {{"train", 0.8}, {"test", 0.2}, {"stratify", "y"}}), folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    ASSERT_EQ((*dataset)->warnings().size(), 1U);
    EXPECT_NE((*dataset)->warnings()[0].find("test split has no sample of 1 class of the target \"y\": rare"),
              std::string::npos)
        << (*dataset)->warnings()[0];
}

TEST(DatasetSplits, StratifyingByANumberIsRefused) {
    TemporaryFolder folder;
    folder.write("table.csv", "a,y\n1,0.5\n2,1.5\n");
    const auto dataset = open(tableSpec({}, {}, {{"train", 0.5}, {"test", 0.5}, {"stratify", "y"}}), folder.path());
    ASSERT_FALSE(dataset.has_value());
    EXPECT_EQ(dataset.error().code, "not-a-class");
}

TEST(DatasetSplits, TooFewSamplesForTrainingIsAnErrorAndForTestAWarning) {
    TemporaryFolder folder;
    folder.write("table.csv", "a,y\n1,1\n");
    const auto none = open(tableSpec({}, {}, {{"train", 0.1}, {"test", 0.9}}), folder.path());
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().code, "no-samples");
    const auto some = open(tableSpec({}, {}, {{"train", 0.9}, {"test", 0.1}}), folder.path());
    ASSERT_TRUE(some.has_value());
    EXPECT_EQ((*some)->warnings().size(), 1U);
}

TEST(DatasetSources, SourcesTogetherNeedAsManySamples) {
    TemporaryFolder folder;
    folder.write("table.csv", "a,y\n1,1\n2,2\n");
    folder.write("other.csv", "b\n1\n2\n3\n");
    Json json = tableSpec();
    json["sources"]["o"] = parsed(R"({"type": "csv", "path": "other.csv"})");
    json["inputs"]["z"] = parsed(R"({"from": "o.b"})");
    const auto differ = open(json, folder.path());
    ASSERT_FALSE(differ.has_value());
    EXPECT_EQ(differ.error().code, "sources-differ");
    folder.write("other.csv", "b\n5\n6\n");
    const auto dataset = open(json, folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {1}, 0, false);
    EXPECT_EQ(floatsOf(batch.inputs[0]), std::vector<float>{2});
    EXPECT_EQ(floatsOf(batch.inputs[1]), std::vector<float>{6});
    EXPECT_EQ((*dataset)->makeInput("a=1").error().code, "input-of-several-sources");
    EXPECT_TRUE((*dataset)->makeInput("train:0").has_value());

    // Dropped rows would pair the samples of different rows.
    folder.write("table.csv", "a,y\n1,1\n,7\n2,2\n");
    json["sources"]["t"]["missing"] = "drop_row";
    EXPECT_EQ(open(json, folder.path()).error().code, "rows-dropped");
}

TEST(DatasetSources, ASourceThatNothingUsesIsNotOpenedAndTold) {
    TemporaryFolder folder;
    folder.write("table.csv", "a,y\n1,1\n");
    Json json = tableSpec();
    json["sources"]["unused"] = parsed(R"({"type": "csv", "path": "nowhere.csv"})");
    const auto dataset = open(json, folder.path());
    ASSERT_TRUE(dataset.has_value());
    ASSERT_EQ((*dataset)->warnings().size(), 1U);
    EXPECT_NE((*dataset)->warnings()[0].find("unused"), std::string::npos);
}

TEST(DatasetOpening, StopsWhenAskedTo) {
    TemporaryFolder folder;
    folder.write("table.csv", "a,y\n1,1\n");
    RunControl control;
    control.requestStop();
    const auto dataset = Dataset::open(specOf(tableSpec()), folder.path(), &control);
    ASSERT_FALSE(dataset.has_value());
    EXPECT_EQ(dataset.error().code, "stopped");
}

TEST(DatasetStatistics, FollowTheTransformsInTheTrainingSplit) {
    TemporaryFolder folder;
    folder.write("table.csv", "a,b,y\n1,10,0\n3,20,0\n5,60,0\n");
    Json json = tableSpec();
    json["inputs"]["x"]["transforms"] = parsed(R"([{"type": "scale", "by": -2}])");
    const auto dataset = open(json, folder.path());
    ASSERT_TRUE(dataset.has_value());
    const FeedInfo::Statistics& statistics = (*dataset)->inputs()[0].statistics;
    EXPECT_EQ(statistics.mean, (std::vector<double>{-6, -60}));
    EXPECT_EQ(statistics.min, (std::vector<double>{-10, -120}));
    EXPECT_EQ(statistics.max, (std::vector<double>{-2, -20}));
    EXPECT_EQ(statistics.samples, 3);
}

TEST(DatasetStatistics, AreMeasuredWhereTheyDoNotFollow) {
    TemporaryFolder folder;
    folder.write("images.idx", idxBytes({2, 2, 2}, {0, 0, 0, 0, 100, 100, 100, 100}));
    const auto dataset = open(parsed(R"({"sources": {"s": {"type": "idx", "images": "images.idx"}},
        "inputs": {"x": {"from": "s.image", "transforms": [{"type": "resize", "size": [4, 4]}, {"type": "flatten"}, {"type": "normalize", "statistics": "train"}]}},
        "splits": {"train": 1}})"),
                              folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_EQ((*dataset)->inputs()[0].dims, std::vector<std::int64_t>{16});
    EXPECT_EQ((*dataset)->inputs()[0].transforms[2]["mean"][5], 50.0);
    EXPECT_NEAR((*dataset)->inputs()[0].statistics.std[5], 1.0, 1e-9);
}

TEST(DatasetOneHot, ATextColumnBecomesAnInputOfItsOwn) {
    TemporaryFolder folder;
    folder.write("table.csv", "a,color,y\n1,red,0\n2,blue,1\n");
    Json json = tableSpec({{"ignore", {"color"}}});
    json["inputs"]["c"] = parsed(R"({"from": "t.color", "transforms": [{"type": "one_hot"}]})");
    const auto dataset = open(json, folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {0, 1}, 0, false);
    EXPECT_EQ(floatsOf(batch.inputs[1]), (std::vector<float>{0, 1, 1, 0}));
    EXPECT_EQ(floatsOf((*dataset)->makeInput("a=1,color=red")->inputs[1]), (std::vector<float>{0, 1}));
    EXPECT_FALSE((*dataset)->makeInput("a=1,color=green").has_value());
}

TEST(DatasetRawInputs, TellWhatAnInputIsMadeFromAndGiveItsValuesBeforeTheTransforms) {
    TemporaryFolder folder;
    folder.write("table.csv", "y;color;a\n0;red;1,5\n1;blue;2,5\n");
    Json json = tableSpec({{"ignore", {"color"}}, {"delimiter", ";"}, {"decimal", ","}});
    json["inputs"]["x"]["transforms"] = parsed(R"([{"type": "normalize", "statistics": "train"}])");
    json["inputs"]["c"] = parsed(R"({"from": "t.color", "transforms": [{"type": "one_hot"}]})");
    const auto dataset = open(json, folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const std::vector<RawInput> inputs = (*dataset)->rawInputs();
    ASSERT_EQ(inputs.size(), 2U);
    const RawForm& number = inputs[0].parts.at(0);
    EXPECT_EQ(inputs[0].type.dtype, DType::kFloat64);
    EXPECT_EQ(std::tuple(number.kind, number.source, number.column, number.position, number.fileColumns,
                         number.delimiter, number.decimal),
              std::tuple(RawForm::Kind::kColumn, std::string("t"), std::string("a"), std::size_t{2}, std::size_t{3},
                         ';', ','));
    EXPECT_EQ(inputs[1].parts.at(0).categories, (std::vector<std::string>{"blue", "red"}));
    const auto raw = (*dataset)->makeRawBatch(Split::kTrain, {1, 0});
    const auto batch = (*dataset)->makeBatch(Split::kTrain, {1, 0}, 0, false);
    ASSERT_TRUE(raw.has_value() && batch.has_value());
    EXPECT_EQ(raw->size(), 2);
    for (std::int64_t i = 0; i < 2; ++i) {
        const double value = raw->inputs[0].as<double>()[i];
        const std::int64_t color = raw->inputs[1].as<std::int64_t>()[i];
        EXPECT_EQ(color, value == 1.5 ? 1 : 0) << "the row of 1,5 is red";
        EXPECT_FLOAT_EQ(batch->inputs[0].as<float>()[i], static_cast<float>((value - 2.0) / 0.5));
    }
    EXPECT_EQ((*dataset)->makeRawBatch(Split::kTrain, {2}).error().code, "position-out-of-range");
}

}  // namespace
}  // namespace plumbline::data
