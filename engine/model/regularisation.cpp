// Dropout, Dropout2d.

#include <ATen/ops/dropout.h>
#include <ATen/ops/feature_dropout.h>

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

}  // namespace

void addRegularisationLeaves(LeafBuilders& builders) {
    addLeaf<DropoutLeaf<at::dropout, at::dropout_>>(builders, "Dropout");
    addLeaf<DropoutLeaf<at::feature_dropout, at::feature_dropout_>>(builders, "Dropout2d");
}

}  // namespace plumbline::model
