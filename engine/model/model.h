#pragma once
// A resolved graph as LibTorch modules: parameters, buffers, modes, forward.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "graph/resolve.h"
#include "model/part.h"

namespace torch::nn {
class Module;
}

namespace plumbline::model {

struct BuildOptions {
    std::uint64_t seed = 0;  ///< seeds LibTorch's default generator before the first parameter is drawn
    bool seedGenerator = true;
    at::Device device = at::kCPU;
    bool channelsLast = false;  ///< 4-d parameters and inputs
    std::optional<DType> dtype =
        std::nullopt;  ///< converts floating-point parameters and buffers once they are drawn in float32
};

struct NamedState {
    std::string name;   ///< "layers.0.conv.weight", as PyTorch's state_dict spells it
    at::Tensor tensor;  ///< the live one
    int leaf = 0;       ///< index in ResolvedModel::nodes
    bool buffer = false;
    bool frozen = false;
    bool shared = false;  ///< belongs to another leaf that comes earlier
};

/// Sees a leaf's outputs right after they are made; used by the monitor and by profiles. Empty by default and then
/// free.
class LeafObserver {
public:
    virtual ~LeafObserver() = default;
    virtual void beforeLeaf(int /*leaf*/) {}
    virtual void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) = 0;
    /// The same where a checkpointed block runs again in the backward pass, after the forward pass that the observer
    /// looked at; the observer has to live until then. beforeLeaf() and afterLeaf() are called once a forward pass.
    virtual void beforeLeafAgain(int /*leaf*/) {}
    virtual void afterLeafAgain(int /*leaf*/, const std::vector<at::Tensor>& /*outputs*/) {}
};

/// One model. Not thread-safe: one thread builds, runs and changes it.
class Model {
public:
    /// Builds in construction order; the default initialisation is bit-equal to PyTorch's for the same seed.
    /// Initialisation chosen for a block is applied afterwards, again in construction order, so that it leaves the
    /// others' values alone.
    static Result<std::unique_ptr<Model>> build(const graph::ResolvedModel& graph, const BuildOptions& options);
    virtual ~Model() = default;

    /// Inputs in the order of the graph's inputs; outputs in the order of its outputs. Each intermediate is freed as
    /// soon as its last reader ran. An exception inside a block becomes an error that names the block, its inputs'
    /// shapes and dtypes.
    virtual Result<std::vector<at::Tensor>> forward(const std::vector<at::Tensor>& inputs) = 0;
    /// The leaves of a part alone, from its inputs to its outputs; neither observed nor by other code.
    virtual Result<std::vector<at::Tensor>> forwardPart(const Part& part, const std::vector<at::Tensor>& inputs) = 0;
    /// From now on this code runs in the place of these parts, which have no leaf in common, while all their leaves are
    /// in evaluation mode and nobody observes; it replaces what was given before.
    virtual void useCode(std::vector<CodedPart> parts) = 0;

    /// Prepares forward passes for some of the outputs (one flag each): through the blocks that these need, and no
    /// others. Gives the number of the route; 0 is the whole model, and the only one of a model that cannot be run in
    /// parts.
    virtual std::size_t addRoute(const std::vector<char>& /*outputs*/) { return 0; }
    /// forward() along a route. Outputs that are none of its are undefined tensors.
    virtual Result<std::vector<at::Tensor>> forwardAlong(std::size_t /*route*/, const std::vector<at::Tensor>& inputs) {
        return forward(inputs);
    }
    /// The leaves that a route runs, one flag each.
    virtual std::vector<char> leavesOf(std::size_t /*route*/) const {
        return std::vector<char>(graph().nodes.size(), 1);
    }

    virtual const graph::ResolvedModel& graph() const = 0;
    /// Parameters in registration order (shared ones once), then nothing else.
    virtual const std::vector<NamedState>& parameters() const = 0;
    virtual const std::vector<NamedState>& buffers() const = 0;
    /// All of both in state_dict order.
    virtual std::vector<NamedState> stateDict() const = 0;
    /// Copies values in by name; missing, unexpected or wrongly shaped entries are one error that lists them, nothing
    /// changed.
    virtual Status loadStateDict(const std::map<std::string, at::Tensor>& state) = 0;

    /// Sets every leaf's mode, except that a node that says "eval" stays in eval and one that says "stochastic" in
    /// train.
    virtual void train(bool on) = 0;
    virtual bool isTraining(int leaf) const = 0;
    virtual void setTraining(int leaf, bool on) = 0;
    virtual void setObserver(LeafObserver* observer) = 0;
    /// Leaves (one flag each) around which autocast is switched off and whose half-precision inputs are raised to
    /// float32.
    virtual void keepFloat32(std::vector<char> leaves) = 0;
    /// Activation checkpointing (Chen et al. 2016, torch.utils.checkpoint): the leaves of each unit, run as one, keep
    /// nothing but what flows into them and run once more in the backward pass, with the generators, modes and autocast
    /// of the first time. Units are blocks of the graph without a leaf in common; none: every leaf keeps what it needs.
    /// The model outlives the graphs of its passes.
    virtual void checkpoint(const std::vector<std::vector<int>>& units) = 0;
    /// Leaves (one flag each) that run with gradients switched off, as under torch.no_grad(): none flows back through
    /// them.
    virtual void switchGradientsOff(std::vector<char> leaves) = 0;
    /// Of every BatchNorm that is in training mode now; see Leaf::recalibrate. Gives whether there is one.
    virtual bool recalibrate(bool on) = 0;
    /// Of every DropPath: the share of its p that it drops by, 0 … 1; 1 as built.
    virtual void setDropShare(double share) = 0;
    /// The same tensors as a torch::nn::Module tree with the same names, for code that wants one; its modes are those
    /// of now.
    virtual std::shared_ptr<torch::nn::Module> asModule() = 0;
};

}  // namespace plumbline::model
