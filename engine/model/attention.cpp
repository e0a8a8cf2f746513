// MultiheadAttention, TransformerEncoderLayer, TransformerDecoderLayer.

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "model/dropout.h"
#include "model/fill.h"
#include "model/leaf.h"
#include "model/params.h"
#include "model/positions.h"

namespace plumbline::model {

namespace {

/// torch.nn.functional.scaled_dot_product_attention, where every query sees a key. With dropout on the CPU LibTorch has
/// no kernel of its own for it: the operations are its, in its order and with its roundings
/// (ATen/native/transformers/attention.cpp, _scaled_dot_product_attention_math), around the faster dropout.
at::Tensor dotProductAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                               std::optional<at::Tensor> mask, double p, bool causal) {
    const bool single = q.scalar_type() == at::kFloat && k.scalar_type() == at::kFloat && v.scalar_type() == at::kFloat;
    if (p <= 0.0 || !q.is_cpu() || !single || at::autocast::is_autocast_enabled(at::kCPU)) {
        return at::scaled_dot_product_attention(q, k, v, mask, p, causal);
    }
    const double factor = std::sqrt(1.0 / std::sqrt(static_cast<double>(q.size(-1))));
    at::Tensor scores = at::matmul(q * factor, k.transpose(-2, -1) * factor);
    if (causal) {
        mask = at::ones({q.size(-2), k.size(-2)}, q.options().dtype(at::kBool).requires_grad(false)).tril();
    }
    if (mask) {
        const at::Tensor hidden = at::zeros(mask->sizes(), q.options().requires_grad(false))
                                      .masked_fill_(mask->logical_not(), -std::numeric_limits<double>::infinity());
        scores = scores.add_(hidden);
    }
    return at::matmul(applyDropout(at::softmax(scores, -1), p, true), v);
}

/// A weight [out, in] with the bias that may go with it, as indices of a leaf's tensors.
struct Dense {
    std::size_t weight = 0;
    std::optional<std::size_t> bias;
};

struct AttentionSettings {
    std::int64_t embed = 0, heads = 1, kdim = 0, vdim = 0;
    double dropout = 0.0;
    bool bias = true, addBiasKv = false, addZeroAttention = false, batchFirst = false;
    bool samePacked() const { return kdim == embed && vdim == embed; }
};

struct Attention {
    AttentionSettings settings;
    std::size_t packedWeight = 0;  ///< or the first of three
    std::optional<std::size_t> packedBias;
    std::size_t biasK = 0, biasV = 0;
    Dense out;
};

/// A sequence as rows: [B, T, features] or [T, B, features] seen as [B·T, features].
struct Rows {
    at::Tensor values;
    std::int64_t first = 0, second = 0;  ///< the two dimensions that became one

    static Rows of(const at::Tensor& sequence, const char* name) {
        if (sequence.dim() != 3) {
            throw std::invalid_argument(fmt::format("Expected 3 dimensions for {} and got {}.", name, sequence.dim()));
        }
        return {sequence.reshape({-1, sequence.size(2)}), sequence.size(0), sequence.size(1)};
    }
    at::Tensor sequence(const at::Tensor& rows) const { return rows.view({first, second, rows.size(1)}); }
};

/// What the blocks with attention share. Everything but the product of queries and keys works on rows, where a product
/// with a bias is one operation and a sum can go where a product was.
class AttentionLeaf : public Leaf {
protected:
    Attention addAttention(const std::string& prefix, const AttentionSettings& settings) {
        if (settings.heads < 1 || settings.embed % settings.heads != 0) {
            throw std::invalid_argument(
                fmt::format("The {} features have to be divisible by the {} heads.", settings.embed, settings.heads));
        }
        Attention attention;
        attention.settings = settings;
        const std::int64_t embed = settings.embed;
        if (settings.samePacked()) {
            attention.packedWeight = addParameter(prefix + "in_proj_weight", {3 * embed, embed});
        } else {
            attention.packedWeight = addParameter(prefix + "q_proj_weight", {embed, embed});
            addParameter(prefix + "k_proj_weight", {embed, settings.kdim});
            addParameter(prefix + "v_proj_weight", {embed, settings.vdim});
        }
        if (settings.bias) {
            attention.packedBias = addParameter(prefix + "in_proj_bias", {3 * embed});
        }
        if (settings.addBiasKv) {
            attention.biasK = addParameter(prefix + "bias_k", {1, 1, embed});
            attention.biasV = addParameter(prefix + "bias_v", {1, 1, embed});
        }
        attention.out = addDense(prefix + "out_proj", embed, embed, settings.bias);
        return attention;
    }

