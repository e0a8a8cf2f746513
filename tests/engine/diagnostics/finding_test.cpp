#include "diagnostics/finding.h"

#include <gtest/gtest.h>

namespace plumbline::diagnostics {
namespace {

Finding sample() {
    Finding finding;
    finding.id = "scaler-frozen#2";
    finding.detector = "scaler-frozen";
    finding.severity = Severity::kCritical;
    finding.step = 412;
    finding.epoch = 3;
    finding.block = "conv2";
    finding.message = "Eight steps were skipped.";
    finding.evidence = {{"consecutive_skips", 8}};
    finding.remedies = {{"Train in bf16", Json::array({{{"op", "test"}, {"path", "/a"}, {"value", 1}}}), "next_run"}};
    finding.cause = "non-finite#1";
    return finding;
}

TEST(Finding, ComesBackFromItsJson) {
    Finding finding = sample();
    EXPECT_EQ(toJson(findingFromJson(toJson(finding)).value()), toJson(finding));
    finding.clearedAt = 500;
    const Finding back = findingFromJson(toJson(finding)).value();
    EXPECT_EQ(back.clearedAt, 500);
    EXPECT_EQ(toJson(back), toJson(finding));
}

TEST(Finding, HasTheMembersThatTheCommandLinePromises) {
    const Json json = toJson(sample());
    for (const char* key :
         {"detector", "severity", "step", "epoch", "block", "message", "evidence", "remedies", "cleared_at"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_TRUE(json["cleared_at"].is_null());
    EXPECT_EQ(json["severity"], "critical");
}

TEST(Finding, ThatIsWrittenWronglyIsASentence) {
    for (const char* text : {"[]", "{}", R"({"id":"a","detector":"b","severity":"terrible"})",
                             R"({"id":"a","detector":"b","severity":"info","remedies":3})",
                             R"({"id":"a","detector":"b","severity":"info","remedies":[{"title":5}]})",
                             R"({"id":"a","detector":"b","severity":"info","cleared_at":"soon"})",
                             R"({"id":"a","detector":"b","severity":"info","what":1})"}) {
        const auto finding = findingFromJson(Json::parse(text));
        ASSERT_FALSE(finding) << text;
        EXPECT_FALSE(finding.error().message.empty());
    }
}

}  // namespace
}  // namespace plumbline::diagnostics
