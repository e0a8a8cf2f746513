// BatchNorm1d, BatchNorm2d, InstanceNorm1d, InstanceNorm2d, LayerNorm, GroupNorm.

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/instance_norm.h>
#include <ATen/ops/layer_norm.h>
#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "model/fill.h"
#include "model/leaf.h"
#include "model/params.h"

namespace plumbline::model {

namespace {

/// The check of torch.nn.functional: statistics of a single value say nothing.
void requireSeveralValues(std::int64_t values) {
    if (values == 1) {
        throw std::invalid_argument("Expected more than 1 value per channel when training");
    }
}

/// What batch and instance norms share: torch.nn's _NormBase.
class NormBase : public Leaf {
public:
    NormBase(const Json& params, std::int64_t lowestRank, std::int64_t highestRank, bool byDefault)
        : m_lowestRank(lowestRank),
          m_highestRank(highestRank),
          m_eps(numberOr(params, "eps", 1e-5)),
          m_affine(booleanOr(params, "affine", byDefault)),
          m_track(booleanOr(params, "track_running_stats", byDefault)) {
        // null is PyTorch's None.
        if (!params.contains("momentum") || isGiven(params, "momentum")) {
            m_momentum = numberOr(params, "momentum", 0.1);
        }
        const std::int64_t features = requiredInteger(params, "num_features");
        if (m_affine) {
            addParameter("weight", {features});
            m_bias = booleanOr(params, "bias", true);
            if (m_bias) {
                addParameter("bias", {features});
            }
        }
        if (m_track) {
            m_firstBuffer = addBuffer("running_mean", {features});
            addBuffer("running_var", {features});
            addBuffer("num_batches_tracked", {}, at::kLong);
        }
    }

    void reset() override {
        resetStatistics();
        if (m_affine) {
            fillConstant(tensor(0), 1.0);
            if (m_bias) {
                fillConstant(tensor(1), 0.0);
            }
        }
    }

protected:
    void resetStatistics() {
        if (m_track) {
            fillConstant(tensor(m_firstBuffer), 0.0);
            fillConstant(tensor(m_firstBuffer + 1), 1.0);
            fillConstant(tensor(m_firstBuffer + 2), 0.0);
        }
    }
    void requireDimensions(const at::Tensor& input) const {
        if (input.dim() < m_lowestRank || input.dim() > m_highestRank) {
            throw std::invalid_argument(fmt::format("Expected {} and got {} dimensions.",
                                                    m_lowestRank == m_highestRank
                                                        ? std::to_string(m_lowestRank)
                                                        : fmt::format("{} or {}", m_lowestRank, m_highestRank),
                                                    input.dim()));
        }
    }
    std::optional<at::Tensor> weight() { return m_affine ? std::optional(tensor(0)) : std::nullopt; }
    std::optional<at::Tensor> bias() { return m_bias ? std::optional(tensor(1)) : std::nullopt; }
    std::optional<at::Tensor> runningMean() { return m_track ? std::optional(tensor(m_firstBuffer)) : std::nullopt; }
    std::optional<at::Tensor> runningVariance() {
        return m_track ? std::optional(tensor(m_firstBuffer + 1)) : std::nullopt;
    }
    const at::Tensor& batchesTracked() { return tensor(m_firstBuffer + 2); }

    std::int64_t m_lowestRank;
    std::int64_t m_highestRank;
    double m_eps;
    std::optional<double> m_momentum;
    bool m_affine;
    bool m_bias = false;
    bool m_track;

private:
    std::size_t m_firstBuffer = 0;
};

class BatchNorm : public NormBase {
public:
    BatchNorm(const Json& params, std::int64_t lowestRank, std::int64_t highestRank)
        : NormBase(params, lowestRank, highestRank, true) {}

    bool recalibrate(bool on) override {
        m_cumulative = on;
        if (on) {
            resetStatistics();
        }
        return m_track;
    }

    void forward(const LeafCall& call) override {
        const at::Tensor& input = call.input();
        requireDimensions(input);
        const bool ownStatistics = call.training || !m_track;
        if (ownStatistics) {
            requireSeveralValues(input.size(1) == 0 ? 0 : input.numel() / input.size(1));
        }
        double factor = m_momentum.value_or(0.0);
        if (call.training && m_track) {
            const std::int64_t count = countBatch();
            if (cumulative()) {
                factor = 1.0 / static_cast<double>(count);
            }
        }
        call.outputs[0] = at::batch_norm(input, weight(), bias(), runningMean(), runningVariance(), ownStatistics,
                                         factor, m_eps, at::globalContext().userEnabledCuDNN());
    }

private:
    bool cumulative() const { return m_cumulative || !m_momentum; }
    /// num_batches_tracked += 1; on the CPU without a dispatch. The value is given back only where it is needed.
    std::int64_t countBatch() {
        const at::Tensor& counter = batchesTracked();
        if (counter.is_cpu()) {
            return ++*counter.mutable_data_ptr<std::int64_t>();
        }
        const at::NoGradGuard noGrad;
        counter.add_(1);
        return cumulative() ? counter.item<std::int64_t>() : 0;
    }

