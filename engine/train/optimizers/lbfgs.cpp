#include "train/optimizers/lbfgs.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace plumbline::train {

Lbfgs::Lbfgs(const plan::OptimizerSpec& spec, std::vector<at::Tensor> parameters)
    : m_maxIterations(spec.integer("max_iter")),
      m_maxEvaluations(spec.option("max_eval").is_null() ? spec.integer("max_iter") * 5 / 4 : spec.integer("max_eval")),
      m_historySize(spec.integer("history_size")),
      m_toleranceGradient(spec.number("tolerance_grad")),
      m_toleranceChange(spec.number("tolerance_change")),
      m_searches(spec.text("line_search_fn") == "strong_wolfe"),
      m_parameters(std::move(parameters)) {}

at::Tensor Lbfgs::gatherGradients() const {
    std::vector<at::Tensor> flat;
    for (const at::Tensor& parameter : m_parameters) {
        flat.push_back(parameter.grad().defined() ? parameter.grad().reshape({-1})
                                                  : at::zeros({parameter.numel()}, parameter.options()));
    }
    return at::cat(flat);
}

void Lbfgs::move(double length, const at::Tensor& direction) {
    std::int64_t offset = 0;
    for (at::Tensor& parameter : m_parameters) {
        parameter.add_(direction.narrow(0, offset, parameter.numel()).view(parameter.sizes()), length);
        offset += parameter.numel();
    }
}

std::vector<at::Tensor> Lbfgs::copyOfParameters() const {
    std::vector<at::Tensor> copies;
    for (const at::Tensor& parameter : m_parameters) {
        copies.push_back(parameter.clone());
    }
    return copies;
}

bool Lbfgs::isOptimal(const at::Tensor& gradient) const {
    return LineNumber::of(gradient.abs().max()) <= LineNumber(m_toleranceGradient);
}

/// The last move and what it did to the gradient, where they tell of a positive curvature.
void Lbfgs::remember(const at::Tensor& gradient) {
    const at::Tensor change = gradient.sub(m_previousGradient), move = m_direction.mul(m_length.value());
    const LineNumber curvature = LineNumber::of(change.dot(move));
    if (!(curvature > LineNumber(1e-10))) {
        return;
    }
    if (static_cast<std::int64_t>(m_moves.size()) == m_historySize) {
        m_gradientChanges.pop_front();
        m_moves.pop_front();
        m_inverses.pop_front();
    }
    m_gradientChanges.push_back(change);
    m_moves.push_back(move);
    m_inverses.push_back(LineNumber(1.0) / curvature);
    m_scale = curvature / LineNumber::of(change.dot(change));
}

/// The inverse Hessian as the history has it, times the negative gradient (the two loops of Nocedal 1980).
void Lbfgs::chooseDirection(const at::Tensor& gradient) {
    std::vector<LineNumber> weights(m_moves.size());
    at::Tensor direction = gradient.neg();
    for (std::size_t i = m_moves.size(); i-- > 0;) {
        weights[i] = LineNumber::of(m_moves[i].dot(direction)) * m_inverses[i];
        direction.add_(m_gradientChanges[i], -weights[i].value());
    }
    direction.mul_(m_scale.value());
    for (std::size_t i = 0; i < m_moves.size(); ++i) {
        const LineNumber back = LineNumber::of(m_gradientChanges[i].dot(direction)) * m_inverses[i];
        direction.add_(m_moves[i], (weights[i] - back).value());
    }
    m_direction = direction;
}

LineSearchResult Lbfgs::search(const std::function<double()>& closure, const LinePoint& start, const LineNumber& slope,
                               std::int64_t most) {
    const std::vector<at::Tensor> before = copyOfParameters();
    const auto at = [&](const LineNumber& length) {
        move(length.value(), m_direction);
        const double loss = closure();
        at::Tensor gradient = gatherGradients();
        for (std::size_t i = 0; i < before.size(); ++i) {
            m_parameters[i].copy_(before[i]);
        }
        return LinePoint{loss, std::move(gradient)};
    };
    return searchStrongWolfe(at, m_length, m_direction, start, slope, m_toleranceChange, most);
}

