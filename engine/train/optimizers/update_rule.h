#pragma once
// What one optimizer does with the parameters of a group. A rule is one file here and one line in register_rules.cpp;
// its options stand in plan/optimizer_types.cpp. Numbers and names of the state are those of torch.optim.

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace plumbline::train {

/// One entry of a parameter's state besides "step".
struct StateTensor {
    std::string name;  ///< as PyTorch's state_dict has it: "exp_avg"
    bool scalar =
        false;  ///< float32, one element, on the CPU; otherwise shape, dtype, device and layout of the parameter
    double initial = 0;
};

/// The lists that a kernel takes, one entry a parameter. Kept between steps, so that a step allocates nothing for them.
struct UpdateLists {
    std::vector<at::Tensor> parameters, gradients, steps;
    std::vector<std::vector<at::Tensor>> buffers;  ///< in the order of UpdateRule::state()
    std::vector<double> counts;  ///< updates of each parameter, this one included: `steps` where those are on the CPU
    void clear();
};

/// What is in force for this update.
struct UpdateCall {
    double lr = 0;
    double weightDecay = 0;
    double momentum = 0;                  ///< UpdateRule::momentum(), or what a schedule has made of it
    bool first = false;                   ///< no parameter of the lists has been updated before
    std::optional<at::Tensor> gradScale;  ///< only for rules that takeScale()
    std::optional<at::Tensor> foundInf;
};

class UpdateRule {
public:
    explicit UpdateRule(const plan::OptimizerSpec& spec) : m_maximize(spec.maximize) {}
    virtual ~UpdateRule() = default;

    /// What is kept for a parameter; `hasMomentum`: the momentum is not 0, which some rules keep a buffer for. Such a
    /// one is last.
    virtual std::vector<StateTensor> state(bool hasMomentum) const = 0;
    /// What schedules of the momentum move: a momentum or the first beta.
    virtual std::optional<double> momentum() const { return std::nullopt; }
    virtual bool countsSteps() const { return true; }
    /// Whether the kernel divides by the loss scale and leaves everything alone where an infinity was found. The step
    /// counts of such a rule are tensors on the parameter's device.
    virtual bool takesScale() const { return false; }
    /// Moves the parameters. The lists are not empty; the steps have been counted; gradients are read only.
    virtual void update(UpdateLists& lists, const UpdateCall& call) = 0;

protected:
    /// The gradients of what is minimised: negated when the rule maximises, with weightDecay · parameter added. They
    /// are the lists' own tensors where nothing is to be done.
    std::vector<at::Tensor> gradientsOf(const UpdateLists& lists, double weightDecay) const;
    /// Weight decay apart from the gradient: parameters times 1 - lr · weightDecay.
    static void decay(const UpdateLists& lists, const UpdateCall& call);
    /// One step of Adam's two moments, in the first two buffers: of the gradient, and of its square. Weight decay goes
    /// to the parameters where it is `decoupled`, else into the gradients, which it gives.
    std::vector<at::Tensor> updateMoments(const UpdateLists& lists, const UpdateCall& call, double beta2,
                                          bool decoupled) const;
    bool maximizes() const { return m_maximize; }

private:
    bool m_maximize;
};

/// One number for each parameter, from how often it has been updated.
std::vector<at::Scalar> eachOf(const std::vector<double>& counts, const std::function<double(double)>& of);

/// Null for a name that is no rule.
std::unique_ptr<UpdateRule> makeRule(const plan::OptimizerSpec& spec);

}  // namespace plumbline::train
