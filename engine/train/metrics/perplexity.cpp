// torchmetrics.text.Perplexity: exp of the mean negative log-likelihood over the labels that count, natural logarithm.

#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <cmath>

#include "train/metrics/class_metrics.h"
#include "train/metrics/judged.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

class LikelihoodSum final : public Accumulator {
public:
    LikelihoodSum(std::int64_t ignoreIndex, bool probabilities)
        : m_ignoreIndex(ignoreIndex), m_probabilities(probabilities) {}

    std::int64_t counted() const { return collected().m_counted; }
    double sum() const { return collected().m_sum; }

    void reset() override {
        m_sum = 0;
        m_counted = 0;
        m_device.reset();
    }
    void addOnHost(const at::Tensor& prediction, const at::Tensor& target) override {
        const Judged judged = judgedOf(prediction, target);
        const at::Tensor likelihood = logProbabilities(judged.prediction, m_probabilities).contiguous(),
                         labels = judged.target.to(at::kLong).contiguous();
        likelihood.scalar_type() == at::kFloat ? sumUp(likelihood.const_data_ptr<float>(), judged, labels)
                                               : sumUp(likelihood.const_data_ptr<double>(), judged, labels);
    }
    void addOnDevice(const at::Tensor& prediction, const at::Tensor& target) override {
        const Judged judged = judgedOf(prediction, target);
        const at::Tensor labels = judged.target.to(at::kLong).unsqueeze(1), counted = labels.ne(m_ignoreIndex);
        const at::Tensor inside = labels.ge(0).logical_and(labels.lt(judged.classes));
        const at::Tensor own = logProbabilities(judged.prediction, m_probabilities)
                                   .gather(1, at::where(inside, labels, 0))
                                   .to(at::kDouble);
        const at::Tensor sums = at::stack({at::where(counted, own, 0.0).sum().neg(), counted.sum().to(at::kDouble),
                                           counted.logical_and(inside.logical_not()).sum().to(at::kDouble)});
        m_device = m_device.defined() ? m_device.add_(sums) : sums;
        m_classes = judged.classes;
    }
    Json saveState() const override {
        collected();
        return {{"sum", numberToJson(m_sum)}, {"counted", m_counted}};
    }
    void loadState(const Json& state, const std::map<std::string, at::Tensor>& /*tensors*/) override {
        reset();
        m_sum = numberFromJson(state.at("sum"));
        m_counted = state.at("counted").get<std::int64_t>();
    }
    void loadOwnState(const std::string& /*type*/, const Json& /*state*/) override { reset(); }

private:
    static Judged judgedOf(const at::Tensor& prediction, const at::Tensor& target) {
        Judged judged = judge("perplexity", prediction, target, false);
        if (judged.judging != Judging::kClasses) {
            refuseShapes("perplexity", prediction, target);
        }
        return judged;
    }
    template <class Number>
    void sumUp(const Number* likelihood, const Judged& judged, const at::Tensor& labels) {
        const std::int64_t* label = labels.const_data_ptr<std::int64_t>();
        const std::int64_t rows = labels.size(0), classes = judged.classes,
                           inner = rows == 0 ? 0 : labels.numel() / rows;
        for (std::int64_t row = 0; row < rows; ++row, likelihood += classes * inner) {
            for (std::int64_t i = 0; i < inner; ++i, ++label) {
                if (*label == m_ignoreIndex) {
                    continue;
                }
                if (*label < 0 || *label >= classes) {
                    refuseLabel(*label, classes);
                }
                m_sum -= static_cast<double>(likelihood[*label * inner + i]);
                ++m_counted;
            }
        }
    }
    const LikelihoodSum& collected() const {
        if (m_device.defined()) {
            const at::Tensor sums = m_device.cpu();
            const double* read = sums.const_data_ptr<double>();
            if (read[2] > 0) {
                refuseLabels(static_cast<std::int64_t>(read[2]), m_classes);
            }
            m_sum += read[0];
            m_counted += static_cast<std::int64_t>(read[1]);
            m_device.reset();
        }
        return *this;
    }

    std::int64_t m_ignoreIndex, m_classes = 0;
    bool m_probabilities;
    mutable double m_sum = 0;
    mutable std::int64_t m_counted = 0;
    mutable at::Tensor
        m_device;  ///< double [3]: sum, labels that count, labels that are no class; what nobody has read yet
};

class Perplexity final : public Metric {
public:
    explicit Perplexity(const MetricContext& context) {
        const std::int64_t ignored = context.ignoreIndex;
        m_sum = context.share<LikelihoodSum>(
            fmt::format("likelihood/{}{}", ignored, context.probabilities ? "/probabilities" : ""),
            [&] { return std::make_shared<LikelihoodSum>(ignored, context.probabilities); });
    }
    double value() const override {
        return m_sum->counted() == 0 ? kNoValue : std::exp(m_sum->sum() / static_cast<double>(m_sum->counted()));
    }
    std::string whyNone() const override { return m_sum->counted() == 0 ? "nothing was counted" : ""; }

private:
    std::shared_ptr<LikelihoodSum> m_sum;
};

}  // namespace

MadeMetric makePerplexity(const MetricContext& context) {
    return std::make_unique<Perplexity>(context);
}

}  // namespace plumbline::train
