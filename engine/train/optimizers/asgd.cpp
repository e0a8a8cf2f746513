// Polyak and Juditsky 1992, as torch.optim.ASGD: eta and mu are kept in float32 there, and so they are here.
#include <ATen/ops/_foreach_add.h>

#include <algorithm>
#include <cmath>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Asgd final : public UpdateRule {
public:
    explicit Asgd(const plan::OptimizerSpec& spec)
        : UpdateRule(spec), m_lambd(spec.number("lambd")), m_alpha(spec.number("alpha")), m_t0(spec.number("t0")) {}

    std::vector<StateTensor> state(bool) const override { return {{"eta", true}, {"mu", true, 1.0}, {"ax"}}; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = gradientsOf(lists, call.weightDecay);
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            float& eta = *static_cast<float*>(lists.buffers[0][i].data_ptr());
            float& mu = *static_cast<float*>(lists.buffers[1][i].data_ptr());
            at::Tensor &parameter = lists.parameters[i], &average = lists.buffers[2][i];
            if (lists.counts[i] == 1) {
                eta = static_cast<float>(call.lr);
            }
            parameter.mul_(1 - m_lambd * static_cast<double>(eta)).add_(gradients[i], -static_cast<double>(eta));
            if (mu == 1) {
                average.copy_(parameter);
            } else {
                average.add_(parameter.sub(average).mul_(mu));
            }
            eta = static_cast<float>(call.lr / std::pow(1 + m_lambd * call.lr * lists.counts[i], m_alpha));
            mu = static_cast<float>(1 / std::max(1.0, lists.counts[i] - m_t0));
        }
    }

private:
    double m_lambd, m_alpha, m_t0;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAsgd(const plan::OptimizerSpec& spec) {
    return std::make_unique<Asgd>(spec);
}

}  // namespace plumbline::train
