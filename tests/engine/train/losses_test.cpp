// Losses by themselves: PyTorch's numbers, those of the papers, and what they refuse.
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <utility>

#include "reference.h"
#include "train/losses.h"
#include "train/losses/all_losses.h"
#include "train/step.h"

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
    EXPECT_TRUE(loss.has_value()) << (loss ? "" : toSentence(loss.error()));
    return loss ? std::move(*loss) : nullptr;
}

/// Within a share of the largest magnitude of the tensor; NaN equals NaN, infinity itself.
void expectWithin(const at::Tensor& got, const at::Tensor& want, double relative, const std::string& what) {
    ASSERT_EQ(got.sizes(), want.sizes()) << what;
    const at::Tensor a = got.detach().to(at::kDouble).contiguous(), b = want.contiguous();
    const double* const x = a.const_data_ptr<double>();
    const double* const y = b.const_data_ptr<double>();
    double largest = 0;
    for (std::int64_t i = 0; i < b.numel(); ++i) {
        largest = std::isfinite(y[i]) ? std::max(largest, std::abs(y[i])) : largest;
    }
    for (std::int64_t i = 0; i < b.numel(); ++i) {
        if (std::isfinite(y[i])) {
            EXPECT_LE(std::abs(x[i] - y[i]), relative * largest)
                << what << " [" << i << "]: " << x[i] << " is not " << y[i];
        } else {
            EXPECT_TRUE(std::isnan(y[i]) ? std::isnan(x[i]) : x[i] == y[i])
                << what << " [" << i << "]: " << x[i] << " is not " << y[i];
        }
    }
}

/// The tensors of a reference case, those to be differentiated first, and what the loss gets of them.
struct Case {
    std::vector<std::pair<std::string, at::Tensor>> leaves;
    LossOperands operands;
    plan::LossSpec spec;
};

Case read(const Json& one) {
    Case made;
    Json options = one.at("options");
    if (options.contains("weight")) {
        options["class_weights"] = options["weight"];
        options.erase("weight");
    }
    if (options.value("reduction", "") == "none") {
        options.erase("reduction");
    }
    const std::string type = one.at("loss").get<std::string>();
    for (const char* name : {"input", "input1", "anchor", "logits", "input2", "positive", "negative"}) {
        if (one.at("inputs").contains(name)) {
            made.leaves.emplace_back(name, test::tensor(one.at("inputs").at(name)).requires_grad_(true));
            // PyTorch has the frames first and a project the samples.
            made.operands.outputs.push_back(type == "CTCLoss"
                                                ? at::log_softmax(made.leaves.back().second, 2).transpose(0, 1)
                                                : made.leaves.back().second);
        }
    }
    for (const char* name : {"target", "targets", "input_lengths", "target_lengths", "var"}) {
        if (!one.at("targets").contains(name)) {
            continue;
        }
        at::Tensor target = test::tensor(one.at("targets").at(name));
        if (type == "NLLLoss" || type == "MultiMarginLoss" || type == "CTCLoss" ||
            (target.dim() < made.operands.prediction().dim() && one.at("targets").size() == 1 &&
             type != "CosineEmbeddingLoss" && type != "ContrastiveLoss")) {
            target = target.to(at::kLong);
        }
        (std::string(name) == "var" ? made.operands.outputs : made.operands.targets).push_back(target);
    }
    if (type == "CTCLoss") {
        options["input_lengths"] = "frames";
        options["target_lengths"] = "labels";
    }
    made.spec = specOf(type, std::move(options));
    return made;
}

TEST(Losses, GivePyTorchsValueAndGradient) {
    int compared = 0;
    const Json json = test::reference("losses.json");
    for (const Json& one : json.at("cases")) {
        const std::string what =
            one.at("loss").get<std::string>() + " " + one.at("options").dump() + " " + one.value("note", "");
        const Case made = read(one);
        const auto loss = make(made.spec);
        ASSERT_NE(loss, nullptr) << what;
        ASSERT_TRUE(loss->fits(made.operands).has_value()) << what << loss->fits(made.operands).error().message;
        const bool whole = one.at("options").value("reduction", "") == "none";
        const at::Tensor value = whole ? loss->unreduced(made.operands) : loss->value(made.operands);
        expectWithin(value, test::tensor(one.at("value")).reshape(value.sizes()), 1e-12, what);
        value.sum().backward();
        for (const auto& [name, leaf] : made.leaves) {
            expectWithin(leaf.grad(), test::tensor(one.at("grad").at(name)), 1e-12, what + ", gradient of " + name);
        }
        ++compared;
    }
    EXPECT_EQ(compared, 78);
}

