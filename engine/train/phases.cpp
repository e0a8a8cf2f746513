#include "train/phases.h"

#include <algorithm>
#include <cmath>

#include "plan/freezing.h"
#include "project/phase_fit.h"

namespace plumbline::train {

WithoutGradient::WithoutGradient(const std::vector<at::Tensor>& tensors) {
    for (const at::Tensor& tensor : tensors) {
        if (tensor.requires_grad()) {
            m_changed.push_back(tensor);
            m_changed.back().set_requires_grad(false);
        }
    }
}

WithoutGradient::~WithoutGradient() {
    for (at::Tensor& tensor : m_changed) {
        tensor.set_requires_grad(true);
    }
}

Result<std::unique_ptr<Phases>> Phases::make(const plan::TrainingPlan& plan, model::Model& model,
                                             OptimizerSet& optimizers, const Objective& objective,
                                             const MetricSet& metrics) {
    if (plan.phases.empty()) {
        return std::unique_ptr<Phases>();
    }
    PLUMBLINE_TRY(project::checkPhaseFit(plan, model.graph()));
    std::unique_ptr<Phases> made(new Phases());
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        const plan::PhaseSpec& spec = plan.phases[i];
        StepPhase& phase = made->m_phases.emplace_back();
        phase.name = spec.name;
        phase.every = spec.every;
        phase.optimizer = &optimizers[i];
        for (std::size_t place = 0; place < model.parameters().size(); ++place) {
            const model::NamedState& parameter = model.parameters()[place];
            const bool isOwn = plan::phaseOf(plan, parameter.name) == &spec;
            (isOwn ? phase.parameters : phase.others).push_back(parameter.tensor);
            if (isOwn) {
                phase.places.push_back(place);
            }
        }
        for (std::size_t loss = 0; loss < objective.size(); ++loss) {
            phase.losses.push_back(objective.phase(loss) == spec.name ? 1 : 0);
        }
    }
    made->chooseRoutes(model, objective, metrics);
    made->keepStatistics(model);
    return made;
}

/// A metric is gathered once a step: in a phase that is taken in each step, one that has its output anyway where there
/// is one.
void Phases::chooseRoutes(model::Model& model, const Objective& objective, const MetricSet& metrics) {
    const std::size_t outputs = model.graph().outputs.size();
    std::vector<std::vector<char>> wanted;
    for (StepPhase& phase : m_phases) {
        std::vector<char>& own = wanted.emplace_back(outputs);
        phase.metricOutputs.assign(outputs, 0);
        for (std::size_t loss = 0; loss < phase.losses.size(); ++loss) {
            for (const std::size_t output :
                 phase.losses[loss] != 0 ? objective.outputs(loss) : std::vector<std::size_t>{}) {
                own[output] = 1;
            }
        }
    }
    for (const std::size_t output : metrics.outputs()) {
        std::size_t chosen = m_phases.size();
        for (std::size_t i = m_phases.size(); i-- > 0;) {
            const bool better = chosen == m_phases.size() || wanted[i][output] != 0 || wanted[chosen][output] == 0;
            chosen = m_phases[i].every == 1 && better ? i : chosen;
        }
        if (chosen < m_phases.size()) {
            m_phases[chosen].metricOutputs[output] = 1;
            wanted[chosen][output] = 1;
        }
    }
    for (std::size_t i = 0; i < m_phases.size(); ++i) {
        m_phases[i].route = model.addRoute(wanted[i]);
    }
}

void Phases::keepStatistics(const model::Model& model) {
    const std::vector<model::NamedState> states = model.stateDict();
    constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
    std::map<const void*, std::size_t> trainedBy;
    for (std::size_t i = 0; i < m_phases.size(); ++i) {
        for (const at::Tensor& parameter : m_phases[i].parameters) {
            trainedBy.emplace(parameter.unsafeGetTensorImpl(), i);
        }
    }
    std::vector<std::size_t> ofLeaf(model.graph().nodes.size(), kNobody);
    for (const model::NamedState& state : states) {
        if (const auto phase = trainedBy.find(state.tensor.unsafeGetTensorImpl()); phase != trainedBy.end()) {
            ofLeaf[static_cast<std::size_t>(state.leaf)] = phase->second;
        }
    }
    std::vector<std::vector<char>> runs;
    for (const StepPhase& phase : m_phases) {
        runs.push_back(model.leavesOf(phase.route));
    }
    // Blocks that share their statistics are one.
    std::map<const void*, std::size_t> movedBy;
    const auto isStatistic = [](const model::NamedState& state) {
        return state.buffer && (state.name.ends_with("running_mean") || state.name.ends_with("running_var") ||
                                state.name.ends_with("num_batches_tracked"));
    };
    for (const model::NamedState& state : states) {
        if (!isStatistic(state)) {
            continue;
        }
        const auto leaf = static_cast<std::size_t>(state.leaf);
        std::size_t phase = ofLeaf[leaf];
        for (std::size_t i = m_phases.size(); ofLeaf[leaf] == kNobody && i-- > 0;) {
            phase = runs[i][leaf] != 0 ? i : phase;
        }
        std::size_t& mover = movedBy.emplace(state.tensor.unsafeGetTensorImpl(), phase).first->second;
        mover = std::min(mover, phase);
    }
    for (std::size_t i = 0; i < m_phases.size(); ++i) {
        std::map<const void*, bool> added;
        for (const model::NamedState& state : states) {
            const void* const tensor = state.tensor.unsafeGetTensorImpl();
            if (isStatistic(state) && runs[i][static_cast<std::size_t>(state.leaf)] != 0 && movedBy[tensor] != i &&
                added.emplace(tensor, true).second) {
                m_phases[i].statistics.add(state.tensor);
            }
        }
    }
}

void Phases::zeroGrad() {
    for (StepPhase& phase : m_phases) {
        phase.optimizer->zeroGrad();
    }
}

void takePhaseLosses(const Objective& objective, const std::vector<GatheredLoss>& epoch,
                     std::map<std::string, double>& values) {
    std::vector<LossOver> losses;
    for (std::size_t i = 0; i < epoch.size(); ++i) {
        if (!objective.phase(i).empty()) {
            values.erase("train.loss." + objective.phase(i));
        }
        losses.push_back({epoch[i].counted > 0 ? objective.over(i, epoch[i]) : 0, epoch[i].counted > 0});
    }
    for (const auto& [name, value] : phaseLosses(objective, losses)) {
        values["train." + name] = value;
    }
}

std::map<std::string, double> phaseLosses(const Objective& objective, const std::vector<LossOver>& values) {
    std::map<std::string, double> losses;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (const std::string& phase = objective.phase(i); !phase.empty() && values[i].counts) {
            losses["loss." + phase] += objective.weight(i) * values[i].value;
        }
    }
    return losses;
}

}  // namespace plumbline::train
