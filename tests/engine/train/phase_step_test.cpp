// A step of several phases against the loop of PyTorch's DCGAN tutorial, written by hand: first the discriminator on
// real and on detached generated samples, then the generator through the updated discriminator.
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tanh.h>

#include "../model/built_model.h"
#include "project/block_choice.h"
#include "train/step.h"

namespace plumbline::train {
namespace {

using graph::Dim;

/// z → generator (linear, batch norm, linear) → fake; discriminator (linear, batch norm, linear), twice, on x and on
/// the fake.
model::testing::GraphMaker adversaries() {
    model::testing::GraphMaker maker;
    const auto linear = [&](const std::string& path, int inputs, int outputs, graph::ValueId value) {
        const graph::ValueId made =
            maker.leaf(path, "Linear", {{"in_features", inputs}, {"out_features", outputs}}, {value});
        maker.last().state = {{"weight", {outputs, inputs}}, {"bias", {outputs}}};
        return made;
    };
    const auto norm = [&](const std::string& path, int features, graph::ValueId value) {
        const graph::ValueId made = maker.leaf(path, "BatchNorm1d", {{"num_features", features}}, {value});
        maker.last().state = {{"weight", {features}}, {"bias", {features}}};
        return made;
    };
    const graph::ValueId z = maker.input("z", {Dim::symbol("B"), 3}), x = maker.input("x", {Dim::symbol("B"), 5});
    graph::ValueId value = linear("generator.0", 3, 8, z);
    value = maker.leaf("generator.2", "ReLU", {}, {norm("generator.1", 8, value)});
    const graph::ValueId fake = maker.leaf("generator.4", "Tanh", {}, {linear("generator.3", 8, 5, value)});
    const auto judge = [&](const std::string& path, graph::ValueId seen, bool shares) {
        const auto share = [&](const char* name) {
            if (shares) {
                maker.last().weightsOf = std::string("discriminator.") + name;
            }
        };
        graph::ValueId made = linear(path + "0", 5, 6, seen);
        share("0");
        made = norm(path + "1", 6, made);
        share("1");
        made = maker.leaf(path + "2", "LeakyReLU", {{"negative_slope", 0.2}}, {made});
        made = linear(path + "3", 6, 1, made);
        share("3");
        return made;
    };
    maker.output("real", judge("discriminator.", x, false));
    maker.output("judged", judge("again.", fake, true));
    maker.output("fake", fake);
    return maker;
}

plan::TrainingPlan adversarialPlan(const Json& more = Json::object()) {
    Json json = parseJson(R"json({
      "losses": [{"type": "ExpressionLoss", "expression": "mean(softplus(-real))", "phase": "discriminator"},
                 {"type": "ExpressionLoss", "expression": "mean(softplus(judged))", "phase": "discriminator"},
                 {"type": "ExpressionLoss", "expression": "mean(softplus(-judged))", "phase": "generator"}],
      "optimizer": {"type": "Adam", "lr": 0.01, "betas": [0.5, 0.999]},
      "phases": [{"name": "discriminator", "train": "discriminator.*"},
                 {"name": "generator", "train": ["generator.*"], "optimizer": {"lr": 0.02}}]})json",
                          "")
                    .value();
    json.merge_patch(more);
    auto plan = plan::readTrainingPlan(json);
    EXPECT_TRUE(plan.has_value()) << toSentence(plan.error());
    return *plan;
}

/// Everything that a step of phases works on.
struct Adversaries {
    plan::TrainingPlan plan;
    std::unique_ptr<model::Model> model;
    std::unique_ptr<Objective> objective;
    MetricSet metrics;
    std::unique_ptr<OptimizerSet> optimizers;
    std::unique_ptr<Phases> phases;
    std::unique_ptr<GradScaler> scaler;
    std::unique_ptr<TrainStep> step;

