#include "detector_fixture.h"

namespace plumbline::diagnostics {
namespace {

class InputDType : public DetectorTest {
protected:
    static StepStats with(int block, const std::string& dtype, const std::string& expected = "float32") {
        StepStats stats = trainStep(1);
        stats.inputDtypes = {{block, dtype, expected, "x"}};
        return stats;
    }
};

TEST_F(InputDType, IsAWarningForFloat64AndOffersToConvert) {
    project()["data"]["inputs"]["image"]["dtype"] = "float64";
    begin();
    feed(with(0, "float64"));
    const Finding finding = only("input-dtype", Severity::kWarning, "conv");
    EXPECT_EQ(finding.evidence["dtype"], "float64");
    EXPECT_NE(finding.message.find("twice as large"), std::string::npos) << finding.message;
    EXPECT_EQ(applied(finding.remedies[0])["data"]["inputs"]["image"]["dtype"], "float32")
        << "a transform before it would not mend it";
}

TEST_F(InputDType, IsAWarningForBytesAndOffersToConvert) {
    feed(with(0, "uint8"));
    const Finding finding = only("input-dtype", Severity::kWarning, "conv");
    EXPECT_NE(finding.message.find("unscaled"), std::string::npos) << finding.message;
    const Json transforms = applied(finding.remedies[0])["data"]["inputs"]["image"]["transforms"];
    ASSERT_EQ(transforms.size(), 2U);
    EXPECT_EQ(transforms[1]["type"], "to_float");
}

TEST_F(InputDType, IsAWarningForFractionsWhereIndicesAreWanted) {
    m_facts.blocks[0].takesIndices = true;
    begin();
    feed(with(0, "float32", "int64"));
    const Finding finding = only("input-dtype", Severity::kWarning, "conv");
    EXPECT_NE(finding.message.find("fractions are cut off"), std::string::npos) << finding.message;
    EXPECT_EQ(applied(finding.remedies[0])["data"]["inputs"]["image"]["dtype"], "int64");
}

TEST_F(InputDType, GoesByTheNameOfTheInputWhereItIsKnown) {
    project()["data"]["inputs"]["age"] = {{"from", "table.age"}, {"dtype", "int64"}};
    begin();
    StepStats stats = with(3, "int64");
    stats.inputDtypes[0].input = "age";
    feed(stats);
    EXPECT_EQ(applied(only("input-dtype", Severity::kWarning, "fc").remedies[0])["data"]["inputs"]["age"]["dtype"],
              "float32");
}

TEST_F(InputDType, IsAWarningForIntegersAndFindsTheInputAmongSeveral) {
    project()["data"]["inputs"]["age"] = {{"from", "table.age"}};
    project()["model"]["graph"]["nodes"]["fc"]["from"] = "age";
    begin();
    feed(with(3, "int64"));
    const Finding finding = only("input-dtype", Severity::kWarning, "fc");
    EXPECT_EQ(applied(finding.remedies[0])["data"]["inputs"]["age"]["transforms"],
              Json::parse(R"([{"type":"to_float"}])"));
}

TEST_F(InputDType, IsAdviceWhereTheInputIsNotClear) {
    project()["data"]["inputs"]["age"] = {{"from", "table.age"}};
    begin();
    feed(with(3, "int64"));
    EXPECT_TRUE(only("input-dtype", Severity::kWarning, "fc").remedies[0].patch.empty());
}

TEST_F(InputDType, IsNotTokenIds) {
    m_facts.blocks[0].takesIndices = true;
    begin();
    feed(with(0, "int32", "int64"));
    feed(with(0, "uint8", "int64"));
    EXPECT_TRUE(isSilent());
}

TEST_F(InputDType, IsNotAPrecisionThatTheModelAsksForOnPurpose) {
    feed(with(0, "float32", "float64"));
    feed(with(3, "float32", "bfloat16"));
    EXPECT_TRUE(isSilent());
    feed(with(0, "uint8", "float64"));
    EXPECT_FALSE(isSilent()) << "pixels stay unscaled whatever float they become";
}

TEST_F(InputDType, IsToldOncePerBlock) {
    EXPECT_EQ(feed(with(0, "float64")).size(), 1U);
    EXPECT_TRUE(feed(with(0, "float64")).empty());
    EXPECT_EQ(feed(with(3, "float64")).size(), 1U);
}

}  // namespace
}  // namespace plumbline::diagnostics
