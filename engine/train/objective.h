#pragma once
// The plan's losses and metrics, bound to the model's outputs and the data's targets.

#include <ATen/core/Tensor.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "diagnostics/step_stats.h"
#include "plan/plan.h"
#include "train/losses.h"
#include "train/metrics.h"

namespace plumbline::train {

struct Binding {
    std::size_t output = 0;
    std::size_t target = 0;
};

/// Where outputs and targets stand: by name.
struct BindingNames {
    std::vector<std::string> outputs;
    std::vector<std::string> targets;
};
Result<Binding> findBinding(const BindingNames& names, const std::string& output, const std::string& target, const std::string& pointer);

/// The weighted sum of the plan's losses. One thread.
class Objective {
public:
    using ShapeSeen = std::function<void(const diagnostics::StepStats::LossShape&)>;

    static Result<Objective> make(const plan::TrainingPlan& plan, const BindingNames& names, at::Device device);

    /// Called for the first batch and whenever shapes change.
    void onShapes(ShapeSeen seen) { m_seen = std::move(seen); }
    std::size_t size() const { return m_parts.size(); }
    double weight(std::size_t index) const { return m_parts[index].spec.weight; }
    /// What each loss is the mean over in a batch, up to a factor of its own: labels that count, or samples where all do.
    std::vector<double> counts(const std::vector<at::Tensor>& targets, std::int64_t samples) const;
    /// May throw what LibTorch throws. A target whose shape does not fit is an error, unless the plan allows broadcasting.
    Result<at::Tensor> loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets);
    /// The same for one of several batches that make a step: each loss times its share of what counts in the step, so that
    /// the sum over the batches is the loss of all of them at once. A loss without a share is left out; a tensor that is not
    /// defined: all of them are. `values`: each loss's own mean over the batch, part of the graph; not defined where it is left out.
    Result<at::Tensor> loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets, const std::vector<double>& shares,
                            std::vector<at::Tensor>& values);

    /// For the loss over a whole split, exact whatever the batch size: gathers what loss() would take the mean of.
    void resetGathered();
    Status gather(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets);
    /// Waits for a device. A loss that counted nothing adds nothing; no value where none counted anything.
    std::optional<double> gathered() const;

private:
    struct Part {
        std::unique_ptr<Loss> loss;
        plan::LossSpec spec;
        Binding binding;
        bool scalarTarget = false;  ///< declared: one number a sample, for all of its elements
        std::vector<std::int64_t> prediction, truth;  ///< shapes without the batch that were last found to fit
        bool checked = false;
        at::Tensor sum, elements;  ///< gathered so far, in double
    };

    Result<at::Tensor> value(Part& part, const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets, at::Tensor* elements);
    Status check(Part& part, const at::Tensor& prediction, const at::Tensor& target);

    std::vector<Part> m_parts;
    bool m_allowBroadcast = false;
    ShapeSeen m_seen;
};

/// One set of gathered metrics; training and validation have one each.
class MetricSet {
public:
    static Result<MetricSet> make(const plan::TrainingPlan& plan, const BindingNames& names);

    void reset();
    void add(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets);
    std::size_t size() const { return m_parts.size(); }
    const std::string& name(std::size_t index) const { return m_parts[index].name; }
    double value(std::size_t index) const { return m_parts[index].metric->value(); }
    /// The first accuracy, or nullptr.
    const Accuracy* accuracy() const;
    Json saveState() const;
    void loadState(const Json& state);

private:
    struct Part {
        std::string name;
        std::unique_ptr<Metric> metric;
        Binding binding;
    };
    std::vector<Part> m_parts;
};

}  // namespace plumbline::train
