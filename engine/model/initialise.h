#pragma once
// Initialisation chosen for a block ("init" of a node): {"scheme": "kaiming_normal", "mode": "fan_out", …}.
//
//   default                              PyTorch's own
//   kaiming_normal, kaiming_uniform      mode ("fan_in", "fan_out"), nonlinearity ("leaky_relu", "relu", …), a (slope)
//   xavier_normal, xavier_uniform        gain, or nonlinearity from which it follows
//   orthogonal                           gain, or nonlinearity
//   normal                               mean, std
//   trunc_normal                         mean, std, low, high
//   constant                             value
//   zeros, ones
// "bias" (a number) sets the biases; left out they keep PyTorch's start. The random schemes act on weights of two and more
// dimensions, so that a norm inside a composite keeps its ones; constant, zeros and ones act on every weight.

#include "core/error.h"
#include "core/json.h"
#include "model/leaf.h"

namespace plumbline::model {

/// Scheme, keys, types and values; `where` goes into the error.
Status checkInit(const Json& init, const std::string& where);

/// Applies a checked scheme to one leaf that has PyTorch's default values; draws from LibTorch's default generator.
void applyInit(const Json& init, Leaf& leaf);

}  // namespace plumbline::model