    Dense addDense(const std::string& name, std::int64_t out, std::int64_t in, bool bias) {
        Dense dense;
        dense.weight = addParameter(name + ".weight", {out, in});
        if (bias) {
            dense.bias = addParameter(name + ".bias", {out});
        }
        return dense;
    }

    void resetDense(const Dense& dense) {
        fillLikeLinear(tensor(dense.weight), dense.bias ? tensor(*dense.bias) : at::Tensor());
    }

    /// In the order in which torch.nn.MultiheadAttention draws: its output layer first, as one of its own.
    void resetAttention(const Attention& attention) {
        resetDense(attention.out);
        const std::size_t weights = attention.settings.samePacked() ? 1 : 3;
        for (std::size_t i = 0; i < weights; ++i) {
            fillXavierUniform(tensor(attention.packedWeight + i), 1.0);
        }
        if (attention.packedBias) {
            fillConstant(tensor(*attention.packedBias), 0.0);
            fillConstant(tensor(*attention.out.bias), 0.0);
        }
        if (attention.settings.addBiasKv) {
            fillXavierNormal(tensor(attention.biasK), 1.0);
            fillXavierNormal(tensor(attention.biasV), 1.0);
        }
    }

    at::Tensor product(const at::Tensor& rows, const Dense& dense) {
        return product(rows, tensor(dense.weight), dense.bias ? tensor(*dense.bias) : at::Tensor());
    }