TEST(Losses, GiveTheNumbersOfTheirPapers) {
    int compared = 0;
    const Json json = test::reference("losses_of_papers.json");
    for (const Json& one : json.at("cases")) {
        const std::string what = one.at("loss").get<std::string>() + " " + one.at("options").dump();
        const Case made = read(one);
        at::Tensor sum;
        for (const plan::LossSpec& term : plan::termsOf(made.spec)) {
            const auto loss = make(term);
            ASSERT_TRUE(loss->fits(made.operands).has_value()) << what << loss->fits(made.operands).error().message;
            const at::Tensor value = loss->value(made.operands) * term.weight;
            sum = sum.defined() ? sum + value : value;
        }
        expectWithin(sum, test::tensor(one.at("value")).reshape({}), 1e-12, what);
        sum.backward();
        for (const auto& [name, leaf] : made.leaves) {
            expectWithin(leaf.grad(), test::tensor(one.at("grad").at(name)), 1e-12, what + ", gradient of " + name);
        }
        ++compared;
    }
    EXPECT_EQ(compared, 17);
}

TEST(Losses, EveryOneThatAPlanMayNameIsThere) {
    for (const plan::TypeSpec& type : plan::lossTypes()) {
        for (const plan::LossSpec& term : plan::termsOf(specOf(type.name))) {
            EXPECT_NE(findLoss(term.type), nullptr) << term.type;
        }
    }
    EXPECT_EQ(Loss::make(specOf("NoLoss"), "/p", at::kCPU).error().code, "unknown-loss");
}

TEST(Losses, MultiLabelMarginIsWhatItsDefinitionSays) {
    // A row's classes are 3 and 0, each against 1 and 2, which it does not have.
    const at::Tensor scores = test::tensor(Json::parse("[[0.1, 0.2, 0.4, 0.8]]")).requires_grad_(true);
    const at::Tensor target = test::tensor(Json::parse("[[3, 0, -1, 1]]")).to(at::kLong);
    const at::Tensor value = make(specOf("MultiLabelMarginLoss"))->value({{scores}, {target}});
    EXPECT_NEAR(value.item<double>(),
                0.25 * ((1 - (0.1 - 0.2)) + (1 - (0.1 - 0.4)) + (1 - (0.8 - 0.2)) + (1 - (0.8 - 0.4))), 1e-15);
    value.backward();
    expectWithin(scores.grad(), test::tensor(Json::parse("[[-0.5, 0.5, 0.5, -0.5]]")), 1e-15, "gradient");
}

TEST(Losses, GaussianAddsItsConstantAndLearnsTheVariance) {
    const at::Tensor mean = test::tensor(Json::parse("[[1.0, 2.0]]")).requires_grad_(true),
                     variance = test::tensor(Json::parse("[[4.0, 1e-9]]")).requires_grad_(true);
    const auto loss = make(specOf("GaussianNLLLoss", {{"full", true}, {"reduction", "sum"}}));
    const at::Tensor value = loss->value({{mean, variance}, {test::tensor(Json::parse("[[5.0, 2.002]]"))}});
    EXPECT_NEAR(value.item<double>(),
                0.5 * (std::log(4.0) + 4) + 0.5 * (std::log(1e-6) + 4) + std::log(2 * std::acos(-1.0)), 1e-9);
    value.backward();
    // (1 / v - (m - y)² / v²) / 2, at the variance raised to eps, 1e-6.
    expectWithin(variance.grad(), test::tensor(Json::parse("[[-0.375, -1.5e6]]")), 1e-9, "variance");
    const at::Tensor negative = test::tensor(Json::parse("[[-1.0, 1.0]]"));
    EXPECT_THROW((void)loss->value({{mean, negative}, {at::zeros({1, 2}, at::kDouble)}}), std::invalid_argument);
}

