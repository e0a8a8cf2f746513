#pragma once
// Metrics that are exact over a split: counts and sums are gathered batch by batch and read once at the end.
// docs/metrics.md has their definitions. A metric is a file in train/metrics/; several of one output share what they
// gather.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "plan/plan.h"

namespace plumbline::train {

/// CrossEntropyLoss's, as in PyTorch.
constexpr std::int64_t kDefaultIgnoreIndex = -100;
/// All labels count.
constexpr std::int64_t kNoIgnoreIndex = std::numeric_limits<std::int64_t>::min();

/// What metrics are computed from, over everything since reset(). One thread.
class Accumulator {
public:
    virtual ~Accumulator() = default;
    virtual void reset() = 0;
    /// On the CPU in the order of the samples, so that how they lie in batches changes no bit; elsewhere by tensor
    /// operations that do not wait for the device. Half precision is raised to float32. Throws std::invalid_argument
    /// with a sentence where the shapes do not belong together.
    void add(const at::Tensor& prediction, const at::Tensor& target) {
        prediction.is_cpu() ? addOnHost(prediction, target) : addOnDevice(prediction, target);
    }
    virtual void addOnHost(const at::Tensor& prediction, const at::Tensor& target) = 0;
    /// Works for tensors on the CPU too.
    virtual void addOnDevice(const at::Tensor& prediction, const at::Tensor& target) = 0;

    using State = std::vector<std::pair<std::string, at::Tensor>>;
    /// Everything gathered, for a checkpoint in the middle of an epoch: numbers as JSON, what is long as tensors.
    virtual Json saveState() const = 0;
    virtual State tensors() const { return {}; }
    virtual void loadState(const Json& state, const std::map<std::string, at::Tensor>& tensors) = 0;
    /// What a metric of this type kept for itself, in checkpoints from before metrics shared anything.
    virtual void loadOwnState(const std::string& type, const Json& state) = 0;
};

/// Counts of true classes (rows) and predicted ones (columns): counts[truth * classes + predicted].
struct ConfusionCounts {
    std::int64_t classes = 0;
    std::vector<std::int64_t> counts;
};

/// Reads an accumulator.
class Metric {
public:
    virtual ~Metric() = default;
    /// NaN where there is none.
    virtual double value() const = 0;
    /// Why there is no value, as the end of a sentence: "nothing was counted". Empty where there is one, also one that
    /// is no number because the predictions are none.
    virtual std::string whyNone() const { return {}; }
    /// Of a metric that is a table and no number.
    virtual std::optional<ConfusionCounts> matrix() const { return std::nullopt; }
};

/// What a metric is made from: its plan, what the losses say about the same output, and what others gather already.
struct MetricContext {
    const plan::MetricSpec& spec;
    /// Labels that do not count: the metric's own, else those that the first loss on the same output ignores.
    std::int64_t ignoreIndex = kNoIgnoreIndex;
    /// A target of the output's shape holds probabilities of classes that exclude each other (CrossEntropyLoss,
    /// KLDivLoss).
    bool exclusive = false;
    /// The output holds probabilities, or values on the scale of a target of 0 and 1, and no logits
    /// (plan::answerScale).
    bool probabilities = false;
    using Maker = std::function<std::shared_ptr<Accumulator>()>;
    /// The accumulator of this key over the same output and target: the one that is there already, or a new one.
    std::function<std::shared_ptr<Accumulator>(const std::string& key, const Maker& make)> shared;

    template <class T, class Make>
    std::shared_ptr<T> share(const std::string& key, const Make& make) const {
        return std::static_pointer_cast<T>(shared(key, [&]() -> std::shared_ptr<Accumulator> { return make(); }));
    }
};
/// Everything but `shared`. `block`: the type of the block that makes the judged output, "" where it is not known.
MetricContext contextOf(const plan::TrainingPlan& plan, const plan::MetricSpec& spec, const std::string& block = {});

/// Null where there is none of that type: train/metrics/register_metrics.cpp.
std::unique_ptr<Metric> makeMetric(const MetricContext& context);

}  // namespace plumbline::train
