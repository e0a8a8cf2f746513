// Kingma and Ba 2015, section 7.1, as torch.optim.Adamax.
#include <ATen/ops/_foreach_abs.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_maximum.h>
#include <ATen/ops/_foreach_mul.h>

#include <cmath>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Adamax final : public UpdateRule {
public:
    explicit Adamax(const plan::OptimizerSpec& spec)
        : UpdateRule(spec), m_betas(spec.pair("betas")), m_eps(spec.number("eps")) {}

    std::vector<StateTensor> state(bool) const override { return {{"exp_avg"}, {"exp_inf"}}; }
    std::optional<double> momentum() const override { return m_betas.first; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = gradientsOf(lists, call.weightDecay);
        at::_foreach_lerp_(lists.buffers[0], gradients, 1 - call.momentum);
        const std::vector<at::Tensor> sizes = at::_foreach_abs(gradients);
        at::_foreach_add_(sizes, m_eps);
        at::_foreach_mul_(lists.buffers[1], m_betas.second);
        at::_foreach_maximum_(lists.buffers[1], sizes);
        at::_foreach_addcdiv_(
            lists.parameters, lists.buffers[0], lists.buffers[1],
            eachOf(lists.counts, [&](double count) { return -call.lr / (1 - std::pow(call.momentum, count)); }));
    }

private:
    std::pair<double, double> m_betas;
    double m_eps;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdamax(const plan::OptimizerSpec& spec) {
    return std::make_unique<Adamax>(spec);
}

}  // namespace plumbline::train
