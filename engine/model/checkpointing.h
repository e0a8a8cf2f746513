#pragma once
// Activation checkpointing: a computation that keeps only its inputs and runs again in the backward pass (Chen et al.
// 2016, "Training Deep Nets with Sublinear Memory Cost"; torch.utils.checkpoint).

#include <ATen/core/Tensor.h>
#include <memory>
#include <string>
#include <vector>

namespace plumbline::model {

/// What is checkpointed. Both runs are on the same values; they throw what LibTorch throws.
class CheckpointedBody {
public:
    virtual ~CheckpointedBody() = default;
    /// The first time, with gradients switched off. `differentiable`, one flag an output: whether it would have had a
    /// gradient.
    virtual std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs, std::vector<char>& differentiable) = 0;
    /// In the backward pass, with gradients; in the thread that the pass runs in.
    virtual std::vector<at::Tensor> runAgain(const std::vector<at::Tensor>& inputs) = 0;
    virtual std::string name() const = 0;
    /// Where it computes that is given no tensor.
    virtual at::DeviceType device() const { return at::kCPU; }
};

struct CheckpointCopies {
    bool inputs = false;   ///< the body overwrites what it is given: it gets copies
    bool aliases = false;  ///< somebody may overwrite what the body gives: what is part of an input is copied
};

/// Runs the body and gives its outputs. Their backward pass runs it again on the inputs, with the generators' states,
/// the autocast and the autocast cache of now, and gives the gradients of the inputs; those of parameters are added to
/// them as any backward pass does. The generators are afterwards as they were before that. A gradient that flows to one
/// tensor from the body and from elsewhere is the sum of the two; where the body reads a tensor several times, its own
/// part of that is summed up first.
std::vector<at::Tensor> runCheckpointed(const std::shared_ptr<CheckpointedBody>& body,
                                        const std::vector<at::Tensor>& inputs, CheckpointCopies copies);

/// While it lives, weights that autocast converts are not kept for others: those converted without gradients have none.
class NoAutocastCache {
public:
    NoAutocastCache();
    ~NoAutocastCache();
    NoAutocastCache(const NoAutocastCache&) = delete;
    NoAutocastCache& operator=(const NoAutocastCache&) = delete;

private:
    bool m_before;
};

}  // namespace plumbline::model
