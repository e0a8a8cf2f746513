// sklearn.metrics.top_k_accuracy_score over classes that exclude each other. Of equal scores the first class ranks
// first, as in accuracy, where scikit-learn takes the last.

#include <ATen/ops/arange.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include "train/metrics/class_metrics.h"
#include "train/metrics/judged.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

/// How many classes rank before this one. NaN counts as the largest, as in PyTorch.
template <class Number>
std::int64_t rankOf(const Number* scores, std::int64_t classes, std::int64_t stride, std::int64_t label) {
    const Number own = scores[label * stride];
    const bool isNumber = own == own;
    std::int64_t before = 0;
    for (std::int64_t i = 0; i < classes; ++i) {
        const Number other = scores[i * stride];
        const bool otherIsNumber = other == other;
        const bool above = isNumber && (other > own || !otherIsNumber);
        const bool same = isNumber ? other == own : !otherIsNumber;
        before += above || (same && i < label) ? 1 : 0;
    }
    return before;
}

class RankCounter final : public Accumulator {
public:
    RankCounter(std::int64_t k, std::int64_t ignoreIndex) : m_k(k), m_ignoreIndex(ignoreIndex) {}

    std::int64_t samples() const { return collected().m_samples; }
    std::int64_t hits() const { return collected().m_hits; }

    void reset() override {
        m_samples = 0;
        m_hits = 0;
        m_device.reset();
    }
    void addOnHost(const at::Tensor& prediction, const at::Tensor& target) override {
        const Judged judged = judgedOf(prediction, target);
        judged.prediction.scalar_type() == at::kFloat ? count<float>(judged) : count<double>(judged);
    }
    void addOnDevice(const at::Tensor& prediction, const at::Tensor& target) override {
        const Judged judged = judgedOf(prediction, target);
        const at::Tensor labels = labelsOf(judged).unsqueeze(1), counted = labels.ne(m_ignoreIndex);
        const at::Tensor inside = labels.ge(0).logical_and(labels.lt(judged.classes)),
                         safe = at::where(inside, labels, 0);
        const at::Tensor scores = judged.prediction, own = scores.gather(1, safe), nan = scores.isnan(),
                         ownNan = own.isnan();
        std::vector<std::int64_t> shape(static_cast<std::size_t>(scores.dim()), 1);
        shape[1] = judged.classes;
        const at::Tensor first = at::arange(judged.classes, safe.options()).view(shape).lt(safe);
        const at::Tensor above = scores.gt(own).logical_or(nan).logical_and(ownNan.logical_not());
        const at::Tensor same = scores.eq(own).logical_or(nan.logical_and(ownNan));
        const at::Tensor rank = above.logical_or(same.logical_and(first)).sum(1, true);
        const at::Tensor hits = rank.lt(m_k).logical_and(counted).logical_and(inside).sum();
        const at::Tensor outside = counted.logical_and(inside.logical_not()).sum();
        const at::Tensor sums = at::stack({hits, counted.sum(), outside});
        m_device = m_device.defined() ? m_device.add_(sums) : sums;
        m_classes = judged.classes;
    }
    Json saveState() const override { return {{"samples", samples()}, {"hits", hits()}}; }
    void loadState(const Json& state, const std::map<std::string, at::Tensor>& /*tensors*/) override {
        reset();
        m_samples = state.at("samples").get<std::int64_t>();
        m_hits = state.at("hits").get<std::int64_t>();
    }
    void loadOwnState(const std::string& /*type*/, const Json& /*state*/) override { reset(); }

private:
    static Judged judgedOf(const at::Tensor& prediction, const at::Tensor& target) {
        Judged judged = judge("top_k_accuracy", prediction, target, true);
        if (judged.judging != Judging::kClasses && judged.judging != Judging::kSoft) {
            refuseShapes("top_k_accuracy", prediction, target);
        }
        return judged;
    }
    static at::Tensor labelsOf(const Judged& judged) {
        return judged.judging == Judging::kSoft ? largestClass(judged.target) : judged.target.to(at::kLong);
    }

    template <class Number>
    void count(const Judged& judged) {
        const at::Tensor scores = judged.prediction.contiguous(), labels = labelsOf(judged).contiguous();
        const Number* score = scores.const_data_ptr<Number>();
        const std::int64_t* label = labels.const_data_ptr<std::int64_t>();
        const std::int64_t rows = scores.size(0), classes = judged.classes,
                           inner = rows == 0 ? 0 : labels.numel() / rows;
        for (std::int64_t row = 0; row < rows; ++row, score += classes * inner) {
            for (std::int64_t i = 0; i < inner; ++i, ++label) {
                if (*label == m_ignoreIndex) {
                    continue;
                }
                if (*label < 0 || *label >= classes) {
                    refuseLabel(*label, classes);
                }
                ++m_samples;
                m_hits += rankOf(score + i, classes, inner, *label) < m_k ? 1 : 0;
            }
        }
    }
    const RankCounter& collected() const {
        if (m_device.defined()) {
            const at::Tensor sums = m_device.cpu();
            const std::int64_t* read = sums.const_data_ptr<std::int64_t>();
            if (read[2] > 0) {
                refuseLabels(read[2], m_classes);
            }
            m_hits += read[0];
            m_samples += read[1];
            m_device.reset();
        }
        return *this;
    }

    std::int64_t m_k, m_ignoreIndex, m_classes = 0;
    mutable std::int64_t m_samples = 0, m_hits = 0;
    mutable at::Tensor m_device;  ///< int64 [3]: hits, samples, labels that are no class; what nobody has read yet
};

class TopKAccuracy final : public Metric {
public:
    explicit TopKAccuracy(const MetricContext& context) {
        const std::int64_t k = context.spec.integer("k"), ignored = context.ignoreIndex;
        m_counter = context.share<RankCounter>(fmt::format("top/{}/{}", k, ignored),
                                               [&] { return std::make_shared<RankCounter>(k, ignored); });
    }
    double value() const override {
        return m_counter->samples() == 0 ? kNoValue : ratio(m_counter->hits(), m_counter->samples());
    }
    std::string whyNone() const override { return m_counter->samples() == 0 ? "nothing was counted" : ""; }

private:
    std::shared_ptr<RankCounter> m_counter;
};

}  // namespace

MadeMetric makeTopKAccuracy(const MetricContext& context) {
    return std::make_unique<TopKAccuracy>(context);
}

}  // namespace plumbline::train
