// Dropout, Dropout2d.

#include <ATen/ops/dropout.h>
#include <ATen/ops/feature_dropout.h>

#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

class Dropout final : public Leaf {
public:
    explicit Dropout(const Json& params) : m_p(numberOr(params, "p", 0.5)) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::dropout(call.input(), m_p, call.training); }

private:
    double m_p;
};

class Dropout2d final : public Leaf {
public:
    explicit Dropout2d(const Json& params) : m_p(numberOr(params, "p", 0.5)) {}
    void forward(const LeafCall& call) override {
        call.outputs[0] = at::feature_dropout(call.input(), m_p, call.training);
    }

private:
    double m_p;
};

}  // namespace

void addRegularisationLeaves(LeafBuilders& builders) {
    addLeaf<Dropout>(builders, "Dropout");
    addLeaf<Dropout2d>(builders, "Dropout2d");
}

}  // namespace plumbline::model
