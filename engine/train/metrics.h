#pragma once
// Metrics that are exact over a split: counts and sums are gathered batch by batch, read once at the end.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/plan.h"

namespace plumbline::train {

/// CrossEntropyLoss's, as in PyTorch.
constexpr std::int64_t kDefaultIgnoreIndex = -100;

class Metric {
public:
    virtual ~Metric() = default;
    virtual void reset() = 0;
    /// Does not wait for a device. Prediction and target as the loss gets them; throws std::invalid_argument with a sentence
    /// where their shapes do not belong together.
    virtual void add(const at::Tensor& prediction, const at::Tensor& target) = 0;
    /// Over everything added since reset(); NaN when that is nothing.
    virtual double value() const = 0;
    /// What has been gathered, for a checkpoint in the middle of an epoch.
    virtual Json saveState() const = 0;
    virtual void loadState(const Json& state) = 0;

    /// accuracy, mae, rmse. `crossEntropy`: the loss over the same output when it is one between exclusive classes.
    static Result<std::unique_ptr<Metric>> make(const plan::MetricSpec& spec, const std::string& pointer, const plan::LossSpec* crossEntropy = nullptr);
};

/// What accuracy gathers, for the detectors too. Predictions are the largest logit of a class (logits [B, C, …], target
/// [B, …]; with exclusive classes also probabilities of the logits' shape) or, for one logit an element (target of the same
/// shape), logit > 0.
class Accuracy final : public Metric {
public:
    /// `exclusive`: the classes of an output exclude each other. Targets equal to `ignoreIndex` are not counted then.
    explicit Accuracy(bool exclusive = false, std::int64_t ignoreIndex = kNoIndex) : m_exclusive(exclusive), m_ignoreIndex(ignoreIndex) {}

    void reset() override;
    void add(const at::Tensor& prediction, const at::Tensor& target) override;
    double value() const override;
    Json saveState() const override;
    void loadState(const Json& state) override;

    std::int64_t samples() const;
    std::int64_t correct() const;
    /// How many different classes have been predicted.
    std::int64_t distinctPredictions() const;

private:
    static constexpr std::int64_t kNoIndex = INT64_MIN;
    void collect() const;
    void gather(const at::Tensor& correct, const at::Tensor& samples, const at::Tensor& seen);

    bool m_exclusive;
    std::int64_t m_ignoreIndex;
    mutable std::int64_t m_samples = 0;
    mutable std::int64_t m_correct = 0;
    mutable std::vector<bool> m_seen;        ///< class → predicted at least once
    mutable at::Tensor m_deviceCorrect;      ///< int64, one element; what a device has counted and nobody has read yet
    mutable at::Tensor m_deviceSamples;      ///< int64, one element
    mutable at::Tensor m_deviceSeen;         ///< int64 [C]
};

}  // namespace plumbline::train
