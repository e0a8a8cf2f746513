// As torch.optim.SGD: momentum as Sutskever and others 2013 have it, with the learning rate outside.
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_copy.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_fused_sgd.h>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Sgd final : public UpdateRule {
public:
    explicit Sgd(const plan::OptimizerSpec& spec)
        : UpdateRule(spec),
          m_momentum(spec.number("momentum")),
          m_dampening(spec.number("dampening")),
          m_nesterov(spec.flag("nesterov")),
          m_fused(spec.implementation != "foreach") {}

    std::vector<StateTensor> state(bool hasMomentum) const override {
        return hasMomentum ? std::vector<StateTensor>{{"momentum_buffer"}} : std::vector<StateTensor>{};
    }
    bool countsSteps() const override { return false; }
    bool takesScale() const override { return m_fused; }
    std::optional<double> momentum() const override { return m_momentum; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        static const std::vector<at::Tensor> kNone;
        const std::vector<at::Tensor>& moments = call.momentum != 0 ? lists.buffers.front() : kNone;
        if (m_fused) {
            at::_fused_sgd_(lists.parameters, lists.gradients, moments, call.weightDecay, call.momentum, call.lr,
                            m_dampening, m_nesterov && call.momentum != 0, maximizes(), call.first, call.gradScale,
                            call.foundInf);
        } else {
            oneByOne(lists, moments, call);
        }
    }

private:
    void oneByOne(const UpdateLists& lists, const std::vector<at::Tensor>& moments, const UpdateCall& call) const {
        std::vector<at::Tensor> directions = gradientsOf(lists, call.weightDecay);
        if (!moments.empty()) {
            if (call.first) {
                at::_foreach_copy_(moments, directions);
            } else {
                at::_foreach_mul_(moments, call.momentum);
                at::_foreach_add_(moments, directions, 1 - m_dampening);
            }
            directions = m_nesterov ? at::_foreach_add(directions, moments, call.momentum) : moments;
        }
        at::_foreach_add_(lists.parameters, directions, -call.lr);
    }

    double m_momentum, m_dampening;
    bool m_nesterov, m_fused;
};

}  // namespace

std::unique_ptr<UpdateRule> makeSgd(const plan::OptimizerSpec& spec) {
    return std::make_unique<Sgd>(spec);
}

}  // namespace plumbline::train
