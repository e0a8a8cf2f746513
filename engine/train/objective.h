#pragma once
// The plan's losses, bound to the model's outputs and the data's targets.

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

namespace plumbline::train {

struct Binding {
    std::size_t output = 0;
    std::size_t target = 0;
};

/// Where outputs and targets stand: by name.
struct BindingNames {
    std::vector<std::string> outputs;
    std::vector<std::string> targets;
    std::vector<std::vector<std::string>> classes = {};  ///< by target: names of its classes, where it is a class
    std::vector<std::string> outputBlocks =
        {};  ///< by output: the type of the block that makes its values, as graph::makerOf() finds it
};
Result<Binding> findBinding(const BindingNames& names, const std::string& output, const std::string& target,
                            const std::string& pointer);

/// A loss over several batches: what it was times what counted, summed, and what counted; of a loss that sums, its sum.
struct GatheredLoss {
    double sum = 0, counted = 0;
};

/// The weighted sum of the plan's losses; one that is a sum itself counts as its terms (plan::termsOf). One thread.
class Objective {
public:
    using ShapeSeen = std::function<void(const diagnostics::StepStats::LossShape&)>;

    static Result<Objective> make(const plan::TrainingPlan& plan, const BindingNames& names, at::Device device);

    /// Called for the first batch and whenever shapes change.
    void onShapes(ShapeSeen seen) { m_seen = std::move(seen); }
    std::size_t size() const { return m_parts.size(); }
    double weight(std::size_t index) const { return m_parts[index].spec.weight; }
    /// The phase that minimises it; "" without phases.
    const std::string& phase(std::size_t index) const { return m_parts[index].spec.phase; }
    /// The outputs that it reads.
    const std::vector<std::size_t>& outputs(std::size_t index) const { return m_parts[index].binding.outputs; }
    /// What each loss is the mean over in a batch, up to a factor of its own: labels that count, or samples where all
    /// do.
    std::vector<double> counts(const std::vector<at::Tensor>& targets, std::int64_t samples) const;
    /// How much of a step's loss a batch is, of which so much counts: its share of what counts in the step; of a loss
    /// that sums, all of itself. Nothing where nothing counts.
    double share(std::size_t index, double counted, double inStep) const {
        return counted <= 0 ? 0.0 : m_parts[index].loss->sums() ? 1.0 : counted / inStep;
    }
    /// Adds a batch's value to a loss over several, and what such a loss is in the end: the mean over what counted, or
    /// the sum.
    void add(std::size_t index, double value, double counted, GatheredLoss& to) const;
    double over(std::size_t index, const GatheredLoss& gathered) const {
        return m_parts[index].loss->sums() ? gathered.sum : gathered.sum / gathered.counted;
    }
    /// May throw what LibTorch throws. A target whose shape does not fit is an error, unless the plan allows
    /// broadcasting.
    Result<at::Tensor> loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets);
    /// The same for one of several batches that make a step: each loss times its share of what counts in the step, so
    /// that the sum over the batches is the loss of all of them at once. A loss without a share is left out; a tensor
    /// that is not defined: all of them are. `values`: each loss's own mean over the batch, part of the graph; not
    /// defined where it is left out.
    Result<at::Tensor> loss(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets,
                            const std::vector<double>& shares, std::vector<at::Tensor>& values);

    /// For the loss over a whole split, exact whatever the batch size: gathers what loss() would take the mean or the
    /// sum of.
    void resetGathered();
    Status gather(const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets);
    /// Waits for a device. A loss that counted nothing adds nothing; no value where none counted anything.
    std::optional<double> gathered() const;
    /// The same of one loss, without its weight.
    std::optional<double> gathered(std::size_t index) const;

private:
    struct Part {
        std::unique_ptr<Loss> loss;
        plan::LossSpec spec;
        plan::LossBinding binding;
        LossOperands operands;      ///< of the batch in work
        bool scalarTarget = false;  ///< declared: one number a sample, for all of its elements
        std::vector<std::vector<std::int64_t>>
            shapes;                ///< of outputs and targets that were last found to fit; all but the batch counts
        at::Tensor sum, elements;  ///< gathered so far, in double
    };

    Result<at::Tensor> value(Part& part, const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets,
                             at::Tensor* elements);
    void bind(Part& part, const std::vector<at::Tensor>& outputs, const std::vector<at::Tensor>& targets) const;
    Status check(Part& part);

    std::vector<Part> m_parts;
    bool m_allowBroadcast = false;
    ShapeSeen m_seen;
};

}  // namespace plumbline::train
