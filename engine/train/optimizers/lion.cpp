// Chen and others 2023 ("Symbolic Discovery of Optimization Algorithms", program 1): the sign of an interpolated
// momentum; weight decay is decoupled.
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_sign.h>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Lion final : public UpdateRule {
public:
    explicit Lion(const plan::OptimizerSpec& spec) : UpdateRule(spec), m_betas(spec.pair("betas")) {}

    std::vector<StateTensor> state(bool) const override { return {{"exp_avg"}}; }
    bool countsSteps() const override { return false; }
    std::optional<double> momentum() const override { return m_betas.first; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = gradientsOf(lists, 0);
        decay(lists, call);
        std::vector<at::Tensor> directions = at::_foreach_lerp(lists.buffers[0], gradients, 1 - call.momentum);
        at::_foreach_sign_(directions);
        at::_foreach_add_(lists.parameters, directions, -call.lr);
        at::_foreach_lerp_(lists.buffers[0], gradients, 1 - m_betas.second);
    }

private:
    std::pair<double, double> m_betas;
};

}  // namespace

std::unique_ptr<UpdateRule> makeLion(const plan::OptimizerSpec& spec) {
    return std::make_unique<Lion>(spec);
}

}  // namespace plumbline::train
