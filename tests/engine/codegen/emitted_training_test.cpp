// Losses and update rules of exported programs, as compiled from what is emitted for PyTorch's reference cases.

#include "losses.h"
#include "optimizer.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "emitted_cases.h"

using plumbline::Json;
using plumbline::readJsonFile;
namespace test = plumbline::test;

namespace {

void addNumbers(const Json& list, std::vector<double>& values, std::vector<int64_t>& dims, std::size_t depth) {
    if (!list.is_array()) {
        values.push_back(list.get<double>());
        return;
    }
    if (dims.size() == depth) {
        dims.push_back(static_cast<int64_t>(list.size()));
    }
    for (const Json& item : list) {
        addNumbers(item, values, dims, depth + 1);
    }
}

bool isWhole(const Json& list) {
    return list.is_array() ? !list.empty() && isWhole(list.front()) : list.is_number_integer();
}

torch::Tensor tensorOf(const Json& list) {
    std::vector<double> values;
    std::vector<int64_t> dims;
    addNumbers(list, values, dims, 0);
    return torch::tensor(values, torch::kDouble).reshape(dims);
}

void expectClose(const torch::Tensor& got, const torch::Tensor& wanted, const std::string& what) {
    const double largest = wanted.abs().max().item<double>();
    EXPECT_LE((got - wanted).abs().max().item<double>(), 1e-12 * largest) << what << ": " << got << wanted;
}

/// w after 1, 5 and 20 steps on f(w) = sum((A w - b)^2).
template <typename Rule>
void follow(const Rule& rule, double lr, double weightDecay, bool maximizes, const Json& all, const Json& reference) {
    const std::string what = reference.at("optimizer").get<std::string>() + " " + reference.at("options").dump();
    const torch::Tensor a = tensorOf(all.at("A")), b = tensorOf(all.at("b"));
    torch::Tensor w = tensorOf(all.at("w0")).requires_grad_(true);
    plan::Optimizer<Rule> optimizer = [&] {
        const std::vector<plan::Group> groups{{lr, weightDecay, {w}}};
        if constexpr (std::is_same_v<Rule, plan::LBFGS>) {
            return plan::Optimizer<Rule>(rule, groups);
        } else {
            return plan::Optimizer<Rule>(rule, groups, maximizes);
        }
    }();
    for (int step = 1; step <= 20; ++step) {
        optimizer.step([&] {
            const torch::Tensor value = (a.mv(w) - b).square().sum();
            value.backward();
            return value.item<double>();
        });
        if (const std::string key = std::to_string(step); reference.at("w").contains(key)) {
            expectClose(w.detach(), tensorOf(reference.at("w").at(key)), what + " after " + key);
        }
    }
}

struct EmittedLoss {
    torch::Tensor (*value)(const Tensors& outputs, const Tensors& batch);
    double (*count)(const Tensors& batch, int64_t samples);
};

}  // namespace

TEST(EmittedOptimizers, GiveTheNumbersOfPyTorch) {
    const Json references = readJsonFile(PLUMBLINE_OPTIMIZERS).value();
    const auto cases = test::optimizerCases(references);
    std::size_t seen = 0;
    {
        using namespace plan;
#define OPTIMIZER(index, lr, decay, maximizes, ...)                                      \
    ::follow(__VA_ARGS__, lr, decay, maximizes, references, *cases.at(index).reference); \
    ++seen;
#include "emitted_optimizers.inc"
#undef OPTIMIZER
    }
    EXPECT_EQ(seen, cases.size());
}

