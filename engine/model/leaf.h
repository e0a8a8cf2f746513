#pragma once
// One leaf block with its tensors: what each block family implements, one file a family.

#include <ATen/core/Tensor.h>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "graph/block_families.h"

namespace plumbline::model {

/// What a leaf gets and gives in one call.
struct LeafCall {
    std::span<const at::Tensor* const> inputs;  ///< in port order, variadic last; nullptr = an optional input left out
    std::span<at::Tensor> outputs;              ///< to be filled, in port order; some may have no reader
    bool training = false;

    const at::Tensor& input(std::size_t index = 0) const { return *inputs[index]; }
    bool has(std::size_t index) const { return index < inputs.size() && inputs[index] != nullptr; }
};

/// Where a built model's graph says a leaf's contentHash(), in the leaf's params.
constexpr const char* kContentHash = "sha256";

struct LeafStateName {
    std::string name;  ///< as PyTorch's module calls it
    bool buffer = false;
};

/// A leaf of a built model. Its tensors are made uninitialised and in PyTorch's registration order by the constructor.
/// Methods may throw what LibTorch throws; Model turns that into an error that names the block.
class Leaf {
public:
    virtual ~Leaf() = default;

    virtual void forward(const LeafCall& call) = 0;
    /// PyTorch's default initialisation (torch/nn/modules/*.py, reset_parameters) from LibTorch's default generator.
    virtual void reset() {}
    /// BatchNorm alone: on, its running statistics begin anew and become the mean over all batches from here on, each
    /// counting alike (torch.optim.swa_utils.update_bn); off, they move by its momentum again. Gives whether it has
    /// such statistics.
    virtual bool recalibrate(bool /*on*/) { return false; }
    /// DropPath alone: the share of its p that it drops by, 0 … 1.
    virtual void setDropShare(double /*share*/) {}
    /// SHA-256 of what decides its numbers and is in no parameter: a package's file. "" = nothing.
    virtual std::string contentHash() const { return {}; }

    const std::vector<LeafStateName>& names() const { return m_names; }
    const std::vector<at::Tensor>& tensors() const { return m_tensors; }
    /// Replaces the tensors: moved to another device or dtype, or shared with another leaf of the same kind.
    void setTensors(std::vector<at::Tensor> tensors) { m_tensors = std::move(tensors); }

protected:
    /// Registers an uninitialised parameter (float32) and gives its index.
    std::size_t addParameter(std::string name, at::IntArrayRef dims);
    std::size_t addBuffer(std::string name, at::IntArrayRef dims, at::ScalarType dtype = at::kFloat);
    at::Tensor& tensor(std::size_t index) { return m_tensors[index]; }

private:
    std::vector<LeafStateName> m_names;
    std::vector<at::Tensor> m_tensors;
};

/// Makes a leaf from its resolved parameters; a parameter left out has PyTorch's default.
using LeafBuilder = std::function<std::unique_ptr<Leaf>(const Json& params)>;
using LeafBuilders = std::map<std::string, LeafBuilder, std::less<>>;

/// Every leaf type this program can build. Filled once, then read-only; may be called from any thread.
const LeafBuilders& leafBuilders();

/// Registers `Type(params)` under `name`.
template <class Type>
void addLeaf(LeafBuilders& builders, std::string name) {
    builders.emplace(std::move(name), [](const Json& params) { return std::make_unique<Type>(params); });
}

// One function a family, called by leafBuilders().
#define PLUMBLINE_DECLARE(family) void add##family##Leaves(LeafBuilders& builders);
PLUMBLINE_BLOCK_FAMILIES(PLUMBLINE_DECLARE)
#undef PLUMBLINE_DECLARE

}  // namespace plumbline::model
