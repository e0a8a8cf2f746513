#include "graph/expression.h"

#include <gtest/gtest.h>

#include <random>

#include "core/json.h"

namespace plumbline::graph {
namespace {

Scope scopeOf(const Json& names) {
    Scope scope;
    for (const auto& [name, value] : names.items()) {
        scope.set(name, value);
    }
    return scope;
}

Json valueOf(const std::string& text, const Json& names = Json::object()) {
    const auto value = evaluateExpression(text, scopeOf(names));
    EXPECT_TRUE(value) << text << ": " << value.error().message;
    return value.value_or(Json());
}

std::string errorOf(const std::string& text, const Json& names = Json::object()) {
    const auto value = evaluateExpression(text, scopeOf(names));
    EXPECT_FALSE(value) << text << " gave " << value->dump();
    return value ? "" : toSentence(value.error());
}

TEST(Expression, GivesWhatPythonGives) {
    const auto data = readJsonFile(PLUMBLINE_SOURCE_DIR "/tests/engine/graph/python_expressions.json");
    ASSERT_TRUE(data);
    const Scope scope = scopeOf(data->at("names"));
    for (const Json& testCase : data->at("cases")) {
        const auto& text = testCase.at("text").get_ref<const std::string&>();
        const auto value = evaluateExpression(text, scope);
        if (testCase.contains("error")) {
            EXPECT_FALSE(value) << text << " gave " << value->dump();
            continue;
        }
        ASSERT_TRUE(value) << text << ": " << value.error().message;
        const Json& wanted = testCase.at("value");
        EXPECT_EQ(value->is_boolean(), wanted.is_boolean()) << text;
        EXPECT_EQ(value->is_number_float(), wanted.is_number_float()) << text;
        if (wanted.is_number_float()) {  // pow is the one function whose last bit libraries may choose
            EXPECT_NEAR(value->get<double>(), wanted.get<double>(), 1e-15 * std::abs(wanted.get<double>())) << text;
        } else {
            EXPECT_EQ(*value, wanted) << text;
        }
    }
}

TEST(Expression, WhatProjectsWrite) {
    EXPECT_EQ(valueOf("32 * 2 ** index", {{"index", 3}}), 256);
    EXPECT_EQ(valueOf("2 if index == 0 else 1", {{"index", 0}}), 2);
    EXPECT_EQ(valueOf("dropout > 0", {{"dropout", 0.0}}), false);
    EXPECT_EQ(valueOf("widths[index] // 2", {{"widths", {10, 20, 30}}, {"index", -1}}), 15);
    EXPECT_EQ(valueOf("len(widths) + max(widths)", {{"widths", {1, 2}}}), 4);
    EXPECT_EQ(valueOf("mode == 'same'", {{"mode", "same"}}), true);
    EXPECT_EQ(valueOf("[k, k + 1]", {{"k", 3}}), Json::array({3, 4}));
}

TEST(Expression, OnlyTheChosenBranchIsEvaluated) {
    EXPECT_EQ(valueOf("1 / 0 if False else 2"), 2);
    EXPECT_EQ(valueOf("False and 1 / 0"), false);
    EXPECT_EQ(valueOf("True or nothing"), true);
}

TEST(Expression, WholeNumbersDoNotWrapAround) {
    EXPECT_EQ(valueOf("9223372036854775807"), INT64_MAX);
    EXPECT_EQ(valueOf("-9223372036854775807 - 1"), INT64_MIN);
    for (const char* text : {"9223372036854775807 + 1", "-9223372036854775807 - 2", "2 ** 63",
                             "3037000500 * 3037000500", "-(-9223372036854775807 - 1)",
                             "(-9223372036854775807 - 1) // -1", "9223372036854775808", "10 ** 100000000"}) {
        EXPECT_FALSE(errorOf(text).empty()) << text;
    }
    EXPECT_EQ(valueOf("(-9223372036854775807 - 1) % -1"), 0);
    EXPECT_EQ(valueOf("(-1) ** 9223372036854775807"), -1);
}

TEST(Expression, DivisionByZeroAndInfinityAreErrors) {
    for (const char* text :
         {"1 / 0", "1 // 0", "1 % 0", "1.5 % 0.0", "0 ** -1", "0.0 ** -0.5", "1e308 * 10", "(-8) ** 0.5", "1e999"}) {
        EXPECT_FALSE(errorOf(text).empty()) << text;
    }
}

TEST(Expression, ErrorsNameTheColumn) {
    EXPECT_NE(errorOf("1 + * 2").find("column 5"), std::string::npos) << errorOf("1 + * 2");
    EXPECT_NE(errorOf("a + chanels", {{"a", 1}, {"channels", 2}}).find("Did you mean \"channels\"?"),
              std::string::npos);
    EXPECT_NE(errorOf("a + chanels", {{"a", 1}, {"channels", 2}}).find("column 5"), std::string::npos);
    for (const char* text : {"",      " ",   "(",       ")",         "1 2",  "a if b", "min()",  "foo(1)",
                             "1 <",   "not", "[1",      "x[",        "'abc", "1..2",   "2x",     "$",
                             "1 = 2", "a.b", "'a' + 1", "[1] < [2]", "-'a'", "len(1)", "[1][2]", "min('a')"}) {
        EXPECT_NE(errorOf(text, {{"a", 1}, {"x", {1}}}).find("column"), std::string::npos) << text;
    }
}

TEST(Expression, DepthAndLengthAreLimited) {
    EXPECT_FALSE(errorOf(std::string(2000, '(') + "1" + std::string(2000, ')')).empty());
    EXPECT_FALSE(errorOf(std::string(3000, '-') + "1").empty());
    EXPECT_FALSE(errorOf(std::string(10000, '1')).empty());
    std::string nots;
    for (int i = 0; i < 500; ++i) {
        nots += "not ";
    }
    EXPECT_FALSE(errorOf(nots + "1").empty());
    std::string sum = "1";
    for (int i = 0; i < 1000; ++i) {
        sum += "+1";
    }
    EXPECT_EQ(valueOf(sum), 1001);
}

TEST(Expression, AnythingAtAllEndsInAValueOrASentence) {
    std::mt19937 random(1);  // a fixed seed: the same texts on every machine, for the generator is specified exactly
    const std::string alphabet = "ab19.+-*/%()[],<>=! '\"if else and or not min len True";
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (auto left = random() % 24; left > 0; --left) {
            text += alphabet[random() % alphabet.size()];
        }
        const auto value = evaluateExpression(text, scopeOf({{"a", 3}, {"b", -0.5}}));
        EXPECT_TRUE(value.has_value() || !value.error().message.empty()) << text;
    }
}

TEST(Expression, WhatDependsOnAMissingValueIsNobodysFault) {
    Scope scope;
    scope.setUnknown("channels");
    const auto value = evaluateExpression("channels * 2", scope);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, "unknown-value");
}

TEST(Expression, ListsAreEvaluatedMemberByMember) {
    Scope scope;
    scope.set("k", 3);
    EXPECT_EQ(*evaluateValue(Json::array({"=k", 2, Json::array({"=k + 1"})}), scope),
              Json::array({3, 2, Json::array({4})}));
    EXPECT_EQ(*evaluateValue("plain", scope), "plain");
}

}  // namespace
}  // namespace plumbline::graph
