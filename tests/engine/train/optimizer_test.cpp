#include "train/optimizer.h"

#include <ATen/ops/clone.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <functional>
#include <set>

#include "reference.h"

namespace plumbline::train {
namespace {

plan::OptimizerSpec optimizerNamed(const std::string& type, double lr, const Json& options = Json::object()) {
    plan::OptimizerSpec spec;
    spec.type = type;
    spec.lr = lr;
    spec.weightDecay = type == "AdamW" ? 0.01 : 0.0;
    for (const auto& [name, value] : options.items()) {
        if (name == "lr") {
            spec.lr = value.get<double>();
        } else if (name == "weight_decay") {
            spec.weightDecay = value.get<double>();
        } else if (name == "maximize") {
            spec.maximize = value.get<bool>();
        } else {
            EXPECT_NE(spec.kind()->option(name), nullptr) << type << " " << name;
            spec.options[name] = value;
        }
    }
    return spec;
}

plan::OptimizerSpec specOf(const Json& one) {
    return optimizerNamed(one.at("optimizer").get<std::string>(), 0, one.at("options"));
}

bool isFused(const std::string& type) {
    const std::vector<std::string>& fused = plan::fusedOptimizers();
    return std::find(fused.begin(), fused.end(), type) != fused.end();
}

/// f(w) = sum((A w - b)^2)
struct Quadratic {
    at::Tensor a, b;
    explicit Quadratic(const Json& json, at::ScalarType dtype = at::kDouble)
        : a(test::tensor(json.at("A")).to(dtype)), b(test::tensor(json.at("b")).to(dtype)) {}
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

std::string refusalOf(const plan::OptimizerSpec& spec) {
    auto optimizer = Optimizer::make(spec, groupParameters(spec, {{"w", parameter(Json::array({1.0}))}}));
    return optimizer ? "" : optimizer.error().code;
}

/// One step towards a smaller loss; gives how often the loss was looked at.
int stepTowards(Optimizer& optimizer, const std::function<at::Tensor()>& loss) {
    int looks = 0;
    const auto look = [&] {
        ++looks;
        optimizer.zeroGrad();
        const at::Tensor value = loss();
        value.backward();
        return value.item<double>();
    };
    if (optimizer.needsClosure()) {
        optimizer.stepWithClosure(look);
    } else {
        look();
        optimizer.step();
    }
    return looks;
}

std::map<std::string, at::Tensor> copied(const NamedTensors& state) {
    std::map<std::string, at::Tensor> copy;
    for (const auto& [name, value] : state) {
        copy.emplace(name, value.clone());
    }
    return copy;
}

/// |a - b| <= relative * max|b|
void expectClose(const at::Tensor& got, const at::Tensor& want, double relative, const std::string& what) {
    ASSERT_EQ(got.sizes(), want.sizes()) << what;
    const at::Tensor a = got.detach().to(at::kDouble), b = want.detach().to(at::kDouble);
    EXPECT_LE((a - b).abs().max().item<double>(), relative * b.abs().max().item<double>()) << what << ":\n"
                                                                                           << a << "\nis not\n"
                                                                                           << b;
}

/// Every setting that tests go through: PyTorch's cases, the other implementation where there are two, and Lion.
std::vector<plan::OptimizerSpec> allOptimizers(const Json& json) {
    std::vector<plan::OptimizerSpec> all;
    for (const Json& one : json.at("cases")) {
        all.push_back(specOf(one));
        if (isFused(all.back().type)) {
            all.push_back(all.back());
            all.back().implementation = "foreach";
        }
    }
    all.push_back(optimizerNamed("Lion", 0.01, {{"weight_decay", 0.1}}));
    all.push_back(optimizerNamed("ASGD", 0.05, {{"t0", 3.0}, {"weight_decay", 0.1}}));
    all.push_back(optimizerNamed("Rprop", 0.05, {{"maximize", true}}));
    return all;
}

std::string told(const plan::OptimizerSpec& spec) {
    return spec.type + " " + spec.implementation + " " + spec.options.dump() + (spec.maximize ? " maximize" : "");
}

TEST(Optimizer, GivesPyTorchsParametersAndState) {
    const Json json = test::reference("optimizers.json");
    const Quadratic f(json);
    ASSERT_EQ(json.at("cases").size(), 37U);
    std::set<std::string> types;
    for (const Json& one : json.at("cases")) {
        for (const char* implementation : {"auto", "foreach"}) {
            plan::OptimizerSpec spec = specOf(one);
            spec.implementation = implementation;
            const std::string what = told(spec);
            types.insert(spec.type);
            at::Tensor w = parameter(json.at("w0"));
            const auto optimizer = make(spec, {{"w", w}});
            int looks = 0;
            for (int step = 1; step <= 20; ++step) {
                looks += stepTowards(*optimizer, [&] { return f(w); });
                if (const std::string key = std::to_string(step); one.at("w").contains(key)) {
                    expectClose(w, test::tensor(one.at("w").at(key)), 1e-12, what + " w after " + key);
                    EXPECT_NEAR(f(w).item<double>(), one.at("f").at(key).get<double>(),
                                1e-11 * std::abs(one.at("f").at(key).get<double>()))
                        << what;
                }
            }
            const auto state = copied(optimizer->state());
            const Json expected = one.value("state_after_20", Json::object());
            for (const auto& [name, value] : expected.items()) {
                ASSERT_TRUE(state.contains("w." + name)) << what << " lacks " << name;
                expectClose(state.at("w." + name), test::tensor(value), 1e-12, what + " " + name);
            }
            if (one.contains("closure_evaluations")) {
                EXPECT_EQ(looks, one.at("closure_evaluations").get<int>()) << what;
                EXPECT_EQ(state.at("w.func_evals").item<int>(), looks) << what;
                EXPECT_EQ(state.at("w.n_iter").item<int>(), one.at("n_iter").get<int>()) << what;
            }
        }
    }
    EXPECT_EQ(types.size(), plan::optimizerTypes().size() - 1);  // all but Lion
}

TEST(Optimizer, Float32FollowsFloat64) {
    const Json json = test::reference("optimizers.json");
    const Quadratic exact(json), rounded(json, at::kFloat);
    for (const plan::OptimizerSpec& spec : allOptimizers(json)) {
        at::Tensor w = parameter(json.at("w0")), v = parameter(json.at("w0"), at::kFloat);
        const auto optimizer = make(spec, {{"w", w}}), other = make(spec, {{"w", v}});
        for (int step = 1; step <= 20; ++step) {
            stepTowards(*optimizer, [&] { return exact(w); });
            stepTowards(*other, [&] { return rounded(v); });
        }
        if (spec.type == "LBFGS") {
            // It has arrived: where a loss is lowest float32 knows the place to the root of its precision only.
            expectClose(rounded(v), exact(w), 1e-5, told(spec));
        } else {
            expectClose(v, w, 1e-5, told(spec));
        }
    }
}

TEST(Optimizer, GroupsHaveTheirOwnRatesAndAParameterWithoutGradientStays) {
    const Json json = test::reference("optimizers.json");
    const Json& groups = json.at("groups");
    plan::OptimizerSpec spec = optimizerNamed("AdamW", 0.01, {{"weight_decay", 0.2}});
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
            expectClose(w, test::tensor(groups.at("w").at(key)), 1e-12, "w " + key);
            expectClose(u, test::tensor(groups.at("u").at(key)), 1e-12, "u " + key);
            expectClose(v, test::tensor(groups.at("v").at(key)), 0, "v " + key);
        }
    }
    EXPECT_EQ(copied(optimizer->state()).count("v.step"), 0U);
}

TEST(Optimizer, LionFollowsItsPaper) {
    const double lr = 0.01, decay = 0.1, beta1 = 0.8, beta2 = 0.95;
    const plan::OptimizerSpec spec = optimizerNamed("Lion", lr, {{"weight_decay", decay}, {"betas", {beta1, beta2}}});
    at::Tensor w = parameter(Json::array({1.5, -2.0, 0.7}));
    const auto optimizer = make(spec, {{"w", w}});
    double x[3] = {1.5, -2.0, 0.7}, moment[3] = {};
    for (int step = 0; step < 30; ++step) {
        // f = sum(w^4) / 4 - w_0, so the first element turns around on its way.
        stepTowards(*optimizer, [&] { return w.pow(4).sum() / 4 - w[0]; });
        for (int i = 0; i < 3; ++i) {
            const double gradient = x[i] * x[i] * x[i] - (i == 0 ? 1 : 0);
            const double direction = beta1 * moment[i] + (1 - beta1) * gradient;
            x[i] -= lr * ((direction > 0) - (direction < 0) + decay * x[i]);
            moment[i] = beta2 * moment[i] + (1 - beta2) * gradient;
        }
    }
    expectClose(w, at::tensor({x[0], x[1], x[2]}, at::kDouble), 1e-12, "w");
    expectClose(optimizer->state().front().second, at::tensor({moment[0], moment[1], moment[2]}, at::kDouble), 1e-12,
                "exp_avg");
    EXPECT_EQ(optimizer->state().front().first, "w.exp_avg");
}

TEST(Optimizer, GoesOnFromASavedStateBitForBit) {
    const Json json = test::reference("optimizers.json");
    const Quadratic f(json, at::kFloat);
    for (plan::OptimizerSpec spec : allOptimizers(json)) {
        spec.lr *= spec.type == "LBFGS" || spec.maximize
                       ? 0.1
                       : 1.0;  // so that it has not arrived, nor gone beyond all numbers
        spec.centralizeGradients = spec.type == "Adam";
        at::Tensor w = parameter(json.at("w0"), at::kFloat),
                   m = parameter({{0.5, -1.0, 2.0}, {0.25, 1.0, -0.5}}, at::kFloat);
        auto optimizer = make(spec, {{"w", w}, {"m", m}});
        const auto run = [&](int steps) {
            for (int i = 0; i < steps; ++i) {
                stepTowards(*optimizer, [&] { return f(w) + at::matmul(m, w).pow(2).sum() * 0.1 + m.pow(2).sum(); });
            }
        };
        run(7);
        const auto state = copied(optimizer->state());
        const at::Tensor savedW = w.detach().clone(), savedM = m.detach().clone();
        run(7);
        const at::Tensor straightW = w.detach().clone(), straightM = m.detach().clone();
        const auto straight = copied(optimizer->state());
        w = savedW.clone().requires_grad_(true);
        m = savedM.clone().requires_grad_(true);
        optimizer = make(spec, {{"w", w}, {"m", m}});
        ASSERT_TRUE(optimizer->loadState(state).has_value()) << told(spec);
        run(7);
        EXPECT_FALSE(straightW.equal(savedW)) << told(spec);
        EXPECT_TRUE(w.detach().equal(straightW)) << told(spec);
        EXPECT_TRUE(m.detach().equal(straightM)) << told(spec);
        const auto resumed = copied(optimizer->state());
        ASSERT_EQ(resumed.size(), straight.size()) << told(spec);
        for (const auto& [name, value] : straight) {
            EXPECT_TRUE(resumed.at(name).equal(value)) << told(spec) << " " << name;
        }
    }
}

TEST(Optimizer, AStateThatDoesNotFitIsRefused) {
    at::Tensor w = parameter(Json::array({1.0, 2.0}));
    for (const char* type : {"Adam", "NAdam", "Rprop", "Adagrad", "LBFGS"}) {
        const auto optimizer = make(optimizerNamed(type, 0.01), {{"w", w}});
        for (int i = 0; i < 3; ++i) {
            stepTowards(*optimizer, [&] { return w.pow(4).sum(); });
        }
        const auto whole = copied(optimizer->state());
        for (const auto& [name, value] : whole) {
            auto state = whole;
            state.erase(name);
            const Status missing = optimizer->loadState(state);
            EXPECT_TRUE(name == "w.func_evals" || (!missing && missing.error().code == "optimizer-state-mismatch"))
                << type << " without " << name;
            state[name] = at::zeros({7}, value.options());
            EXPECT_TRUE(name == "w.ro" || !optimizer->loadState(state)) << type << " " << name;
        }
        EXPECT_TRUE(optimizer->loadState(whole).has_value()) << type;
    }
}

TEST(Optimizer, AParameterWhoseGradientComesLateGoesAsIfItWereAlone) {
    const Json json = test::reference("optimizers.json");
    for (const plan::OptimizerSpec& spec : allOptimizers(json)) {
        if (spec.type == "LBFGS") {
            continue;  // takes all of them as one vector
        }
        at::Tensor early = parameter(json.at("w0"), at::kFloat),
                   late = parameter(Json::array({0.5, -0.25}), at::kFloat),
                   alone = parameter(Json::array({0.5, -0.25}), at::kFloat);
        const auto optimizer = make(spec, {{"early", early}, {"late", late}}), other = make(spec, {{"late", alone}});
        for (int step = 0; step < 12; ++step) {
            stepTowards(*optimizer,
                        [&] { return step < 4 ? early.pow(2).sum() : early.pow(2).sum() + late.pow(2).sum(); });
            if (step < 4) {
                for (const auto& [name, value] : optimizer->state()) {
                    EXPECT_FALSE(name.starts_with("late.")) << told(spec) << " " << name;
                }
            } else {
                stepTowards(*other, [&] { return alone.pow(2).sum(); });
            }
        }
        EXPECT_TRUE(late.detach().equal(alone.detach())) << told(spec);
    }
}

TEST(Optimizer, LateGradientStartsTheMomentumOfItsOwnParameterOnly) {
    for (const char* implementation : {"fused", "foreach"}) {
        plan::OptimizerSpec spec = optimizerNamed("SGD", 0.1, {{"momentum", 0.9}, {"dampening", 0.5}});
        spec.implementation = implementation;
        at::Tensor early = parameter(Json::array({1.0})), late = parameter(Json::array({1.0}));
        const auto optimizer = make(spec, {{"early", early}, {"late", late}});
        stepTowards(*optimizer, [&] { return early.sum(); });
        stepTowards(*optimizer, [&] { return early.sum() + late.sum(); });
        stepTowards(*optimizer, [&] { return early.sum() + late.sum(); });
        // Momentum buffers: 1, then 0.9 * 1 + 0.5 = 1.4, then 0.9 * 1.4 + 0.5 = 1.76.
        EXPECT_NEAR(early.item<double>(), 1 - 0.1 * (1 + 1.4 + 1.76), 1e-12);
        EXPECT_NEAR(late.item<double>(), 1 - 0.1 * (1 + 1.4), 1e-12);
    }
}

TEST(Optimizer, AMomentumThatIsMovedCountsAsIfItHadBeenSet) {
    const std::map<std::string, Json> settings{{"SGD", {{"momentum", 0.8}, {"nesterov", true}}},
                                               {"RMSprop", {{"momentum", 0.8}, {"centered", true}}},
                                               {"Adam", {{"betas", {0.8, 0.99}}}},
                                               {"AdamW", {{"betas", {0.8, 0.99}}}},
                                               {"Adamax", {{"betas", {0.8, 0.99}}}},
                                               {"NAdam", {{"betas", {0.8, 0.99}}}},
                                               {"RAdam", {{"betas", {0.8, 0.99}}}},
                                               {"Lion", {{"betas", {0.8, 0.99}}}}};
    for (const plan::TypeSpec& type : plan::optimizerTypes()) {
        const auto found = settings.find(type.name);
        at::Tensor w = parameter(Json::array({1.0, -0.5})), v = parameter(Json::array({1.0, -0.5}));
        if (found == settings.end()) {
            EXPECT_FALSE(make(optimizerNamed(type.name, 0.01), {{"w", w}})->hasMomentum()) << type.name;
            continue;
        }
        for (const char* implementation : {"auto", "foreach"}) {
            plan::OptimizerSpec spec = optimizerNamed(type.name, 0.01, found->second);
            spec.implementation = implementation;
            plan::OptimizerSpec moved = spec;
            if (spec.options.contains("betas")) {
                moved.options["betas"][0] = 0.5;
            } else {
                moved.options["momentum"] = 0.5;
            }
            const auto optimizer = make(spec, {{"w", w}}), other = make(moved, {{"w", v}});
            ASSERT_TRUE(other->hasMomentum());
            EXPECT_EQ(other->momentum(), 0.5);
            other->setMomentum(0.8);
            for (int step = 0; step < 7; ++step) {
                stepTowards(*optimizer, [&] { return w.pow(4).sum(); });
                stepTowards(*other, [&] { return v.pow(4).sum(); });
            }
            EXPECT_TRUE(w.detach().equal(v.detach())) << type.name;
            other->setMomentum(std::nullopt);
            EXPECT_EQ(other->momentum(), 0.5);
        }
    }
}

TEST(Optimizer, AMomentumThatComesLateBeginsWithTheGradient) {
    for (const char* implementation : {"fused", "foreach"}) {
        plan::OptimizerSpec spec = optimizerNamed("SGD", 0.1, {{"dampening", 0.5}});
        spec.implementation = implementation;
        at::Tensor w = parameter(Json::array({1.0}));
        const auto optimizer = make(spec, {{"w", w}});
        stepTowards(*optimizer, [&] { return w.sum(); });
        EXPECT_TRUE(optimizer->state().empty());
        optimizer->setMomentum(0.9);
        stepTowards(*optimizer, [&] { return w.sum(); });
        stepTowards(*optimizer, [&] { return w.sum(); });
        EXPECT_NEAR(w.item<double>(), 1 - 0.1 * (1 + 1 + 1.4), 1e-12);
    }
}

TEST(Optimizer, CentralizedGradientsHaveNoMeanOverTheirInputs) {
    plan::OptimizerSpec spec = optimizerNamed("AdamW", 0.01);
    at::Tensor m = parameter({{0.5, -1.0, 2.0}, {0.25, 1.0, -0.5}}), b = parameter(Json::array({1.0, 2.0}));
    at::Tensor n = m.detach().clone().requires_grad_(true), c = b.detach().clone().requires_grad_(true);
    const auto plain = make(spec, {{"m", n}, {"b", c}});
    spec.centralizeGradients = true;
    const auto optimizer = make(spec, {{"m", m}, {"b", b}});
    for (int step = 0; step < 5; ++step) {
        stepTowards(*optimizer, [&] { return m.pow(4).sum() + b.pow(4).sum(); });
        plain->zeroGrad();
        (n.pow(4).sum() + c.pow(4).sum()).backward();
        n.mutable_grad() = n.grad() - n.grad().mean(1, true);
        plain->step();
    }
    EXPECT_TRUE(m.detach().equal(n.detach()));
    EXPECT_TRUE(b.detach().equal(c.detach()));
    EXPECT_GT(m.grad().mean(1).abs().min().item<double>(), 0.01);  // the gradient itself is left as it is
}

TEST(Optimizer, ScaleAndFoundInfReachTheKernel) {
    for (const char* type : {"SGD", "Adam", "AdamW", "Adagrad", "RMSprop", "Lion"}) {
        const plan::OptimizerSpec spec = optimizerNamed(type, 0.5);
        at::Tensor w = parameter(Json::array({1.0}), at::kFloat), v = parameter(Json::array({1.0}), at::kFloat);
        const auto optimizer = make(spec, {{"w", w}}), plain = make(spec, {{"w", v}});
        const at::Tensor scale = at::zeros({}, at::kFloat).fill_(4), clean = at::zeros({}, at::kFloat),
                         bad = at::zeros({}, at::kFloat).fill_(1);
        (w.sum() * 4).backward();
        optimizer->step(scale, bad);
        EXPECT_EQ(w.item<float>(), 1.0F) << type;
        (w.sum() * 0).backward();
        w.mutable_grad().fill_(4);
        optimizer->step(scale, clean);
        stepTowards(*plain, [&] { return v.sum(); });
        EXPECT_EQ(w.item<float>(), v.item<float>()) << type;
        for (const auto& [name, value] : plain->state()) {
            EXPECT_TRUE(copied(optimizer->state()).at(name).equal(value)) << type << " " << name;
        }
    }
}

TEST(Optimizer, SaysWhatIsWrongWithItsSettings) {
    EXPECT_EQ(refusalOf(optimizerNamed("SGD", 0.1, {{"nesterov", true}})), "nesterov-needs-momentum");
    EXPECT_EQ(refusalOf(optimizerNamed("Rprop", 0.1, {{"etas", {1.2, 0.5}}})), "etas-out-of-order");
    EXPECT_EQ(refusalOf(optimizerNamed("Rprop", 0.1, {{"step_sizes", {50, 1e-6}}})), "step-sizes-out-of-order");
    plan::OptimizerSpec spec = optimizerNamed("RMSprop", 0.1);
    spec.implementation = "fused";
    EXPECT_EQ(refusalOf(spec), "no-fused-kernel");
    spec = optimizerNamed("LBFGS", 1);
    EXPECT_EQ(refusalOf(spec), "");
    spec.groups = {{"other", std::nullopt, std::nullopt, true}};
    EXPECT_EQ(refusalOf(spec), "");
    spec.groups = {{"other", 0.1, std::nullopt}};
    EXPECT_EQ(refusalOf(spec), "lbfgs-takes-one-group");
    spec.groups.clear();
    spec.layerDecay = 0.9;
    EXPECT_EQ(refusalOf(spec), "lbfgs-takes-one-group");
    spec.layerDecay = 1;
    spec.centralizeGradients = true;
    EXPECT_EQ(refusalOf(spec), "lbfgs-needs-the-gradient");
    spec = {};
    spec.type = "Muon";
    EXPECT_EQ(refusalOf(spec), "unknown-optimizer");
    EXPECT_EQ(Optimizer::make({}, {}).error().code, "nothing-to-train");
}

}  // namespace
}  // namespace plumbline::train
