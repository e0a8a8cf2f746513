#pragma once
// A model whose blocks run as compiled code where that is right and faster, and a report of what became of each.

#include <ATen/core/Tensor.h>
#include <memory>
#include <string>
#include <vector>

#include "compile/compiled_part.h"
#include "compile/segments.h"
#include "core/error.h"
#include "core/json.h"
#include "core/run_control.h"
#include "graph/block_type.h"
#include "model/model.h"

namespace plumbline::compile {

struct CompileOptions {
    double leastSpeedup = 1.05;  ///< median time of the leaves over that of the compiled code, from which on it is kept
    std::string keepEager;       ///< why no block may be compiled; "" = they may
    std::vector<char> classOutputs;  ///< by output of the model: what is largest along its dimension 1 has to stay so;
                                     ///< none = no such output
    RunControl* control = nullptr;   ///< a stop is the error "stopped"
};

/// Compiled for inference with the weights as they are. Whatever it does not take (gradients wanted, training mode,
/// other shapes, changed weights) runs as before, and is counted. One thread, the model's.
class CompiledModel {
public:
    /// The model is in evaluation mode and outlives the result. `samples`: inputs of two or more batches, the first of
    /// the size that counts, another of other content, another of another size; sizes that are the same in all are
    /// fixed. All blocks in a row that can be are tried as one, and block by block where that fails. The error is the
    /// model's own.
    static Result<std::unique_ptr<CompiledModel>> make(model::Model& model, const graph::BlockRegistry& registry,
                                                       const std::vector<std::vector<at::Tensor>>& samples,
                                                       const CompileOptions& options);
    /// Puts the leaves back.
    ~CompiledModel();
    CompiledModel(const CompiledModel&) = delete;
    CompiledModel& operator=(const CompiledModel&) = delete;

    /// Whether a weight of a compiled block was written to since: it runs no more, and a new CompiledModel is wanted.
    bool stale() const;
    /// {"units": [{"block": name, "blocks": [name …], "outcome": "compiled" | "eager", "how": "oneDNN" | "frozen" |
    ///   null, "reason": why it is eager, "eager_ms", "compiled_ms", "speedup", "largest_difference": of what was tried
    ///   last or kept, null where nothing was; "calls", "compiled_calls", "took_effect": their ratio, null without
    ///   calls; "ran_eager": {reason: calls}}], "total": {"blocks", "compiled_blocks", "eager_ms", "compiled_ms",
    ///   "speedup", "largest_difference"}, "bound"}.
    /// Times are medians of one pass over the first sample. A block that was tried with others first stands in two
    /// units.
    Json report() const;

private:
    struct Unit {
        Segment segment;
        std::shared_ptr<CompiledPart> code;  ///< kept
        std::string reason;
        std::optional<Way> way;
        std::optional<double> eagerMs, compiledMs, difference;
    };
    friend class Maker;

    explicit CompiledModel(model::Model& model) : m_model(model) {}
    Json toJson(const Unit& unit) const;

    model::Model& m_model;
    std::vector<Unit> m_units;
    std::size_t m_blocks = 0;
    std::optional<double> m_eagerMs, m_compiledMs, m_difference;
};

}  // namespace plumbline::compile
