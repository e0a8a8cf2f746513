#include "train/metrics.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/bincount.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace plumbline::train {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The class with the largest logit, the first of equals; NaN counts as the largest, as in PyTorch.
std::int64_t largest(const float* logits, std::int64_t classes) {
    std::int64_t best = 0;
    float top = logits[0];
    bool isNumber = top == top;
    // Without a branch: which class wins cannot be foreseen, and each wrong guess costs more than the whole comparison.
    for (std::int64_t i = 1; i < classes; ++i) {
        const bool above = logits[i] > top;
        best = above ? i : best;
        top = above ? logits[i] : top;
        isNumber &= logits[i] == logits[i];
    }
    if (!isNumber) [[unlikely]] {
        best = 0;
        while (!std::isnan(logits[best])) {
            ++best;
        }
    }
    return best;
}

void requireSameShape(const char* metric, const at::Tensor& prediction, const at::Tensor& target) {
    if (prediction.sizes() != target.sizes()) {
        throw std::invalid_argument(fmt::format("{} got a prediction of shape [{}] and a target of shape [{}]; broadcasting them would compare every "
                                                "prediction with every target",
                                                metric, fmt::join(prediction.sizes(), ", "), fmt::join(target.sizes(), ", ")));
    }
}

/// mae and rmse: a sum of |difference|^power in double.
class MeanError final : public Metric {
public:
    explicit MeanError(bool squared) : m_squared(squared) {}

    void reset() override {
        m_sum = 0;
        m_elements = 0;
        m_deviceSum.reset();
    }
    void add(const at::Tensor& prediction, const at::Tensor& target) override {
        const at::NoGradGuard noGrad;
        requireSameShape(m_squared ? "rmse" : "mae", prediction, target);
        const at::Tensor difference = prediction.detach().to(at::kDouble).sub(target.to(at::kDouble));
        const at::Tensor sum = (m_squared ? difference.square() : difference.abs()).sum();
        m_elements += difference.numel();
        if (sum.is_cpu()) {
            m_sum += sum.item<double>();
        } else {
            m_deviceSum = m_deviceSum.defined() ? m_deviceSum.add(sum) : sum;
        }
    }
    double value() const override {
        if (m_elements == 0) {
            return kNaN;
        }
        const double mean = total() / static_cast<double>(m_elements);
        return m_squared ? std::sqrt(mean) : mean;
    }
    Json saveState() const override { return {{"sum", numberToJson(total())}, {"elements", m_elements}}; }
    void loadState(const Json& state) override {
        reset();
        m_sum = state.contains("sum") ? numberFromJson(state["sum"]) : 0.0;
        m_elements = state.value("elements", std::int64_t{0});
    }

private:
    double total() const {
        if (m_deviceSum.defined()) {
            m_sum += m_deviceSum.item<double>();
            m_deviceSum.reset();
        }
        return m_sum;
    }

    bool m_squared;
    mutable double m_sum = 0;
    mutable at::Tensor m_deviceSum;
    std::int64_t m_elements = 0;
};

}  // namespace

Result<std::unique_ptr<Metric>> Metric::make(const plan::MetricSpec& spec, const std::string& pointer, const plan::LossSpec* crossEntropy) {
    if (spec.type == "accuracy") {
        if (crossEntropy == nullptr) {
            return std::make_unique<Accuracy>();
        }
        const bool ignores = crossEntropy->options.is_object() && crossEntropy->options.contains("ignore_index");
        return std::make_unique<Accuracy>(true, ignores ? crossEntropy->options["ignore_index"].get<std::int64_t>() : kDefaultIgnoreIndex);
    }
    if (spec.type == "mae" || spec.type == "rmse") {
        return std::make_unique<MeanError>(spec.type == "rmse");
    }
    return fail(ErrorKind::kInvalid, "unknown-metric", fmt::format("There is no metric \"{}\".", spec.type), pointer + "/type",
                "Use accuracy, mae or rmse.");
}

void Accuracy::reset() {
    m_samples = 0;
    m_correct = 0;
    m_seen.assign(m_seen.size(), false);
    m_deviceCorrect.reset();
    m_deviceSamples.reset();
    m_deviceSeen.reset();
}

