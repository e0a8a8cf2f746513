#pragma once
// What the files of the attention family share: the state of one attention and the code that computes it.

#include <string>
#include <vector>

#include "blocks/block.h"

namespace plumbline::blocks {

/// One multi-head attention, a block of its own or a part of a layer.
struct Attention {
    std::int64_t embed = 0, heads = 1, kdim = 0, vdim = 0;
    bool bias = true, addBiasKv = false, addZeroAttention = false, batchFirst = false, causal = false;

    bool samePacked() const { return kdim == embed && vdim == embed; }
    /// Positions that every query sees besides those of the sequence.
    std::int64_t extraKeys() const { return (addBiasKv ? 1 : 0) + (addZeroAttention ? 1 : 0); }
};

/// PyTorch's state in its order; `prefix` = "self_attn." or "".
void addAttentionState(const Attention& attention, const std::string& prefix, std::vector<StateSpec>& state);
/// Multiply-accumulates of the projections and of both products of queries, keys and values.
Dim attentionMacs(const Attention& attention, const Dim& batch, const Dim& queries, const Dim& keys);
/// The number of heads has to divide the features.
Status requireHeads(std::int64_t features, std::int64_t heads, std::string_view featuresName,
                    std::string_view headsName);
std::string_view sequenceForm(bool batchFirst);

/// Where the code of an attention finds things and what it defines.
struct AttentionNames {
    std::string query, key, value;  ///< expressions; equal ones are projected together
    std::string output;             ///< variable to define
    std::string module;   ///< "block" (C++, a torch::nn::MultiheadAttention), "self.block.self_attn" (TorchScript)
    std::string heads;    ///< number of heads: a literal or a variable
    std::string dropout;  ///< the chance of dropout in this call, 0.0 while it does not train
};
/// Statements that define names.output, one a line, without indentation.
std::string cppAttention(const Attention& attention, const AttentionNames& names);
std::string scriptAttention(const Attention& attention, const AttentionNames& names);
/// AttentionNames::dropout in TorchScript, from the parameter "dropout".
std::string scriptDropout(const EmitRequest& request);

/// One size of two inputs has to be the same; sizes that only a run knows are left to it.
Status requireSameSize(const InferenceRequest& request, std::size_t one, std::size_t other, std::size_t dim,
                       std::string_view what);
/// The complaint of a check of input 0, made to speak of input `port`.
Error aboutPort(Error error, std::size_t port);

// The family's files; registerAttention calls them.
void addTransformerLayers(graph::BlockRegistry& registry);
void addPositions(graph::BlockRegistry& registry);

}  // namespace plumbline::blocks
