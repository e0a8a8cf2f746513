#include "core/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/text.h"

using namespace plumbline;

TEST(ParseJson, TellsLineAndColumnOfAMistake) {
    const auto result = parseJson("{\n  \"a\": 1,\n  \"b\": tru\n}", "p.json");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "json-syntax");
    EXPECT_NE(result.error().message.find("line 3"), std::string::npos) << result.error().message;
}

TEST(ParseJson, QuotesWhatItCouldNotReadWhole) {
    const auto result = parseJson(R"({"lr": NaN})", "p.json");
    ASSERT_FALSE(result);
    EXPECT_TRUE(result.error().message.ends_with(R"(: '"lr": N')")) << result.error().message;
}

TEST(ParseJson, SaysThatATruncatedFileEndsEarly) {
    const auto result = parseJson("{\"a\": [1, 2", "p.json");
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("ends in the middle"), std::string::npos) << result.error().message;
}

TEST(ParseJson, EveryPrefixOfADocumentIsRefused) {
    const std::string text = R"({"a": [1, {"b": "x\"y"}, null], "c": -1.5e3})";
    ASSERT_TRUE(parseJson(text, "p"));
    for (std::size_t length = 0; length < text.size(); ++length) {
        EXPECT_FALSE(parseJson(text.substr(0, length), "p")) << length;
    }
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
    const auto result = parseJson(R"({"a": {"x": 1, "y": 2, "x": 3}})", "p");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "json-duplicate-key");
    EXPECT_TRUE(parseJson(R"({"a": {"x": 1}, "b": {"x": 1}})", "p"));
}

TEST(ParseJson, RefusesAKeyThatStandsTwiceAmongMany) {
    std::string members;
    for (int i = 0; i < 100; ++i) {
        members += (i > 0 ? ", \"" : "\"") + std::to_string(i) + "\": {\"0\": [" + std::to_string(i) + "]}";
    }
    const auto whole = parseJson("{" + members + "}", "p");
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->size(), 100U);
    EXPECT_EQ((*whole)["99"]["0"][0], 99);
    for (const char* again : {"0", "15", "16", "17", "99"}) {
        const auto twice = parseJson("{" + members + ", \"" + again + "\": 1}", "p");
        ASSERT_FALSE(twice) << again;
        EXPECT_EQ(twice.error().code, "json-duplicate-key");
        EXPECT_NE(twice.error().message.find('"' + std::string(again) + '"'), std::string::npos);
    }
}

TEST(ParseJson, ReadsEveryKindOfValueInItsOrder) {
    const std::string text =
        R"({"z":[1,-2,3.5,1e300,18446744073709551615,true,false,null,"\u00e9\n",[],{}],"a":{"b":{"c":[[1],[2,[3]]]}},"":0})";
    const auto value = parseJson(text, "p");
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_EQ(*value, Json::parse(text));
    EXPECT_EQ(value->dump(), Json::parse(text).dump()) << "the same order and types";
    EXPECT_EQ(parseJson("7", "p").value(), Json(7));
    EXPECT_EQ(parseJson("1e999", "p").error().code, "json-syntax");
}

TEST(ParseJson, RefusesDeepNestingInsteadOfOverflowing) {
    const auto result = parseJson(std::string(1000000, '['), "p");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, "json-too-deep");
    EXPECT_TRUE(parseJson(std::string(200, '[') + std::string(200, ']'), "p"));
}

TEST(ParseJson, RefusesInvalidUtf8) {
    EXPECT_FALSE(parseJson("{\"a\": \"\xff\"}", "p"));
}

TEST(FormatJson, ReadsBackTheSameInTheSameOrder) {
    const std::string text =
        R"({"z": 1, "a": {"y": [1, 2, 3], "b": 0.1}, "n": null, "big": 123456789012345678, "f": 1e-320})";
    const Json value = parseJson(text, "p").value();
    const Json again = parseJson(formatJson(value), "p").value();
    EXPECT_EQ(value, again);
    EXPECT_EQ(value.dump(), again.dump());
    EXPECT_EQ(formatJson(again), formatJson(value));
}

TEST(JsonObject, NamesAnUnknownKeyAndTheNearestKnownOne) {
    const Json json{{"batch_sise", 3}};
    JsonObject object(json, "/data/loader");
    object.integer("batch_size", 1);
    const Status status = object.finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().where, "/data/loader/batch_sise");
    EXPECT_EQ(status.error().hint, "Did you mean \"batch_size\"?");
}

TEST(JsonObject, KeepsTheFirstErrorAndNamesTheType) {
    const Json json{{"a", "text"}, {"b", 1.5}};
    JsonObject object(json, "");
    EXPECT_EQ(object.integer("a", 7), 7);
    EXPECT_EQ(object.integer("b", 8), 8);
    const Status status = object.finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().where, "/a");
    EXPECT_NE(status.error().message.find("integer"), std::string::npos);
}

TEST(JsonObject, RefusesAnIntegerPast63Bits) {
    const Json json = Json::parse(R"({"a": 18446744073709551615})");
    JsonObject object(json, "");
    object.integer("a", 0);
    EXPECT_FALSE(object.finish());
}

TEST(JsonPatch, ChangesNothingWhenATestFails) {
    const Json document{{"a", 1}, {"b", 2}};
    const Json patch = Json::array(
        {Json{{"op", "replace"}, {"path", "/a"}, {"value", 5}}, Json{{"op", "test"}, {"path", "/b"}, {"value", 3}}});
    EXPECT_FALSE(applyJsonPatch(document, patch));
    EXPECT_EQ(document["a"], 1);
    EXPECT_FALSE(applyJsonPatch(document, Json::array({Json{{"op", "fly"}}})));
    EXPECT_FALSE(applyJsonPatch(document, Json("no list")));
}

TEST(Pointers, EscapeTildeAndSlash) {
    EXPECT_EQ(pointerTo("/a", "x/y~z"), "/a/x~1y~0z");
    EXPECT_EQ(pointerOfDottedPath("training.optimizer.lr"), "/training/optimizer/lr");
}

TEST(NearestWord, SaysNothingWhenNothingIsNear) {
    EXPECT_EQ(nearestWord("Conv2D", {"Conv2d", "Linear"}), "Conv2d");
    EXPECT_EQ(nearestWord("zzzzzz", {"Conv2d", "Linear"}), "");
}

TEST(NumberText, SpellsWhatIsNoNumberTheSameWhateverItsSign) {
    EXPECT_EQ(numberText(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(numberText(-std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(numberText(std::numeric_limits<double>::infinity(), 3), "inf");
    EXPECT_EQ(numberText(-std::numeric_limits<double>::infinity()), "-inf");
    EXPECT_EQ(numberText(-0.123456789), "-0.123457");
    EXPECT_EQ(numberText(1234567.0, 4), "1.235e+06");
    EXPECT_EQ(numberText(2), "2");
}
