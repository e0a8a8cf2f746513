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

namespace torch::nn {
class Module;
}

namespace plumbline::model {

struct BuildOptions {
    std::uint64_t seed = 0;          ///< seeds LibTorch's default generator before the first parameter is drawn
    bool seedGenerator = true;
    at::Device device = at::kCPU;
    bool channelsLast = false;       ///< 4-d parameters and inputs
    std::optional<DType> dtype = std::nullopt;  ///< converts floating-point parameters and buffers once they are drawn in float32
};

struct NamedState {
    std::string name;   ///< "layers.0.conv.weight", as PyTorch's state_dict spells it
    at::Tensor tensor;  ///< the live one
    int leaf = 0;       ///< index in ResolvedModel::nodes
    bool buffer = false;
    bool frozen = false;
    bool shared = false;  ///< belongs to another leaf that comes earlier
};

/// Sees a leaf's outputs right after they are made; used by the monitor and by profiles. Empty by default and then free.
class LeafObserver {
public:
    virtual ~LeafObserver() = default;
    virtual void beforeLeaf(int /*leaf*/) {}
    virtual void afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) = 0;
};

/// One model. Not thread-safe: one thread builds, runs and changes it.
class Model {
public:
    /// Builds in construction order; the default initialisation is bit-equal to PyTorch's for the same seed. Initialisation
    /// chosen for a block is applied afterwards, again in construction order, so that it leaves the others' values alone.
    static Result<std::unique_ptr<Model>> build(const graph::ResolvedModel& graph, const BuildOptions& options);
    virtual ~Model() = default;

    /// Inputs in the order of the graph's inputs; outputs in the order of its outputs. Each intermediate is freed as soon as
    /// its last reader ran. An exception inside a block becomes an error that names the block, its inputs' shapes and dtypes.
    virtual Result<std::vector<at::Tensor>> forward(const std::vector<at::Tensor>& inputs) = 0;

    virtual const graph::ResolvedModel& graph() const = 0;
    /// Parameters in registration order (shared ones once), then nothing else.
    virtual const std::vector<NamedState>& parameters() const = 0;
    virtual const std::vector<NamedState>& buffers() const = 0;
    /// All of both in state_dict order.
    virtual std::vector<NamedState> stateDict() const = 0;
    /// Copies values in by name; missing, unexpected or wrongly shaped entries are one error that lists them, nothing changed.
    virtual Status loadStateDict(const std::map<std::string, at::Tensor>& state) = 0;

    /// Sets every leaf's mode, except that a node that says "eval" stays in eval and one that says "stochastic" in train.
    virtual void train(bool on) = 0;
    virtual bool isTraining(int leaf) const = 0;
    virtual void setTraining(int leaf, bool on) = 0;
    virtual void setObserver(LeafObserver* observer) = 0;
    /// Leaves (one flag each) around which autocast is switched off and whose half-precision inputs are raised to float32.
    virtual void keepFloat32(std::vector<char> leaves) = 0;
    /// Of every BatchNorm that is in training mode now; see Leaf::recalibrate. Gives whether there is one.
    virtual bool recalibrate(bool on) = 0;
    /// Of every DropPath: the share of its p that it drops by, 0 … 1; 1 as built.
    virtual void setDropShare(double share) = 0;
    /// The same tensors as a torch::nn::Module tree with the same names, for code that wants one; its modes are those of now.
    virtual std::shared_ptr<torch::nn::Module> asModule() = 0;
};

}  // namespace plumbline::model