TEST(EmittedOptimizers, LionMovesByTheSignAndDecaysApart) {
    torch::Tensor w = torch::tensor({2.0, -1.0}, torch::kDouble).requires_grad_(true);
    plan::Optimizer<plan::Lion> optimizer({0.9, 0.99}, {{0.1, 0.5, {w}}});
    const auto step = [&](double first, double second) {
        optimizer.step([&] {
            w.mutable_grad() = torch::tensor({first, second}, torch::kDouble);
            return 0.0;
        });
    };
    step(3, -4);
    // 2 * (1 - 0.05) - 0.1 and -1 * 0.95 + 0.1
    expectClose(w.detach(), torch::tensor({1.8, -0.85}, torch::kDouble), "first");
    // The momentum is 0.03 and -0.04; a tenth of the new gradient turns the first, not the second.
    step(-0.5, 0.3);
    expectClose(w.detach(), torch::tensor({1.8 * 0.95 + 0.1, -0.85 * 0.95 + 0.1}, torch::kDouble), "second");
}

TEST(EmittedOptimizers, CentraliseOverTheInputsAndLeaveOtherGroupsRatesAlone) {
    torch::Tensor weight = torch::zeros({2, 2}, torch::kDouble).requires_grad_(true),
                  bias = torch::zeros({2}, torch::kDouble).requires_grad_(true);
    plan::Optimizer<plan::SGD> optimizer({0.0, 0.0, false}, {{1.0, 0.0, {weight}}, {0.5, 0.0, {bias}}}, false, true);
    optimizer.step([&] {
        weight.mutable_grad() = torch::tensor({1.0, 3.0, -2.0, 2.0}, torch::kDouble).reshape({2, 2});
        bias.mutable_grad() = torch::tensor({1.0, 3.0}, torch::kDouble);
        return 0.0;
    });
    expectClose(weight.detach(), torch::tensor({1.0, -1.0, 2.0, -2.0}, torch::kDouble).reshape({2, 2}), "weight");
    expectClose(bias.detach(), torch::tensor({-0.5, -1.5}, torch::kDouble), "bias");
    EXPECT_FALSE(weight.grad().defined());
}

TEST(EmittedLosses, GiveTheNumbersOfPyTorch) {
    const Json references = readJsonFile(PLUMBLINE_LOSSES).value();
    const auto cases = test::lossCases(references);
    std::vector<EmittedLoss> emitted;
    {
        using namespace plan;
#define LOSS(index, term, number)                                                                              \
    emitted.push_back(                                                                                         \
        {[]([[maybe_unused]] const Tensors& outputs, [[maybe_unused]] const Tensors& batch) -> torch::Tensor { \
             return term;                                                                                      \
         },                                                                                                    \
         []([[maybe_unused]] const Tensors& batch, [[maybe_unused]] int64_t samples) -> double { return number; }});
#include "emitted_losses.inc"
#undef LOSS
    }
    ASSERT_EQ(emitted.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const test::LossCase& one = cases[i];
        const std::string what = one.spec.type + " " + one.spec.options.dump();
        Tensors outputs, batch;
        for (const auto& [name, value] : one.inputs.items()) {
            outputs[name] = tensorOf(value);
        }
        for (const auto& [name, value] : one.targets.items()) {
            const torch::Tensor target = tensorOf(value);
            batch["target." + name] = isWhole(value) ? target.to(torch::kLong) : target;
        }
        if (one.spec.type == "CTCLoss") {
            outputs["logits"] = torch::log_softmax(outputs["logits"], -1).transpose(0, 1);
        }
        const double got = emitted[i].value(outputs, batch).item<double>();
        if (std::isfinite(one.value)) {
            EXPECT_NEAR(got, one.value, 1e-12 * std::max(1.0, std::abs(one.value))) << what;
        } else {
            EXPECT_EQ(std::isnan(got), std::isnan(one.value)) << what << ": " << got;
        }
        const int64_t samples = outputs.begin()->second.size(0);
        EXPECT_LE(emitted[i].count(batch, samples), 1e6) << what;
    }
}

TEST(EmittedLosses, CountWhatTheyAreTheMeanOver) {
    Tensors batch{{"target.t", torch::tensor({0, 1, 9, 1}, torch::kLong)}};
    EXPECT_EQ(plan::countedLabels(batch.at("target.t"), 9, {}), 3);
    EXPECT_EQ(plan::countedLabels(batch.at("target.t"), 9, {0.5, 2.0}), 4.5);
}