void Lbfgs::step(double lr, const std::function<double()>& closure) {
    LinePoint now{closure(), gatherGradients()};
    std::int64_t evaluations = 1;
    ++m_evaluations;
    bool optimal = isOptimal(now.gradient);
    for (std::int64_t iteration = 1; iteration <= m_maxIterations && !optimal; ++iteration) {
        ++m_iterations;
        if (m_iterations == 1) {
            m_direction = now.gradient.neg();
        } else {
            remember(now.gradient);
            chooseDirection(now.gradient);
        }
        m_previousGradient = now.gradient.clone();
        m_previousLoss = now.loss;
        m_length = LineNumber(lr);
        if (m_iterations == 1) {
            m_length = LineNumber::least(LineNumber(1.0), LineNumber(1.0) / LineNumber::of(now.gradient.abs().sum())) *
                       LineNumber(lr);
        }
        const LineNumber slope = LineNumber::of(now.gradient.dot(m_direction));
        if (slope > LineNumber(-m_toleranceChange)) {
            return;
        }
        std::int64_t tried = 0;
        if (m_searches) {
            LineSearchResult found = search(closure, now, slope, m_maxEvaluations - evaluations);
            now = std::move(found.point);
            m_length = found.length;
            tried = found.evaluations;
        }
        move(m_length.value(), m_direction);
        if (!m_searches && iteration != m_maxIterations) {
            // Where the last iteration goes is looked at by the next step, with its own batch.
            now = {closure(), gatherGradients()};
            tried = 1;
        }
        optimal = m_searches || iteration != m_maxIterations ? isOptimal(now.gradient) : optimal;
        evaluations += tried;
        m_evaluations += tried;
        if (evaluations >= m_maxEvaluations ||
            LineNumber::of(m_direction.mul(m_length.value()).abs().max()) <= LineNumber(m_toleranceChange) ||
            std::abs(now.loss - m_previousLoss) < m_toleranceChange) {
            return;
        }
    }
}

NamedTensors Lbfgs::state() const {
    NamedTensors state;
    if (m_evaluations == 0) {
        return state;
    }
    state.emplace_back("func_evals", at::scalar_tensor(m_evaluations, at::kLong));
    state.emplace_back("n_iter", at::scalar_tensor(m_iterations, at::kLong));
    if (m_iterations == 0) {
        return state;
    }
    state.emplace_back("d", m_direction);
    state.emplace_back("t", at::scalar_tensor(m_length.value(), at::kDouble));
    state.emplace_back("H_diag", at::scalar_tensor(m_scale.value(), at::kDouble));
    state.emplace_back("prev_flat_grad", m_previousGradient);
    state.emplace_back("prev_loss", at::scalar_tensor(m_previousLoss, at::kDouble));
    at::Tensor inverses = at::empty({static_cast<std::int64_t>(m_inverses.size())}, at::kDouble);
    for (std::size_t i = 0; i < m_moves.size(); ++i) {
        state.emplace_back(fmt::format("old_dirs.{}", i), m_gradientChanges[i]);
        state.emplace_back(fmt::format("old_stps.{}", i), m_moves[i]);
        static_cast<double*>(inverses.data_ptr())[i] = m_inverses[i].value();
    }
    state.emplace_back("ro", inverses);
    return state;
}

Status Lbfgs::loadState(const std::map<std::string, at::Tensor>& state, const std::string& owner) {
    m_evaluations = m_iterations = 0;
    m_direction.reset();
    m_previousGradient.reset();
    m_length = LineNumber();
    m_scale = LineNumber(1);
    m_gradientChanges.clear();
    m_moves.clear();
    m_inverses.clear();
    if (!state.contains("func_evals")) {
        return {};
    }
    std::int64_t elements = 0;
    for (const at::Tensor& parameter : m_parameters) {
        elements += parameter.numel();
    }
    std::string wrong;
    const auto number = [&](const std::string& name) {
        const auto found = state.find(name);
        const bool fits = found != state.end() && found->second.numel() == 1;
        wrong = fits || !wrong.empty() ? wrong : name;
        return fits ? found->second.item<double>() : 0.0;
    };
    const auto vector = [&](const std::string& name) {
        const auto found = state.find(name);
        const bool fits = found != state.end() && found->second.dim() == 1 && found->second.numel() == elements;
        wrong = fits || !wrong.empty() ? wrong : name;
        return fits ? found->second.to(m_parameters.front().options(), /*non_blocking=*/false, /*copy=*/true)
                    : at::Tensor();
    };
    const bool single = m_parameters.front().scalar_type() != at::kDouble;
    m_evaluations = static_cast<std::int64_t>(number("func_evals"));
    m_iterations = static_cast<std::int64_t>(number("n_iter"));
    if (m_iterations > 0) {
        m_direction = vector("d");
        m_previousGradient = vector("prev_flat_grad");
        m_length = LineNumber(number("t"));
        m_scale = LineNumber::ofTensor(number("H_diag"), single);
        m_previousLoss = number("prev_loss");
        const auto inverses = state.find("ro");
        const std::int64_t kept = inverses == state.end() ? 0 : inverses->second.numel();
        wrong = inverses == state.end() && wrong.empty() ? "ro" : wrong;
        for (std::int64_t i = 0; i < kept; ++i) {
            m_gradientChanges.push_back(vector(fmt::format("old_dirs.{}", i)));
            m_moves.push_back(vector(fmt::format("old_stps.{}", i)));
            m_inverses.push_back(LineNumber::ofTensor(inverses->second[i].item<double>(), single));
        }
    }
    if (!wrong.empty()) {
        return fail(
            ErrorKind::kInvalid, "optimizer-state-mismatch",
            fmt::format("The saved optimizer state {}.{} is missing or does not fit the parameters.", owner, wrong),
            owner, "Resume with the model and optimizer that the run was started with.");
    }
    return {};
}

}  // namespace plumbline::train