TEST(Losses, CountFramesAndLabelsThatNobodyStated) {
    const at::Tensor scores = at::log_softmax(at::randn({2, 6, 4}, at::kDouble), 2),
                     labels = test::tensor(Json::parse("[[1, 2, 2], [3, 0, 0]]")).to(at::kLong);
    const at::Tensor stated = make(specOf("CTCLoss", {{"input_lengths", "a"}, {"target_lengths", "b"}}))
                                  ->value({{scores},
                                           {labels, test::tensor(Json::parse("[6, 6]")).to(at::kLong),
                                            test::tensor(Json::parse("[[3], [1]]")).to(at::kLong)}});
    EXPECT_EQ(make(specOf("CTCLoss"))->value({{scores}, {labels}}).item<double>(), stated.item<double>());
    EXPECT_THROW((void)make(specOf("CTCLoss"))->value({{scores}, {labels + 2}}), std::invalid_argument)
        << "the class 4 of 4 is not read from memory";
}

TEST(Losses, AreComputedInFloat32UnderAutocast) {
    const at::Tensor scores = at::randn({4, 3}).to(at::kBFloat16), other = at::randn({4, 3}).to(at::kBFloat16),
                     variance = scores.abs() + 1;
    const at::Tensor classes = at::randint(3, {4}, at::kLong), elements = at::randint(2, {4, 3}).to(at::kFloat),
                     signs = elements * 2 - 1;
    for (const plan::TypeSpec& type : plan::lossTypes()) {
        for (const plan::LossSpec& term : plan::termsOf(specOf(type.name))) {
            const plan::LossTraits& traits = plan::lossTraits(term.type);
            if (term.type == "ExpressionLoss" || term.type == "CTCLoss" || term.type == "MultiLabelMarginLoss") {
                continue;  // the same base, and operands of another kind
            }
            LossOperands half{{traits.scale == plan::OutputScale::kProbabilities ? scores.sigmoid() : scores}, {}};
            if (term.type == "GaussianNLLLoss") {
                half.outputs.push_back(variance);
            } else if (term.type == "TripletMarginLoss") {
                half.outputs.insert(half.outputs.end(), {other, scores * 2});
            } else if (term.kind()->option("other") != nullptr) {
                half.outputs.push_back(other);
            }
            if (term.type != "TripletMarginLoss") {
                half.targets = {plan::tellsClasses(term)                     ? classes
                                : traits.samplesMean                         ? signs.select(1, 0)
                                : traits.target == plan::TargetRange::kSigns ? signs
                                                                             : elements};
            }
            LossOperands full = half;
            for (at::Tensor& output : full.outputs) {
                output = output.to(at::kFloat);
            }
            const auto loss = make(term);
            at::Tensor value;
            {
                const AutocastScope autocast(plan::Precision::kBf16, at::kCPU);
                value = loss->value(half);
                EXPECT_TRUE(at::autocast::is_autocast_enabled(at::kCPU)) << "it is on again";
            }
            EXPECT_EQ(value.scalar_type(), at::kFloat) << term.type;
            EXPECT_EQ(value.item<float>(), loss->value(full).item<float>()) << term.type;
        }
    }
}

TEST(Losses, RefuseATargetThatWouldBeBroadcast) {
    const auto loss = make(specOf("MSELoss"));
    const Status status = loss->fits({{at::zeros({8, 1})}, {at::zeros({8})}});
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, "loss-target-shape");
    EXPECT_NE(status.error().message.find("[8, 1]"), std::string::npos);
    EXPECT_EQ(alignTarget(at::zeros({8, 1}), at::zeros({8})).sizes(), at::IntArrayRef({8, 1}));
    EXPECT_EQ(alignTarget(at::zeros({8, 2}), at::zeros({8})).sizes(), at::IntArrayRef({8}));
}

