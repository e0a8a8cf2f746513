// What a person gives to predict for a table.

#include "fixtures.h"

namespace plumbline::data {
namespace {

class CsvInputs : public ::testing::Test {
protected:
    void use(const std::string& table, const Json& source = Json::object()) {
        m_folder.write("table.csv", table);
        Json json = tableSpec(source);
        json["targets"]["y"]["dtype"] = "float32";
        auto opened = open(json, m_folder.path());
        ASSERT_TRUE(opened.has_value()) << toSentence(opened.error());
        m_dataset = *opened;
    }
    /// A row of floats a sample, and their names.
    std::vector<std::vector<float>> given(const std::vector<std::string>& texts) {
        std::vector<std::vector<float>> rows;
        m_names.clear();
        const Status status =
            m_dataset->eachInput(texts, [&](const std::string& name, const HostBatch& batch) -> Status {
                m_names.push_back(name);
                rows.push_back(floatsOf(batch.inputs[0]));
                return {};
            });
        EXPECT_TRUE(status.has_value()) << (status ? "" : toSentence(status.error()));
        return rows;
    }
    Error refused(const std::vector<std::string>& texts) {
        const Status status =
            m_dataset->eachInput(texts, [](const std::string&, const HostBatch&) -> Status { return {}; });
        EXPECT_FALSE(status.has_value());
        return status ? Error{} : status.error();
    }

