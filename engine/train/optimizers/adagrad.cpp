// Duchi and others 2011, as torch.optim.Adagrad.
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/_fused_adagrad.h>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Adagrad final : public UpdateRule {
public:
    explicit Adagrad(const plan::OptimizerSpec& spec)
        : UpdateRule(spec),
          m_lrDecay(spec.number("lr_decay")),
          m_initial(spec.number("initial_accumulator_value")),
          m_eps(spec.number("eps")),
          m_fused(spec.implementation != "foreach") {}

    std::vector<StateTensor> state(bool) const override { return {{"sum", false, m_initial}}; }
    bool takesScale() const override { return m_fused; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        if (m_fused) {
            at::_fused_adagrad_(lists.parameters, lists.gradients, lists.buffers[0], lists.steps, call.lr, m_lrDecay,
                                call.weightDecay, m_eps, maximizes(), call.gradScale, call.foundInf);
            return;
        }
        const std::vector<at::Tensor> gradients = gradientsOf(lists, call.weightDecay);
        at::_foreach_addcmul_(lists.buffers[0], gradients, gradients, 1);
        std::vector<at::Tensor> roots = at::_foreach_sqrt(lists.buffers[0]);
        at::_foreach_add_(roots, m_eps);
        const std::vector<at::Tensor> moves = at::_foreach_mul(
            gradients, eachOf(lists.counts, [&](double count) { return -call.lr / (1 + (count - 1) * m_lrDecay); }));
        at::_foreach_addcdiv_(lists.parameters, moves, roots, 1);
    }

private:
    double m_lrDecay, m_initial, m_eps;
    bool m_fused;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdagrad(const plan::OptimizerSpec& spec) {
    return std::make_unique<Adagrad>(spec);
}

}  // namespace plumbline::train