    /// The rows of the result; equal inputs (by identity) are projected together.
    at::Tensor attend(const Attention& attention, const Rows& query, const Rows& key, const Rows& value, bool causal,
                      bool training) {
        const AttentionSettings& settings = attention.settings;
        at::Tensor q, k, v;
        if (settings.samePacked() && query.values.is_same(key.values) && key.values.is_same(value.values)) {
            const at::Tensor packed = product(query.values, tensor(attention.packedWeight),
                                              attention.packedBias ? tensor(*attention.packedBias) : at::Tensor());
            const std::vector<at::Tensor> parts =
                packed.view({query.first, query.second, 3, settings.heads, -1}).unbind(2);
            q = headsFirst(settings, parts[0]);
            k = headsFirst(settings, parts[1]);
            v = headsFirst(settings, parts[2]);
        } else {
            q = headsFirst(settings, inHeads(settings, query, projected(attention, query.values, 0)));
            k = headsFirst(settings, inHeads(settings, key, projected(attention, key.values, 1)));
            v = headsFirst(settings, inHeads(settings, value, projected(attention, value.values, 2)));
        }
        std::optional<at::Tensor> mask;
        const std::int64_t extra = (settings.addBiasKv ? 1 : 0) + (settings.addZeroAttention ? 1 : 0);
        if (extra > 0) {
            if (causal) {
                // What was added can be seen from everywhere.
                mask =
                    at::ones({q.size(2), k.size(2) + extra}, q.options().dtype(at::kBool).requires_grad(false)).tril();
                mask->narrow(1, k.size(2), extra).fill_(true);
            }
            k = extended(settings, k, attention.biasK);
            v = extended(settings, v, attention.biasV);
        }
        const at::Tensor attended =
            dotProductAttention(q, k, v, mask, training ? settings.dropout : 0.0, causal && extra == 0);
        const at::Tensor joined = settings.batchFirst ? attended.transpose(1, 2) : attended.permute({2, 0, 1, 3});
        return product(joined.reshape({-1, settings.embed}), attention.out);
    }

private:
    static at::Tensor product(const at::Tensor& rows, const at::Tensor& weight, const at::Tensor& bias) {
        return bias.defined() ? at::addmm(bias, rows, weight.t()) : at::mm(rows, weight.t());
    }
    at::Tensor projected(const Attention& attention, const at::Tensor& rows, std::int64_t part) {
        const std::int64_t embed = attention.settings.embed;
        const at::Tensor weight = attention.settings.samePacked()
                                      ? tensor(attention.packedWeight).narrow(0, part * embed, embed)
                                      : tensor(attention.packedWeight + static_cast<std::size_t>(part));
        return product(
            rows, weight,
            attention.packedBias ? tensor(*attention.packedBias).narrow(0, part * embed, embed) : at::Tensor());
    }
    static at::Tensor inHeads(const AttentionSettings& settings, const Rows& rows, const at::Tensor& projected) {
        return projected.view({rows.first, rows.second, settings.heads, -1});
    }
    /// [B, heads, T, size] of [B, T, heads, size] or [T, B, heads, size].
    static at::Tensor headsFirst(const AttentionSettings& settings, const at::Tensor& split) {
        return settings.batchFirst ? split.transpose(1, 2) : split.permute({1, 2, 0, 3});
    }
    at::Tensor extended(const AttentionSettings& settings, const at::Tensor& keys, std::size_t learned) {
        std::vector<at::Tensor> parts{keys};
        if (settings.addBiasKv) {
            parts.push_back(tensor(learned).view({1, settings.heads, 1, -1}).expand({keys.size(0), -1, -1, -1}));
        }
        if (settings.addZeroAttention) {
            parts.push_back(at::zeros_like(keys.narrow(2, 0, 1)));
        }
        return at::cat(parts, 2);
    }
};

class MultiheadAttention final : public AttentionLeaf {
public:
    explicit MultiheadAttention(const Json& params) : m_causal(booleanOr(params, "is_causal", false)) {
        AttentionSettings settings;
        settings.embed = requiredInteger(params, "embed_dim");
        settings.heads = requiredInteger(params, "num_heads");
        settings.kdim = integerOr(params, "kdim", settings.embed);
        settings.vdim = integerOr(params, "vdim", settings.embed);
        settings.dropout = numberOr(params, "dropout", 0.0);
        settings.bias = booleanOr(params, "bias", true);
        settings.addBiasKv = booleanOr(params, "add_bias_kv", false);
        settings.addZeroAttention = booleanOr(params, "add_zero_attn", false);
        settings.batchFirst = booleanOr(params, "batch_first", false);
        m_attention = addAttention("", settings);
    }
    void reset() override { resetAttention(m_attention); }
    void forward(const LeafCall& call) override {
        const at::Tensor& key = call.has(1) ? call.input(1) : call.input();
        const at::Tensor& value = call.has(2) ? call.input(2) : key;
        const Rows queries = Rows::of(call.input(), "query");
        const Rows keys = key.is_same(call.input()) ? queries : Rows::of(key, "key");
        const Rows values = value.is_same(key) ? keys : Rows::of(value, "value");
        if (keys.first != values.first || keys.second != values.second) {
            throw std::invalid_argument("key and value have to be of one length and batch.");
        }
        call.outputs[0] = queries.sequence(attend(m_attention, queries, keys, values, m_causal, call.training));
    }

private:
    Attention m_attention;
    bool m_causal;
};

/// The layers of an encoder or a decoder: attention and two linear layers, each with a way around it and a norm.
class TransformerLayer : public AttentionLeaf {
public:
    TransformerLayer(const Json& params, bool decoder)
        : m_dropout(numberOr(params, "dropout", 0.1)),
          m_eps(numberOr(params, "layer_norm_eps", 1e-5)),
          m_gelu(textOr(params, "activation", "relu") == "gelu"),
          m_normFirst(booleanOr(params, "norm_first", false)),
          m_causal(booleanOr(params, decoder ? "tgt_is_causal" : "is_causal", false)) {
        AttentionSettings settings;
        settings.embed = settings.kdim = settings.vdim = requiredInteger(params, "d_model");
        settings.heads = requiredInteger(params, "nhead");
        settings.dropout = m_dropout;
        settings.bias = booleanOr(params, "bias", true);
        settings.batchFirst = booleanOr(params, "batch_first", false);
        m_self = addAttention("self_attn.", settings);
        if (decoder) {
            m_cross = addAttention("multihead_attn.", settings);
        }
        const std::int64_t wide = integerOr(params, "dim_feedforward", 2048);
        m_linear1 = addDense("linear1", wide, settings.embed, settings.bias);
        m_linear2 = addDense("linear2", settings.embed, wide, settings.bias);
        for (int i = 1; i <= (decoder ? 3 : 2); ++i) {
            Dense norm;
            norm.weight = addParameter(fmt::format("norm{}.weight", i), {settings.embed});
            if (settings.bias) {
                norm.bias = addParameter(fmt::format("norm{}.bias", i), {settings.embed});
            }
            m_norms.push_back(norm);
        }
    }

