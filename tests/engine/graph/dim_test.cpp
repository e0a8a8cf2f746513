#include <gtest/gtest.h>

#include "graph/tensor_type.h"

namespace plumbline::graph {
namespace {

const Dim kB = Dim::symbol("B");
const Dim kT = Dim::symbol("T");

Dim parsed(const std::string& text) {
    const auto dim = Dim::parse(text);
    EXPECT_TRUE(dim) << text;
    return dim.value_or(Dim(-999));
}

TEST(Dim, EqualExpressionsAreEqualHoweverTheyAreWritten) {
    EXPECT_EQ(parsed("2*(T + 1) - T"), parsed("T + 2"));
    EXPECT_EQ(parsed("B*T - T*B"), Dim(0));
    EXPECT_NE(parsed("T + 1"), parsed("T"));
}

TEST(Dim, TextReadsBackAsTheSameDimension) {
    for (const char* text : {"B", "7", "2*B*T + 3*T - 1", "(T + 1) // 2", "3*((T + 1) // 2) + B", "-B + 4",
                             "-((T + 1) // 2)", "B - (T + 1) // 2", "(B + T) // (T + 1)"}) {
        const Dim dim = parsed(text);
        EXPECT_EQ(parsed(dim.toString()), dim) << text << " became " << dim.toString();
    }
    EXPECT_EQ(parsed("2*B*T + 3*T - 1").toString(), "2*B*T + 3*T - 1");
}

TEST(Dim, FloorDivisionIsExactWhereItCanBe) {
    EXPECT_EQ(floorDivide(parsed("4*T + 6"), 2), parsed("2*T + 3"));
    EXPECT_EQ(floorDivide(parsed("2*T + 1"), 2), kT);
    EXPECT_EQ(floorDivide(parsed("2*T - 1"), 2), parsed("T - 1"));
    EXPECT_EQ(floorDivide(parsed("B*T*8"), parsed("8*T")), kB);
    EXPECT_EQ(floorDivide(Dim(-7), 2), Dim(-4));
}

TEST(Dim, FloorDivisionThatIsNotExactKeepsItsValue) {
    for (std::int64_t t = 1; t < 20; ++t) {
        EXPECT_EQ(parsed("(3*T + 5) // 2").evaluate({{"T", t}}), (3 * t + 5) / 2) << t;
        EXPECT_EQ(parsed("((T + 1) // 2 + 1) // 2").evaluate({{"T", t}}), ((t + 1) / 2 + 1) / 2) << t;
    }
    EXPECT_EQ(parsed("(T + 1) // 2").evaluate({}), std::nullopt);
}

TEST(Dim, AnythingThatIsNoDimensionIsASentence) {
    for (const char* text : {"", "2*", "T+", "(T", "T)", "T // 0", "1.5", "T ** 2", "99999999999999999999", "a b"}) {
        const auto dim = Dim::parse(text);
        ASSERT_FALSE(dim) << text;
        EXPECT_NE(dim.error().message.find("column"), std::string::npos) << dim.error().message;
    }
    EXPECT_FALSE(Dim::parse(std::string(5000, '(')));
}

TEST(Dim, HugeProductsSaturateInsteadOfWrapping) {
    Dim dim = std::int64_t{1} << 40;
    dim = dim * dim * kB;
    EXPECT_TRUE(dim.overflowed());
    EXPECT_FALSE((kB * Dim(1000)).overflowed());
}

TEST(TensorType, CountsItsElements) {
    const TensorType type{DType::kFloat32, {kB, 3, 4}};
    EXPECT_EQ(type.elementCount(), kB * Dim(12));
    EXPECT_EQ(type.shapeText(), "B, 3, 4");
}

TEST(Dim, AProductOfManySumsIsRefusedBeforeTheMemoryEnds) {
    std::string text = "(a0+b0)";
    for (int i = 1; i < 40; ++i) {
        text += "*(a" + std::to_string(i) + "+b" + std::to_string(i) + ")";
    }
    const auto dim = Dim::parse(text);
    ASSERT_FALSE(dim);
    EXPECT_NE(dim.error().message.find("at most 1000 terms"), std::string::npos) << dim.error().message;
}

}  // namespace
}  // namespace plumbline::graph
