#pragma once
// Which parameters share a learning rate and a weight decay.

#include <ATen/core/Tensor.h>
#include <string>
#include <utility>
#include <vector>

#include "plan/parameter_groups.h"

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
    std::string name;  ///< as plan::GroupOfParameters
    std::vector<NamedParameter> parameters;
    double lr = 0;
    double weightDecay = 0;
    double lrScale = 1;           ///< of its layer: part of `lr`
    bool ownRate = false;         ///< the pattern states a learning rate: the optimizer's does not count here
    bool ownWeightDecay = false;  ///< the pattern states a weight decay, or there is none here
};

using plan::ParameterLayers;
/// project::layersOf() of the model.
ParameterLayers layersOf(const model::Model& model);

/// plan::groupsOf() with the tensors.
std::vector<ParameterGroup> groupParameters(const plan::OptimizerSpec& spec,
                                            const std::vector<NamedParameter>& parameters,
                                            const ParameterLayers& layers = {});

}  // namespace plumbline::train
