// Losses bound to outputs and targets: batches that make a step, a whole split, and formulas of one's own.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <map>
#include <utility>

#include "reference.h"
#include "train/objective.h"

namespace plumbline::train {
namespace {

plan::TrainingPlan planOf(std::vector<plan::LossSpec> losses) {
    plan::TrainingPlan plan;
    plan.losses = std::move(losses);
    return plan;
}

plan::LossSpec formula(const std::string& text, Json options = Json::object()) {
    options["expression"] = text;
    return {"ExpressionLoss", "", "", 1.0, std::move(options)};
}

/// The formula over y, z and t as a loss; the error's sentence where there is one.
Result<at::Tensor> evaluate(const std::string& text, const at::Tensor& y, const at::Tensor& z, const at::Tensor& t) {
    PLUMBLINE_ASSIGN(Objective objective, Objective::make(planOf({formula(text)}), {{"y", "z"}, {"t"}}, at::kCPU));
    return objective.loss({y, z}, {t});
}

TEST(Objective, TheLossOverASplitIsTheMeanOverWhatCountsWhateverTheBatches) {
    const plan::TrainingPlan plan = planOf({{"CrossEntropyLoss", "y", "t", 2.0, Json{{"ignore_index", 3}}}});
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
    const plan::TrainingPlan plan =
        planOf({{"CrossEntropyLoss", "y", "t", 2.0, Json{{"ignore_index", 3}}}, {"CrossEntropyLoss", "y", "u", 0.5}});
    const at::Tensor logits = at::randn({6, 4}), ignored = at::zeros({6}, at::kLong).fill_(3),
                     target = at::zeros({6}, at::kLong);
    Objective both = Objective::make(plan, {{"y"}, {"t", "u"}}, at::kCPU).value();
    Objective second = Objective::make(planOf({plan.losses[1]}), {{"y"}, {"t", "u"}}, at::kCPU).value();
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

/// Twelve samples as one batch and as batches of 3, 5 and 4, in the first of which the label 3 is the only one.
class InBatches {
public:
    InBatches(plan::TrainingPlan plan, std::vector<at::Tensor> outputs, std::vector<at::Tensor> targets)
        : m_objective(Objective::make(plan, {{"y", "z"}, {"t", "u"}}, at::kCPU).value()),
          m_outputs(std::move(outputs)),
          m_targets(std::move(targets)) {
        for (at::Tensor& output : m_outputs) {
            output.requires_grad_(true);
        }
    }

    void expectTheWholeBatch(const std::string& what) {
        const at::Tensor whole = m_objective.loss(m_outputs, m_targets).value();
        whole.backward();
        std::vector<at::Tensor> gradients;
        for (at::Tensor& output : m_outputs) {
            gradients.push_back(output.grad().defined() ? output.grad().clone() : at::zeros_like(output));
            output.mutable_grad().reset();
        }
        const std::vector<double> inStep = m_objective.counts(m_targets, 12);
        std::vector<GatheredLoss> gathered(m_objective.size());
        double sum = 0;
        m_objective.resetGathered();
        for (const auto& [from, to] : {std::pair{0, 3}, std::pair{3, 8}, std::pair{8, 12}}) {
            const std::vector<at::Tensor> outputs = part(m_outputs, from, to), targets = part(m_targets, from, to);
            const std::vector<double> counts = m_objective.counts(targets, to - from);
            std::vector<double> shares;
            for (std::size_t i = 0; i < counts.size(); ++i) {
                shares.push_back(m_objective.share(i, counts[i], inStep[i]));
            }
            std::vector<at::Tensor> each;
            const at::Tensor loss = m_objective.loss(outputs, targets, shares, each).value();
            for (std::size_t i = 0; i < counts.size(); ++i) {
                EXPECT_EQ(each[i].defined(), counts[i] > 0) << what;
                m_objective.add(i, each[i].defined() ? each[i].item<double>() : 0, counts[i], gathered[i]);
            }
            if (loss.defined()) {
                loss.backward();
                sum += loss.item<double>();
            }
            EXPECT_TRUE(m_objective.gather(outputs, targets));
        }
        EXPECT_NEAR(sum, whole.item<double>(), 1e-12 * std::abs(sum)) << what;
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            if (m_outputs[i].grad().defined()) {
                test::expectNear(m_outputs[i].grad(), gradients[i], 1e-11, what);
            }
        }
        double epoch = 0;
        for (std::size_t i = 0; i < gathered.size(); ++i) {
            epoch += m_objective.weight(i) * m_objective.over(i, gathered[i]);
        }
        EXPECT_NEAR(epoch, whole.item<double>(), 1e-12 * std::abs(sum)) << what << ", over an epoch";
        EXPECT_NEAR(m_objective.gathered().value(), whole.item<double>(), 1e-12 * std::abs(sum))
            << what << ", over a split";
    }
    std::vector<double> counts() const { return m_objective.counts(m_targets, 12); }

private:
    static std::vector<at::Tensor> part(const std::vector<at::Tensor>& all, std::int64_t from, std::int64_t to) {
        std::vector<at::Tensor> some;
        for (const at::Tensor& tensor : all) {
            some.push_back(tensor.slice(0, from, to));
        }
        return some;
    }

    Objective m_objective;
    std::vector<at::Tensor> m_outputs, m_targets;
};

TEST(Objective, BatchesByTheirSharesOfWhatCountsAreTheWholeBatch) {
    const at::Tensor target = at::tensor(std::vector<std::int64_t>{3, 3, 3, 0, 1, 2, 3, 1, 0, 0, 2, 1}),
                     numbers = at::randn({12});
    const at::Tensor logits = at::randn({12, 4}, at::kDouble), values = at::randn({12}, at::kDouble);
    InBatches run(
        planOf({{"CrossEntropyLoss", "y", "t", 2.0,
                 Json{{"ignore_index", 3}, {"class_weights", {0.5, 4.0, 1.0, 9.0}}, {"label_smoothing", 0.1}}},
                {"MSELoss", "z", "u", 0.5}}),
        {logits, values}, {target, numbers});
    EXPECT_EQ(run.counts(), (std::vector<double>{3 * 0.5 + 3 * 4.0 + 2 * 1.0, 12}));
    run.expectTheWholeBatch("cross entropy and a number");
}

TEST(Objective, BatchesOfAnyReductionAreTheWholeBatch) {
    const at::Tensor pixels = at::randint(4, {12, 5}, at::kLong);
    pixels.slice(0, 0, 3).fill_(3);
    const auto images = [] { return at::randn({12, 4, 5}, at::kDouble); };
    const Json ignoring{{"ignore_index", 3}};
    const std::vector<std::pair<std::string, plan::LossSpec>> losses = {
        {"two means in one",
         {"DiceCELoss", "y", "t", 3.0,
          Json{{"ignore_index", 3}, {"class_weights", {0.5, 4.0, 1.0, 9.0}}, {"dice_weight", 0.25}}}},
        {"focal", {"FocalLoss", "y", "t", 1.0, ignoring}},
        {"a sum that ignores", {"NLLLoss", "y", "t", 0.5, Json{{"ignore_index", 3}, {"reduction", "sum"}}}},
        {"dice", {"DiceLoss", "y", "t", 1.0, ignoring}},
    };
    for (const auto& [what, loss] : losses) {
        InBatches(planOf({loss, {"MSELoss", "z", "u", 0.5, Json{{"reduction", "sum"}}}}),
                  {images(), at::randn({12, 2}, at::kDouble)}, {pixels, at::randn({12, 2})})
            .expectTheWholeBatch(what);
    }
    const at::Tensor shares = at::randn({12, 4}, at::kDouble).softmax(1);
    InBatches(planOf({{"KLDivLoss", "y", "u", 1.0, Json{{"reduction", "batchmean"}}},
                      formula("sum(square(z)) / 7", {{"reduction", "sum"}}),
                      formula("mean(abs(z))")}),
              {at::log_softmax(at::randn({12, 4}, at::kDouble), 1), at::randn({12, 3}, at::kDouble)}, {pixels, shares})
        .expectTheWholeBatch("a batchmean and formulas");
}

TEST(Objective, AStepOfSeveralBatchesHasPyTorchsGradients) {
    const Json json = test::reference("accumulation.json");
    const at::Tensor x = test::tensor(json.at("X")), y = test::tensor(json.at("Y")).to(at::kLong);
    const plan::TrainingPlan plan = planOf({{"CrossEntropyLoss", "y", "t"}});
    for (const char* way : {"whole", "equal", "unequal_weighted"}) {
        const Json& wanted = json.at(way);
        std::map<std::string, at::Tensor> params;
        for (const auto& [name, value] : json.at("params").items()) {
            params[name] = test::tensor(value).requires_grad_(true);
        }
        Objective objective = Objective::make(plan, {{"y"}, {"t"}}, at::kCPU).value();
        const std::vector<double> inStep = objective.counts({y}, 12);
        std::int64_t at = 0;
        for (std::size_t i = 0; i < wanted.at("micro_batches").size(); ++i) {
            const auto size = wanted["micro_batches"][i].get<std::int64_t>();
            const at::Tensor labels = y.slice(0, at, at + size);
            const at::Tensor logits =
                at::linear(at::tanh(at::linear(x.slice(0, at, at + size), params["0.weight"], params["0.bias"])),
                           params["2.weight"], params["2.bias"]);
            std::vector<at::Tensor> values;
            objective
                .loss({logits}, {labels}, {objective.share(0, objective.counts({labels}, size)[0], inStep[0])}, values)
                .value()
                .backward();
            EXPECT_NEAR(values[0].item<double>(), wanted["losses"][i].get<double>(), 1e-12) << way;
            at += size;
        }
        EXPECT_EQ(at, 12);
        for (const auto& [name, gradient] : wanted.at("grads").items()) {
            test::expectNear(params[name].grad(), test::tensor(gradient), 1e-12, std::string(way) + " " + name);
        }
    }
}

TEST(Objective, LooksEveryOperandUpByItsName) {
    const BindingNames names{{"y", "z", "w"}, {"t", "n"}};
    const auto errorOf = [&](plan::LossSpec loss) {
        const auto made = Objective::make(planOf({std::move(loss)}), names, at::kCPU);
        return made ? std::string() : made.error().code + " " + made.error().where;
    };
    EXPECT_EQ(errorOf({"TripletMarginLoss", "y", "", 1.0, Json{{"positive", "z"}, {"negative", "w"}}}), "");
    EXPECT_EQ(errorOf({"TripletMarginLoss", "y", "", 1.0, Json{{"positive", "z"}, {"negative", "x"}}}),
              "unknown-output /training/losses/0/negative");
    EXPECT_EQ(errorOf({"MSELoss", "q", "t"}), "unknown-output /training/losses/0/output");
    EXPECT_EQ(errorOf({"MSELoss", "y", "q"}), "unknown-target /training/losses/0/target");
    EXPECT_EQ(errorOf({"CTCLoss", "y", "t"}), "");
    EXPECT_EQ(errorOf({"CTCLoss", "y", "t", 1.0, Json{{"target_lengths", "m"}}}),
              "unknown-target /training/losses/0/target_lengths");
    EXPECT_EQ(errorOf(formula("mean(square(y - t))")), "");
    EXPECT_EQ(errorOf(formula("mean(square(y - q))")), "formula-name /training/losses/0/expression");
    EXPECT_EQ(errorOf(formula("mean(t)")), "formula-without-output /training/losses/0/expression");
    EXPECT_EQ(errorOf(formula("mean(y")), "formula /training/losses/0/expression");
}

TEST(Formula, IsWhatItsOperationsAre) {
    const at::Tensor y = at::randn({4, 3}, at::kDouble), z = at::randn({4, 3}, at::kDouble),
                     t = at::randint(2, {4, 3}).to(at::kDouble);
    const std::vector<std::pair<const char*, at::Tensor>> all = {
        {"mean((y - t) ** 2)", (y - t).square().mean()},
        {"sum(abs(y)) / 12 - -1", y.abs().mean() + 1},
        {"mean(where(t > 0.5, y, 2 * z))", at::where(t.gt(0.5), y, z * 2).mean()},
        {"max(y)", y.max()},
        {"min(y, z) ** 1 * 0 + 1 == 1", at::zeros({4, 3}, at::kDouble)},
        {"mean(max(y, z) - min(y, z))", (y - z).abs().mean()},
        {"mean(clamp(y, -0.5, 0.5))", y.clamp(-0.5, 0.5).mean()},
        {"norm(y)", y.square().sum().sqrt()},
        {"mean(norm(y - z, 1))", (y - z).square().sum(1).sqrt().mean()},
        {"sum(mean(y, -1) * sum(z, 1))", (y.mean(1) * z.sum(1)).sum()},
        {"mean(softplus(-y) + relu(y) + tanh(z) + sigmoid(y))",
         (at::softplus(-y) + y.relu() + z.tanh() + y.sigmoid()).mean()},
        {"mean(log(exp(y)) + sqrt(square(z)))", (y + z.abs()).mean()},
        {"mean((y <= z) + (y != y) + (t >= 1))", (y.le(z).to(at::kDouble) + t).mean()},
        {"-2 ** 2 + 0 * sum(y)", at::zeros({}, at::kDouble) - 4},
        {"2 ** -1 * mean(y)", y.mean() * 0.5},
    };
    for (const auto& [text, want] : all) {
        const auto got = evaluate(text, y, z, t);
        if (want.numel() != 1) {
            EXPECT_FALSE(got.has_value()) << text;
            continue;
        }
        ASSERT_TRUE(got.has_value()) << text << ": " << toSentence(got.error());
        EXPECT_NEAR(got->item<double>(), want.item<double>(), 1e-13) << text;
    }
}

TEST(Formula, LearnsAsTheLossThatItWrites) {
    at::Tensor y = at::randn({5, 1}, at::kDouble).requires_grad_(true), same = y.detach().clone().requires_grad_(true);
    const at::Tensor t = at::randn({5});
    evaluate("mean((y - t) ** 2)", y, y, t).value().backward();
    Objective objective = Objective::make(planOf({{"MSELoss", "y", "t"}}), {{"y"}, {"t"}}, at::kCPU).value();
    objective.loss({same}, {t}).value().backward();
    test::expectNear(y.grad(), same.grad(), 1e-14, "one number a sample stands beside a column");
}

TEST(Formula, OfSeveralNumbersOrShapesThatDoNotBelongTogetherIsASentence) {
    const at::Tensor y = at::randn({4, 3}), z = at::randn({4, 3}), t = at::randn({4});
    const auto several = evaluate("square(y)", y, z, t);
    ASSERT_FALSE(several.has_value());
    EXPECT_NE(several.error().message.find("12 numbers of shape [4, 3]"), std::string::npos) << several.error().message;
    const auto apart = evaluate("mean(y - t)", y, z, t);
    ASSERT_FALSE(apart.has_value());
    EXPECT_EQ(apart.error().kind, ErrorKind::kInvalid);
    EXPECT_NE(apart.error().message.find("- at position 8 of the formula got shapes [4, 3] and [4]"), std::string::npos)
        << apart.error().message;
    EXPECT_FALSE(evaluate("mean(sum(y, 5))", y, z, t).has_value());
}

}  // namespace
}  // namespace plumbline::train
