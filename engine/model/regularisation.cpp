// Dropout, Dropout2d, DropPath.

#include <ATen/TensorOperators.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/feature_dropout.h>

#include <stdexcept>

#include "model/dropout.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

/// Single values, or whole channels.
template <at::Tensor (*function)(const at::Tensor&, double, bool), at::Tensor& (*inPlace)(at::Tensor&, double, bool)>
class DropoutLeaf final : public Leaf {
public:
    explicit DropoutLeaf(const Json& params)
        : m_p(numberOr(params, "p", 0.5)), m_inPlace(booleanOr(params, "inplace", false)) {}
    void forward(const LeafCall& call) override {
        if (m_inPlace) {
            at::Tensor tensor = call.input();
            call.outputs[0] = inPlace(tensor, m_p, call.training);
        } else {
            call.outputs[0] = function(call.input(), m_p, call.training);
        }
    }

private:
    double m_p;
    bool m_inPlace;
};

/// One draw a sample; torchvision.ops.stochastic_depth in mode "row".
class DropPathLeaf final : public Leaf {
public:
    explicit DropPathLeaf(const Json& params) : m_p(numberOr(params, "p", 0.1)) {}
    void forward(const LeafCall& call) override {
        const at::Tensor& input = call.input();
        if (input.dim() < 1) {
            throw std::invalid_argument("Expected a batch and got a single number.");
        }
        if (!call.training) {
            call.outputs[0] = input;
            return;
        }
        std::vector<std::int64_t> dims(static_cast<std::size_t>(input.dim()), 1);
        dims[0] = input.size(0);
        call.outputs[0] = input * at::dropout(input.new_ones(dims), m_share * m_p, true);
    }
    void setDropShare(double share) override { m_share = share; }

private:
    double m_p;
    double m_share = 1;
};

}  // namespace

void addRegularisationLeaves(LeafBuilders& builders) {
    addLeaf<DropoutLeaf<applyDropout, applyDropoutInPlace>>(builders, "Dropout");
    addLeaf<DropoutLeaf<at::feature_dropout, at::feature_dropout_>>(builders, "Dropout2d");
    addLeaf<DropPathLeaf>(builders, "DropPath");
}

}  // namespace plumbline::model
