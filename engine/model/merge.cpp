// Add, Multiply, Concat: several tensors become one.

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mul.h>

#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

/// a + b + …, from left to right.
class Add final : public Leaf {
public:
    explicit Add(const Json& /*params*/) {}
    void forward(const LeafCall& call) override {
        at::Tensor sum = call.input();
        for (std::size_t i = 1; i < call.inputs.size(); ++i) {
            sum = at::add(sum, call.input(i));
        }
        call.outputs[0] = std::move(sum);
    }
};

/// a * b * …, from left to right.
class Multiply final : public Leaf {
public:
    explicit Multiply(const Json& /*params*/) {}
    void forward(const LeafCall& call) override {
        at::Tensor product = call.input();
        for (std::size_t i = 1; i < call.inputs.size(); ++i) {
            product = at::mul(product, call.input(i));
        }
        call.outputs[0] = std::move(product);
    }
};

class Concat final : public Leaf {
public:
    explicit Concat(const Json& params) : m_dim(integerOr(params, "dim", 1)) {}
    void forward(const LeafCall& call) override {
        m_parts.clear();
        for (const at::Tensor* part : call.inputs) {
            m_parts.push_back(*part);
        }
        call.outputs[0] = at::cat(m_parts, m_dim);
        m_parts.clear();
    }

private:
    std::int64_t m_dim;
    std::vector<at::Tensor> m_parts;  ///< kept for its capacity alone
};

}  // namespace

void addMergeLeaves(LeafBuilders& builders) {
    addLeaf<Add>(builders, "Add");
    addLeaf<Multiply>(builders, "Multiply");
    addLeaf<Concat>(builders, "Concat");
}

}  // namespace plumbline::model
