// Liu and others 2020, as torch.optim.RAdam.
#include <ATen/TensorOperators.h>

#include <cmath>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class RAdam final : public UpdateRule {
public:
    explicit RAdam(const plan::OptimizerSpec& spec)
        : UpdateRule(spec),
          m_betas(spec.pair("betas")),
          m_eps(spec.number("eps")),
          m_decoupled(spec.flag("decoupled_weight_decay")) {}

    std::vector<StateTensor> state(bool) const override { return {{"exp_avg"}, {"exp_avg_sq"}}; }
    std::optional<double> momentum() const override { return m_betas.first; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = updateMoments(lists, call, m_betas.second, m_decoupled);
        // Parameters whose variance is not to be trusted yet move by the momentum alone.
        for (std::size_t i = 0; i < lists.parameters.size(); ++i) {
            const double count = lists.counts[i];
            const double correction1 = 1 - std::pow(call.momentum, count),
                         correction2 = 1 - std::pow(m_betas.second, count);
            const double longest = 2 / (1 - m_betas.second) - 1;
            const double length = longest - 2 * count * std::pow(m_betas.second, count) / correction2;
            at::Tensor move = lists.buffers[0][i] / correction1 * call.lr;
            if (length > 5.0) {
                const double rectified =
                    std::sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
                const at::Tensor adaptive =
                    lists.buffers[1][i].sqrt().add_(m_eps).reciprocal_().mul_(std::sqrt(correction2));
                move = move * adaptive * rectified;
            }
            lists.parameters[i].sub_(move);
        }
    }

private:
    std::pair<double, double> m_betas;
    double m_eps;
    bool m_decoupled;
};

}  // namespace

std::unique_ptr<UpdateRule> makeRAdam(const plan::OptimizerSpec& spec) {
    return std::make_unique<RAdam>(spec);
}

}  // namespace plumbline::train