void Accuracy::add(const at::Tensor& prediction, const at::Tensor& target) {
    const at::NoGradGuard noGrad;
    const bool plain = prediction.is_cpu() && prediction.dim() == 2 && prediction.scalar_type() == at::kFloat &&
                       prediction.is_contiguous() && target.dim() == 1 && target.scalar_type() == at::kLong && target.is_contiguous() && target.size(0) == prediction.size(0);
    if (plain) {
        const std::int64_t rows = prediction.size(0), classes = prediction.size(1);
        if (static_cast<std::int64_t>(m_seen.size()) < classes) {
            m_seen.resize(static_cast<std::size_t>(classes), false);
        }
        const float* logits = prediction.const_data_ptr<float>();
        const std::int64_t* truth = target.const_data_ptr<std::int64_t>();
        for (std::int64_t row = 0; row < rows; ++row) {
            if (truth[row] == m_ignoreIndex) {
                continue;
            }
            ++m_samples;
            const std::int64_t predicted = largest(logits + row * classes, classes);
            m_seen[static_cast<std::size_t>(predicted)] = true;
            m_correct += predicted == truth[row] ? 1 : 0;
        }
        return;
    }
    const bool sameShape = prediction.sizes() == target.sizes();
    const bool oneLogit = sameShape && !(m_exclusive && target.is_floating_point());
    at::Tensor predicted = oneLogit ? prediction.detach().gt(0).to(at::kLong) : prediction.detach().argmax(1);
    at::Tensor truth = oneLogit ? target.gt(0.5).to(at::kLong) : sameShape ? target.argmax(1) : target;
    requireSameShape("accuracy", predicted, truth);
    const std::int64_t classes = oneLogit ? 2 : prediction.size(1);
    if (!sameShape && m_ignoreIndex != kNoIndex) {
        const at::Tensor counted = truth.ne(m_ignoreIndex);
        // Ignored places are counted as one class more, so that nothing waits for a device.
        const at::Tensor ignored = counted.logical_not().sum();
        const at::Tensor correct = predicted.eq(truth).logical_and(counted).sum();
        const at::Tensor seen = at::bincount(at::where(counted, predicted, classes).reshape({-1}), {}, classes + 1).slice(0, 0, classes);
        gather(correct, at::scalar_tensor(predicted.numel(), ignored.options()).sub(ignored), seen);
        return;
    }
    gather(predicted.eq(truth).sum(), at::scalar_tensor(predicted.numel(), at::TensorOptions().dtype(at::kLong).device(predicted.device())),
           at::bincount(predicted.reshape({-1}), {}, classes));
}

void Accuracy::gather(const at::Tensor& correct, const at::Tensor& samples, const at::Tensor& seen) {
    const bool first = !m_deviceCorrect.defined();
    m_deviceCorrect = first ? correct : m_deviceCorrect.add(correct);
    m_deviceSamples = first ? samples : m_deviceSamples.add(samples);
    m_deviceSeen = first ? seen : m_deviceSeen.add(seen);
}

void Accuracy::collect() const {
    if (!m_deviceCorrect.defined()) {
        return;
    }
    m_correct += m_deviceCorrect.item<std::int64_t>();
    m_samples += m_deviceSamples.item<std::int64_t>();
    const at::Tensor seen = m_deviceSeen.cpu();
    if (static_cast<std::int64_t>(m_seen.size()) < seen.numel()) {
        m_seen.resize(static_cast<std::size_t>(seen.numel()), false);
    }
    for (std::int64_t i = 0; i < seen.numel(); ++i) {
        if (seen.const_data_ptr<std::int64_t>()[i] > 0) {
            m_seen[static_cast<std::size_t>(i)] = true;
        }
    }
    m_deviceCorrect.reset();
    m_deviceSamples.reset();
    m_deviceSeen.reset();
}

double Accuracy::value() const {
    collect();
    return m_samples == 0 ? kNaN : static_cast<double>(m_correct) / static_cast<double>(m_samples);
}

std::int64_t Accuracy::samples() const {
    collect();
    return m_samples;
}

std::int64_t Accuracy::correct() const {
    collect();
    return m_correct;
}

std::int64_t Accuracy::distinctPredictions() const {
    collect();
    return static_cast<std::int64_t>(std::count(m_seen.begin(), m_seen.end(), true));
}

Json Accuracy::saveState() const {
    Json seen = Json::array();
    collect();
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        if (m_seen[i]) {
            seen.push_back(i);
        }
    }
    return {{"samples", m_samples}, {"correct", correct()}, {"seen", std::move(seen)}, {"classes", m_seen.size()}};
}

void Accuracy::loadState(const Json& state) {
    reset();
    m_samples = state.value("samples", std::int64_t{0});
    m_correct = state.value("correct", std::int64_t{0});
    m_seen.assign(state.value("classes", std::size_t{0}), false);
    for (const Json& seen : state.value("seen", Json::array())) {
        if (seen.get<std::size_t>() < m_seen.size()) {
            m_seen[seen.get<std::size_t>()] = true;
        }
    }
}

}  // namespace plumbline::train
