#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>
#include <utility>

#include "reference.h"
#include "train/losses.h"
#include "train/metrics.h"
#include "train/objective.h"

namespace plumbline::train {
namespace {

plan::LossSpec specOf(const std::string& type, Json options = Json::object()) {
    plan::LossSpec spec;
    spec.type = type;
    spec.options = std::move(options);
    return spec;
}

std::unique_ptr<Loss> make(const plan::LossSpec& spec) {
    auto loss = Loss::make(spec, "/training/losses/0", at::kCPU);
    EXPECT_TRUE(loss.has_value()) << (loss ? "" : loss.error().message);
    return loss ? std::move(*loss) : nullptr;
}

TEST(Losses, GivePyTorchsValueAndGradient) {
    int compared = 0;
    const Json json = test::reference("losses.json");
    for (const Json& one : json.at("cases")) {
        Json options = one.at("options");
        options.erase("reduction");
        if (one.at("loss") == "BCEWithLogitsLoss" && options.contains("weight")) {
            continue;
        }
        if (options.contains("weight")) {
            options["class_weights"] = options["weight"];
            options.erase("weight");
        }
        const auto loss = make(specOf(one.at("loss").get<std::string>(), options));
        at::Tensor input = test::tensor(one.at("inputs").at("input")).requires_grad_(true);
        at::Tensor target = test::tensor(one.at("targets").at("target"));
        if (one.at("loss") == "CrossEntropyLoss" && target.dim() < input.dim()) {
            target = target.to(at::kLong);
        }
        ASSERT_TRUE(loss->fits(input, target).has_value()) << one.dump();
        const at::Tensor value = loss->value(input, target);
        test::expectNear(value, test::tensor(one.at("value")), 1e-12, one.dump());
        value.backward();
        test::expectNear(input.grad(), test::tensor(one.at("grad").at("input")), 1e-12, "gradient of " + one.dump());
        ++compared;
    }
    EXPECT_GE(compared, 13);
}

TEST(Losses, RaiseHalfPrecisionToFloat32) {
    const auto loss = make(specOf("BCEWithLogitsLoss"));
    const at::Tensor value = loss->value(at::zeros({4, 1}, at::kHalf), at::zeros({4, 1}));
    EXPECT_EQ(value.scalar_type(), at::kFloat);
    EXPECT_FLOAT_EQ(value.item<float>(), std::log(2.0F));
}

TEST(Losses, RefuseATargetThatWouldBeBroadcast) {
    const auto loss = make(specOf("MSELoss"));
    const Status status = loss->fits(at::zeros({8, 1}), at::zeros({8}));
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, "loss-target-shape");
    EXPECT_NE(status.error().message.find("[8, 1]"), std::string::npos);
    EXPECT_EQ(alignTarget(at::zeros({8, 1}), at::zeros({8})).sizes(), at::IntArrayRef({8, 1}));
    EXPECT_EQ(alignTarget(at::zeros({8, 2}), at::zeros({8})).sizes(), at::IntArrayRef({8}));
}

TEST(Losses, SayWhatIsWrongWithTheirOptions) {
    EXPECT_EQ(Loss::make(specOf("FocalLoss"), "/p", at::kCPU).error().code, "unknown-loss");
    EXPECT_FALSE(Loss::make(specOf("MSELoss", {{"label_smoothing", 0.1}}), "/p", at::kCPU).has_value());
    EXPECT_FALSE(Loss::make(specOf("CrossEntropyLoss", {{"label_smoothing", 2}}), "/p", at::kCPU).has_value());
    EXPECT_FALSE(make(specOf("CrossEntropyLoss"))->fits(at::zeros({4, 3}), at::zeros({4})).has_value());
}

TEST(Metrics, AccuracyIsExactOverBatchesOfUnequalSize) {
    Accuracy accuracy, general;
    std::int64_t correct = 0, samples = 0;
    for (const std::int64_t rows : {64, 64, 7}) {
        const at::Tensor logits = at::randn({rows, 5});
        const at::Tensor truth = at::randint(5, {rows}, at::kLong);
        accuracy.add(logits, truth);
        general.add(logits.to(at::kDouble), truth);
        correct += logits.argmax(1).eq(truth).sum().item<std::int64_t>();
        samples += rows;
    }
    EXPECT_EQ(accuracy.correct(), correct);
    EXPECT_EQ(accuracy.samples(), samples);
    EXPECT_DOUBLE_EQ(accuracy.value(), static_cast<double>(correct) / static_cast<double>(samples));
    EXPECT_EQ(general.correct(), correct);
    EXPECT_EQ(general.distinctPredictions(), accuracy.distinctPredictions());
    Accuracy restored;
    restored.loadState(accuracy.saveState());
    EXPECT_EQ(restored.saveState(), accuracy.saveState());
    accuracy.reset();
    EXPECT_TRUE(std::isnan(accuracy.value()));
    EXPECT_EQ(accuracy.distinctPredictions(), 0);
}

TEST(Metrics, AccuracyOfOneLogitIsItsSign) {
    Accuracy accuracy;
    accuracy.add(test::tensor(Json::parse("[[0.5],[-2],[3]]")), test::tensor(Json::parse("[[1],[1],[1]]")));
    EXPECT_EQ(accuracy.correct(), 2);
}

TEST(Metrics, ErrorsAreMeansOverAllElements) {
    const auto mae = *Metric::make({"mae", "y", "t"}, ""), rmse = *Metric::make({"rmse", "y", "t"}, "");
    for (const auto& metric : {mae.get(), rmse.get()}) {
        metric->add(test::tensor(Json::parse("[1,2,3]")), test::tensor(Json::parse("[1,2,1]")));
        metric->add(test::tensor(Json::parse("[5]")), test::tensor(Json::parse("[1]")));
    }
    EXPECT_DOUBLE_EQ(mae->value(), 1.5);
    EXPECT_DOUBLE_EQ(rmse->value(), std::sqrt(5.0));
    EXPECT_EQ(Metric::make({"f1", "y", "t"}, "/p").error().code, "unknown-metric");
}

TEST(Metrics, AccuracyOfSoftLabelsIsTheLargestOfBothAndOfManyLabelsEach) {
    const at::Tensor logits = test::tensor(Json::parse("[[2,1,0],[0,1,2]]")), target = test::tensor(Json::parse("[[0.6,0.4,0],[0.6,0.4,0]]"));
    Accuracy exclusive(true);
    exclusive.add(logits, target);
    EXPECT_EQ(exclusive.samples(), 2);
    EXPECT_EQ(exclusive.correct(), 1);
    Accuracy labels;
    labels.add(logits, target);
    EXPECT_EQ(labels.samples(), 6) << "without a loss between exclusive classes every label counts";
}

TEST(Metrics, AccuracyDoesNotCountWhatTheLossIgnores) {
    const at::Tensor logits = test::tensor(Json::parse("[[2,1],[0,1],[3,0]]"));
    const at::Tensor target = test::tensor(Json::parse("[0,1,-100]")).to(at::kLong);
    plan::LossSpec loss{"CrossEntropyLoss", "y", "t", 1.0, Json::object()};
    const auto metric = *Metric::make({"accuracy", "y", "t"}, "", &loss);
    metric->add(logits, target);
    metric->add(logits.unsqueeze(2).expand({3, 2, 4}), target.unsqueeze(1).expand({3, 4}));  // a class a position
    const auto& accuracy = dynamic_cast<const Accuracy&>(*metric);
    EXPECT_EQ(accuracy.samples(), 10);
    EXPECT_EQ(accuracy.correct(), 10);
    EXPECT_EQ(accuracy.distinctPredictions(), 2);
}

TEST(Metrics, NeverBroadcast) {
    for (const char* type : {"mae", "rmse", "accuracy"}) {
        const auto metric = *Metric::make({type, "y", "t"}, "");
        EXPECT_THROW(metric->add(at::zeros({10, 10}), at::zeros({10, 2})), std::invalid_argument) << type;
        EXPECT_THROW(metric->add(at::zeros({10, 10}), at::zeros({7}, at::kLong)), std::invalid_argument) << type;
    }
}

TEST(Objective, TheLossOverASplitIsTheMeanOverWhatCountsWhateverTheBatches) {
    plan::TrainingPlan plan;
    plan.losses = {{"CrossEntropyLoss", "y", "t", 2.0, Json{{"ignore_index", 3}}}};
    const at::Tensor logits = at::randn({12, 4}), target = at::arange(12, at::kLong).remainder(4);
    const auto over = [&](std::vector<std::int64_t> sizes) {
        Objective objective = Objective::make(plan, {{"y"}, {"t"}}, at::kCPU).value();
        objective.resetGathered();
        std::int64_t at = 0;
        for (const std::int64_t size : sizes) {
            EXPECT_TRUE(objective.gather({logits.slice(0, at, at + size)}, {target.slice(0, at, at + size)}));
            at += size;
        }
        return objective.gathered().value();
    };
    const double whole = over({12});
    EXPECT_NEAR(over({3, 1, 4, 4}), whole, 1e-6) << "the second batch holds nothing that counts";
    EXPECT_NEAR(over({5, 7}), whole, 1e-6);
}

TEST(Objective, ALossThatCountsNothingInASplitAddsNothingAndNoneAtAllIsNoNumber) {
    plan::TrainingPlan plan;
    plan.losses = {{"CrossEntropyLoss", "y", "t", 2.0, Json{{"ignore_index", 3}}}, {"CrossEntropyLoss", "y", "u", 0.5, Json::object()}};
    plan::TrainingPlan alone;
    alone.losses = {plan.losses[1]};
    const at::Tensor logits = at::randn({6, 4}), ignored = at::zeros({6}, at::kLong).fill_(3), target = at::zeros({6}, at::kLong);
    Objective both = Objective::make(plan, {{"y"}, {"t", "u"}}, at::kCPU).value();
    Objective second = Objective::make(alone, {{"y"}, {"t", "u"}}, at::kCPU).value();
    for (Objective* objective : {&both, &second}) {
        objective->resetGathered();
        EXPECT_FALSE(objective->gathered()) << "nothing was gathered";
        EXPECT_TRUE(objective->gather({logits}, {ignored, target}));
    }
    ASSERT_TRUE(both.gathered());
    EXPECT_EQ(*both.gathered(), *second.gathered());
    both.resetGathered();
    EXPECT_TRUE(both.gather({logits}, {ignored, at::zeros({6}, at::kLong).fill_(-100)}));
    EXPECT_FALSE(both.gathered());
}

TEST(Metrics, ASumThatIsNoNumberAnyMoreSurvivesACheckpoint) {
    for (const double value : {std::numeric_limits<double>::infinity(), std::nan("")}) {
        const auto metric = *Metric::make({"rmse", "y", "t"}, "");
        metric->add(at::zeros({2}).fill_(value), at::zeros({2}));
        const auto restored = *Metric::make({"rmse", "y", "t"}, "");
        restored->loadState(Json::parse(metric->saveState().dump()));
        EXPECT_EQ(std::isnan(restored->value()), std::isnan(metric->value())) << value;
        EXPECT_FALSE(std::isfinite(restored->value())) << value;
    }
    const auto old = *Metric::make({"mae", "y", "t"}, "");
    old->loadState(Json::parse(R"({"sum": null, "elements": 3})"));
    EXPECT_TRUE(std::isnan(old->value())) << "as it was written before";
}

TEST(Objective, BatchesByTheirSharesOfWhatCountsAreTheWholeBatch) {
    plan::TrainingPlan plan;
    plan.losses = {{"CrossEntropyLoss", "y", "t", 2.0, Json{{"ignore_index", 3}, {"class_weights", {0.5, 4.0, 1.0, 9.0}}, {"label_smoothing", 0.1}}},
                   {"MSELoss", "z", "u", 0.5, Json::object()}};
    Objective objective = Objective::make(plan, {{"y", "z"}, {"t", "u"}}, at::kCPU).value();
    const at::Tensor target = at::tensor(std::vector<std::int64_t>{3, 3, 3, 0, 1, 2, 3, 1, 0, 0, 2, 1}), numbers = at::randn({12});
    at::Tensor logits = at::randn({12, 4}, at::kDouble).requires_grad_(true), values = at::randn({12}, at::kDouble).requires_grad_(true);
    const at::Tensor whole = objective.loss({logits, values}, {target, numbers}).value();
    whole.backward();
    const at::Tensor gradient = logits.grad().clone(), gradientOfValues = values.grad().clone();
    logits.mutable_grad().reset();
    values.mutable_grad().reset();
    const std::vector<double> total = objective.counts({target, numbers}, 12);
    EXPECT_EQ(total, (std::vector<double>{3 * 0.5 + 3 * 4.0 + 2 * 1.0, 12}));
    double sum = 0;
    for (const auto& [from, to] : {std::pair{0, 3}, std::pair{3, 8}, std::pair{8, 12}}) {
        const std::vector<at::Tensor> part = {target.slice(0, from, to), numbers.slice(0, from, to)};
        std::vector<double> shares = objective.counts(part, to - from);
        EXPECT_EQ(shares[0] == 0, from == 0) << "the first batch holds nothing that counts for the first loss";
        for (std::size_t i = 0; i < 2; ++i) {
            shares[i] /= total[i];
        }
        std::vector<at::Tensor> each;
        const at::Tensor loss = objective.loss({logits.slice(0, from, to), values.slice(0, from, to)}, part, shares, each).value();
        EXPECT_EQ(each[0].defined(), from != 0);
        loss.backward();
        sum += loss.item<double>();
    }
    EXPECT_NEAR(sum, whole.item<double>(), 1e-12);
    test::expectNear(logits.grad(), gradient, 1e-12, "logits");
    test::expectNear(values.grad(), gradientOfValues, 1e-12, "values");
    std::vector<at::Tensor> none;
    EXPECT_FALSE(objective.loss({logits, values}, {target, numbers}, {0, 0}, none)->defined()) << "nothing counts";
}

TEST(Losses, APositiveWeightBelongsToAClassWhateverFollowsThatDimension) {
    const auto loss = make(specOf("BCEWithLogitsLoss", {{"pos_weight", {2.0, 5.0}}}));
    const at::Tensor logits = at::randn({3, 2, 4}, at::kDouble), target = at::randint(2, {3, 2, 4}).to(at::kDouble);
    ASSERT_TRUE(loss->fits(logits, target).has_value());
    double sum = 0;
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t c = 0; c < 2; ++c) {
            for (std::int64_t k = 0; k < 4; ++k) {
                const double x = logits[i][c][k].item<double>(), y = target[i][c][k].item<double>();
                sum += (c == 0 ? 2.0 : 5.0) * y * std::log1p(std::exp(-x)) + (1 - y) * std::log1p(std::exp(x));
            }
        }
    }
    EXPECT_NEAR(loss->value(logits, target).item<double>(), sum / 24, 1e-12);
    EXPECT_EQ(loss->fits(at::zeros({3, 4}), at::zeros({3, 4})).error().code, "class-weights");
    EXPECT_TRUE(make(specOf("BCEWithLogitsLoss", {{"pos_weight", {2.0}}}))->fits(at::zeros({3}), at::zeros({3})).has_value());
    EXPECT_EQ(make(specOf("CrossEntropyLoss", {{"class_weights", {1.0, 2.0}}}))->fits(at::zeros({4, 3}), at::zeros({4}, at::kLong)).error().code, "class-weights");
}

}  // namespace
}  // namespace plumbline::train
