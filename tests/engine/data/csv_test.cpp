#include "core/text.h"
#include "fixtures.h"

#include <sys/stat.h>
#include <cmath>
#include <fstream>

#include "data/csv_reader.h"

namespace plumbline::data {
namespace {

class Table : public ::testing::Test {
protected:
    Result<std::shared_ptr<const Dataset>> opened(const std::string& table, const Json& source = Json::object(),
                                                  const Json& target = Json::object(),
                                                  const Json& splits = Json::object()) {
        m_folder.write("table.csv", table);
        return open(tableSpec(source, target, splits), m_folder.path());
    }
    Error errorOf(const std::string& table, const Json& source = Json::object(), const Json& target = Json::object()) {
        const auto result = opened(table, source, target);
        EXPECT_FALSE(result.has_value()) << table;
        return result ? Error{} : result.error();
    }
    /// Inputs of all rows in the file's order.
    std::vector<float> inputs(const std::string& table, const Json& source = Json::object()) {
        const auto result = opened(table, source);
        EXPECT_TRUE(result.has_value()) << toSentence(result.error());
        if (!result) {
            return {};
        }
        const auto batch = (*result)->makeBatch(Split::kTrain, allPositions(**result, Split::kTrain), 0, false);
        EXPECT_TRUE(batch.has_value());
        return floatsOf(batch->inputs[0]);
    }