    explicit Adversaries(plan::TrainingPlan given, const model::testing::GraphMaker& maker = adversaries())
        : plan(std::move(given)), model(model::testing::built(maker, {.seed = 5})) {
        const BindingNames names{{"real", "judged", "fake"}, {"image"}};
        objective = std::make_unique<Objective>(std::move(*Objective::make(plan, names, at::kCPU)));
        metrics = std::move(*MetricSet::make(plan, names));
        std::vector<NamedParameter> parameters;
        for (const model::NamedState& named : model->parameters()) {
            parameters.push_back({named.name, named.tensor});
        }
        optimizers = *OptimizerSet::make(plan, parameters, *model);
        auto made = Phases::make(plan, *model, *optimizers, *objective, metrics);
        EXPECT_TRUE(made.has_value()) << toSentence(made.error());
        phases = std::move(*made);
        if (plan.precision == plan::Precision::kFp16) {
            scaler = std::make_unique<GradScaler>(plan.gradScaler);
        }
        auto kept = project::float32Blocks(plan, model->graph());
        EXPECT_TRUE(kept.has_value());
        model->keepFloat32(std::move(*kept));
        step = std::make_unique<TrainStep>(
            plan,
            StepParts{model.get(), objective.get(), nullptr, scaler.get(), &metrics, nullptr, nullptr, phases.get()},
            at::kCPU);
    }

    at::Tensor state(const std::string& name) const {
        for (const model::NamedState& named : model->stateDict()) {
            if (named.name == name) {
                return named.tensor;
            }
        }
        ADD_FAILURE() << name;
        return {};
    }
    StepOutcome run(const TensorBatch& batch) {
        auto outcome = step->run(batch);
        EXPECT_TRUE(outcome.has_value()) << toSentence(outcome.error());
        return outcome ? *outcome : StepOutcome{};
    }
};

std::vector<TensorBatch> batches(int count) {
    at::manual_seed(11);
    std::vector<TensorBatch> made;
    for (int i = 0; i < count; ++i) {
        TensorBatch batch;
        batch.inputs = {at::randn({7, 3}), at::rand({7, 5})};
        batch.targets = {at::rand({7, 5})};
        batch.samples = 7;
        made.push_back(std::move(batch));
    }
    return made;
}

/// The tutorial's networks, on the tensors of a model of their own.
struct ByHand {
    Adversaries f{adversarialPlan()};
    at::Tensor at(const std::string& name) const { return f.state(name); }

    at::Tensor norm(const std::string& block, const at::Tensor& x, bool moves) const {
        if (moves) {
            const at::NoGradGuard noGrad;
            at(block + ".num_batches_tracked").add_(1);
        }
        return moves ? at::batch_norm(x, at(block + ".weight"), at(block + ".bias"), at(block + ".running_mean"),
                                      at(block + ".running_var"), true, 0.1, 1e-5, true)
                     : at::batch_norm(x, at(block + ".weight"), at(block + ".bias"), {}, {}, true, 0.1, 1e-5, true);
    }
    at::Tensor generate(const at::Tensor& z) const {
        const at::Tensor hidden =
            at::relu(norm("generator.1", at::linear(z, at("generator.0.weight"), at("generator.0.bias")), true));
        return at::tanh(at::linear(hidden, at("generator.3.weight"), at("generator.3.bias")));
    }
    at::Tensor judge(const at::Tensor& x, bool moves) const {
        const at::Tensor hidden = at::leaky_relu(
            norm("discriminator.1", at::linear(x, at("discriminator.0.weight"), at("discriminator.0.bias")), moves),
            0.2);
        return at::linear(hidden, at("discriminator.3.weight"), at("discriminator.3.bias"));
    }
    /// One iteration of the tutorial; its running statistics count each batch once.
    std::pair<double, double> iterate(const TensorBatch& batch) {
        Optimizer &judging = (*f.optimizers)[0], &generating = (*f.optimizers)[1];
        judging.zeroGrad();
        const at::Tensor real = at::softplus(-judge(batch.inputs[1], true)).mean();
        real.backward();
        const at::Tensor fake = generate(batch.inputs[0]);
        const at::Tensor found = at::softplus(judge(fake.detach(), true)).mean();
        found.backward();
        judging.step();
        generating.zeroGrad();
        const at::Tensor fooled = at::softplus(-judge(fake, false)).mean();
        fooled.backward();
        generating.step();
        return {real.item<double>() + found.item<double>(), fooled.item<double>()};
    }
};

