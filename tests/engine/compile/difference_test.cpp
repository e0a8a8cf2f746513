// What counts as right.

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compile/difference.h"
#include "compile/measure.h"

namespace plumbline::compile {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(CompiledDifference, IsRelativeToTheLargestValueOfTheTensor) {
    const Difference difference = differenceOf({at::tensor({0.F, 100.F})}, {at::tensor({0.0005F, 100.F})});
    EXPECT_NEAR(difference.largest, 5e-6, 1e-9);
    EXPECT_EQ(difference.refusal, "");
    EXPECT_EQ(differenceOf({at::tensor({0.F, 100.F})}, {at::tensor({0.F, 100.5F})}).refusal,
              "differs by 0.005 of the largest value, more than 1e-05");
}

TEST(CompiledDifference, IsNoneWhereBothSidesAreTheSameNumberOrNone) {
    const at::Tensor odd = at::tensor({kNan, kInf, -kInf, 2.F});
    EXPECT_EQ(differenceOf({odd}, {odd.clone()}).refusal, "");
    EXPECT_EQ(differenceOf({odd}, {odd.clone()}).largest, 0);
    for (const float other : {kNan, -kInf, 1e30F}) {
        EXPECT_TRUE(std::isinf(differenceOf({odd}, {at::tensor({kNan, other, -kInf, 2.F})}).largest)) << other;
    }
    EXPECT_NE(differenceOf({at::tensor({1.F})}, {at::tensor({kNan})}).refusal, "");
    EXPECT_NE(differenceOf({at::tensor({0.F})}, {at::tensor({1e-12F})}).refusal, "");
}

TEST(CompiledDifference, TakesNoOtherWholeNumberShapeOrElementType) {
    const at::Tensor whole = at::tensor({1, 2});
    EXPECT_EQ(differenceOf({whole}, {whole.clone()}).refusal, "");
    EXPECT_EQ(differenceOf({whole}, {at::tensor({1, 3})}).refusal, "gives other whole numbers");
    EXPECT_EQ(differenceOf({at::tensor({1.F, 2.F})}, {at::tensor({1.F})}).refusal,
              "gives float32 [1] and not float32 [2]");
    EXPECT_EQ(differenceOf({at::tensor({1.F})}, {at::tensor({1.0})}).refusal, "gives float64 [1] and not float32 [1]");
    EXPECT_EQ(differenceOf({whole}, {}).refusal, "gives 0 tensors and not 1");
}

TEST(CompiledDifference, CountsSamplesWithAnotherClass) {
    const at::Tensor scores = at::tensor({1.F, 2.F, 3.F, 0.F}).view({2, 2});
    EXPECT_EQ(otherClasses(scores, scores), 0);
    EXPECT_EQ(otherClasses(scores, at::tensor({2.F, 1.F, 3.F, 0.F}).view({2, 2})), 1);
    EXPECT_EQ(otherClasses(at::tensor({1.F, 2.F}), at::tensor({2.F, 1.F})), 0);  // no classes
}

TEST(CompiledTimes, AreOfEachWorkByItsOwn) {
    int first = 0, second = 0;
    const Times times = interleaved(
        at::kCPU, [&] { ++first; }, [&] { ++second; });
    EXPECT_EQ(first, second);
    EXPECT_GE(first, 7);
    EXPECT_GE(times.first, 0);
    EXPECT_GE(times.second, 0);
}

}  // namespace
}  // namespace plumbline::compile
