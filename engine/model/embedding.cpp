// Embedding.

#include <ATen/core/grad_mode.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/embedding_renorm.h>

#include <optional>

#include "model/fill.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

class Embedding final : public Leaf {
public:
    explicit Embedding(const Json& params)
        : m_normType(numberOr(params, "norm_type", 2.0)),
          m_scaleByFrequency(booleanOr(params, "scale_grad_by_freq", false)),
          m_sparse(booleanOr(params, "sparse", false)) {
        if (isGiven(params, "max_norm")) {
            m_maxNorm = numberOr(params, "max_norm", 0.0);
        }
        const std::int64_t rows = requiredInteger(params, "num_embeddings");
        if (const auto padding = optionalInteger(params, "padding_idx")) {
            m_padding = *padding < 0 ? rows + *padding : *padding;
        }
        addParameter("weight", {rows, requiredInteger(params, "embedding_dim")});
    }
    void reset() override {
        fillNormal(tensor(0), 0.0, 1.0);
        if (m_padding >= 0) {
            const at::NoGradGuard noGrad;
            tensor(0).select(0, m_padding).fill_(0);
        }
    }
    void forward(const LeafCall& call) override {
        if (m_maxNorm) {
            // As torch.nn.functional.embedding: the table itself changes, behind autograd's back.
            at::Tensor table = tensor(0).detach();
            at::embedding_renorm_(table, call.input().contiguous(), *m_maxNorm, m_normType);
        }
        call.outputs[0] = at::embedding(tensor(0), call.input(), m_padding, m_scaleByFrequency, m_sparse);
    }

private:
    std::int64_t m_padding = -1;  ///< torch.embedding's word for none
    std::optional<double> m_maxNorm;
    double m_normType;
    bool m_scaleByFrequency;
    bool m_sparse;
};

}  // namespace

void addEmbeddingLeaves(LeafBuilders& builders) { addLeaf<Embedding>(builders, "Embedding"); }

}  // namespace plumbline::model