TEST(PhaseStep, TrainsAsTheTutorialsLoopBitForBit) {
    Adversaries f(adversarialPlan());
    ByHand tutorial;
    for (const TensorBatch& batch : batches(10)) {
        const StepOutcome outcome = f.run(batch);
        const auto [judging, generating] = tutorial.iterate(batch);
        EXPECT_TRUE(outcome.applied && outcome.counts);
        ASSERT_EQ(outcome.phaseLosses.size(), 2U);
        EXPECT_NEAR(outcome.phaseLosses[0], judging, 1e-12);
        EXPECT_NEAR(outcome.phaseLosses[1], generating, 1e-12);
        EXPECT_NEAR(outcome.loss, judging + generating, 1e-12);
    }
    for (const model::NamedState& state : f.model->stateDict()) {
        if (!state.name.starts_with("again.")) {
            EXPECT_TRUE(state.tensor.equal(tutorial.at(state.name))) << state.name;
        }
    }
    EXPECT_EQ(f.state("generator.1.num_batches_tracked").item<std::int64_t>(),
              10);  // once a step, though it runs in both phases
    EXPECT_EQ(f.state("discriminator.1.num_batches_tracked").item<std::int64_t>(),
              20);  // on real and on generated samples
    EXPECT_TRUE(f.state("again.0.weight").is_same(f.state("discriminator.0.weight")));
    for (const model::NamedState& parameter : f.model->parameters()) {
        EXPECT_TRUE(parameter.tensor.requires_grad()) << parameter.name;
    }
}

TEST(PhaseStep, TakesAPhaseInEachSoManyThStep) {
    Adversaries f(adversarialPlan(parseJson(R"json({"phases": [{"name": "discriminator", "train": "discriminator.*"},
        {"name": "generator", "train": "generator.*", "every": 3}]})json",
                                            "")
                                      .value()));
    std::vector<bool> moved, judged;
    for (const TensorBatch& batch : batches(7)) {
        const at::Tensor generator = f.state("generator.0.weight").clone(),
                         discriminator = f.state("discriminator.0.weight").clone();
        const StepOutcome outcome = f.run(batch);
        moved.push_back(!generator.equal(f.state("generator.0.weight")));
        judged.push_back(!discriminator.equal(f.state("discriminator.0.weight")));
        EXPECT_EQ(std::isnan(outcome.phaseLosses[1]), !moved.back());
        EXPECT_EQ(f.state("generator.0.weight").grad().defined(), moved.back());
    }
    EXPECT_EQ(moved, (std::vector<bool>{true, false, false, true, false, false, true}));
    EXPECT_EQ(judged, std::vector<bool>(7, true));
    EXPECT_EQ(f.state("generator.1.num_batches_tracked").item<std::int64_t>(), 3);
}

TEST(PhaseStep, GathersAMetricOnceAStepAlsoOverWhatNoLossReads) {
    Adversaries f(
        adversarialPlan({{"metrics", Json::array({Json{{"type", "mae"}, {"output", "fake"}, {"target", "image"}}})}}));
    double sum = 0;
    for (const TensorBatch& batch : batches(3)) {
        const auto outputs = f.model->forward(batch.inputs);
        // As drawn: the generator's first update comes after this step's metrics.
        sum += ((*outputs)[2] - batch.targets[0]).abs().mean().item<double>();
        ASSERT_TRUE(f.run(batch).counts);
    }
    const MetricValues read = f.metrics.read("train");
    ASSERT_TRUE(read.values.contains("mae"));
    EXPECT_NEAR(read.values.at("mae"), sum / 3, 1e-6);
}

TEST(PhaseStep, ClipsEachPhaseByItself) {
    Adversaries f(adversarialPlan({{"clip", {{"type", "norm"}, {"max_norm", 1e-3}}}}));
    f.run(batches(1).front());
    for (const char* phase : {"generator.", "discriminator."}) {
        double squares = 0;
        for (const model::NamedState& parameter : f.model->parameters()) {
            squares += parameter.name.starts_with(phase) ? parameter.tensor.grad().square().sum().item<double>() : 0;
        }
        EXPECT_NEAR(std::sqrt(squares), 1e-3, 1e-5) << phase;
    }
}

TEST(PhaseStep, SkipsThePhaseWhoseGradientsAreNotFiniteAndHalvesTheScaleOnce) {
    plan::TrainingPlan plan = adversarialPlan(
        {{"precision", "fp16"}, {"fp32_blocks", Json::array({"generator.*", "discriminator.*", "again.*"})}});
    plan.losses[2].weight = 1e38;  // of the generator alone
    Adversaries f(plan);
    const at::Tensor generator = f.state("generator.0.weight").clone(),
                     discriminator = f.state("discriminator.0.weight").clone();
    const StepOutcome outcome = f.run(batches(1).front());
    EXPECT_FALSE(outcome.applied);
    EXPECT_TRUE(outcome.counts);
    EXPECT_EQ(outcome.scaleAfter, 0.5 * outcome.scaleBefore);
    ASSERT_FALSE(outcome.nonFiniteBlocks.empty());
    EXPECT_TRUE(outcome.nonFiniteBlocks.front().starts_with("generator."));
    EXPECT_TRUE(generator.equal(f.state("generator.0.weight")));
    EXPECT_FALSE(discriminator.equal(f.state("discriminator.0.weight")));
}

