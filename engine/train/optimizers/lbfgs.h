#pragma once
// Limited-memory BFGS, a port of torch.optim.LBFGS 2.13. LibTorch's C++ class of that name computes what Python keeps
// as tensors in float64, so that its float32 numbers are others.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "plan/plan.h"
#include "train/optimizers/strong_wolfe.h"
#include "train/parameter_groups.h"

namespace plumbline::train {

/// One group of parameters of one dtype on one device. Gradients and steps are all of them as one vector; where one has
/// no gradient it counts as 0.
class Lbfgs {
public:
    Lbfgs(const plan::OptimizerSpec& spec, std::vector<at::Tensor> parameters);

    /// `closure`: loss for the parameters as they are, with its gradients left in them; the first call is for where
    /// they are now.
    void step(double lr, const std::function<double()>& closure);

    /// PyTorch's names; lists are "old_dirs.0" and so on. Empty before the first step.
    NamedTensors state() const;
    /// `owner` names the parameter whose state it is, for errors.
    Status loadState(const std::map<std::string, at::Tensor>& state, const std::string& owner);

private:
    at::Tensor gatherGradients() const;
    void move(double length, const at::Tensor& direction);
    std::vector<at::Tensor> copyOfParameters() const;
    void remember(const at::Tensor& gradient);
    void chooseDirection(const at::Tensor& gradient);
    bool isOptimal(const at::Tensor& gradient) const;
    LineSearchResult search(const std::function<double()>& closure, const LinePoint& start, const LineNumber& slope,
                            std::int64_t most);

    std::int64_t m_maxIterations, m_maxEvaluations, m_historySize;
    double m_toleranceGradient, m_toleranceChange;
    bool m_searches;
    std::vector<at::Tensor> m_parameters;

    std::int64_t m_evaluations = 0, m_iterations = 0;   ///< since the run began: func_evals, n_iter
    at::Tensor m_direction, m_previousGradient;         ///< d, prev_flat_grad; not defined before the first step
    LineNumber m_length;                                ///< t
    LineNumber m_scale{1};                              ///< H_diag
    double m_previousLoss = 0;                          ///< prev_loss
    std::deque<at::Tensor> m_gradientChanges, m_moves;  ///< old_dirs, old_stps
    std::deque<LineNumber> m_inverses;                  ///< ro
};

}  // namespace plumbline::train
