// Zeiler 2012, as torch.optim.Adadelta.
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_sqrt.h>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Adadelta final : public UpdateRule {
public:
    explicit Adadelta(const plan::OptimizerSpec& spec)
        : UpdateRule(spec), m_rho(spec.number("rho")), m_eps(spec.number("eps")) {}

    std::vector<StateTensor> state(bool) const override { return {{"square_avg"}, {"acc_delta"}}; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = gradientsOf(lists, call.weightDecay);
        const std::vector<at::Tensor>&squares = lists.buffers[0], &moves = lists.buffers[1];
        at::_foreach_mul_(squares, m_rho);
        at::_foreach_addcmul_(squares, gradients, gradients, 1 - m_rho);
        std::vector<at::Tensor> roots = at::_foreach_add(squares, m_eps);
        at::_foreach_sqrt_(roots);
        std::vector<at::Tensor> deltas = at::_foreach_add(moves, m_eps);
        at::_foreach_sqrt_(deltas);
        at::_foreach_div_(deltas, roots);
        at::_foreach_mul_(deltas, gradients);
        at::_foreach_mul_(moves, m_rho);
        at::_foreach_addcmul_(moves, deltas, deltas, 1 - m_rho);
        at::_foreach_add_(lists.parameters, deltas, -call.lr);
    }

private:
    double m_rho, m_eps;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdadelta(const plan::OptimizerSpec& spec) {
    return std::make_unique<Adadelta>(spec);
}

}  // namespace plumbline::train
