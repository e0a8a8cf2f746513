// Embedding.

#include <ATen/core/grad_mode.h>
#include <ATen/ops/embedding.h>

#include "model/fill.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

class Embedding final : public Leaf {
public:
    explicit Embedding(const Json& params) : m_scaleByFrequency(booleanOr(params, "scale_grad_by_freq", false)) {
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
        call.outputs[0] = at::embedding(tensor(0), call.input(), m_padding, m_scaleByFrequency);
    }

private:
    std::int64_t m_padding = -1;
    bool m_scaleByFrequency;
};

}  // namespace

void addEmbeddingLeaves(LeafBuilders& builders) { addLeaf<Embedding>(builders, "Embedding"); }

}  // namespace plumbline::model
