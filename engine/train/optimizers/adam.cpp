// Kingma and Ba 2015 and, with weight decay apart from the gradient, Loshchilov and Hutter 2019; as torch.optim.Adam
// and AdamW.
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_addcdiv.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_maximum.h>
#include <ATen/ops/_foreach_sqrt.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>

#include <cmath>

#include "train/optimizers/rules.h"

namespace plumbline::train {
namespace {

class Adam final : public UpdateRule {
public:
    Adam(const plan::OptimizerSpec& spec, bool decoupled)
        : UpdateRule(spec),
          m_betas(spec.pair("betas")),
          m_eps(spec.number("eps")),
          m_amsgrad(spec.flag("amsgrad")),
          m_decoupled(decoupled),
          m_fused(spec.implementation != "foreach") {}

    std::vector<StateTensor> state(bool) const override {
        std::vector<StateTensor> state{{"exp_avg"}, {"exp_avg_sq"}};
        if (m_amsgrad) {
            state.push_back({"max_exp_avg_sq"});
        }
        return state;
    }
    bool takesScale() const override { return m_fused; }
    std::optional<double> momentum() const override { return m_betas.first; }
    void update(UpdateLists& lists, const UpdateCall& call) override {
        m_fused ? atOnce(lists, call) : oneByOne(lists, call);
    }

private:
    void atOnce(const UpdateLists& lists, const UpdateCall& call) const {
        static const std::vector<at::Tensor> kNone;
        const std::vector<at::Tensor>& largest = m_amsgrad ? lists.buffers[2] : kNone;
        const auto run = [&](auto kernel) {
            kernel(lists.parameters, lists.gradients, lists.buffers[0], lists.buffers[1], largest, lists.steps, call.lr,
                   call.momentum, m_betas.second, call.weightDecay, m_eps, m_amsgrad, maximizes(), call.gradScale,
                   call.foundInf);
        };
        if (m_decoupled) {
            run([](const auto&... arguments) { at::_fused_adamw_(arguments...); });
        } else {
            run([](const auto&... arguments) { at::_fused_adam_(arguments...); });
        }
    }

    void oneByOne(const UpdateLists& lists, const UpdateCall& call) const {
        const std::vector<at::Tensor> gradients = updateMoments(lists, call, m_betas.second, m_decoupled);
        if (m_amsgrad) {
            at::_foreach_maximum_(lists.buffers[2], lists.buffers[1]);
        }
        std::vector<at::Tensor> roots = at::_foreach_sqrt(lists.buffers[m_amsgrad ? 2 : 1]);
        at::_foreach_div_(
            roots, eachOf(lists.counts, [&](double count) { return std::sqrt(1 - std::pow(m_betas.second, count)); }));
        at::_foreach_add_(roots, m_eps);
        at::_foreach_addcdiv_(lists.parameters, lists.buffers[0], roots, eachOf(lists.counts, [&](double count) {
                                  return -(call.lr / (1 - std::pow(call.momentum, count)));
                              }));
    }

    std::pair<double, double> m_betas;
    double m_eps;
    bool m_amsgrad, m_decoupled, m_fused;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdam(const plan::OptimizerSpec& spec) {
    return std::make_unique<Adam>(spec, false);
}
std::unique_ptr<UpdateRule> makeAdamW(const plan::OptimizerSpec& spec) {
    return std::make_unique<Adam>(spec, true);
}

}  // namespace plumbline::train