    bool m_cumulative = false;  // while its statistics are taken anew
};

class BatchNorm1d final : public BatchNorm {
public:
    explicit BatchNorm1d(const Json& params) : BatchNorm(params, 2, 3) {}
};

class BatchNorm2d final : public BatchNorm {
public:
    explicit BatchNorm2d(const Json& params) : BatchNorm(params, 4, 4) {}
};

/// PyTorch's does not count batches: num_batches_tracked stays 0, and a momentum of None counts as 0.
template <std::int64_t rank>
class InstanceNorm final : public NormBase {
public:
    explicit InstanceNorm(const Json& params) : NormBase(params, rank, rank, false) {}
    void forward(const LeafCall& call) override {
        const at::Tensor& input = call.input();
        requireDimensions(input);
        const bool ownStatistics = call.training || !m_track;
        if (ownStatistics) {
            const std::int64_t channels = input.size(0) * input.size(1);
            requireSeveralValues(channels == 0 ? 0 : input.numel() / channels);
        }
        call.outputs[0] = at::instance_norm(input, weight(), bias(), runningMean(), runningVariance(), ownStatistics,
                                            m_momentum.value_or(0.0), m_eps, at::globalContext().userEnabledCuDNN());
    }
};

class LayerNorm final : public Leaf {
public:
    explicit LayerNorm(const Json& params)
        : m_shape(integerList(params, "normalized_shape")),
          m_eps(numberOr(params, "eps", 1e-5)),
          m_affine(booleanOr(params, "elementwise_affine", true)),
          m_bias(m_affine && booleanOr(params, "bias", true)) {
        if (m_affine) {
            addParameter("weight", m_shape);
        }
        if (m_bias) {
            addParameter("bias", m_shape);
        }
    }
    void reset() override {
        if (m_affine) {
            fillConstant(tensor(0), 1.0);
        }
        if (m_bias) {
            fillConstant(tensor(1), 0.0);
        }
    }
    void forward(const LeafCall& call) override {
        const std::optional<at::Tensor> none;
        call.outputs[0] =
            at::layer_norm(call.input(), m_shape, m_affine ? std::optional(tensor(0)) : none,
                           m_bias ? std::optional(tensor(1)) : none, m_eps, at::globalContext().userEnabledCuDNN());
    }

private:
    std::vector<std::int64_t> m_shape;
    double m_eps;
    bool m_affine;
    bool m_bias;
};

class GroupNorm final : public Leaf {
public:
    explicit GroupNorm(const Json& params)
        : m_groups(requiredInteger(params, "num_groups")),
          m_eps(numberOr(params, "eps", 1e-5)),
          m_affine(booleanOr(params, "affine", true)),
          m_bias(m_affine && booleanOr(params, "bias", true)) {
        const std::int64_t channels = requiredInteger(params, "num_channels");
        if (m_groups < 1 || channels % m_groups != 0) {
            throw std::invalid_argument(
                fmt::format("num_channels ({}) has to be divisible by num_groups ({}).", channels, m_groups));
        }
        if (m_affine) {
            addParameter("weight", {channels});
        }
        if (m_bias) {
            addParameter("bias", {channels});
        }
    }
    void reset() override {
        if (m_affine) {
            fillConstant(tensor(0), 1.0);
        }
        if (m_bias) {
            fillConstant(tensor(1), 0.0);
        }
    }
    void forward(const LeafCall& call) override {
        const at::Tensor& input = call.input();
        requireSeveralValues(input.numel() / m_groups);
        const std::optional<at::Tensor> none;
        call.outputs[0] =
            at::group_norm(input, m_groups, m_affine ? std::optional(tensor(0)) : none,
                           m_bias ? std::optional(tensor(1)) : none, m_eps, at::globalContext().userEnabledCuDNN());
    }

private:
    std::int64_t m_groups;
    double m_eps;
    bool m_affine;
    bool m_bias;
};

}  // namespace

void addNormalisationLeaves(LeafBuilders& builders) {
    addLeaf<BatchNorm1d>(builders, "BatchNorm1d");
    addLeaf<BatchNorm2d>(builders, "BatchNorm2d");
    addLeaf<InstanceNorm<3>>(builders, "InstanceNorm1d");
    addLeaf<InstanceNorm<4>>(builders, "InstanceNorm2d");
    addLeaf<LayerNorm>(builders, "LayerNorm");
    addLeaf<GroupNorm>(builders, "GroupNorm");
}

}  // namespace plumbline::model