    TemporaryFolder m_folder;
};

TEST_F(Table, NumbersComeAsFloat32AndATargetKeepsItsDim) {
    const auto dataset = opened("a,b,y\n1,2.5,10\n-3,+4e-1,20\n");
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {0, 1}, 0, false);
    EXPECT_EQ(batch.inputs[0].dims, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(floatsOf(batch.inputs[0]), (std::vector<float>{1, 2.5F, -3, 0.4F}));
    EXPECT_EQ(batch.targets[0].dims, (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(floatsOf(batch.targets[0]), (std::vector<float>{10, 20}));
}

TEST_F(Table, SqueezeDropsTheTargetsLastDim) {
    const auto dataset = opened("a,y\n1,10\n2,20\n", {}, {{"squeeze", true}});
    EXPECT_TRUE((*dataset)->targets()[0].dims.empty());
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {0, 1}, 0, false);
    EXPECT_EQ(batch.targets[0].dims, (std::vector<std::int64_t>{2}));
}

TEST_F(Table, QuotesLineEndingsMarksAndBlankLinesAreAsInRfc4180) {
    EXPECT_EQ(inputs("\xEF\xBB\xBF\"a\",y\r\n1,2\r\n\r\n\"3\",4\r\n\r\n"), (std::vector<float>{1, 3}));
    EXPECT_EQ(inputs("a,y\n 1 , 2\n\t3,4"), (std::vector<float>{1, 3}));
    const auto dataset = opened("a,y\n1,\"red, \"\"dark\"\"\nand long\"\n2,blue\n");
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_EQ((*dataset)->targets()[0].classes, (std::vector<std::string>{"blue", "red, \"dark\"\nand long"}));
}

TEST_F(Table, OtherDelimitersAndADecimalCommaAreReadWhenTold) {
    EXPECT_EQ(inputs("a;y\n1,5;2\n-2,25;3\n", {{"delimiter", ";"}, {"decimal", ","}}),
              (std::vector<float>{1.5F, -2.25F}));
    EXPECT_EQ(inputs("a\ty\n1\t2\n", {{"delimiter", "\t"}}), (std::vector<float>{1}));
    const Error error = errorOf("a;y\n1;2\n");
    EXPECT_EQ(error.code, "csv-delimiter");
    EXPECT_NE(error.hint.find(";"), std::string::npos);
}

TEST_F(Table, WithoutAHeaderColumnsAreNumbered) {
    m_folder.write("table.csv", "1,2\n3,4\n");
    const auto dataset = open(parsed(R"({"sources": {"t": {"type": "csv", "path": "table.csv", "header": false}},
        "inputs": {"x": {"from": "t.0"}}, "targets": {"y": {"from": "t.1"}}, "splits": {"train": 1}})"),
                              m_folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_EQ((*dataset)->size(Split::kTrain), 2);
}

TEST_F(Table, TextBecomesAClassIndexInSortedOrder) {
    const auto dataset = opened("a,y\n1,pear\n2,apple\n3,pear\n");
    ASSERT_TRUE(dataset.has_value());
    EXPECT_EQ((*dataset)->targets()[0].classes, (std::vector<std::string>{"apple", "pear"}));
    const auto batch = *(*dataset)->makeBatch(Split::kTrain, {0, 1, 2}, 0, false);
    EXPECT_EQ(batch.targets[0].dtype, DType::kInt64);
    EXPECT_EQ(batch.targets[0].dims, (std::vector<std::int64_t>{3}));
    EXPECT_EQ(integersOf(batch.targets[0]), (std::vector<std::int64_t>{1, 0, 1}));
    EXPECT_EQ((*dataset)->classCounts(Split::kTrain, "y"), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(Table, NumbersTakenAsCategoriesAreOrderedByValue) {
    const auto dataset = opened("a,y\n1,10\n2,2\n3,10\n", {{"types", {{"y", "categorical"}}}});
    ASSERT_TRUE(dataset.has_value());
    EXPECT_EQ((*dataset)->targets()[0].classes, (std::vector<std::string>{"2", "10"}));
}

TEST_F(Table, WholeNumbersAskedForAsInt64AreClassIndicesAsTheyStand) {
    const auto dataset = opened("a,y\n1,0\n2,2\n3,1\n", {}, {{"dtype", "int64"}});
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    EXPECT_TRUE((*dataset)->targets()[0].dims.empty());
    EXPECT_EQ((*dataset)->classCounts(Split::kTrain, "y"), (std::vector<std::int64_t>{1, 1, 1}));
    EXPECT_EQ(errorOf("a,y\n1,0\n2,-1\n", {}, {{"dtype", "int64"}}).code, "label-out-of-range");
    EXPECT_EQ(errorOf("a,y\n1,0\n2,0.5\n", {}, {{"dtype", "int64"}}).code, "label-out-of-range");
}

TEST_F(Table, AMissingValueNamesRowAndColumn) {
    for (const std::string value : {"", "NA", "nan", "?", " ", "null"}) {
        const Error error = errorOf("a,b,y\n1,2,3\n4," + value + ",6\n");
        EXPECT_EQ(error.code, "missing-value") << value;
        EXPECT_NE(error.message.find("row 3, column \"b\""), std::string::npos) << error.message;
        EXPECT_NE(error.where.find(":3:b"), std::string::npos);
        EXPECT_NE(error.hint.find("median"), std::string::npos);
    }
}

TEST_F(Table, MissingValuesAreFilledByChoice) {
    const std::string table = "a,y\n1,1\n,1\n4,1\n1,1\n";
    EXPECT_EQ(inputs(table, {{"missing", "mean"}}), (std::vector<float>{1, 2, 4, 1}));
    EXPECT_EQ(inputs(table, {{"missing", "median"}}), (std::vector<float>{1, 1, 4, 1}));
    EXPECT_EQ(inputs(table, {{"missing", "most_frequent"}}), (std::vector<float>{1, 1, 4, 1}));
    EXPECT_EQ(inputs(table, {{"missing", "drop_row"}}), (std::vector<float>{1, 4, 1}));
    EXPECT_EQ(inputs(table, {{"missing", {{"a", "median"}}}}), (std::vector<float>{1, 1, 4, 1}));
}

TEST_F(Table, WhatFillsAGapComesFromTheTrainingSplitAlone) {
    std::string table = "a,y\n";
    for (int i = 0; i < 40; ++i) {
        table += (i % 4 == 0 ? "" : std::to_string(i * i)) + "," + std::to_string(i) + "\n";
    }
    const auto dataset = opened(table, {{"missing", "mean"}}, {}, {{"train", 0.5}, {"test", 0.5}});
    ASSERT_TRUE(dataset.has_value());
    const auto train = *(*dataset)->makeBatch(Split::kTrain, allPositions(**dataset, Split::kTrain), 0, false);
    double sum = 0;
    int present = 0;
    for (std::int64_t i = 0; i < train.size(); ++i) {
        const auto row = static_cast<int>(train.targets[0].as<float>()[i]);
        if (row % 4 != 0) {
            sum += row * row;
            ++present;
        }
    }
    for (const Split split : {Split::kTrain, Split::kTest}) {
        const auto batch = *(*dataset)->makeBatch(split, allPositions(**dataset, split), 0, false);
        for (std::int64_t i = 0; i < batch.size(); ++i) {
            if (static_cast<int>(batch.targets[0].as<float>()[i]) % 4 == 0) {
                EXPECT_NEAR(batch.inputs[0].as<float>()[i], sum / present, 1e-3);
            }
        }
    }
    EXPECT_FALSE((*dataset)->warnings().empty());
}

TEST_F(Table, AColumnWithoutAValueInTheTrainingSplitHasNothingToFillGapsWith) {
    for (const std::string value : {"1.5", "red"}) {
        // The only value lies in one row: with many seeds it is in the training split or it is not.
        int refused = 0;
        for (int seed = 0; seed < 20; ++seed) {
            const auto dataset = opened("a,y\n" + value + ",1\n,1\n,1\n,1\n", {{"missing", "most_frequent"}}, {},
                                        {{"train", 0.5}, {"test", 0.5}, {"seed", seed}});
            if (!dataset) {
                ++refused;
                EXPECT_EQ(dataset.error().code, "column-empty") << dataset.error().message;
                EXPECT_NE(dataset.error().message.find("no value in the training split"), std::string::npos);
            }
        }
        EXPECT_GT(refused, 0) << value;
        EXPECT_LT(refused, 20) << value;
    }
}

TEST_F(Table, AMissingTargetIsNeverMadeUp) {
    EXPECT_EQ(errorOf("a,y\n1,1\n2,\n", {{"missing", "mean"}}).code, "missing-target");
    const auto dataset = opened("a,y\n1,1\n2,\n", {{"missing", "drop_row"}});
    ASSERT_TRUE(dataset.has_value());
    EXPECT_EQ((*dataset)->size(Split::kTrain), 1);
}

TEST_F(Table, GapsInColumnsThatAreNotUsedDoNotMatter) {
    EXPECT_EQ(inputs("a,note,y\n1,,1\n2,hi,2\n", {{"ignore", {"note"}}}), (std::vector<float>{1, 2}));
}

TEST_F(Table, InfinitiesAndOverflowNameRowAndColumn) {
    for (const std::string value : {"inf", "-Infinity", "1e400"}) {
        const Error error = errorOf("a,y\n1,1\n" + value + ",2\n");
        EXPECT_EQ(error.code, "not-finite") << value << ": " << error.message;
        EXPECT_NE(error.message.find("row 3, column \"a\""), std::string::npos) << error.message;
    }
}

TEST_F(Table, NumbersTooSmallForADoubleAreZeroAsInPython) {
    const std::string zeros(400, '0');
    EXPECT_EQ(inputs("a,y\n1e-400,1\n-1e-400,1\n0." + zeros + "5,1\n1234567e-99999999999999999999,1\n" + "3" + zeros +
                     "e-900,1\n1e-300,1\n"),
              (std::vector<float>{0, 0, 0, 0, 0, 0}));
    for (const std::string& value :
         {"3" + zeros, std::string("0.001e+400"), std::string("12e99999999999999999999"), std::string("-2e308")}) {
        EXPECT_EQ(errorOf("a,y\n1,1\n" + value + ",2\n").code, "not-finite") << value;
    }
}

TEST_F(Table, RaggedRowsHeadersAndQuotesAreErrorsWithTheirRow) {
    EXPECT_EQ(errorOf("a,b,y\n1,2,3\n1,2\n").code, "csv-ragged");
    EXPECT_NE(errorOf("a,b,y\n1,2,3\n1,2,3,4\n").message.find("row 3"), std::string::npos);
    EXPECT_NE(errorOf("a,a,y\n1,2,3\n").message.find("\"a\""), std::string::npos);
    EXPECT_EQ(errorOf("a,,y\n1,2,3\n").code, "csv-header");
    EXPECT_EQ(errorOf("a,y\n1,\"2\n").code, "csv-quote");
    EXPECT_EQ(errorOf("a,y\n1,\"2\"x\n").code, "csv-quote");
    EXPECT_EQ(errorOf("").code, "csv-empty");
    EXPECT_EQ(errorOf("a,y\n").code, "csv-empty");
}

TEST_F(Table, TextThatIsNotUtf8IsAnErrorWithItsCell) {
    const Error error = errorOf("a,y\n1,gr\xFCn\n");
    EXPECT_EQ(error.code, "csv-encoding");
    EXPECT_NE(error.message.find("row 2, column \"y\""), std::string::npos);
    EXPECT_EQ(errorOf(std::string("\xFF\xFE") + "a").code, "csv-encoding");
    EXPECT_EQ(errorOf(std::string("a,y\n1,x") + '\0' + "y\n").code, "csv-encoding");
    EXPECT_TRUE(isUtf8("grün, 日本, 😀"));
    for (const std::string bad : {"\xC3", "\xE2\x82", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80"}) {
        EXPECT_FALSE(isUtf8(bad));
    }
}

TEST_F(Table, ATextColumnAmongTheInputsIsNamed) {
    const Error error = errorOf("a,color,y\n1,red,1\n2,blue,2\n");
    EXPECT_EQ(error.code, "columns-differ");
    EXPECT_NE(error.message.find("color"), std::string::npos);
}

TEST_F(Table, ANumberColumnWithATypoIsToldByRow) {
    EXPECT_NE(errorOf("a,y\n1,1\nx2,2\n3,3\n", {{"types", {{"a", "numeric"}}}}).message.find("row 3"),
              std::string::npos);
    const auto dataset = opened("y,a\n1,1\n1,x2\n1,3\n1,4\n");
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    ASSERT_FALSE((*dataset)->warnings().empty());
    EXPECT_NE((*dataset)->warnings()[0].find("\"x2\" in row 3"), std::string::npos);
}

TEST_F(Table, AnUnknownColumnHasItsNearestName) {
    m_folder.write("table.csv", "alcohol,y\n1,1\n");
    Json json = tableSpec();
    json["inputs"]["x"]["from"] = "t.alcool";
    const auto dataset = open(json, m_folder.path());
    ASSERT_FALSE(dataset.has_value());
    EXPECT_NE(dataset.error().hint.find("alcohol"), std::string::npos);
}

TEST_F(Table, FilesThatCannotBeReadAreSentences) {
    const auto missing = open(tableSpec(), m_folder.path());
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, "file-missing");
    std::filesystem::create_directory(m_folder.path() / "table.csv");
    EXPECT_EQ(open(tableSpec(), m_folder.path()).error().code, "is-a-folder");
    std::filesystem::remove(m_folder.path() / "table.csv");
    const auto file = m_folder.write("table.csv", "a,y\n1,1\n");
    ASSERT_EQ(::chmod(file.c_str(), 0), 0);
    const bool asRoot = ::geteuid() == 0;
    if (asRoot) {
        ASSERT_EQ(::chmod(m_folder.path().c_str(), 0755), 0);
        ASSERT_EQ(::seteuid(65534), 0);
    }
    const auto refused = open(tableSpec(), m_folder.path());
    if (asRoot) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "no-permission");
}

TEST_F(Table, StandardisingUsesTheTrainingSplitAloneAndSurvivesConstantColumns) {
    std::string table = "a,same,y\n";
    for (int i = 0; i < 50; ++i) {
        table += std::to_string(i < 25 ? 1'700'000'000 + i : 1'700'009'000 + i) + ",7,0\n";
    }
    m_folder.write("table.csv", table);
    Json json = tableSpec({}, {}, {{"train", 0.6}, {"test", 0.4}});
    json["inputs"]["x"]["transforms"] = parsed(R"([{"type": "normalize", "statistics": "train"}])");
    const auto dataset = open(json, m_folder.path());
    ASSERT_TRUE(dataset.has_value()) << toSentence(dataset.error());
    const auto train = *(*dataset)->makeBatch(Split::kTrain, allPositions(**dataset, Split::kTrain), 0, false);
    double sum = 0;
    double squares = 0;
    for (std::int64_t i = 0; i < train.size(); ++i) {
        const double value = train.inputs[0].as<float>()[2 * i];
        sum += value;
        squares += value * value;
        EXPECT_EQ(train.inputs[0].as<float>()[2 * i + 1], 0.0F);
    }
    // A large offset costs no precision: values are standardised in double.
    EXPECT_NEAR(sum / 30, 0.0, 1e-6);
    EXPECT_NEAR(squares / 30, 1.0, 1e-6);
    const Json& fitted = (*dataset)->inputs()[0].transforms[0];
    EXPECT_EQ(fitted["mean"].size(), 2U);
    EXPECT_EQ(fitted["std"][1], 1.0);
}

TEST_F(Table, AnInputForPredictIsNamedValuesOrARow) {
    const auto dataset = *opened("a,color,y\n1,red,1\n2,blue,2\n", {{"ignore", {"color"}}});
    EXPECT_EQ(floatsOf(dataset->makeInput("a=7.5")->inputs[0]), std::vector<float>{7.5F});
    EXPECT_EQ(floatsOf(dataset->makeInput(" 7.5 ")->inputs[0]), std::vector<float>{7.5F});
    EXPECT_EQ(floatsOf(dataset->makeInput("7.5,red,1")->inputs[0]), std::vector<float>{7.5F});
    EXPECT_EQ(floatsOf(dataset->makeInput("train:1")->inputs[0]), std::vector<float>{2});
    for (const std::string bad : {"", "a=x", "b=1", "a=1,b=2", "1,2", "a=inf", "train:9", "=", "a"}) {
        const auto result = dataset->makeInput(bad);
        EXPECT_FALSE(result.has_value()) << bad;
        EXPECT_EQ(result.error().kind, ErrorKind::kUsage) << bad;
    }
}

TEST_F(Table, TheFingerprintFollowsTheValuesAndNotTheSpelling) {
    const auto fingerprint = [&](const std::string& table) { return (*opened(table))->fingerprint(); };
    EXPECT_EQ(fingerprint("a,y\n1,2\n"), fingerprint("\"a\",y\r\n1.0,2\r\n"));
    EXPECT_NE(fingerprint("a,y\n1,2\n"), fingerprint("a,y\n1,3\n"));
    EXPECT_NE(fingerprint("a,y\n1,2\n"), fingerprint("b,y\n1,2\n"));
}

TEST_F(Table, ReaderGivesTheSameFieldsWhereverTheBufferEnds) {
    // Rows of growing length push quotes, line ends and delimiters over the edge of the buffer.
    std::string table = "a,b\n";
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < 3000; ++i) {
        const std::string field(i % 317, static_cast<char>('a' + i % 26));
        table += "\"" + field + ",\"\"\r\n\"," + std::to_string(i) + "\r\n";
        expected.push_back(field + ",\"\r\n");
    }
    const auto file = m_folder.write("long.csv", table);
    auto reader = CsvReader::open(file, ',');
    ASSERT_TRUE(reader.has_value());
    ASSERT_TRUE(*reader->next());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto more = reader->next();
        ASSERT_TRUE(more.has_value() && *more);
        ASSERT_EQ(reader->fieldCount(), 2U);
        EXPECT_EQ(reader->field(0), expected[i]);
        EXPECT_EQ(reader->field(1), std::to_string(i));
    }
    EXPECT_FALSE(*reader->next());
}

}  // namespace
}  // namespace plumbline::data
