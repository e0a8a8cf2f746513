// Dozat 2016, as torch.optim.NAdam: the product of the momenta is kept in float32 there, and so it is here.
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_sqrt.h>

#include <cmath>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class NAdam final : public UpdateRule {
public:
    explicit NAdam(const plan::OptimizerSpec& spec)
        : UpdateRule(spec),
          m_betas(spec.pair("betas")),
          m_eps(spec.number("eps")),
          m_momentumDecay(spec.number("momentum_decay")),
          m_decoupled(spec.flag("decoupled_weight_decay")) {}

    std::vector<StateTensor> state(bool) const override {
        return {{"exp_avg"}, {"exp_avg_sq"}, {"mu_product", true, 1.0}};
    }
    std::optional<double> momentum() const override { return m_betas.first; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        const std::vector<at::Tensor> gradients = updateMoments(lists, call, m_betas.second, m_decoupled);
        std::vector<at::Scalar> ofGradient, ofMomentum;
        for (std::size_t i = 0; i < lists.counts.size(); ++i) {
            const double now = momentumAt(call.momentum, lists.counts[i]),
                         next = momentumAt(call.momentum, lists.counts[i] + 1);
            float& product = *static_cast<float*>(lists.buffers[2][i].data_ptr());
            product *= static_cast<float>(now);
            ofGradient.emplace_back(-call.lr * (1 - now) / (1 - static_cast<double>(product)));
            ofMomentum.emplace_back(-call.lr * next / (1 - static_cast<double>(product) * next));
        }
        std::vector<at::Tensor> roots = at::_foreach_div(
            lists.buffers[1], eachOf(lists.counts, [&](double count) { return 1 - std::pow(m_betas.second, count); }));
        at::_foreach_sqrt_(roots);
        at::_foreach_add_(roots, m_eps);
        at::_foreach_addcdiv_(lists.parameters, gradients, roots, ofGradient);
        at::_foreach_addcdiv_(lists.parameters, lists.buffers[0], roots, ofMomentum);
    }

private:
    double momentumAt(double beta, double count) const {
        return beta * (1 - 0.5 * std::pow(0.96, count * m_momentumDecay));
    }

    std::pair<double, double> m_betas;
    double m_eps, m_momentumDecay;
    bool m_decoupled;
};

}  // namespace

std::unique_ptr<UpdateRule> makeNAdam(const plan::OptimizerSpec& spec) {
    return std::make_unique<NAdam>(spec);
}

}  // namespace plumbline::train
