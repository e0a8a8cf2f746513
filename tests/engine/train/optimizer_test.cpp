#include "train/optimizer.h"

#include <ATen/ops/mv.h>
#include <ATen/ops/zeros.h>

#include "reference.h"

namespace plumbline::train {
namespace {

plan::OptimizerSpec specOf(const Json& one) {
    plan::OptimizerSpec spec;
    spec.type = one.at("optimizer").get<std::string>();
    const Json& options = one.at("options");
    spec.lr = options.at("lr").get<double>();
    spec.weightDecay = options.value("weight_decay", spec.type == "AdamW" ? 0.01 : 0.0);
    spec.momentum = options.value("momentum", 0.0);
    spec.dampening = options.value("dampening", 0.0);
    spec.nesterov = options.value("nesterov", false);
    spec.maximize = options.value("maximize", false);
    spec.amsgrad = options.value("amsgrad", false);
    spec.eps = options.value("eps", 1e-8);
    if (options.contains("betas")) {
        spec.beta1 = options["betas"][0].get<double>();
        spec.beta2 = options["betas"][1].get<double>();
    }
    return spec;
}

/// f(w) = sum((A w - b)^2)
struct Quadratic {
    at::Tensor a, b;
    explicit Quadratic(const Json& json) : a(test::tensor(json.at("A"))), b(test::tensor(json.at("b"))) {}
    at::Tensor operator()(const at::Tensor& w) const { return (at::mv(a, w) - b).square().sum(); }
};

at::Tensor parameter(const Json& values, at::ScalarType dtype = at::kDouble) {
    return test::tensor(values).to(dtype).requires_grad_(true);
}

std::unique_ptr<Optimizer> make(const plan::OptimizerSpec& spec, const std::vector<NamedParameter>& parameters) {
    auto optimizer = Optimizer::make(spec, groupParameters(spec, parameters));
    EXPECT_TRUE(optimizer.has_value()) << (optimizer ? "" : optimizer.error().message);
    return optimizer ? std::move(*optimizer) : nullptr;
}

std::map<std::string, at::Tensor> copied(const NamedTensors& state) {
    std::map<std::string, at::Tensor> copy;
    for (const auto& [name, value] : state) {
        copy.emplace(name, value.clone());
    }
    return copy;
}

TEST(Optimizer, GivesPyTorchsParametersAndState) {
    const Json json = test::reference("optimizers.json");
    const Quadratic f(json);
    for (const Json& one : json.at("cases")) {
        const std::string what = one.at("optimizer").get<std::string>() + " " + one.at("options").dump();
        at::Tensor w = parameter(json.at("w0"));
        const auto optimizer = make(specOf(one), {{"w", w}});
        for (int step = 1; step <= 20; ++step) {
            optimizer->zeroGrad();
            f(w).backward();
            optimizer->step();
            if (one.at("w").contains(std::to_string(step))) {
                test::expectNear(w, test::tensor(one.at("w").at(std::to_string(step))), 1e-12, what + " w after " + std::to_string(step));
            }
        }
        const auto state = copied(optimizer->state());
        for (const auto& [name, value] : one.at("state_after_20").items()) {
            ASSERT_TRUE(state.contains("w." + name)) << what << " lacks " << name;
            test::expectNear(state.at("w." + name), test::tensor(value), 1e-12, what + " " + name);
        }
    }
}

TEST(Optimizer, GroupsHaveTheirOwnRatesAndAParameterWithoutGradientStays) {
    const Json json = test::reference("optimizers.json");
    const Json& groups = json.at("groups");
    plan::OptimizerSpec spec;
    spec.type = "AdamW";
    spec.lr = 0.01;
    spec.weightDecay = 0.2;
    spec.groups = {{"w", 0.1, std::nullopt}, {"u", std::nullopt, 0.0}};
    at::Tensor w = parameter(json.at("w0")), u = parameter(groups.at("u0")), v = parameter(groups.at("v0"));
    const auto optimizer = make(spec, {{"w", w}, {"u", u}, {"v", v}});
    const Quadratic f(json);
    for (int step = 1; step <= 20; ++step) {
        optimizer->zeroGrad();
        (f(w) + u.pow(4).sum()).backward();
        optimizer->step();
        const std::string key = std::to_string(step);
        if (groups.at("w").contains(key)) {
            test::expectNear(w, test::tensor(groups.at("w").at(key)), 1e-12, "w " + key);
            test::expectNear(u, test::tensor(groups.at("u").at(key)), 1e-12, "u " + key);
            test::expectNear(v, test::tensor(groups.at("v").at(key)), 0, "v " + key);
        }
    }
    EXPECT_EQ(copied(optimizer->state()).count("v.step"), 0U);
}

TEST(Optimizer, GoesOnFromASavedStateExactlyInFloat32) {
    const Json json = test::reference("optimizers.json");
    Quadratic f(json);
    f.a = f.a.to(at::kFloat);
    f.b = f.b.to(at::kFloat);
    for (const char* type : {"SGD", "Adam", "AdamW"}) {
        plan::OptimizerSpec spec;
        spec.type = type;
        spec.lr = 0.05;
        spec.momentum = 0.9;
        at::Tensor w = parameter(json.at("w0"), at::kFloat);
        auto optimizer = make(spec, {{"w", w}});
        const auto run = [&](int steps) {
            for (int i = 0; i < steps; ++i) {
                optimizer->zeroGrad();
                f(w).backward();
                optimizer->step();
            }
        };
        run(7);
        const auto state = copied(optimizer->state());
        const at::Tensor saved = w.detach().clone();
        run(9);
        const at::Tensor straight = w.detach().clone();
        w = saved.clone().requires_grad_(true);
        optimizer = make(spec, {{"w", w}});
        ASSERT_TRUE(optimizer->loadState(state).has_value());
        run(9);
        EXPECT_TRUE(w.detach().equal(straight)) << type;
    }
}

TEST(Optimizer, LateGradientStartsTheMomentumOfItsOwnParameterOnly) {
    plan::OptimizerSpec spec;
    spec.lr = 0.1;
    spec.momentum = 0.9;
    spec.dampening = 0.5;
    at::Tensor early = parameter(Json::array({1.0})), late = parameter(Json::array({1.0}));
    const auto optimizer = make(spec, {{"early", early}, {"late", late}});
    const auto step = [&](const at::Tensor& loss) {
        optimizer->zeroGrad();
        loss.backward();
        optimizer->step();
    };
    step(early.sum());
    step(early.sum() + late.sum());
    step(early.sum() + late.sum());
    // Momentum buffers: 1, then 0.9 * 1 + 0.5 = 1.4, then 0.9 * 1.4 + 0.5 = 1.76.
    EXPECT_NEAR(early.item<double>(), 1 - 0.1 * (1 + 1.4 + 1.76), 1e-12);
    EXPECT_NEAR(late.item<double>(), 1 - 0.1 * (1 + 1.4), 1e-12);
}

TEST(Optimizer, ScaleAndFoundInfReachTheKernel) {
    plan::OptimizerSpec spec;
    spec.lr = 0.5;
    at::Tensor w = parameter(Json::array({1.0}), at::kFloat);
    const auto optimizer = make(spec, {{"w", w}});
    const at::Tensor scale = at::zeros({}, at::kFloat).fill_(4), clean = at::zeros({}, at::kFloat), bad = at::zeros({}, at::kFloat).fill_(1);
    (w.sum() * 4).backward();
    optimizer->step(scale, bad);
    EXPECT_EQ(w.item<float>(), 1.0F);
    optimizer->step(scale, clean);
    EXPECT_EQ(w.item<float>(), 0.5F);
}

TEST(Optimizer, SaysWhatIsWrongWithItsSettings) {
    plan::OptimizerSpec spec;
    at::Tensor w = parameter(Json::array({1.0}));
    spec.nesterov = true;
    EXPECT_EQ(Optimizer::make(spec, groupParameters(spec, {{"w", w}})).error().code, "nesterov-needs-momentum");
    spec.type = "Lion";
    EXPECT_EQ(Optimizer::make(spec, groupParameters(spec, {{"w", w}})).error().code, "unknown-optimizer");
    EXPECT_EQ(Optimizer::make({}, {}).error().code, "nothing-to-train");
}

TEST(Optimizer, PatternsMatchWholeNames) {
    EXPECT_TRUE(matchesGlob("*.bn.*", "layers.0.bn.weight"));
    EXPECT_FALSE(matchesGlob("*.bn.*", "bn.weight"));
    EXPECT_TRUE(matchesGlob("*bias", "fc.bias"));
    EXPECT_FALSE(matchesGlob("*bias", "fc.bias2"));
    EXPECT_TRUE(matchesGlob("fc?.w*", "fc1.weight"));
    EXPECT_TRUE(matchesGlob("*", ""));
}

}  // namespace
}  // namespace plumbline::train
