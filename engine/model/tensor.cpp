// Input, Output, Identity, Flatten, Reshape, Detach, Select, Permute, ToDtype, ArgMax, Mean: how a tensor is looked at.

#include <ATen/ops/argmax.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/permute.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/select.h>
#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "model/dtype.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

/// Passes its input on; Input and Output mark where a graph begins and ends.
class Identity final : public Leaf {
public:
    explicit Identity(const Json& /*params*/) {}
    void forward(const LeafCall& call) override { call.outputs[0] = call.input(); }
};

class Flatten final : public Leaf {
public:
    explicit Flatten(const Json& params)
        : m_start(integerOr(params, "start_dim", 1)), m_end(integerOr(params, "end_dim", -1)) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::flatten(call.input(), m_start, m_end); }

private:
    std::int64_t m_start;
    std::int64_t m_end;
};

class Reshape final : public Leaf {
public:
    explicit Reshape(const Json& params) : m_shape(integerList(params, "shape")) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::reshape(call.input(), m_shape); }

private:
    std::vector<std::int64_t> m_shape;
};

class Detach final : public Leaf {
public:
    explicit Detach(const Json& /*params*/) {}
    void forward(const LeafCall& call) override { call.outputs[0] = call.input().detach(); }
};

class Select final : public Leaf {
public:
    explicit Select(const Json& params) : m_dim(integerOr(params, "dim", 1)), m_index(integerOr(params, "index", -1)) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::select(call.input(), m_dim, m_index); }

private:
    std::int64_t m_dim;
    std::int64_t m_index;
};

class Permute final : public Leaf {
public:
    explicit Permute(const Json& params) : m_dims(integerList(params, "dims")) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::permute(call.input(), m_dims); }

private:
    std::vector<std::int64_t> m_dims;
};

class ToDtype final : public Leaf {
public:
    explicit ToDtype(const Json& params) {
        const std::string name = textOr(params, "dtype", "float32");
        const auto dtype = parseDType(name);
        if (!dtype) {
            throw std::invalid_argument(fmt::format("{} is not a dtype.", name));
        }
        m_dtype = toScalarType(*dtype);
    }
    void forward(const LeafCall& call) override { call.outputs[0] = call.input().to(m_dtype); }

private:
    at::ScalarType m_dtype = at::kFloat;
};

class ArgMax final : public Leaf {
public:
    explicit ArgMax(const Json& params)
        : m_dim(integerOr(params, "dim", -1)), m_keep(booleanOr(params, "keepdim", false)) {}
    void forward(const LeafCall& call) override { call.outputs[0] = at::argmax(call.input(), m_dim, m_keep); }

private:
    std::int64_t m_dim;
    bool m_keep;
};

class Mean final : public Leaf {
public:
    explicit Mean(const Json& params) : m_keep(booleanOr(params, "keepdim", false)) {
        if (isGiven(params, "dim")) {
            m_dims = integerList(params, "dim");
        }
    }
    void forward(const LeafCall& call) override {
        call.outputs[0] =
            at::mean(call.input(), m_dims ? at::OptionalIntArrayRef(*m_dims) : at::OptionalIntArrayRef(), m_keep);
    }

private:
    std::optional<std::vector<std::int64_t>> m_dims;  ///< none means all
    bool m_keep;
};

}  // namespace

void addTensorLeaves(LeafBuilders& builders) {
    addLeaf<Identity>(builders, "Input");
    addLeaf<Identity>(builders, "Output");
    addLeaf<Identity>(builders, "Identity");
    addLeaf<Flatten>(builders, "Flatten");
    addLeaf<Reshape>(builders, "Reshape");
    addLeaf<Detach>(builders, "Detach");
    addLeaf<Select>(builders, "Select");
    addLeaf<Permute>(builders, "Permute");
    addLeaf<ToDtype>(builders, "ToDtype");
    addLeaf<ArgMax>(builders, "ArgMax");
    addLeaf<Mean>(builders, "Mean");
}

}  // namespace plumbline::model
