#include "train/grad_scaler.h"

#include <ATen/TensorOperators.h>

#include "reference.h"
#include "train/clip.h"

namespace plumbline::train {
namespace {

struct Fixture {
    at::Tensor w;
    std::unique_ptr<Optimizer> optimizer;
    explicit Fixture(const Json& values, double lr) : w(test::tensor(values).to(at::kFloat).requires_grad_(true)) {
        plan::OptimizerSpec spec;
        spec.lr = lr;
        optimizer = *Optimizer::make(spec, groupParameters(spec, {{"w", w}}));
    }
};

TEST(GradScaler, FollowsPyTorchsTrace) {
    const Json json = test::reference("gradscaler.json");
    for (const Json& one : json.at("cases")) {
        const std::string what = one.at("options").dump() + " " + one.at("pattern").get<std::string>();
        plan::GradScalerSpec spec;
        const Json& options = one.at("options");
        spec.initScale = options.at("init_scale").get<double>();
        spec.growthInterval = options.at("growth_interval").get<std::int64_t>();
        spec.growthFactor = options.value("growth_factor", 2.0);
        spec.backoffFactor = options.value("backoff_factor", 0.5);
        GradScaler scaler(spec);
        Fixture f(Json::array({1.0}), 1e-3);
        const auto bad = one.at("bad_steps").get<std::vector<int>>();
        std::vector<int> skipped;
        for (int step = 0; step < json.at("steps").get<int>(); ++step) {
            ASSERT_EQ(static_cast<float>(scaler.currentScale()),
                      one.at("scale").at(static_cast<std::size_t>(step)).get<float>())
                << what << step;
            f.optimizer->zeroGrad();
            // A gradient of 1e-3 a unit of scale stays finite for every scale in the trace.
            f.w.mutable_grad() = test::tensor(Json::array({0.0})).to(at::kFloat);
            if (std::count(bad.begin(), bad.end(), step) > 0) {
                f.w.mutable_grad().fill_(one.at("pattern") == "nan_at_12" ? std::nan("")
                                                                          : std::numeric_limits<double>::infinity());
            }
            const auto applied = scaler.step(*f.optimizer);
            ASSERT_TRUE(applied.has_value());
            if (!*applied) {
                skipped.push_back(step);
            }
            scaler.update();
            EXPECT_EQ(scaler.growthTracker(),
                      one.at("growth_tracker_after").at(static_cast<std::size_t>(step)).get<int>())
                << what << step;
        }
        EXPECT_EQ(static_cast<float>(scaler.currentScale()), one.at("scale_after").get<float>()) << what;
        EXPECT_EQ(skipped, one.at("skipped").get<std::vector<int>>()) << what;
        for (const auto& [key, value] : one.at("state_dict").items()) {
            EXPECT_DOUBLE_EQ(scaler.saveState().at(key).get<double>(), value.get<double>()) << what << key;
        }
    }
}

TEST(GradScaler, UnscalesBeforeClipping) {
    const Json one = test::reference("gradscaler.json").at("clip_after_unscale");
    plan::GradScalerSpec spec;
    spec.initScale = 1024;
    GradScaler scaler(spec);
    Fixture f(Json::array({3.0, 4.0}), 0.1);
    scaler.scale(f.w.square().sum()).backward();
    test::expectNear(f.w.grad(), test::tensor(one.at("scaled_grad")), 0, "scaled");
    ASSERT_TRUE(scaler.unscale(*f.optimizer).has_value());
    test::expectNear(f.w.grad(), test::tensor(one.at("unscaled_grad")), 0, "unscaled");
    EXPECT_FLOAT_EQ(clipGradNorm({f.w.grad()}, 1.0, 2.0).item<float>(), 10.0F);
    test::expectNear(f.w.grad(), test::tensor(one.at("clipped_grad")), 1e-9, "clipped");
    ASSERT_TRUE(*scaler.step(*f.optimizer));
    test::expectNear(f.w, test::tensor(one.at("w")), 1e-9, "w");
    scaler.update();
    EXPECT_EQ(scaler.currentScale(), 1024);
}

TEST(GradScaler, RefusesToUnscaleOrStepTwiceBetweenUpdates) {
    GradScaler scaler({});
    Fixture f(Json::array({1.0}), 0.1);
    scaler.scale(f.w.sum()).backward();
    ASSERT_TRUE(scaler.unscale(*f.optimizer).has_value());
    EXPECT_EQ(scaler.unscale(*f.optimizer).error().code, "unscale-twice");
    ASSERT_TRUE(scaler.step(*f.optimizer).has_value());
    EXPECT_EQ(scaler.step(*f.optimizer).error().code, "step-twice");
    scaler.update();
    EXPECT_TRUE(scaler.unscale(*f.optimizer).has_value());
}

TEST(GradScaler, GoesOnFromASavedState) {
    plan::GradScalerSpec spec;
    spec.initScale = 3;
    spec.growthInterval = 4;
    GradScaler scaler(spec);
    Fixture f(Json::array({1.0}), 0);
    f.w.sum().backward();
    const auto step = [&](GradScaler& one) {
        ASSERT_TRUE(one.step(*f.optimizer).has_value());
        one.update();
    };
    for (int i = 0; i < 6; ++i) {
        step(scaler);
    }
    GradScaler other({});
    ASSERT_TRUE(other.loadState(scaler.saveState()).has_value());
    for (int i = 0; i < 6; ++i) {
        step(scaler);
        step(other);
        EXPECT_EQ(scaler.currentScale(), other.currentScale());
        EXPECT_EQ(scaler.growthTracker(), other.growthTracker());
    }
    EXPECT_FALSE(other.loadState(Json::parse(R"({"scales": 1})")).has_value());
}

TEST(GradScaler, SkipsTheOptimizerAloneWhoseGradientsAreNotFinite) {
    const Json one = test::reference("gradscaler.json").at("two_optimizers");
    plan::GradScalerSpec spec;
    spec.initScale = 8;
    GradScaler scaler(spec);
    Fixture a(Json::array({1.0}), 0.5), b(Json::array({1.0}), 0.5);
    scaler.scale(a.w.sum() + b.w.sum()).backward();
    a.w.mutable_grad().fill_(std::numeric_limits<double>::infinity());
    EXPECT_FALSE(*scaler.step(*a.optimizer));
    EXPECT_TRUE(*scaler.step(*b.optimizer));
    scaler.update();
    test::expectNear(a.w, test::tensor(one.at("a")), 0, "a");
    test::expectNear(b.w, test::tensor(one.at("b")), 0, "b");
    EXPECT_EQ(scaler.currentScale(), one.at("scale").get<double>());
}

/// So many steps, each with a gradient that is good or not; gives which updates set the scale back.
std::vector<int> resetsOf(GradScaler& scaler, Fixture& f, const std::vector<bool>& good) {
    std::vector<int> resets;
    for (std::size_t i = 0; i < good.size(); ++i) {
        f.w.mutable_grad() =
            test::tensor(Json::array({good[i] ? 0.0 : std::numeric_limits<double>::quiet_NaN()})).to(at::kFloat);
        EXPECT_EQ(*scaler.step(*f.optimizer), good[i]);
        if (scaler.update()) {
            resets.push_back(static_cast<int>(i));
        }
    }
    return resets;
}

TEST(GradScaler, DoesNotFallBelowItsSmallestScale) {
    plan::GradScalerSpec spec;
    spec.initScale = 64;
    spec.minScale = 10;
    spec.growthInterval = 2;
    GradScaler scaler(spec);
    Fixture f(Json::array({1.0}), 0.1);
    EXPECT_TRUE(resetsOf(scaler, f, {false, false}).empty());
    EXPECT_EQ(scaler.currentScale(), 16);
    EXPECT_TRUE(resetsOf(scaler, f, {false, false, false}).empty());
    EXPECT_EQ(scaler.currentScale(), 10);
    EXPECT_TRUE(resetsOf(scaler, f, {true, true}).empty());
    EXPECT_EQ(scaler.currentScale(), 20);
}

TEST(GradScaler, GoesBackToItsFirstScaleAfterSoManySkippedStepsInARow) {
    plan::GradScalerSpec spec;
    spec.initScale = 64;
    spec.resetAfterSkips = 3;
    GradScaler scaler(spec);
    Fixture f(Json::array({1.0}), 0.1);
    // A step that is taken begins the count again.
    EXPECT_TRUE(resetsOf(scaler, f, {false, false, true, false, false}).empty());
    EXPECT_EQ(scaler.currentScale(), 4);
    EXPECT_EQ(scaler.skippedInARow(), 2);
    // The count is part of the state.
    GradScaler other(spec);
    ASSERT_TRUE(other.loadState(scaler.saveState()).has_value());
    EXPECT_EQ(resetsOf(other, f, {false, true}), std::vector<int>{0});
    EXPECT_EQ(other.currentScale(), 64);
    EXPECT_EQ(resetsOf(scaler, f, {false, false, false, false}), (std::vector<int>{0, 3}));
    EXPECT_EQ(scaler.growthTracker(), 0);
}

}  // namespace
}  // namespace plumbline::train
