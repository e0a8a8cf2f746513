#pragma once
// A part of a model as frozen TorchScript: runs in the place of its leaves while nothing is other than it was compiled
// for.

#include <ATen/core/Tensor.h>
#include <torch/csrc/jit/api/module.h>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "graph/block_type.h"
#include "model/model.h"

namespace plumbline::compile {

enum class Way {
    kOneDnn,  ///< frozen, and what oneDNN can do in one piece is one: CPU alone
    kFrozen,  ///< weights are constants, what follows from them is worked out and BatchNorm is part of the convolution
              ///< before it
};

/// "oneDNN", "frozen"
const char* toString(Way way);

class CompiledPart final : public model::PartCode {
public:
    /// What TorchScript refuses is the error.
    static Result<std::shared_ptr<CompiledPart>> make(const model::Model& model, const graph::BlockRegistry& registry,
                                                      const model::Part& part, Way way);

    /// Without a look at guards or counters. May throw what LibTorch throws.
    std::vector<at::Tensor> call(std::span<const at::Tensor* const> inputs);
    /// What it takes from now on: element types, devices and ranks of these calls, and of their sizes those in which
    /// they differ are free. `outputs`: what the leaves give on the first of them, whose memory layout it keeps.
    void guard(const std::vector<std::vector<at::Tensor>>& inputs, const std::vector<at::Tensor>& outputs);
    bool run(std::span<const at::Tensor* const> inputs, std::span<at::Tensor> outputs) override;

    /// Whether a weight was written to since.
    bool stale() const;
    /// Of run(): how often it was called, how often it computed, and why it did not, in the reason's words.
    struct Counts {
        std::int64_t calls = 0, compiled = 0;
        std::map<std::string, std::int64_t> refused;
    };
    const Counts& counts() const { return m_counts; }
    void resetCounts() { m_counts = {}; }
    Way way() const { return m_way; }

private:
    struct WantedInput {
        at::ScalarType dtype;
        at::Device device;
        std::vector<std::int64_t> sizes;  ///< -1 = any
    };
    struct Weight {
        at::Tensor tensor;
        std::int64_t version = 0;
    };
    CompiledPart(torch::jit::Module module, Way way) : m_module(std::move(module)), m_way(way) {}
    std::string reasonAgainst(std::span<const at::Tensor* const> inputs) const;

    torch::jit::Module m_module;
    Way m_way;
    std::vector<WantedInput> m_inputs;
    std::vector<std::optional<at::MemoryFormat>> m_layouts;  ///< by output; nothing: as it comes
    std::vector<Weight> m_weights;
    std::string m_failure;  ///< of a call that threw: it is not tried again
    Counts m_counts;
};

}  // namespace plumbline::compile