TEST(Losses, SayWhatIsWrongWithTheirOptionsAndOperands) {
    EXPECT_FALSE(Loss::make(specOf("MSELoss", {{"label_smoothing", 0.1}}), "/p", at::kCPU).has_value());
    EXPECT_FALSE(Loss::make(specOf("CrossEntropyLoss", {{"label_smoothing", 2}}), "/p", at::kCPU).has_value());
    EXPECT_FALSE(Loss::make(specOf("MultiMarginLoss", {{"p", 1.5}}), "/p", at::kCPU).has_value());
    const at::Tensor rows = at::zeros({4, 3}), numbers = at::zeros({4}), classes = at::zeros({4}, at::kLong),
                     images = at::zeros({4, 3, 2, 2});
    const std::vector<std::tuple<const char*, LossOperands>> misfits = {
        {"CrossEntropyLoss", {{rows}, {numbers}}},
        {"NLLLoss", {{rows}, {rows}}},
        {"FocalLoss", {{rows}, {numbers}}},
        {"DiceLoss", {{images}, {at::zeros({4, 2, 3}, at::kLong)}}},
        {"MultiMarginLoss", {{images}, {at::zeros({4, 2, 2}, at::kLong)}}},
        {"MultiLabelMarginLoss", {{rows}, {rows}}},
        {"MultiLabelSoftMarginLoss", {{images}, {images}}},
        {"GaussianNLLLoss", {{rows, numbers.reshape({2, 2})}, {rows}}},
        {"CTCLoss", {{rows}, {classes}}},
        {"CosineEmbeddingLoss", {{rows, rows}, {rows}}},
        {"ContrastiveLoss", {{rows, images}, {numbers}}},
        {"TripletMarginLoss", {{rows, rows, images}, {}}},
        {"MarginRankingLoss", {{rows, images}, {rows}}},
        {"HingeLoss", {{rows}, {numbers}}},
    };
    for (const auto& [type, operands] : misfits) {
        const Status status = make(specOf(type))->fits(operands);
        ASSERT_FALSE(status.has_value()) << type;
        EXPECT_EQ(status.error().code, "loss-target-shape") << type;
        EXPECT_EQ(status.error().message.rfind(type, 0), 0U) << status.error().message;
        EXPECT_FALSE(status.error().hint.empty()) << type;
    }
}

TEST(Losses, APositiveWeightBelongsToAClassWhateverFollowsThatDimension) {
    const auto loss = make(specOf("BCEWithLogitsLoss", {{"pos_weight", {2.0, 5.0}}, {"class_weights", {1.0, 0.5}}}));
    const at::Tensor logits = at::randn({3, 2, 4}, at::kDouble), target = at::randint(2, {3, 2, 4}).to(at::kDouble);
    ASSERT_TRUE(loss->fits({{logits}, {target}}).has_value());
    double sum = 0;
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t c = 0; c < 2; ++c) {
            for (std::int64_t k = 0; k < 4; ++k) {
                const double x = logits[i][c][k].item<double>(), y = target[i][c][k].item<double>();
                sum += (c == 0 ? 1.0 : 0.5) *
                       ((c == 0 ? 2.0 : 5.0) * y * std::log1p(std::exp(-x)) + (1 - y) * std::log1p(std::exp(x)));
            }
        }
    }
    EXPECT_NEAR(loss->value({{logits}, {target}}).item<double>(), sum / 24, 1e-12);
    EXPECT_EQ(loss->fits({{at::zeros({3, 4})}, {at::zeros({3, 4})}}).error().code, "class-weights");
    EXPECT_TRUE(make(specOf("BCEWithLogitsLoss", {{"pos_weight", {2.0}}}))
                    ->fits({{at::zeros({3})}, {at::zeros({3})}})
                    .has_value());
    EXPECT_EQ(make(specOf("CrossEntropyLoss", {{"class_weights", {1.0, 2.0}}}))
                  ->fits({{at::zeros({4, 3})}, {at::zeros({4}, at::kLong)}})
                  .error()
                  .code,
              "class-weights");
}

TEST(Losses, OneChannelIsYesOrNoWithOrWithoutItsDimension) {
    const at::Tensor scores = at::randn({2, 1, 3, 3}, at::kDouble), mask = at::randint(2, {2, 3, 3}, at::kLong);
    for (const char* type : {"FocalLoss", "DiceLoss"}) {
        const auto loss = make(specOf(type));
        ASSERT_TRUE(loss->fits({{scores}, {mask}}).has_value()) << type;
        EXPECT_EQ(loss->value({{scores}, {mask}}).item<double>(),
                  loss->value({{scores}, {mask.unsqueeze(1).to(at::kDouble)}}).item<double>())
            << type;
    }
}

TEST(Losses, AFocusUnderOneHasAGradientWhereNothingIsMissing) {
    at::Tensor scores = test::tensor(Json::parse("[[1000, -1000], [-1000, 1000]]")).requires_grad_(true);
    const at::Tensor value =
        make(specOf("FocalLoss", {{"focus", 0.5}}))->value({{scores}, {at::zeros({2}, at::kLong)}});
    value.backward();
    EXPECT_TRUE(std::isfinite(value.item<double>()));
    expectWithin(scores.grad(), test::tensor(Json::parse("[[0, 0], [-0.5, 0.5]]")), 1e-9, "gradient");
}

}  // namespace
}  // namespace plumbline::train
