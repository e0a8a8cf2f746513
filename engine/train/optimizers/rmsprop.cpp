// Hinton's lecture 6e; `centered` is Graves 2013; as torch.optim.RMSprop.
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class RmsProp final : public UpdateRule {
public:
    explicit RmsProp(const plan::OptimizerSpec& spec)
        : UpdateRule(spec),
          m_alpha(spec.number("alpha")),
          m_eps(spec.number("eps")),
          m_momentum(spec.number("momentum")),
          m_centered(spec.flag("centered")) {}

    std::vector<StateTensor> state(bool hasMomentum) const override {
        std::vector<StateTensor> state{{"square_avg"}};
        if (m_centered) {
            state.push_back({"grad_avg"});
        }
        if (hasMomentum) {
            state.push_back({"momentum_buffer"});
        }
        return state;
    }
    std::optional<double> momentum() const override { return m_momentum; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = gradientsOf(lists, call.weightDecay);
        const std::vector<at::Tensor>& squares = lists.buffers[0];
        at::_foreach_mul_(squares, m_alpha);
        at::_foreach_addcmul_(squares, gradients, gradients, 1 - m_alpha);
        std::vector<at::Tensor> roots;
        if (m_centered) {
            const std::vector<at::Tensor>& means = lists.buffers[1];
            at::_foreach_lerp_(means, gradients, 1 - m_alpha);
            roots = at::_foreach_addcmul(squares, means, means, -1);
            at::_foreach_sqrt_(roots);
        } else {
            roots = at::_foreach_sqrt(squares);
        }
        at::_foreach_add_(roots, m_eps);
        if (call.momentum > 0) {
            const std::vector<at::Tensor>& moments = lists.buffers.back();
            at::_foreach_mul_(moments, call.momentum);
            at::_foreach_addcdiv_(moments, gradients, roots, 1);
            at::_foreach_add_(lists.parameters, moments, -call.lr);
        } else {
            at::_foreach_addcdiv_(lists.parameters, gradients, roots, -call.lr);
        }
    }

private:
    double m_alpha, m_eps, m_momentum;
    bool m_centered;
};

}  // namespace

std::unique_ptr<UpdateRule> makeRmsProp(const plan::OptimizerSpec& spec) {
    return std::make_unique<RmsProp>(spec);
}

}  // namespace plumbline::train
