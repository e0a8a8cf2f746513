// Riedmiller and Braun 1993, as torch.optim.Rprop: where the sign of a gradient changed, the parameter waits a step.
#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Rprop final : public UpdateRule {
public:
    explicit Rprop(const plan::OptimizerSpec& spec)
        : UpdateRule(spec), m_etas(spec.pair("etas")), m_stepSizes(spec.pair("step_sizes")) {}

    std::vector<StateTensor> state(bool) const override { return {{"prev"}, {"step_size"}}; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = gradientsOf(lists, 0);
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            at::Tensor &previous = lists.buffers[0][i], &size = lists.buffers[1][i];
            if (lists.counts[i] == 1) {
                size.fill_(call.lr);
            }
            at::Tensor factor = gradients[i].mul(previous).sign_();
            const at::Tensor turned = factor.lt(0), stayed = factor.gt(0), neither = factor.eq(0);
            factor.masked_fill_(turned, m_etas.first).masked_fill_(stayed, m_etas.second).masked_fill_(neither, 1);
            size.mul_(factor).clamp_(m_stepSizes.first, m_stepSizes.second);
            previous.copy_(gradients[i].masked_fill(turned, 0));
            lists.parameters[i].addcmul_(previous.sign(), size, -1);
        }
    }

private:
    std::pair<double, double> m_etas, m_stepSizes;
};

}  // namespace

std::unique_ptr<UpdateRule> makeRprop(const plan::OptimizerSpec& spec) {
    return std::make_unique<Rprop>(spec);
}

}  // namespace plumbline::train
