#pragma once
// How a block's weights start ("init" of a node): {"scheme": "kaiming_normal", "mode": "fan_out", …}.
//
//   default                              PyTorch's own
//   kaiming_normal, kaiming_uniform      mode ("fan_in", "fan_out"), nonlinearity ("leaky_relu", "relu", …), a (slope)
//   xavier_normal, xavier_uniform        gain, or nonlinearity from which it follows
//   orthogonal                           gain, or nonlinearity
//   normal                               mean, std
//   trunc_normal                         mean, std, low, high
//   constant                             value
//   zeros, ones
// "bias" (a number) sets the biases; left out they keep PyTorch's start.

#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::graph {

/// Scheme, keys, types and values; null is fine. `pointer` goes into the error.
Status checkInit(const Json& init, const std::string& pointer);

/// A key of a scheme: with words to choose from, or a number when there are none.
struct InitKey {
    std::string name;
    std::vector<std::string> words;
};
/// The keys that a scheme knows besides "scheme", in the order of the list above; empty for a name that is none.
std::vector<InitKey> initKeys(const std::string& scheme);

/// The schemes' names, in the order of the list above.
std::vector<std::string> initSchemes();

}  // namespace plumbline::graph
