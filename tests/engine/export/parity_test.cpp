// When what was exported counts as the same, and when it does not.

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "export/parity.h"

namespace plumbline::exporting {
namespace {

at::Tensor values(double value, std::int64_t count = 3) {
    return at::full({count}, value, at::kDouble);
}

session::ExportReport comparedWith(const NamedTensors& other,
                                   const NamedTensors& reference = {{"forward.logits", values(2.0)},
                                                                    {"step.5.loss", values(0.5, 1)}}) {
    session::ExportReport report;
    compare(reference, other, report);
    return report;
}

TEST(Parity, DifferencesAreRelativeToTheLargestValueAndAbsoluteBelowOne) {
    EXPECT_DOUBLE_EQ(difference(values(100.0), values(101.0)), 0.01);
    EXPECT_DOUBLE_EQ(difference(values(0.001), values(0.002)), 0.001);
    EXPECT_EQ(difference(at::zeros({0}), at::zeros({0})), 0);
}

TEST(Parity, AnotherShapeAndNaNAreInfinitelyFar) {
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(difference(values(1.0, 3), values(1.0, 4)), infinite);
    EXPECT_EQ(difference(values(1.0), values(std::nan(""))), infinite);
    EXPECT_EQ(difference(values(std::nan("")), values(1.0)), infinite);
}

TEST(Parity, HoldsWithinItsTolerances) {
    const session::ExportReport report =
        comparedWith({{"forward.logits", values(2.0 + 1.9e-6)}, {"step.5.loss", values(0.5 + 9e-6, 1)}});
    EXPECT_TRUE(report.checked && report.passed);
    EXPECT_EQ(report.worst.size(), 2U);
    EXPECT_EQ(report.worst[0]["tensor"], "step.5.loss") << "the largest difference first";
}

TEST(Parity, FailsWhereTheForwardPassOrTheTrainingIsFurtherOff) {
    const session::ExportReport forward =
        comparedWith({{"forward.logits", values(2.0 + 2.1e-6)}, {"step.5.loss", values(0.5, 1)}});
    EXPECT_FALSE(forward.passed);
    EXPECT_NEAR(forward.forwardMax.value(), 1.05e-6, 1e-9);
    EXPECT_EQ(forward.trainingMax, 0);
    EXPECT_FALSE(comparedWith({{"forward.logits", values(2.0)}, {"step.5.loss", values(0.5 + 1.1e-5, 1)}}).passed);
}

TEST(Parity, PreparedInputsCountAsPartOfTheForwardPass) {
    const session::ExportReport report =
        comparedWith({{"prepared.x", values(2.0 + 2.1e-6)}}, {{"prepared.x", values(2.0)}});
    EXPECT_FALSE(report.passed);
    EXPECT_NEAR(report.forwardMax.value(), 1.05e-6, 1e-9);
    EXPECT_FALSE(report.trainingMax) << "nothing was trained";
}

TEST(Parity, FailsWhereATensorIsMissingAndWhereThereIsNothingToCompare) {
    const session::ExportReport missing = comparedWith({{"forward.logits", values(2.0)}});
    EXPECT_FALSE(missing.passed);
    EXPECT_EQ(missing.worst[0]["tensor"], "step.5.loss");
    EXPECT_EQ(missing.worst[0]["difference"], "infinite");
    EXPECT_FALSE(comparedWith({}, {}).passed);
}

}  // namespace
}  // namespace plumbline::exporting
