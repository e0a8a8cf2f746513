// One step: what is accumulated, what stays in float32, what noise adds, and what a step that is skipped tells.
#include "train/step.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include "../model/built_model.h"
#include "project/block_choice.h"
#include "reference.h"
#include "train/environment.h"

namespace plumbline::train {
namespace {

/// A classifier and everything that a step works on.
struct StepFixture {
    plan::TrainingPlan plan;
    std::unique_ptr<model::Model> model;
    std::unique_ptr<Objective> objective;
    std::unique_ptr<Optimizer> optimizer;
    std::unique_ptr<GradScaler> scaler;
    std::unique_ptr<TrainStep> step;

    StepFixture(const model::testing::GraphMaker& maker, plan::TrainingPlan given, DType dtype = DType::kFloat32)
        : plan(std::move(given)) {
        model::BuildOptions options;
        options.dtype = dtype;
        model = model::testing::built(maker, options);
        plan.losses = {plan::LossSpec("CrossEntropyLoss", "y", "label")};
        objective = std::make_unique<Objective>(std::move(*Objective::make(plan, {{"y"}, {"label"}}, at::kCPU)));
        std::vector<NamedParameter> parameters;
        for (const model::NamedState& named : model->parameters()) {
            parameters.push_back({named.name, named.tensor});
        }
        optimizer = *Optimizer::make(plan.optimizer, groupParameters(plan.optimizer, parameters));
        if (plan.precision == plan::Precision::kFp16) {
            scaler = std::make_unique<GradScaler>(plan.gradScaler);
        }
        auto kept = project::float32Blocks(plan, model->graph());
        EXPECT_TRUE(kept.has_value());
        model->keepFloat32(std::move(*kept));
        step = std::make_unique<TrainStep>(plan, StepParts{model.get(), objective.get(), optimizer.get(), scaler.get()},
                                           at::kCPU);
    }