TEST(PhaseStep, RefusesALossThatDoesNotDependOnWhatItsPhaseTrains) {
    plan::TrainingPlan plan = adversarialPlan();
    plan.losses[2].options["expression"] = "mean(softplus(-real))";
    Adversaries f(plan);
    const auto outcome = f.step->run(batches(1).front());
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().code, "nothing-learns");
    EXPECT_NE(outcome.error().message.find("\"generator\""), std::string::npos);
    EXPECT_TRUE(f.step->hasChanged());  // the discriminator has stepped: this is no state to go on from
}

TEST(PhaseStep, CountsAStepOfNoiseOnceWhicheverPhaseIsTheLastOne) {
    Adversaries f(adversarialPlan({{"gradient_noise", {{"eta", 0.01}}}}));
    const std::vector<TensorBatch> given = batches(4);
    const auto taken = [&](std::size_t batch, const std::vector<double>& shares) {
        EXPECT_TRUE(f.step->accumulate(given[batch], shares).has_value());
        return f.step->finish().value();
    };
    EXPECT_TRUE(taken(0, {1, 1, 1}).applied);
    EXPECT_EQ(f.step->noise()->count(), 1);
    const StepOutcome half = taken(1, {1, 1, 0});  // nothing counts for the generator
    EXPECT_TRUE(half.applied && half.counts);
    EXPECT_TRUE(std::isnan(half.phaseLosses[1]));
    EXPECT_EQ(f.step->noise()->count(), 2);
    EXPECT_TRUE(taken(2, {0, 0, 1}).applied);
    EXPECT_EQ(f.step->noise()->count(), 3);
    EXPECT_FALSE(taken(3, {0, 0, 0}).counts);
    EXPECT_EQ(f.step->noise()->count(), 3);
}

TEST(PhaseStep, HasChangedOnceNoiseIsDrawnAlsoWhereTheUpdateIsSkipped) {
    for (const bool noisy : {false, true}) {
        plan::TrainingPlan plan = adversarialPlan(
            {{"precision", "fp16"}, {"fp32_blocks", Json::array({"generator.*", "discriminator.*", "again.*"})}});
        plan.gradientNoise.eta = noisy ? 0.01 : 0;
        plan.losses[0].weight = 1e38;                                    // the discriminator's update is skipped
        plan.losses[2].options["expression"] = "mean(softplus(-real))";  // and the generator's phase fails
        Adversaries f(plan);
        const at::Tensor discriminator = f.state("discriminator.0.weight").clone();
        const auto outcome = f.step->run(batches(1).front());
        ASSERT_FALSE(outcome.has_value());
        EXPECT_EQ(outcome.error().code, "nothing-learns");
        EXPECT_TRUE(discriminator.equal(f.state("discriminator.0.weight")));
        EXPECT_EQ(f.step->hasChanged(), noisy);
    }
}

TEST(PhaseStep, NamesPatternsThatOverlapOrMatchNothing) {
    const auto refusal = [](const char* phases) {
        Adversaries sound(adversarialPlan());
        const plan::TrainingPlan plan = adversarialPlan(parseJson(phases, "").value());
        const auto made = Phases::make(plan, *sound.model, *sound.optimizers, *sound.objective, sound.metrics);
        return made ? std::string() : made.error().code;
    };
    EXPECT_EQ(
        refusal(
            R"({"phases": [{"name": "discriminator", "train": "*.weight"}, {"name": "generator", "train": "generator.*"}]})"),
        "phases-overlap");
    EXPECT_EQ(
        refusal(
            R"({"phases": [{"name": "discriminator", "train": "disc.*"}, {"name": "generator", "train": "generator.*"}]})"),
        "phase-matches-nothing");
    EXPECT_EQ(refusal(R"({"freeze": [{"match": "generator.*", "epochs": 2}]})"), "nothing-to-train");
}

}  // namespace
}  // namespace plumbline::train
