#pragma once
// Which parameters share a learning rate and a weight decay, by names alone: what an optimizer is made of and what a
// plan of its rates shows.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace plumbline::plan {

/// Blocks of the root graph that hold parameters, in execution order; each member of a repeat is one by itself
/// ("layers.0").
struct ParameterLayers {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> ofParameter;  ///< by full name
    std::set<std::string> norms = {};                ///< full names of the parameters of normalisations
};

struct GroupMember {
    std::string name;  ///< full name of a parameter
    std::size_t dimensions = 0;
};

struct GroupOfParameters {
    std::string name;  ///< unique, for people: "" for the parameters that no pattern matches, else the pattern; "…, no
                       ///< weight decay", "…, layer conv1"
    std::vector<std::size_t> members;  ///< indices of the parameters that were given
    double lr = 0;
    double weightDecay = 0;
    double lrScale = 1;           ///< of its layer: part of `lr`
    bool ownRate = false;         ///< the pattern states a learning rate: the optimizer's does not count here
    bool ownWeightDecay = false;  ///< the pattern states a weight decay, or there is none here
};

/// Sorts parameters into the plan's groups: the first pattern that matches wins, the rest is the group "", which comes
/// first. With layer_decay they are split by layer, without decay_norms_and_biases by isNormOrBias(). Groups without
/// parameters, and parameters of a frozen group, are left out. `layers` counts with layer_decay alone, its `norms`
/// without decay_norms_and_biases.
std::vector<GroupOfParameters> groupsOf(const OptimizerSpec& spec, const std::vector<GroupMember>& parameters,
                                        const ParameterLayers& layers);

/// What decay_norms_and_biases is about: a parameter of a normalisation, one with "bias" in the last part of its name
/// ("bias_k", "bias_ih_l0"), and any other of one dimension or none.
bool isNormOrBias(const GroupMember& parameter, const ParameterLayers& layers);

/// What a run calls the rate of a group: "lr", "lr/<group>", and with phases "lr/<phase>" or "lr/<phase>: <group>".
/// `phase`: "" without.
std::string rateSeries(const std::string& phase, const std::string& group);
/// The part of it behind "lr/"; "" for "lr".
std::string groupInPhase(const std::string& phase, const std::string& group);

}  // namespace plumbline::plan
