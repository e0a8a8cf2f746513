#pragma once
// Which parameters share a learning rate and a weight decay.

#include <ATen/core/Tensor.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.h"

namespace plumbline::model {
class Model;
}

namespace plumbline::train {

/// A parameter with the full name that its optimizer state is saved under.
struct NamedParameter {
    std::string name;
    at::Tensor tensor;
};

/// Tensors by name, in a fixed order: what a checkpoint holds.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

struct ParameterGroup {
    std::string name;  ///< unique, for people: "" for the parameters that no pattern matches, else the pattern; "…, no weight decay", "…, layer conv1"
    std::vector<NamedParameter> parameters;
    double lr = 0;
    double weightDecay = 0;
    double lrScale = 1;           ///< of its layer: part of `lr`
    bool ownRate = false;         ///< the pattern states a learning rate: the optimizer's does not count here
    bool ownWeightDecay = false;  ///< the pattern states a weight decay, or there is none here
};

/// Blocks of the root graph that hold parameters, in execution order; each member of a repeat is one by itself ("layers.0").
struct ParameterLayers {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> ofParameter;  ///< by full name
};
ParameterLayers layersOf(const model::Model& model);

/// Sorts parameters into the plan's groups: the first pattern that matches wins, the rest is the group "", which comes first. With
/// layer_decay they are split by layer, without decay_norms_and_biases by dimensions. Groups without parameters, and parameters of a
/// frozen group, are left out. `layers` counts only with layer_decay.
std::vector<ParameterGroup> groupParameters(const plan::OptimizerSpec& spec, const std::vector<NamedParameter>& parameters, const ParameterLayers& layers = {});

}  // namespace plumbline::train
