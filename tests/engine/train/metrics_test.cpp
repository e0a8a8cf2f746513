// Values are scikit-learn's own examples, worked out by hand, or by a definition that goes through all pairs or
// thresholds.
#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "reference.h"
#include "train/metric_set.h"
#include "train/metrics/score_keeper.h"

namespace plumbline::train {
namespace {

using Batches = std::vector<std::int64_t>;

plan::MetricSpec metric(const std::string& type, Json options = Json::object()) {
    return {type, "y", "t", std::move(options)};
}

plan::TrainingPlan planOf(std::vector<plan::MetricSpec> metrics, std::vector<plan::LossSpec> losses = {}) {
    plan::TrainingPlan plan;
    plan.metrics = std::move(metrics);
    plan.losses = std::move(losses);
    return plan;
}

MetricSet setOf(const plan::TrainingPlan& plan) {
    auto set = MetricSet::make(plan, {{"y", "z"}, {"t", "u"}, {{"a", "b", "c"}, {}}});
    EXPECT_TRUE(set.has_value()) << (set ? "" : set.error().message);
    return set ? std::move(*set) : MetricSet();
}

/// A metric with what it reads, to be given tensors by either way.
struct Alone {
    explicit Alone(const plan::MetricSpec& spec, const plan::TrainingPlan& plan = {}) {
        MetricContext context = contextOf(plan, spec);
        context.shared = [this](const std::string&, const MetricContext::Maker& make) { return gathered = make(); };
        metric = makeMetric(context);
    }
    void add(const at::Tensor& prediction, const at::Tensor& target, bool asOnDevice) {
        asOnDevice ? gathered->addOnDevice(prediction, target) : gathered->addOnHost(prediction, target);
    }
    std::shared_ptr<Accumulator> gathered;
    std::unique_ptr<Metric> metric;
};

double valueOf(const plan::MetricSpec& spec, const at::Tensor& prediction, const at::Tensor& target,
               std::vector<plan::LossSpec> losses = {}) {
    MetricSet set = setOf(planOf({spec}, std::move(losses)));
    set.add({prediction, prediction}, {target, target});
    const MetricValues read = set.read("test");
    const auto found = read.values.find(spec.name());
    return found == read.values.end() ? std::nan("") : found->second;
}

at::Tensor numbers(const char* json) {
    return test::tensor(Json::parse(json));
}
at::Tensor labels(const char* json) {
    return numbers(json).to(at::kLong);
}
/// Scores whose largest is the class that is named.
at::Tensor scoresOf(const char* classes, std::int64_t count) {
    const at::Tensor chosen = labels(classes);
    return at::arange(count).unsqueeze(0).eq(chosen.unsqueeze(1)).to(at::kFloat);
}

TEST(Metrics, GiveTheValuesOfScikitLearnsExamples) {
    const at::Tensor truth = labels("[0,1,2,0,1,2]"), scores = scoresOf("[0,2,1,0,0,1]", 3);
    EXPECT_NEAR(valueOf(metric("f1", {{"average", "macro"}}), scores, truth), 0.8 / 3, 1e-12);
    EXPECT_NEAR(valueOf(metric("f1", {{"average", "micro"}}), scores, truth), 1.0 / 3, 1e-12);
    EXPECT_NEAR(valueOf(metric("f1", {{"average", "weighted"}}), scores, truth), 0.8 / 3, 1e-12);
    EXPECT_NEAR(valueOf(metric("precision", {{"average", "macro"}}), scores, truth), 2.0 / 9, 1e-12);
    EXPECT_NEAR(valueOf(metric("precision", {{"average", "micro"}}), scores, truth), 1.0 / 3, 1e-12);
    EXPECT_NEAR(valueOf(metric("precision", {{"average", "weighted"}}), scores, truth), 2.0 / 9, 1e-12);
    EXPECT_NEAR(valueOf(metric("recall", {{"average", "macro"}}), scores, truth), 1.0 / 3, 1e-12);
    EXPECT_NEAR(valueOf(metric("accuracy"), scores, truth), 1.0 / 3, 1e-12);
    EXPECT_DOUBLE_EQ(valueOf(metric("balanced_accuracy"), scoresOf("[0,1,0,0,0,1]", 2), labels("[0,1,0,0,1,0]")),
                     0.625);
    EXPECT_NEAR(valueOf(metric("iou"), scoresOf("[0,2,1,2]", 3), labels("[0,1,2,2]")), 4.0 / 9, 1e-12);
    EXPECT_DOUBLE_EQ(valueOf(metric("top_k_accuracy", {{"k", 2}}),
                             numbers("[[0.5,0.2,0.2],[0.3,0.4,0.2],[0.2,0.4,0.3],[0.7,0.2,0.1]]"), labels("[0,1,2,2]")),
                     0.75);
    EXPECT_DOUBLE_EQ(valueOf(metric("roc_auc"), numbers("[[0.1],[0.4],[0.35],[0.8]]"), numbers("[[0],[0],[1],[1]]")),
                     0.75);
    EXPECT_NEAR(valueOf(metric("average_precision"), numbers("[0.1,0.4,0.35,0.8]"), numbers("[0,0,1,1]")), 5.0 / 6,
                1e-12);
    EXPECT_NEAR(valueOf(metric("r2"), numbers("[2.5,0,2,8]"), numbers("[3,-0.5,2,7]")), 0.9486081370449679, 1e-12);
    EXPECT_NEAR(valueOf(metric("mae"), numbers("[2.5,0,2,8]"), numbers("[3,-0.5,2,7]")), 0.5, 1e-12);
    EXPECT_NEAR(valueOf(metric("mse"), numbers("[2.5,0,2,8]"), numbers("[3,-0.5,2,7]")), 0.375, 1e-12);
    EXPECT_NEAR(valueOf(metric("rmse"), numbers("[2.5,0,2,8]"), numbers("[3,-0.5,2,7]")), std::sqrt(0.375), 1e-12);
    const double first = 1 - 1.25 / (50.25 - 6.5 * 6.5 / 3), second = 1 - 3 / (38 - 16.0 / 3);
    EXPECT_NEAR(valueOf(metric("r2"), numbers("[[0,2],[-1,2],[8,-5]]"), numbers("[[0.5,1],[-1,1],[7,-6]]")),
                (first + second) / 2, 1e-12)
        << "the mean over columns";
}

TEST(Metrics, AConfusionMatrixHasARowATrueClassAndTheClassesNames) {
    MetricSet set = setOf(planOf({metric("confusion_matrix"), metric("accuracy")}));
    set.add({scoresOf("[0,0,2,2,0,2]", 3), {}}, {labels("[2,0,2,2,0,1]"), {}});
    const MetricValues read = set.read("test");
    EXPECT_EQ(
        read.matrices,
        Json::parse(
            R"({"confusion_matrix": {"classes": ["a", "b", "c"], "counts": [[2, 0, 0], [0, 0, 1], [1, 0, 2]]}})"));
    EXPECT_EQ(read.values.size(), 1U) << "it is no number";
    EXPECT_EQ(set.saveState().at("gathered").size(), 1U) << "both read the same counts";
    MetricSet two = setOf(planOf({metric("confusion_matrix")}));
    two.add({numbers("[[1],[-1],[2],[3]]"), {}}, {numbers("[[1],[1],[0],[1]]"), {}});
    EXPECT_EQ(two.read("test").matrices["confusion_matrix"]["counts"], Json::parse("[[0, 1], [1, 2]]"));
    MetricSet many = setOf(planOf({metric("confusion_matrix")}));
    EXPECT_THROW(many.add({at::zeros({1, 1001}), {}}, {labels("[0]"), {}}), std::invalid_argument);
}

TEST(Metrics, AClassThatIsMissingFromTheSplitIsTreatedAsScikitLearnDoes) {
    // Class 1 is predicted and never true, class 3 is neither; class 2 is true and never predicted.
    const at::Tensor truth = labels("[0,0,2,2]"), scores = scoresOf("[0,1,0,1]", 4);
    EXPECT_DOUBLE_EQ(valueOf(metric("precision"), scores, truth), 0.5 / 3) << "of the classes 0, 1 and 2";
    EXPECT_DOUBLE_EQ(valueOf(metric("recall"), scores, truth), 0.5 / 3);
    EXPECT_DOUBLE_EQ(valueOf(metric("f1"), scores, truth), 0.5 / 3);
    EXPECT_DOUBLE_EQ(valueOf(metric("balanced_accuracy"), scores, truth), 0.25) << "of the classes that are true";
    EXPECT_DOUBLE_EQ(valueOf(metric("iou"), scores, truth), (1.0 / 3) / 3);
    EXPECT_DOUBLE_EQ(valueOf(metric("dice", {{"include_background", false}}), scores, truth), 0.0);
    MetricSet set = setOf(planOf({metric("roc_auc"), metric("average_precision")}));
    set.add({at::randn({4, 4}), {}}, {truth, {}});
    const MetricValues read = set.read("validation");
    EXPECT_EQ(read.undefined,
              std::vector<std::string>{"roc_auc has no value over the split validation: class 1 has no sample."});
    EXPECT_TRUE(read.values.contains("average_precision")) << "a class without a positive counts 0";
}

TEST(Metrics, OfOneScoreAreAboutTheAnswerYes) {
    const at::Tensor logits = numbers("[[0.5],[-2],[3],[0]]"), truth = numbers("[[1],[1],[0],[0]]");
    EXPECT_DOUBLE_EQ(valueOf(metric("accuracy"), logits, truth), 0.5) << "0 is no yes";
    EXPECT_DOUBLE_EQ(valueOf(metric("precision", {{"average", "binary"}}), logits, truth), 0.5);
    EXPECT_DOUBLE_EQ(valueOf(metric("recall", {{"average", "binary"}, {"threshold", 0.2}}), logits, truth), 0.5);
    EXPECT_DOUBLE_EQ(valueOf(metric("recall", {{"average", "binary"}, {"threshold", 0.1}}), logits, truth), 1);
    EXPECT_DOUBLE_EQ(valueOf(metric("recall", {{"average", "binary"}, {"threshold", 0}}), logits, truth), 1);
    EXPECT_DOUBLE_EQ(valueOf(metric("recall", {{"average", "binary"}, {"threshold", 1}}), logits, truth), 0);
    const plan::LossSpec loss{"BCELoss", "y", "t"};
    EXPECT_DOUBLE_EQ(
        valueOf(metric("accuracy", {{"threshold", 0.4}}), numbers("[0.5,0.3,0.45]"), numbers("[1,0,0]"), {loss}),
        2.0 / 3)
        << "probabilities";
    EXPECT_DOUBLE_EQ(valueOf(metric("accuracy"), numbers("[[[0.5],[-2]]]").permute({0, 2, 1}), numbers("[[1,0]]")), 1)
        << "[B, 1, d] with [B, d]";
}

TEST(Metrics, OfManyLabelsAskEachForItself) {
    const at::Tensor logits = numbers("[[1,-1,1],[1,1,-1]]"), truth = numbers("[[1,0,0],[1,0,1]]");
    EXPECT_DOUBLE_EQ(valueOf(metric("accuracy"), logits, truth), 0.5);
    EXPECT_DOUBLE_EQ(valueOf(metric("f1", {{"average", "micro"}}), logits, truth), 4.0 / 7);
    EXPECT_DOUBLE_EQ(valueOf(metric("f1"), logits, truth), 1.0 / 3);
    EXPECT_DOUBLE_EQ(valueOf(metric("recall", {{"average", "weighted"}}), logits, truth), 2.0 / 3);
    MetricSet set = setOf(planOf({metric("accuracy"), metric("balanced_accuracy"), metric("confusion_matrix")}));
    set.add({logits, {}}, {truth, {}});
    EXPECT_EQ(set.accuracy()->samples, 6);
    EXPECT_EQ(set.accuracy()->correct, 3);
    EXPECT_EQ(set.accuracy()->distinctPredictions(), 2) << "yes and no";
    EXPECT_EQ(set.read("test").undefined.size(), 2U);
    const plan::LossSpec loss{"CrossEntropyLoss", "y", "t"};
    EXPECT_DOUBLE_EQ(
        valueOf(metric("accuracy"), numbers("[[2,1,0],[0,1,2]]"), numbers("[[0.6,0.4,0],[0.6,0.4,0]]"), {loss}), 0.5)
        << "probabilities of classes";
}

/// The share of pairs in which the positive is ahead; a tie is half.
double pairs(const at::Tensor& scores, const at::Tensor& positive) {
    double ahead = 0, all = 0;
    for (std::int64_t i = 0; i < scores.numel(); ++i) {
        for (std::int64_t k = 0; k < scores.numel(); ++k) {
            if (positive[i].item<bool>() && !positive[k].item<bool>()) {
                const double a = scores[i].item<double>(), b = scores[k].item<double>();
                ahead += a > b ? 1 : a == b ? 0.5 : 0;
                ++all;
            }
        }
    }
    return ahead / all;
}

/// Recall gained times precision, over every threshold that there is.
double steps(const at::Tensor& scores, const at::Tensor& positive) {
    std::set<double, std::greater<>> thresholds;
    for (std::int64_t i = 0; i < scores.numel(); ++i) {
        thresholds.insert(scores[i].item<double>());
    }
    const double all = positive.sum().item<double>();
    double sum = 0, before = 0;
    for (const double threshold : thresholds) {
        const at::Tensor taken = scores.ge(threshold);
        const double hits = taken.logical_and(positive).sum().item<double>();
        sum += (hits - before) / all * (hits / taken.sum().item<double>());
        before = hits;
    }
    return sum;
}

TEST(Metrics, RankingsAreExactWithTiesToo) {
    at::manual_seed(5);
    const at::Tensor scores = at::randint(6, {40}).to(at::kFloat),
                     positive = at::cat({at::randint(2, {38}), numbers("[0,1]").to(at::kFloat)}).gt(0.5);
    EXPECT_NEAR(valueOf(metric("roc_auc"), scores, positive.to(at::kFloat)), pairs(scores, positive), 1e-12);
    EXPECT_NEAR(valueOf(metric("average_precision"), scores, positive.to(at::kFloat)), steps(scores, positive), 1e-12);
    // Two classes are one question, of more each is one against the rest.
    const at::Tensor two = at::randn({40, 2}), truth = at::arange(40, at::kLong).remainder(2);
    EXPECT_NEAR(valueOf(metric("roc_auc"), two, truth), pairs(two.select(1, 1).sub(two.select(1, 0)), truth.eq(1)),
                1e-12);
    const at::Tensor three = at::randn({40, 3}), classes = at::arange(40, at::kLong).remainder(3),
                     probabilities = at::softmax(three.to(at::kDouble), 1);
    double area = 0, precision = 0;
    for (std::int64_t i = 0; i < 3; ++i) {
        area += pairs(probabilities.select(1, i), classes.eq(i)) / 3;
        precision += steps(probabilities.select(1, i), classes.eq(i)) / 3;
    }
    EXPECT_NEAR(valueOf(metric("roc_auc"), three, classes), area, 1e-12);
    EXPECT_NEAR(valueOf(metric("average_precision"), three, classes), precision, 1e-12);
    const at::Tensor answers = at::cat({at::randint(2, {38, 3}), numbers("[[0,0,0],[1,1,1]]").to(at::kFloat)});
    double ofLabels = 0;
    for (std::int64_t i = 0; i < 3; ++i) {
        ofLabels += pairs(three.select(1, i), answers.select(1, i).gt(0.5)) / 3;
    }
    EXPECT_NEAR(valueOf(metric("roc_auc"), three, answers), ofLabels, 1e-12) << "many labels";
}

TEST(Metrics, RankingsRefuseMoreScoresThanTheyCanKeepAndThoseThatAreNoNumbers) {
    ScoreKeeper keeper(kNoIgnoreIndex, false, 8);
    keeper.add(at::randn({4, 1}), at::ones({4, 1}));
    keeper.add(at::randn({4, 1}), at::zeros({4, 1}));
    EXPECT_THROW(keeper.add(at::randn({1, 1}), at::zeros({1, 1})), std::invalid_argument);
    Alone metric({"roc_auc", "y", "t"});
    metric.gathered->add(at::tensor({1.0F, std::nanf(""), 2.0F}), at::tensor({0.0F, 1.0F, 1.0F}));
    EXPECT_TRUE(std::isnan(metric.metric->value()));
    EXPECT_EQ(metric.metric->whyNone(), "some scores are not numbers");
}

TEST(Metrics, PerplexityIsTheExponentialOfTheMeanNegativeLogLikelihood) {
    const at::Tensor logits = at::randn({3, 5, 4}, at::kDouble), truth = at::randint(5, {3, 4}, at::kLong);
    double sum = 0;
    for (std::int64_t i = 0; i < 3; ++i) {
        for (std::int64_t k = 0; k < 4; ++k) {
            double all = 0;
            for (std::int64_t c = 0; c < 5; ++c) {
                all += std::exp(logits[i][c][k].item<double>());
            }
            sum += std::log(all) - logits[i][truth[i][k].item<std::int64_t>()][k].item<double>();
        }
    }
    EXPECT_NEAR(valueOf(metric("perplexity"), logits, truth), std::exp(sum / 12), 1e-12);
    EXPECT_NEAR(valueOf(metric("perplexity"), at::zeros({2, 7}), labels("[3,4]")), 7, 1e-5)
        << "as many as it cannot tell apart";
    EXPECT_NEAR(valueOf(metric("perplexity", {{"ignore_index", 4}}), numbers("[[0,0],[9,0]]"), labels("[1,4]")), 2,
                1e-12);
}

TEST(Metrics, TopKIsARankInWhichTheFirstOfEqualsLeads) {
    const at::Tensor scores = at::randint(4, {50, 6}).to(at::kFloat), truth = at::randint(6, {50}, at::kLong);
    for (const std::int64_t k : {1, 2, 5, 6, 9}) {
        double right = 0;
        for (std::int64_t i = 0; i < 50; ++i) {
            std::vector<std::pair<float, std::int64_t>> order;
            for (std::int64_t c = 0; c < 6; ++c) {
                order.emplace_back(-scores[i][c].item<float>(), c);
            }
            std::sort(order.begin(), order.end());
            for (std::int64_t place = 0; place < std::min<std::int64_t>(k, 6); ++place) {
                right += order[static_cast<std::size_t>(place)].second == truth[i].item<std::int64_t>() ? 1 : 0;
            }
        }
        EXPECT_DOUBLE_EQ(valueOf(metric("top_k_accuracy", {{"k", k}}), scores, truth), right / 50) << k;
    }
    EXPECT_DOUBLE_EQ(valueOf(metric("top_k_accuracy", {{"k", 1}}), scores, truth),
                     valueOf(metric("accuracy"), scores, truth));
}

struct Case {
    plan::MetricSpec spec;
    at::Tensor prediction, target;
    bool exact;
};

/// Every metric with what it can be given: classes, dense classes, one score, many labels, numbers.
std::vector<Case> everyMetric() {
    at::manual_seed(11);
    std::vector<Case> cases;
    const std::int64_t samples = 23;
    const at::Tensor classes = at::randint(3, {samples}, at::kLong), dense = at::randint(3, {samples, 2, 2}, at::kLong);
    classes.slice(0, 0, 3).copy_(labels("[0,1,2]"));
    const at::Tensor answers = at::randint(2, {samples, 4}), answer = at::randint(2, {samples, 1});
    answers.slice(0, 0, 2).copy_(numbers("[[0,0,0,0],[1,1,1,1]]"));
    answer.slice(0, 0, 2).copy_(numbers("[[0],[1]]"));
    for (const plan::TypeSpec& type : plan::metricTypes()) {
        const plan::MetricSpec spec =
            metric(type.name, type.name == "top_k_accuracy" ? Json{{"k", 2}} : Json::object());
        const auto judges = plan::metricTraits(type.name).judges;
        if (judges == plan::MetricTraits::Judges::kNumbers) {
            cases.push_back({spec, at::randn({samples, 5}), at::randn({samples, 5}), false});
            cases.push_back({spec, at::randn({samples}), at::randn({samples}, at::kDouble), false});
            continue;
        }
        const bool exact = type.name != "perplexity";
        cases.push_back({spec, at::randn({samples, 3}), classes, exact});
        cases.push_back({spec, at::randn({samples, 3, 2, 2}), dense, exact});
        cases.push_back({spec, at::randn({samples, 3}).to(at::kBFloat16), classes, exact});
        if (judges != plan::MetricTraits::Judges::kScores) {
            cases.push_back({spec, at::randn({samples, 1}), answer, exact});
        }
        if (judges == plan::MetricTraits::Judges::kClasses) {
            cases.push_back({spec, at::randn({samples, 4}), answers, exact});
        }
    }
    return cases;
}

void feed(Alone& metric, const Case& one, std::int64_t batch, bool asOnDevice, std::int64_t from = 0) {
    for (std::int64_t at = from; at < one.prediction.size(0); at += batch) {
        metric.add(one.prediction.slice(0, at, at + batch), one.target.slice(0, at, at + batch), asOnDevice);
    }
}

TEST(Metrics, OfASplitAreTheSameToTheBitWhateverItsBatches) {
    int compared = 0;
    for (const Case& one : everyMetric()) {
        Alone whole(one.spec);
        feed(whole, one, one.prediction.size(0), false);
        const auto matrix = whole.metric->matrix();
        ASSERT_TRUE(matrix || std::isfinite(whole.metric->value())) << one.spec.type << ": " << whole.metric->whyNone();
        for (const std::int64_t batch : {1, 3, 7}) {
            Alone parts(one.spec);
            feed(parts, one, batch, false);
            if (matrix) {
                EXPECT_EQ(parts.metric->matrix()->counts, matrix->counts) << batch;
            } else {
                EXPECT_EQ(parts.metric->value(), whole.metric->value()) << one.spec.type << " in batches of " << batch;
            }
            ++compared;
        }
    }
    EXPECT_GT(compared, 100);
}

TEST(Metrics, AreGatheredByTensorOperationsAlikeAndGoOnFromACheckpointToTheBit) {
    for (const Case& one : everyMetric()) {
        for (const bool asOnDevice : {false, true}) {
            Alone straight(one.spec), begun(one.spec), resumed(one.spec), host(one.spec);
            feed(straight, one, 4, asOnDevice);
            feed(host, one, 4, false);
            Case first = one;
            first.prediction = one.prediction.slice(0, 0, 8);
            feed(begun, first, 4, asOnDevice);
            std::map<std::string, at::Tensor> tensors;
            for (const auto& [name, tensor] : begun.gathered->tensors()) {
                tensors.emplace(name, tensor);
            }
            resumed.gathered->loadState(Json::parse(begun.gathered->saveState().dump()), tensors);
            feed(resumed, one, 4, asOnDevice, 8);
            if (const auto matrix = straight.metric->matrix()) {
                EXPECT_EQ(resumed.metric->matrix()->counts, matrix->counts);
                EXPECT_EQ(host.metric->matrix()->counts, matrix->counts);
                continue;
            }
            const double value = straight.metric->value();
            // On a device a batch is summed as a whole: only where a checkpoint lay between are its sums read in two
            // parts.
            EXPECT_NEAR(resumed.metric->value(), value, asOnDevice && !one.exact ? 1e-12 * std::abs(value) : 0)
                << one.spec.type << asOnDevice;
            EXPECT_NEAR(host.metric->value(), value, one.exact ? 0 : 1e-12 * std::abs(value)) << one.spec.type;
            straight.gathered->reset();
            EXPECT_TRUE(std::isnan(straight.metric->value())) << one.spec.type;
            EXPECT_EQ(straight.metric->whyNone(), "nothing was counted") << one.spec.type;
        }
    }
}

TEST(Metrics, OfAnEmptySplitHaveNoValueAndOfOneSampleTheirOwn) {
    for (const Case& one : everyMetric()) {
        for (const bool asOnDevice : {false, true}) {
            Alone empty(one.spec), single(one.spec);
            empty.add(one.prediction.slice(0, 0, 0), one.target.slice(0, 0, 0), asOnDevice);
            EXPECT_EQ(empty.metric->whyNone(), "nothing was counted") << one.spec.type;
            EXPECT_TRUE(std::isnan(empty.metric->value())) << one.spec.type;
            single.add(one.prediction.slice(0, 0, 1), one.target.slice(0, 0, 1), asOnDevice);
            const bool dense = one.prediction.dim() > 2;
            if (one.spec.type == "roc_auc" || one.spec.type == "r2") {
                EXPECT_TRUE(dense || !single.metric->whyNone().empty()) << one.spec.type;
            } else {
                EXPECT_TRUE(single.metric->matrix() || std::isfinite(single.metric->value())) << one.spec.type;
            }
        }
    }
}

TEST(Metrics, DoNotCountWhatTheLossIgnoresNorWhatTheyAreTold) {
    const at::Tensor logits = numbers("[[2,1],[0,1],[3,0]]").to(at::kFloat), target = labels("[0,1,-100]");
    const plan::LossSpec loss{"CrossEntropyLoss", "y", "t"};
    MetricSet set = setOf(planOf(
        {metric("accuracy"), metric("perplexity"), metric("roc_auc"), metric("top_k_accuracy", {{"k", 1}})}, {loss}));
    set.add({logits, {}}, {target, {}});
    set.add({logits.unsqueeze(2).expand({3, 2, 4}), {}},
            {target.unsqueeze(1).expand({3, 4}), {}});  // a class a position
    EXPECT_EQ(set.accuracy()->samples, 10);
    EXPECT_EQ(set.accuracy()->correct, 10);
    EXPECT_EQ(set.accuracy()->distinctPredictions(), 2);
    const MetricValues read = set.read("test");
    EXPECT_EQ(read.values.at("roc_auc"), 1);
    EXPECT_EQ(read.values.at("top_1_accuracy"), 1);
    EXPECT_NEAR(read.values.at("perplexity"), 1 + std::exp(-1.0), 1e-6);
    EXPECT_EQ(
        contextOf(planOf({}, {{"NLLLoss", "y", "t", 1.0, Json{{"ignore_index", 7}}}}), metric("accuracy")).ignoreIndex,
        7);
    EXPECT_EQ(contextOf(planOf({}, {loss}), metric("accuracy", {{"ignore_index", 1}})).ignoreIndex, 1);
    EXPECT_EQ(contextOf(planOf({}, {{"CrossEntropyLoss", "other", "t"}}), metric("accuracy")).ignoreIndex,
              kNoIgnoreIndex);
    EXPECT_DOUBLE_EQ(valueOf(metric("accuracy", {{"ignore_index", 1}}), logits, labels("[1,0,0]")), 0.5);
}

TEST(Metrics, AYesIsReadOnTheScaleThatTheOutputIsOn) {
    const at::Tensor values = numbers("[[0.1],[0.4],[0.6],[0.9]]"), answers = numbers("[[0],[0],[1],[1]]");
    // Drawn to 0 and 1 by the loss: 0.5 is the middle, not the logit 0.
    for (const char* type : {"accuracy", "f1", "precision", "recall", "balanced_accuracy"}) {
        EXPECT_DOUBLE_EQ(valueOf(metric(type), values, answers, {{"MSELoss", "y", "t"}}), 1) << type;
        EXPECT_DOUBLE_EQ(valueOf(metric(type, {{"input", "probabilities"}}), values, answers), 1) << type;
    }
    EXPECT_DOUBLE_EQ(valueOf(metric("accuracy"), values, answers, {{"BCEWithLogitsLoss", "y", "t"}}), 0.5);
    EXPECT_DOUBLE_EQ(valueOf(metric("accuracy", {{"input", "logits"}}), values, answers, {{"MSELoss", "y", "t"}}), 0.5);
    EXPECT_DOUBLE_EQ(valueOf(metric("accuracy", {{"threshold", 0.95}}), values, answers, {{"L1Loss", "y", "t"}}), 0.5);
    // Nothing but the block tells.
    const plan::TrainingPlan plan = planOf({metric("accuracy")});
    auto set = MetricSet::make(plan, {{"y"}, {"t"}, {{}}, {"Sigmoid"}});
    ASSERT_TRUE(set);
    set->add({values}, {answers});
    EXPECT_DOUBLE_EQ(set->read("test").values.at("accuracy"), 1);
}

TEST(Metrics, ProbabilitiesOfClassesAreNotSquashedASecondTime) {
    const at::Tensor probabilities = numbers("[[0.5,0.25,0.25],[0.1,0.8,0.1]]"), truth = labels("[0,1]");
    for (const bool asOnDevice : {false, true}) {
        Alone alone(metric("perplexity", {{"input", "probabilities"}}));
        alone.add(probabilities, truth, asOnDevice);
        EXPECT_NEAR(alone.metric->value(), std::sqrt(1 / (0.5 * 0.8)), 1e-6);
    }
}

TEST(Metrics, SayWhichLabelIsNoClass) {
    for (const char* type : {"accuracy", "top_k_accuracy", "perplexity", "roc_auc"}) {
        for (const std::int64_t label : {-1, 3}) {
            Alone host(metric(type)), device(metric(type));
            const at::Tensor target = at::tensor({std::int64_t{0}, label});
            EXPECT_THROW(host.add(at::randn({2, 3}), target, false), std::invalid_argument) << type;
            device.add(at::randn({2, 3}), target, true);
            EXPECT_THROW((void)device.metric->value(), std::invalid_argument) << type << ": once it is read";
        }
    }
}

TEST(Metrics, NeverBroadcast) {
    for (const plan::TypeSpec& type : plan::metricTypes()) {
        Alone one(metric(type.name));
        for (const bool asOnDevice : {false, true}) {
            EXPECT_THROW(one.add(at::zeros({10, 10}), at::zeros({10, 2}), asOnDevice), std::invalid_argument)
                << type.name;
            EXPECT_THROW(one.add(at::zeros({10, 10}), at::zeros({7}, at::kLong), asOnDevice), std::invalid_argument)
                << type.name;
        }
    }
}

TEST(Metrics, NanIsTheLargestScoreAndNoYes) {
    const float nan = std::nanf("");
    const at::Tensor scores = at::tensor({1.0F, nan, 5.0F, 2.0F, 3.0F, 1.0F}).reshape({2, 3});
    for (const char* type : {"accuracy", "top_k_accuracy"}) {
        const Json options = std::string(type) == "accuracy" ? Json::object() : Json{{"k", 1}};
        for (const bool asOnDevice : {false, true}) {
            Alone one(metric(type, options));
            one.add(scores, labels("[1,1]"), asOnDevice);
            EXPECT_EQ(one.metric->value(), 1) << type;
        }
    }
    EXPECT_EQ(valueOf(metric("accuracy"), at::tensor({nan}), at::tensor({0.0F})), 1);
}

TEST(Metrics, OfTheSameOutputTargetAndOptionsShareWhatTheyGather) {
    std::vector<plan::MetricSpec> metrics;
    for (const char* type :
         {"accuracy", "balanced_accuracy", "f1", "precision", "recall", "confusion_matrix", "iou", "dice"}) {
        metrics.push_back(metric(type));
    }
    EXPECT_EQ(setOf(planOf(metrics)).saveState().at("gathered").size(), 1U);
    metrics.push_back(metric("f1", {{"threshold", 0.2}, {"name", "f1_low"}}));
    metrics.push_back({"recall", "z", "t", Json{{"name", "recall_z"}}});
    EXPECT_EQ(setOf(planOf(metrics)).saveState().at("gathered").size(), 3U);
    EXPECT_EQ(
        setOf(planOf({metric("mae"), metric("mse"), metric("rmse"), metric("r2")})).saveState().at("gathered").size(),
        1U);
    EXPECT_EQ(setOf(planOf({metric("roc_auc"), metric("average_precision")})).saveState().at("gathered").size(), 1U);
    EXPECT_EQ(MetricSet::make(planOf({metric("no_such")}), {{"y"}, {"t"}}).error().code, "unknown-metric");
}

TEST(Metrics, ATargetThatNeverChangesIsExplainedWhollyOrNotAtAll) {
    EXPECT_EQ(valueOf(metric("r2"), numbers("[1,1,1]"), numbers("[1,1,1]")), 1);
    EXPECT_EQ(valueOf(metric("r2"), numbers("[1,2,1]"), numbers("[1,1,1]")), 0);
    const double far =
        valueOf(metric("r2"), numbers("[1e9,1000000001,1000000003]"), numbers("[1e9,1000000002,1000000003]"));
    EXPECT_NEAR(far, 1 - 1.0 / (14.0 / 3), 1e-12) << "a mean far from 0 costs no digits";
}

TEST(Metrics, ASumThatIsNoNumberAnyMoreSurvivesACheckpoint) {
    for (const double value : {std::numeric_limits<double>::infinity(), std::nan("")}) {
        Alone broken(metric("rmse")), restored(metric("rmse"));
        broken.gathered->add(at::zeros({2}).fill_(value), at::zeros({2}));
        std::map<std::string, at::Tensor> tensors;
        for (const auto& [name, tensor] : broken.gathered->tensors()) {
            tensors.emplace(name, tensor);
        }
        restored.gathered->loadState(Json::parse(broken.gathered->saveState().dump()), tensors);
        EXPECT_EQ(std::isnan(restored.metric->value()), std::isnan(broken.metric->value())) << value;
        EXPECT_FALSE(std::isfinite(restored.metric->value())) << value;
        EXPECT_TRUE(restored.metric->whyNone().empty()) << "it has a value, which is no number";
    }
}

TEST(Metrics, GoOnFromWhatACheckpointOfBeforeHeldForEachOfThem) {
    MetricSet set = setOf(planOf({metric("accuracy"), metric("mae"), metric("rmse")}));
    set.loadState(
        Json::parse(
            R"([{"samples": 6, "correct": 3, "seen": [0], "classes": 2}, {"sum": 3.0, "elements": 4}, {"sum": null, "elements": 4}])"),
        {});
    EXPECT_EQ(set.accuracy()->samples, 6);
    EXPECT_EQ(set.accuracy()->distinctPredictions(), 1);
    MetricValues read = set.read("train");
    EXPECT_EQ(read.values.at("accuracy"), 0.5);
    EXPECT_EQ(read.values.at("mae"), 0.75);
    EXPECT_TRUE(std::isnan(read.values.at("rmse")));
    MetricSet alone = setOf(planOf({metric("accuracy")}));
    alone.loadState(Json::parse(R"([{"samples": 6, "correct": 3, "seen": [0], "classes": 3}])"), {});
    alone.add({scoresOf("[1,2]", 3), {}}, {labels("[1,1]"), {}});
    EXPECT_EQ(alone.read("train").values.at("accuracy"), 0.5);
    EXPECT_EQ(alone.accuracy()->distinctPredictions(), 3);
}

}  // namespace
}  // namespace plumbline::train