    TemporaryFolder m_folder;
    std::shared_ptr<const Dataset> m_dataset;
    std::vector<std::string> m_names;
};

using Rows = std::vector<std::vector<float>>;

TEST_F(CsvInputs, PairsMayStandInTextsOfTheirOwnAndANameThatComesAgainBeginsTheNextSample) {
    use("a,b,y\n1,2,3\n4,5,6\n");
    EXPECT_EQ(given({"a=1", "b=2"}), (Rows{{1, 2}}));
    EXPECT_EQ(given({"b=2", " a = 1 "}), (Rows{{1, 2}}));
    EXPECT_EQ(given({"a=1", "b=2", "b=4", "a=3"}), (Rows{{1, 2}, {3, 4}}));
    EXPECT_EQ(m_names, (std::vector<std::string>{"a=1 b=2", "b=4 a=3"}));
    EXPECT_EQ(given({"a=1,b=2", "7,8", "train:1", "a=3", "b=4"}), (Rows{{1, 2}, {7, 8}, {4, 5}, {3, 4}}));
    EXPECT_EQ(refused({"a=1", "a=2", "b=3"}).code, "input-missing");
    EXPECT_EQ(refused({"a=1,a=2"}).code, "input-twice");
    EXPECT_EQ(refused({"a=1", "7,8"}).code, "input-missing");
}

TEST_F(CsvInputs, ADecimalCommaAndASemicolonAreThoseOfTheFile) {
    use("a;b;y\n1,5;2,5;3\n4;5;6\n", {{"delimiter", ";"}, {"decimal", ","}});
    EXPECT_EQ(given({"1,5;2"}), (Rows{{1.5F, 2}}));
    EXPECT_EQ(given({"a=1,5;b=2"}), (Rows{{1.5F, 2}}));
    EXPECT_EQ(given({"a=1,5", "b=2,25"}), (Rows{{1.5F, 2.25F}}));
    EXPECT_NE(refused({"a=1.5", "b=2"}).hint.find("comma"), std::string::npos);
    m_folder.write("new.csv", "b;a;more\n1,5;2;x\n3;4,5;y\n");
    EXPECT_EQ(given({"new.csv"}), (Rows{{2, 1.5F}, {4.5F, 3}})) << "columns go by their names";
    EXPECT_EQ(m_names, (std::vector<std::string>{"new.csv, row 2", "new.csv, row 3"}));
}

TEST_F(CsvInputs, PairsAreSetApartByCommasWhereTheFileUsesAnotherSign) {
    use("a\tb\ty\n1\t2\t3\n4\t5\t6\n", {{"delimiter", "\\t"}});
    EXPECT_EQ(given({"a=1, b=2"}), (Rows{{1, 2}}));
    EXPECT_EQ(given({"a=1\tb=2"}), (Rows{{1, 2}}));
}

TEST_F(CsvInputs, TheColumnsThatAreTakenAreNamedInOrderWithAnExampleThatWorks) {
    for (const Json& source : {Json::object(), Json{{"delimiter", ";"}, {"decimal", ","}}}) {
        const bool comma = source.contains("decimal");
        use(comma ? "wide;high;y\n1,5;2;3\n4;5;6\n" : "wide,high,y\n1.5,2,3\n4,5,6\n", source);
        for (const std::vector<std::string>& texts :
             std::vector<std::vector<std::string>>{{}, {"1"}, {comma ? "1;2;3;4" : "1,2,3,4"}, {"depth=1"}}) {
            const Error error = refused(texts);
            EXPECT_EQ(error.kind, ErrorKind::kUsage);
            EXPECT_NE(error.hint.find("It takes wide, high"), std::string::npos) << error.message << error.hint;
        }
        std::string example = refused({}).hint;
        example = example.substr(example.find("For example: ") + 13);
        if (example.front() == '\'') {
            example = example.substr(1, example.size() - 2);
        }
        EXPECT_EQ(given({example}), (Rows{{1.5F, 2}})) << example;
    }
}

TEST_F(CsvInputs, NamesAndTextsMayHoldTheSignsThatSetApart) {
    use("\"a,b\",c=d,y\n1,2,3\n4,5,6\n");
    EXPECT_EQ(given({"\"a,b=7\",c=d=8"}), (Rows{{7, 8}}));
    EXPECT_EQ(given({"\"7\",\"8\""}), (Rows{{7, 8}}));
}

TEST_F(CsvInputs, AFileThatDoesNotFitIsASentenceWithItsRow) {
    use("a,b,y\n1,2,3\n4,5,6\n");
    m_folder.write("lacks.csv", "a,c\n1,2\n");
    EXPECT_EQ(refused({"lacks.csv"}).code, "unknown-column");
    m_folder.write("none.csv", "a,b\n");
    EXPECT_EQ(refused({"none.csv"}).code, "csv-empty");
    m_folder.write("ragged.csv", "a,b\n1,2\n3\n");
    EXPECT_EQ(refused({"ragged.csv"}).code, "csv-ragged");
    m_folder.write("word.csv", "a,b\n1,2\n3,x\n");
    const Error word = refused({"word.csv"});
    EXPECT_EQ(word.code, "input-value");
    EXPECT_NE(word.message.find("word.csv, row 3"), std::string::npos) << word.message;
    m_folder.write("gap.csv", "a,b\n1,\n");
    EXPECT_NE(refused({"gap.csv"}).message.find("is missing"), std::string::npos);
}

TEST_F(CsvInputs, AGapIsFilledAsInTrainingWhereTheProjectSaysHow) {
    use("a,b,y\n1,5,3\n2,5,6\n4,,1\n8,7,1\n", {{"missing", "median"}});
    EXPECT_EQ(given({",6", "NA,?", "a=,b=1"}), (Rows{{3, 6}, {3, 5}, {3, 1}}));
    m_folder.write("gap.csv", "b,a\n,9\nnull,\n");
    EXPECT_EQ(given({"gap.csv"}), (Rows{{9, 5}, {3, 5}}));
    // A file without gaps has its fill values all the same; a column that is not filled refuses them.
    use("a;b;y\n1,5;1;3\n2,5;1;6\n", {{"missing", {{"a", "mean"}}}, {"delimiter", ";"}, {"decimal", ","}});
    EXPECT_EQ(given({";4"}), (Rows{{2, 4}}));
    EXPECT_NE(refused({"1;NA"}).message.find("is missing"), std::string::npos);
}

TEST_F(CsvInputs, AFileWithoutAHeaderGoesByPosition) {
    m_folder.write("table.csv", "1,2,3\n4,5,6\n");
    const auto opened = open(parsed(R"({"sources": {"t": {"type": "csv", "path": "table.csv", "header": false}},
        "inputs": {"x": {"from": ["t.0", "t.2"]}}, "targets": {"y": {"from": "t.1"}}, "splits": {"train": 1}})"),
                             m_folder.path());
    ASSERT_TRUE(opened.has_value()) << toSentence(opened.error());
    m_dataset = *opened;
    m_folder.write("whole.csv", "7,8,9\n");
    m_folder.write("inputs.csv", "7,9\n");
    EXPECT_EQ(given({"whole.csv", "inputs.csv"}), (Rows{{7, 9}, {7, 9}}));
    m_folder.write("other.csv", "1,2,3,4\n");
    EXPECT_EQ(refused({"other.csv"}).code, "input-count");
}

}  // namespace
}  // namespace plumbline::data
