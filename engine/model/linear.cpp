// Linear.

#include <ATen/ops/addmm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/t.h>

#include "model/fill.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

class Linear final : public Leaf {
public:
    explicit Linear(const Json& params) : m_bias(booleanOr(params, "bias", true)) {
        const std::int64_t out = requiredInteger(params, "out_features");
        addParameter("weight", {out, requiredInteger(params, "in_features")});
        if (m_bias) {
            addParameter("bias", {out});
        }
    }
    void reset() override { fillLikeLinear(tensor(0), m_bias ? tensor(1) : at::Tensor()); }
    void forward(const LeafCall& call) override {
        const at::Tensor& input = call.input();
        if (m_bias && input.dim() == 2) {
            // What at::linear() comes to, as torch::nn::functional::linear() calls it: one dispatch less a layer.
            call.outputs[0] = at::addmm(tensor(1), input, tensor(0).t());
        } else {
            call.outputs[0] = m_bias ? at::linear(input, tensor(0), tensor(1)) : at::linear(input, tensor(0));
        }
    }

private:
    bool m_bias;
};

}  // namespace

void addLinearLeaves(LeafBuilders& builders) {
    addLeaf<Linear>(builders, "Linear");
}

}  // namespace plumbline::model
