#include "train/clip.h"

#include <ATen/ops/linalg_vector_norm.h>

#include "reference.h"

namespace plumbline::train {
namespace {

std::vector<at::Tensor> gradientsOf(const Json& lists) {
    std::vector<at::Tensor> gradients;
    for (const Json& list : lists) {
        gradients.push_back(test::tensor(list));
    }
    return gradients;
}

void expectAll(const std::vector<at::Tensor>& gradients, const Json& wanted, const std::string& what) {
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        test::expectNear(gradients[i], test::tensor(wanted.at(i)), 1e-12, what);
    }
}

TEST(Clip, GivesPyTorchsNormAndGradients) {
    const Json json = test::reference("clip.json");
    int norms = 0, values = 0;
    for (const Json& one : json.at("cases")) {
        const std::vector<at::Tensor> gradients = gradientsOf(json.at("grads"));
        if (one.at("fn") == "clip_grad_value_") {
            clipGradValue(gradients, one.at("clip_value").get<double>());
            ++values;
        } else {
            const at::Tensor total =
                clipGradNorm(gradients, one.at("max_norm").get<double>(), test::number(one.at("norm_type")));
            test::expectNear(total, test::tensor(one.at("total_norm")), 1e-12, one.dump());
            ++norms;
        }
        expectAll(gradients, one.at("grads"), one.dump());
    }
    EXPECT_EQ(norms, 16);
    EXPECT_EQ(values, 3);
}

TEST(Clip, GivesPyTorchsGradientsWhereTheyAreZeroInfiniteOrNaN) {
    const Json edge = test::reference("clip.json").at("edge");
    const Json inputs = Json::parse(R"([[[0, 0, 0]], [[1, "inf"]], [[1, "nan"]]])");
    ASSERT_EQ(edge.size(), inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::vector<at::Tensor> gradients = gradientsOf(inputs[i]);
        test::expectNear(clipGradNorm(gradients, 1, 2), test::tensor(edge[i].at("total_norm")), 1e-12, edge[i].dump());
        expectAll(gradients, edge[i].at("grads"), edge[i].dump());
    }
}

TEST(Clip, ByAKnownNormIsTheSame) {
    const Json json = test::reference("clip.json");
    for (const Json& one : json.at("cases")) {
        if (one.at("fn") == "clip_grad_norm_") {
            const std::vector<at::Tensor> gradients = gradientsOf(json.at("grads"));
            clipByKnownNorm(gradients, one.at("max_norm").get<double>(), one.at("total_norm").get<double>());
            expectAll(gradients, one.at("grads"), one.dump());
        }
    }
}

TEST(Clip, AdaptivelyLeavesNoUnitsGradientAboveItsShareOfTheWeightsNorm) {
    // Rows of norm 5 and 0 (which counts as eps = 0.5), a bias of norm 2; gradients of norm 10, 0.03, 13 and 1.
    at::Tensor weight = test::tensor(Json::parse("[[3, 4], [0, 0], [0, 5]]")).set_requires_grad(true);
    at::Tensor bias = test::tensor(Json::parse("[2, 0]")).set_requires_grad(true);
    const at::Tensor frozen = test::tensor(Json::parse("[1]"));
    weight.mutable_grad() = test::tensor(Json::parse("[[6, 8], [0.03, 0], [5, 12]]"));
    bias.mutable_grad() = test::tensor(Json::parse("[0.6, 0.8]"));
    clipAdaptively({weight, bias, frozen}, 0.1, 0.5);
    // 0.1 · 5 = 0.5 of 10; 0.1 · 0.5 = 0.05, not reached; 0.5 of 13; 0.2 of 1.
    test::expectNear(weight.grad(), test::tensor(Json::array({{0.3, 0.4}, {0.03, 0.0}, {2.5 / 13, 6.0 / 13}})), 1e-12,
                     "weight");
    test::expectNear(bias.grad(), test::tensor(Json::array({0.12, 0.16})), 1e-12, "bias");
}

TEST(Clip, AdaptivelyTakesAConvolutionsFiltersAsUnits) {
    at::Tensor weight = test::tensor(Json::parse("[[[[1, 0], [0, 0]]], [[[0, 2], [0, 0]]]]")).set_requires_grad(true);
    weight.mutable_grad() = test::tensor(Json::parse("[[[[3, 0], [0, 4]]], [[[0, 0], [0, 1]]]]"));
    clipAdaptively({weight}, 0.5, 1e-3);
    const at::Tensor norms = at::linalg_vector_norm(weight.grad(), 2, std::vector<std::int64_t>{1, 2, 3});
    test::expectNear(norms, test::tensor(Json::array({0.5, 1.0})), 1e-12, "norms");
}

}  // namespace
}  // namespace plumbline::train
