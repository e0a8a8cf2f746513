#include "model/initialise.h"

#include <string>

#include "model/fill.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

double gainFrom(const Json& init) {
    if (isGiven(init, "gain")) {
        return numberOr(init, "gain", 1.0);
    }
    return isGiven(init, "nonlinearity") ? gainOf(textOr(init, "nonlinearity", "linear"), 0.01) : 1.0;
}

/// Sets one weight; `matrix` when it has two or more dimensions.
void fillWeight(const Json& init, const std::string& scheme, const at::Tensor& weight) {
    if (scheme == "constant" || scheme == "zeros" || scheme == "ones") {
        fillConstant(weight, scheme == "constant" ? numberOr(init, "value", 0.0) : scheme == "ones" ? 1.0 : 0.0);
        return;
    }
    if (weight.dim() < 2) {
        return;
    }
    const bool fanOut = textOr(init, "mode", "fan_in") == "fan_out";
    const std::string nonlinearity = textOr(init, "nonlinearity", "leaky_relu");
    if (scheme == "kaiming_normal") {
        fillKaimingNormal(weight, numberOr(init, "a", 0.0), fanOut, nonlinearity);
    } else if (scheme == "kaiming_uniform") {
        fillKaimingUniform(weight, numberOr(init, "a", 0.0), fanOut, nonlinearity);
    } else if (scheme == "xavier_normal") {
        fillXavierNormal(weight, gainFrom(init));
    } else if (scheme == "xavier_uniform") {
        fillXavierUniform(weight, gainFrom(init));
    } else if (scheme == "orthogonal") {
        fillOrthogonal(weight, gainFrom(init));
    } else if (scheme == "normal") {
        fillNormal(weight, numberOr(init, "mean", 0.0), numberOr(init, "std", 1.0));
    } else if (scheme == "trunc_normal") {
        fillTruncatedNormal(weight, numberOr(init, "mean", 0.0), numberOr(init, "std", 1.0),
                            numberOr(init, "low", -2.0), numberOr(init, "high", 2.0));
    }
}

/// "bias", "bias_ih_l0", "norm1.bias", "self_attn.in_proj_bias".
bool isBias(const std::string& name) {
    const std::string own = name.substr(name.rfind('.') + 1);
    return own.starts_with("bias") || own.ends_with("_bias");
}

}  // namespace

void applyInit(const Json& init, Leaf& leaf) {
    if (init.is_null()) {
        return;
    }
    const std::string scheme = textOr(init, "scheme", "default");
    for (std::size_t i = 0; i < leaf.tensors().size(); ++i) {
        const LeafStateName& state = leaf.names()[i];
        if (state.buffer) {
            continue;
        }
        if (isBias(state.name)) {
            if (isGiven(init, "bias")) {
                fillConstant(leaf.tensors()[i], numberOr(init, "bias", 0.0));
            }
        } else if (scheme != "default") {
            fillWeight(init, scheme, leaf.tensors()[i]);
        }
    }
}

}  // namespace plumbline::model
