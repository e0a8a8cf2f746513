// Embedding.

#include <ATen/core/grad_mode.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/embedding_renorm.h>
#include <ATen/ops/max.h>
#include <ATen/ops/min.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <optional>
#include <stdexcept>

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
        // Shortening rows looks at no bounds, and on a device an id past the end ends the whole program, later; what is
        // trained on was looked through before.
        if (call.input().is_cpu() ? m_maxNorm.has_value() : !call.training) {
            checkIds(call.input());
        }
        try {
            lookUp(call);
        } catch (const c10::Error&) {
            if (call.input().is_cpu()) {
                checkIds(call.input());
            }
            throw;
        }
    }

private:
    void lookUp(const LeafCall& call) {
        if (m_maxNorm) {
            // As torch.nn.functional.embedding: the table itself changes, behind autograd's back.
            at::Tensor table = tensor(0).detach();
            at::embedding_renorm_(table, call.input().contiguous(), *m_maxNorm, m_normType);
        }
        call.outputs[0] = at::embedding(tensor(0), call.input(), m_padding, m_scaleByFrequency, m_sparse);
    }

    /// Throws where an id is not one of the table's.
    void checkIds(const at::Tensor& ids) {
        const bool whole = ids.scalar_type() == at::kLong || ids.scalar_type() == at::kInt;
        if (!whole || ids.numel() == 0) {
            return;
        }
        const std::int64_t rows = tensor(0).size(0);
        const auto smallest = ids.min().item<std::int64_t>();
        const auto largest = ids.max().item<std::int64_t>();
        if (smallest < 0 || largest >= rows) {
            throw std::out_of_range(fmt::format("the id {} is not in its table of {}, from 0 to {}",
                                                smallest < 0 ? smallest : largest, rows, rows - 1));
        }
    }

    std::int64_t m_padding = -1;  ///< torch.embedding's word for none
    std::optional<double> m_maxNorm;
    double m_normType;
    bool m_scaleByFrequency;
    bool m_sparse;
};

}  // namespace

void addEmbeddingLeaves(LeafBuilders& builders) {
    addLeaf<Embedding>(builders, "Embedding");
}

}  // namespace plumbline::model
