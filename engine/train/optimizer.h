#pragma once
// SGD, Adam and AdamW over parameter groups, on LibTorch's fused kernels. Numbers are PyTorch's.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/glob.h"
#include "plan/plan.h"

namespace plumbline::train {

/// A parameter with the full name that its optimizer state is saved under.
struct NamedParameter {
    std::string name;
    at::Tensor tensor;
};

/// Tensors by name, in a fixed order: what a checkpoint holds.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// Parameters that share a learning rate and a weight decay.
struct ParameterGroup {
    std::string name;  ///< "" for the parameters that no pattern matches, else the pattern
    std::vector<NamedParameter> parameters;
    double lr = 0;
    double weightDecay = 0;
};

/// Sorts parameters into the plan's groups: the first pattern that matches wins, the rest is the group "", which comes
/// first. Groups without parameters are left out.
std::vector<ParameterGroup> groupParameters(const plan::OptimizerSpec& spec, const std::vector<NamedParameter>& parameters);

/// One thread. A parameter without a gradient is left alone, its state too, as in PyTorch.
class Optimizer {
public:
    static Result<std::unique_ptr<Optimizer>> make(const plan::OptimizerSpec& spec, std::vector<ParameterGroup> groups);
    virtual ~Optimizer() = default;

    /// One update from the gradients as they are. With `gradScale` and `foundInf` (float32, one element) the kernels
    /// divide by the scale and do nothing where an infinity was found; the caller then does not count the step.
    void step(const std::optional<at::Tensor>& gradScale = std::nullopt, const std::optional<at::Tensor>& foundInf = std::nullopt);
    /// Drops all gradients (set_to_none) so that the next backward writes instead of adding.
    void zeroGrad();

    std::size_t groupCount() const { return m_groups.size(); }
    const std::string& groupName(std::size_t group) const { return m_groups[group].name; }
    double baseLearningRate(std::size_t group) const { return m_groups[group].baseLr; }
    void setBaseLearningRate(std::size_t group, double lr) { m_groups[group].baseLr = lr; }
    /// What the next step() uses.
    double learningRate(std::size_t group) const { return m_groups[group].lr; }
    void setLearningRate(std::size_t group, double lr) { m_groups[group].lr = lr; }
    /// Of all groups.
    double largestLearningRate() const;
    double largestBaseLearningRate() const;
    double weightDecay(std::size_t group) const { return m_groups[group].weightDecay; }
    void setWeightDecay(std::size_t group, double weightDecay) { m_groups[group].weightDecay = weightDecay; }

    /// All parameters in group order.
    const std::vector<at::Tensor>& parameters() const { return m_all; }
    /// "<parameter>.exp_avg", ".exp_avg_sq", ".max_exp_avg_sq", ".momentum_buffer" and ".step" of every parameter that
    /// has been updated at least once. The live tensors.
    NamedTensors state() const;
    /// Copies a saved state in; a parameter that is missing in it starts afresh. A shape that does not fit is an error.
    Status loadState(const std::map<std::string, at::Tensor>& state);
    std::int64_t stateBytes() const;

protected:
    struct Slot {
        std::string name;
        at::Tensor parameter;
        bool started = false;
        at::Tensor step;                  ///< float32, one element; Adam only
        std::vector<at::Tensor> buffers;  ///< in the order of bufferNames()
    };
    /// The lists that a kernel takes. Kept between steps, so that a step allocates nothing for them.
    struct Lists {
        std::vector<at::Tensor> parameters, gradients, steps;
        std::vector<std::vector<at::Tensor>> buffers;
        void clear();
    };
    struct Group {
        std::string name;
        double baseLr = 0, lr = 0, weightDecay = 0;
        std::vector<Slot> slots;
        Lists lists;
        bool complete = false;  ///< lists hold every slot, all of them started
    };

    explicit Optimizer(std::vector<ParameterGroup> groups);
    virtual std::vector<std::string> bufferNames() const = 0;
    virtual bool countsSteps() const { return false; }
    virtual void update(const Group& group, const Lists& lists, bool first, const std::optional<at::Tensor>& gradScale,
                        const std::optional<at::Tensor>& foundInf) = 0;

private:
    void begin(Slot& slot) const;
    void stepGroup(Group& group, const std::optional<at::Tensor>& gradScale, const std::optional<at::Tensor>& foundInf);
    static bool collectGradients(Group& group);
    void fill(Group& group, const std::vector<Slot*>& slots);
    void run(Group& group, bool first, const std::optional<at::Tensor>& gradScale, const std::optional<at::Tensor>& foundInf);

    std::vector<Group> m_groups;
    std::vector<at::Tensor> m_all;
};

}  // namespace plumbline::train