    void reset() override {
        resetAttention(m_self);
        if (m_cross) {
            resetAttention(*m_cross);
        }
        resetDense(m_linear1);
        resetDense(m_linear2);
        for (const Dense& norm : m_norms) {
            fillConstant(tensor(norm.weight), 1.0);
            if (norm.bias) {
                fillConstant(tensor(*norm.bias), 0.0);
            }
        }
    }

    void forward(const LeafCall& call) override {
        Rows x = Rows::of(call.input(), m_cross ? "tgt" : "src");
        step(x, 0, call.training,
             [&](const Rows& rows) { return attend(m_self, rows, rows, rows, m_causal, call.training); });
        if (m_cross) {
            const Rows memory = Rows::of(call.input(1), "memory");
            step(x, 1, call.training,
                 [&](const Rows& rows) { return attend(*m_cross, rows, memory, memory, false, call.training); });
        }
        step(x, m_norms.size() - 1, call.training,
             [&](const Rows& rows) { return feedForward(rows.values, call.training); });
        call.outputs[0] = x.sequence(x.values);
    }

private:
    /// x becomes the norm of x + dropout(part(x)), or x + dropout(part(norm of x)).
    template <class Part>
    void step(Rows& x, std::size_t norm, bool training, Part part) {
        at::Tensor result = part(m_normFirst ? Rows{normed(x.values, m_norms[norm]), x.first, x.second} : x);
        // The result of a product, which nothing else needs: dropout and the sum go into its memory, unless autocast
        // made it half precision beside a float32 x, whose sum is float32.
        if (training && m_dropout > 0.0) {
            applyDropoutInPlace(result, m_dropout, true);
        }
        result = result.scalar_type() == x.values.scalar_type() ? result.add_(x.values) : x.values.add(result);
        x.values = m_normFirst ? std::move(result) : normed(result, m_norms[norm]);
    }
    at::Tensor feedForward(const at::Tensor& rows, bool training) {
        at::Tensor wide = product(rows, m_linear1);
        wide = m_gelu ? at::gelu(wide) : at::relu_(wide);
        return product(applyDropout(wide, m_dropout, training), m_linear2);
    }
    at::Tensor normed(const at::Tensor& rows, const Dense& norm) {
        return at::layer_norm(rows, rows.size(1), tensor(norm.weight),
                              norm.bias ? std::optional(tensor(*norm.bias)) : std::nullopt, m_eps,
                              at::globalContext().userEnabledCuDNN());
    }

    Attention m_self;
    std::optional<Attention> m_cross;
    Dense m_linear1, m_linear2;
    std::vector<Dense> m_norms;
    double m_dropout;
    double m_eps;
    bool m_gelu;
    bool m_normFirst;
    bool m_causal;
};

class TransformerEncoderLayer final : public TransformerLayer {
public:
    explicit TransformerEncoderLayer(const Json& params) : TransformerLayer(params, false) {}
};

class TransformerDecoderLayer final : public TransformerLayer {
public:
    explicit TransformerDecoderLayer(const Json& params) : TransformerLayer(params, true) {}
};

}  // namespace

void addAttentionLeaves(LeafBuilders& builders) {
    addLeaf<MultiheadAttention>(builders, "MultiheadAttention");
    addLeaf<TransformerEncoderLayer>(builders, "TransformerEncoderLayer");
    addLeaf<TransformerDecoderLayer>(builders, "TransformerDecoderLayer");
    addPositionLeaves(builders);
}

}  // namespace plumbline::model
