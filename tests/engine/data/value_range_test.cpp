// Numbers that a float32 cannot hold, or only roughly.

#include "fixtures.h"

namespace plumbline::data {
namespace {

class ValueRange : public ::testing::Test {
protected:
    Result<std::shared_ptr<const Dataset>> opened(const std::string& table, const Json& source = Json::object(),
                                                  const Json& input = Json::object(),
                                                  const Json& splits = Json::object()) {
        m_folder.write("table.csv", table);
        Json json = tableSpec(source, {}, splits);
        if (input.is_object()) {
            json["inputs"]["x"].update(input);
        }
        return open(json, m_folder.path());
    }
    TemporaryFolder m_folder;
};

TEST_F(ValueRange, ANumberBeyondFloat32NamesItsRowAndColumn) {
    const auto dataset = opened("a,b,y\n1,2,1\n\n3,1e39,1\n");
    ASSERT_FALSE(dataset.has_value());
    EXPECT_EQ(dataset.error().code, "beyond-float32");
    EXPECT_NE(dataset.error().message.find("table.csv, row 4, column \"b\": 1e+39"), std::string::npos)
        << dataset.error().message;
    EXPECT_NE(dataset.error().message.find("float32"), std::string::npos);
    EXPECT_FALSE(dataset.error().hint.empty());
    EXPECT_FALSE(opened("a,y\n1,-4e38\n2,1\n").has_value()) << "a target as well";
    EXPECT_TRUE(opened("a,y\n3.4e38,1\n-3.4e38,1\n1e-300,1\n").has_value()) << "what it can hold, and what becomes 0";
}

TEST_F(ValueRange, RowsThatWereLeftOutDoNotShiftTheRowThatIsNamed) {
    const auto dataset = opened("a,y\n1,1\n,1\n?,1\n2,1\n,1\n1e200,1\n3,1\n", {{"missing", "drop_row"}});
    ASSERT_FALSE(dataset.has_value());
    EXPECT_NE(dataset.error().message.find("row 7,"), std::string::npos) << dataset.error().message;
}

TEST_F(ValueRange, WhatTheTransformsBringWithinRangeIsNoMistakeAndWhatTheyDriveOutIs) {
    const Json normalize{{"transforms", parsed(R"([{"type": "normalize", "statistics": "train"}])")}};
    EXPECT_TRUE(opened("a,y\n1e100,1\n2e100,1\n3e100,1\n", {}, normalize).has_value());
    EXPECT_TRUE(opened("a,y\n1e200,1\n2e200,1\n", {}, {{"dtype", "float64"}}).has_value()) << "float64 on purpose";
    const Json scaled{{"transforms", parsed(R"([{"type": "scale", "by": 1e30}])")}};
    const auto driven = opened("a,y\n1,1\n1e20,1\n", {}, scaled);
    ASSERT_FALSE(driven.has_value());
    EXPECT_NE(driven.error().message.find("row 3"), std::string::npos) << driven.error().message;
    EXPECT_NE(driven.error().message.find("transforms"), std::string::npos) << driven.error().message;
}

TEST_F(ValueRange, ARowOfAnotherSplitIsLookedAtToo) {
    std::string table = "a,y\n";
    for (int i = 0; i < 40; ++i) {
        table += (i == 37 ? "1e300" : std::to_string(i)) + ",1\n";
    }
    for (int seed = 0; seed < 4; ++seed) {
        EXPECT_FALSE(
            opened(table, {}, {}, {{"train", 0.5}, {"validation", 0.25}, {"test", 0.25}, {"seed", seed}}).has_value());
    }
}

TEST_F(ValueRange, WholeNumbersThatBecomeOthersAreTold) {
    const auto rounded = opened("id,y\n16777216,1\n16777217,1\n16777218,1\n99999999,1\n");
    ASSERT_TRUE(rounded.has_value()) << toSentence(rounded.error());
    ASSERT_EQ((*rounded)->warnings().size(), 1U);
    const std::string warning = (*rounded)->warnings().front();
    EXPECT_NE(warning.find("row 3, column \"id\": the whole number 16777217 becomes 16777216"), std::string::npos)
        << warning;
    EXPECT_NE(warning.find("2 are rounded"), std::string::npos) << warning;
    for (const char* fine :
         {"id,y\n16777216,1\n-16777214,1\n", "id,y\n16777218,1\n33554436,1\n", "id,y\n1.5,16777217\n0.1,1\n"}) {
        EXPECT_TRUE((*opened(fine))->warnings().empty()) << fine;
    }
    EXPECT_TRUE((*opened("id,y\n16777217,1\n", {}, {{"dtype", "int64"}}))->warnings().empty()) << "kept exactly";
}

}  // namespace
}  // namespace plumbline::data
