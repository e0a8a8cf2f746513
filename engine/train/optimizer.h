#pragma once
// An update rule over parameter groups. Numbers are PyTorch's.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/glob.h"
#include "plan/plan.h"
#include "train/optimizers/lbfgs.h"
#include "train/optimizers/update_rule.h"
#include "train/parameter_groups.h"

namespace plumbline::train {

/// One thread. A parameter without a gradient is left alone, its state too, as in PyTorch.
class Optimizer {
public:
    static Result<std::unique_ptr<Optimizer>> make(const plan::OptimizerSpec& spec, std::vector<ParameterGroup> groups);

    /// One update from the gradients as they are. With `gradScale` and `foundInf` (float32, one element) the gradients
    /// count divided by the scale, and nothing happens where an infinity was found; the caller then does not count the
    /// step. Rules without a fused kernel read `foundInf`, which waits for the device. Not for an optimizer that
    /// needsClosure().
    void step(const std::optional<at::Tensor>& gradScale = std::nullopt,
              const std::optional<at::Tensor>& foundInf = std::nullopt);
    /// Whether a step looks at the loss in several places (LBFGS).
    bool needsClosure() const { return m_lbfgs != nullptr; }
    /// A step of such an optimizer, as step() of the others. The closure computes the loss and its gradients for the
    /// parameters as they are; the first call is for where they are now. What it throws goes through.
    void stepWithClosure(const std::function<double()>& closure);
    /// Drops all gradients (set_to_none) so that the next backward writes instead of adding.
    void zeroGrad();

    std::size_t groupCount() const { return m_groups.size(); }
    const std::string& groupName(std::size_t group) const { return m_groups[group].name; }
    double baseLearningRate(std::size_t group) const { return m_groups[group].baseLr; }
    void setBaseLearningRate(std::size_t group, double lr) { m_groups[group].baseLr = lr; }
    /// What the next step() uses.
    double learningRate(std::size_t group) const { return m_groups[group].lr; }
    void setLearningRate(std::size_t group, double lr) { m_groups[group].lr = lr; }
    /// Of all groups.
    double largestLearningRate() const;
    double largestBaseLearningRate() const;
    /// Whether a step that is to come looks at it: some rules take it as a parameter's first step size alone.
    bool readsLearningRate(std::size_t group) const;
    double weightDecay(std::size_t group) const { return m_groups[group].weightDecay; }
    void setWeightDecay(std::size_t group, double weightDecay) { m_groups[group].weightDecay = weightDecay; }
    /// As in ParameterGroup: what the optimizer's own learning rate and weight decay mean for a group.
    double learningRateScale(std::size_t group) const { return m_groups[group].lrScale; }
    bool hasOwnLearningRate(std::size_t group) const { return m_groups[group].ownRate; }
    bool hasOwnWeightDecay(std::size_t group) const { return m_groups[group].ownWeightDecay; }

    /// Whether there is a momentum, or a first beta, for a schedule to move.
    bool hasMomentum() const { return m_rule != nullptr && m_rule->momentum().has_value(); }
    /// What the next step() uses; 0 without one.
    double momentum() const { return m_rule == nullptr ? 0 : m_momentum.value_or(m_rule->momentum().value_or(0)); }
    /// For all groups; none: the plan's.
    void setMomentum(std::optional<double> momentum) { m_momentum = momentum; }

    /// All parameters in group order.
    const std::vector<at::Tensor>& parameters() const { return m_all; }
    /// "<parameter>.exp_avg" and whatever else the rule keeps, with ".step" where it counts, of every parameter that
    /// has been updated at least once. The live tensors.
    NamedTensors state() const;
    /// Copies a saved state in; a parameter that is missing in it starts afresh. A shape that does not fit is an error.
    Status loadState(const std::map<std::string, at::Tensor>& state);
    std::int64_t stateBytes() const;

private:
    struct Slot {
        std::string name;
        at::Tensor parameter;
        bool started = false;
        at::Tensor step;                  ///< updates, float32, one element
        std::vector<at::Tensor> buffers;  ///< in the order of UpdateRule::state()
    };
    struct Group {
        std::string name;
        double baseLr = 0, lr = 0, weightDecay = 0, lrScale = 1;
        bool ownRate = false, ownWeightDecay = false;
        std::vector<Slot> slots;
        UpdateLists lists;
        bool complete = false;  ///< lists hold every slot, all of them started
    };
    using Scale = std::optional<at::Tensor>;

    Optimizer(std::vector<ParameterGroup> groups, bool centralizes);
    void begin(Slot& slot, std::size_t entries) const;
    /// How much of a slot's state the momentum that is in force needs.
    void chooseState();
    void stepGroup(Group& group, const Scale& gradScale, const Scale& foundInf);
    bool collectGradients(Group& group) const;
    at::Tensor gradientOf(const Slot& slot) const;
    void fill(Group& group, const std::vector<Slot*>& slots) const;
    void run(Group& group, bool first, const Scale& gradScale, const Scale& foundInf);
    void divideGradients(const at::Tensor& scale);
    Status loadSlot(Slot& slot, const std::map<std::string, at::Tensor>& state);

    std::unique_ptr<UpdateRule> m_rule;  ///< nullptr with m_lbfgs
    std::unique_ptr<Lbfgs> m_lbfgs;
    std::vector<StateTensor> m_state;  ///< all that the rule may keep
    std::size_t m_needed = 0;          ///< of it, as of the last step
    std::optional<double> m_momentum;
    bool m_centralizes = false, m_readsRateOnce = false;
    std::vector<Group> m_groups;
    std::vector<at::Tensor> m_all;
};

}  // namespace plumbline::train