    at::Tensor parameter(const std::string& name) const {
        for (const model::NamedState& named : model->parameters()) {
            if (named.name == name) {
                return named.tensor;
            }
        }
        return {};
    }
};

model::testing::GraphMaker perceptron() {
    model::testing::GraphMaker maker;
    graph::ValueId value = maker.input("x", {graph::Dim::symbol("B"), 3});
    const auto linear = [&](const std::string& path, int inputs, int outputs) {
        value = maker.leaf(path, "Linear", {{"in_features", inputs}, {"out_features", outputs}}, {value});
        maker.last().state = {{"weight", {outputs, inputs}}, {"bias", {outputs}}};
    };
    linear("0", 3, 4);
    value = maker.leaf("1", "Tanh", {}, {value});
    linear("2", 4, 3);
    maker.output("y", value);
    return maker;
}

TEST(TrainStep, AccumulatesWhatPyTorchAccumulates) {
    const Json all = test::reference("clip.json").at("accumulation");
    const at::Tensor x = test::tensor(all.at("X")), y = test::tensor(all.at("Y")).to(at::kLong);
    for (const char* name : {"whole", "equal", "unequal_weighted"}) {
        const Json& one = all.at(name);
        plan::TrainingPlan plan;
        plan.optimizer.lr = 0.5;
        StepFixture f(perceptron(), plan, DType::kFloat64);
        std::map<std::string, at::Tensor> state;
        for (const auto& [parameter, values] : all.at("params").items()) {
            state.emplace(parameter, test::tensor(values));
        }
        ASSERT_TRUE(f.model->loadStateDict(state).has_value());
        std::int64_t from = 0;
        std::size_t i = 0;
        for (const Json& samples : one.at("micro_batches")) {
            const std::int64_t to = from + samples.get<std::int64_t>();
            TensorBatch batch;
            batch.inputs = {x.slice(0, from, to)};
            batch.targets = {y.slice(0, from, to)};
            batch.samples = to - from;
            ASSERT_TRUE(f.step->accumulate(batch, {static_cast<double>(to - from) / 12}).has_value());
            test::expectNear(at::ones({1}, at::kDouble) * f.step->batchLoss(),
                             test::tensor(Json::array({one.at("losses").at(i++)})), 1e-12, name);
            from = to;
        }
        std::vector<at::Tensor> gradients;
        for (const auto& [parameter, values] : one.at("grads").items()) {
            test::expectNear(f.parameter(parameter).grad(), test::tensor(values), 1e-12, name + (" " + parameter));
            gradients.push_back(f.parameter(parameter).grad().flatten());
        }
        double squares = 0;
        for (const at::Tensor& gradient : gradients) {
            squares += gradient.square().sum().item<double>();
        }
        EXPECT_NEAR(std::sqrt(squares), one.at("total_norm").get<double>(), 1e-12);
        ASSERT_TRUE(f.step->finish().has_value());
        for (const auto& [parameter, values] : one.at("params_after_sgd_0_5").items()) {
            test::expectNear(f.parameter(parameter), test::tensor(values), 1e-12, name + (" " + parameter));
        }
    }
}

TensorBatch randomBatch() {
    TensorBatch batch;
    batch.inputs = {at::randn({6, 3})};
    batch.targets = {at::zeros({6}, at::kLong)};
    batch.samples = 6;
    return batch;
}

TEST(TrainStep, WithoutAScalerLossAndGradientsAreAsTheyAre) {
    const Json disabled = test::reference("gradscaler.json").at("disabled");
    EXPECT_EQ(disabled.at("scale_of_2").get<double>(), 2.0);  // a scaler that is switched off is none here
    EXPECT_TRUE(disabled.at("state_dict").empty());
    plan::TrainingPlan plan;
    StepFixture f(perceptron(), plan);
    const TensorBatch batch = randomBatch();
    ASSERT_TRUE(f.step->accumulate(batch, {1.0}).has_value());
    const at::Tensor bias = f.parameter("2.bias").grad().clone();
    // The gradient of a cross entropy's bias is the mean of softmax minus one-hot, unscaled.
    const auto logits = f.model->forward(batch.inputs);
    ASSERT_TRUE(logits.has_value());
    at::Tensor wanted = (*logits)[0].detach().softmax(1).mean(0);
    wanted[0].sub_(1);
    test::expectNear(bias, wanted, 1e-5, "bias");
    const auto outcome = f.step->finish();
    ASSERT_TRUE(outcome.has_value());
    EXPECT_TRUE(outcome->applied);
    EXPECT_FALSE(outcome->scaleReset);
}

TEST(TrainStep, ASkippedStepTellsTheScalesAndTheFirstBlocksThatAreNotFinite) {
    plan::TrainingPlan plan;
    plan.precision = plan::Precision::kFp16;
    plan.gradScaler.initScale = 1024;
    plan.gradScaler.resetAfterSkips = 2;
    plan.clip.type = "value";  // which would make an infinity finite
    StepFixture f(perceptron(), plan);
    const at::Tensor before = f.parameter("2.weight").detach().clone();
    for (const bool last : {false, true}) {
        ASSERT_TRUE(f.step->accumulate(randomBatch(), {1.0}).has_value());
        f.parameter("2.weight").grad().fill_(std::numeric_limits<double>::infinity());
        const auto outcome = f.step->finish();
        ASSERT_TRUE(outcome.has_value());
        EXPECT_FALSE(outcome->applied);
        EXPECT_EQ(outcome->nonFiniteBlocks, std::vector<std::string>{"2"});
        EXPECT_EQ(outcome->scaleBefore, last ? 512 : 1024);
        EXPECT_EQ(outcome->scaleAfter, last ? 1024 : 512);
        EXPECT_EQ(outcome->scaleReset, last);
    }
    EXPECT_TRUE(f.parameter("2.weight").equal(before));
}

TEST(TrainStep, ClipsByTheNormThatItHasMeasuredOrByAnother) {
    for (const auto& [type, p] : std::vector<std::pair<std::string, double>>{
             {"norm", 2}, {"norm", std::numeric_limits<double>::infinity()}, {"norm", 1}, {"value", 0}}) {
        plan::TrainingPlan plan;
        plan.optimizer.lr = 1;
        plan.clip.type = type;
        plan.clip.normType = p;
        plan.clip.maxNorm = plan.clip.clipValue = 1e-3;
        StepFixture f(perceptron(), plan, DType::kFloat64);
        TensorBatch batch = randomBatch();
        batch.inputs[0] = batch.inputs[0].to(at::kDouble);
        std::vector<at::Tensor> before;
        for (const model::NamedState& named : f.model->parameters()) {
            before.push_back(named.tensor.detach().clone());
        }
        ASSERT_TRUE(f.step->run(batch).has_value());
        std::vector<at::Tensor> moved;
        for (std::size_t i = 0; i < before.size(); ++i) {
            moved.push_back((before[i] - f.model->parameters()[i].tensor.detach()).flatten());
        }
        const at::Tensor largest =
            at::linalg_vector_norm(at::cat(moved), type == "value" ? std::numeric_limits<double>::infinity() : p);
        EXPECT_NEAR(largest.item<double>(), 1e-3, type == "value" ? 1e-15 : 1e-3 * 1e-2) << type << p;
    }
}

TEST(GradientNoise, HasTheVarianceOfThePaperAndDrawsTheSameAgainFromASavedState) {
    plan::GradientNoiseSpec spec;
    spec.eta = 0.3;
    spec.gamma = 0.55;
    EXPECT_EQ(GradientNoise::make({}, 1, at::kCPU), nullptr);
    const auto noise = GradientNoise::make(spec, 5, at::kCPU);
    at::Tensor w = at::zeros({40000}).set_requires_grad(true);
    const at::Tensor without = at::zeros({3}).set_requires_grad(true);
    const auto drawn = [&](GradientNoise& from) {
        w.mutable_grad() = at::zeros({40000});
        from.add({w, without});
        from.endStep();
        return w.grad().clone();
    };
    for (int t = 0; t < 3; ++t) {
        const double variance = drawn(*noise).to(at::kDouble).square().mean().item<double>();
        EXPECT_NEAR(variance, 0.3 / std::pow(1 + t, 0.55), 0.05 * variance) << t;
    }
    EXPECT_FALSE(without.grad().defined());
    const at::Tensor state = noise->generatorState().clone();
    const at::Tensor next = drawn(*noise);
    const auto other = GradientNoise::make(spec, 99, at::kCPU);
    other->restore(state, 3);
    EXPECT_TRUE(drawn(*other).equal(next));
    EXPECT_TRUE(drawn(*GradientNoise::make(spec, 7, at::kCPU)).equal(drawn(*GradientNoise::make(spec, 7, at::kCPU))));
}

/// Element types of what each leaf gives.
class Dtypes final : public model::LeafObserver {
public:
    void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) override { seen[leaf] = outputs[0].scalar_type(); }
    std::map<int, at::ScalarType> seen;
};

std::map<int, at::ScalarType> dtypesUnder(const plan::TrainingPlan& plan) {
    StepFixture f(perceptron(), plan);
    Dtypes dtypes;
    f.model->setObserver(&dtypes);
    const AutocastScope autocast(plan.precision, at::kCPU);
    EXPECT_TRUE(f.model->forward(randomBatch().inputs).has_value());
    f.model->setObserver(nullptr);
    return dtypes.seen;
}

TEST(Autocast, LeavesTheBlocksInFloat32ThatThePlanNamesOrThatMakeTheOutputs) {
    plan::TrainingPlan plan;
    using Seen = std::map<int, at::ScalarType>;
    EXPECT_EQ(dtypesUnder(plan), (Seen{{0, at::kFloat}, {1, at::kFloat}, {2, at::kFloat}}));
    for (const auto& [precision, half] :
         {std::pair{plan::Precision::kBf16, at::kBFloat16}, std::pair{plan::Precision::kFp16, at::kHalf}}) {
        plan.precision = precision;
        plan.fp32Outputs = true;
        plan.fp32Blocks.clear();
        EXPECT_EQ(dtypesUnder(plan), (Seen{{0, half}, {1, half}, {2, at::kFloat}}));
        plan.fp32Outputs = false;
        EXPECT_EQ(dtypesUnder(plan), (Seen{{0, half}, {1, half}, {2, half}}));
        plan.fp32Blocks = {"[01]"};
        EXPECT_EQ(dtypesUnder(plan), (Seen{{0, at::kFloat}, {1, at::kFloat}, {2, half}}));
        // The gradient comes through the block that is kept.
        plan.fp32Blocks = {"1"};
        StepFixture f(perceptron(), plan);
        ASSERT_TRUE(f.step->accumulate(randomBatch(), {1.0}).has_value());
        EXPECT_GT(f.parameter("0.weight").grad().abs().sum().item<float>(), 0);
    }
    plan.fp32Blocks = {"head"};
    EXPECT_EQ(project::float32Blocks(plan, perceptron().model()).error().code, "pattern-matches-nothing");
}

TEST(Environment, ADeviceThatDoesNotComputeInAPrecisionIsRefusedWithASentence) {
    EXPECT_TRUE(precisionRuns(plan::Precision::kBf16, at::kCPU).has_value());
    EXPECT_TRUE(precisionRuns(plan::Precision::kFp16, at::kCPU).has_value());
    // A device that can do nothing at all stands for one that lacks the element type.
    const Status refused = precisionRuns(plan::Precision::kFp16, at::Device(at::kMeta));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, "precision-not-supported");
    EXPECT_EQ(toSentence(refused.error()).find("The device meta does not compute in fp16 ("), 0U)
        << toSentence(refused.error());
    EXPECT_TRUE(precisionRuns(plan::Precision::kFp32, at::Device(at::kMeta)).has_value());
}

}  // namespace
}  // namespace plumbline::train
