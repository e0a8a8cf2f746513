#include "train/optimizer_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/model.h"
#include "plan/freezing.h"
#include "plan/parameter_groups.h"

namespace plumbline::train {

namespace {

/// The groups of a phase. What the phase states itself, and a weight decay that its type does not have, is its own in
/// all of them.
std::vector<ParameterGroup> groupsOf(const plan::PhaseSpec& phase, const std::vector<NamedParameter>& parameters,
                                     const ParameterLayers& layers) {
    std::vector<ParameterGroup> groups = groupParameters(phase.optimizer, parameters, layers);
    const plan::TypeSpec* kind = phase.optimizer.kind();
    for (ParameterGroup& group : groups) {
        group.ownRate = group.ownRate || phase.ownLr;
        group.ownWeightDecay =
            group.ownWeightDecay || phase.ownWeightDecay || (kind != nullptr && !kind->has("weight_decay"));
    }
    return groups;
}

ParameterLayers layersFor(const plan::OptimizerSpec& spec, const model::Model& model) {
    return spec.layerDecay != 1 || !spec.decayNormsAndBiases ? layersOf(model) : ParameterLayers{};
}

}  // namespace

Result<std::unique_ptr<OptimizerSet>> OptimizerSet::make(const plan::TrainingPlan& plan,
                                                         const std::vector<NamedParameter>& trained,
                                                         const model::Model& model) {
    auto made = std::make_unique<OptimizerSet>();
    if (plan.phases.empty()) {
        PLUMBLINE_ASSIGN(auto optimizer,
                         Optimizer::make(plan.optimizer,
                                         groupParameters(plan.optimizer, trained, layersFor(plan.optimizer, model))));
        made->add(std::move(optimizer));
        return made;
    }
    for (const plan::PhaseSpec& phase : plan.phases) {
        std::vector<NamedParameter> own;
        std::copy_if(trained.begin(), trained.end(), std::back_inserter(own),
                     [&](const NamedParameter& parameter) { return plan::phaseOf(plan, parameter.name) == &phase; });
        PLUMBLINE_ASSIGN(auto optimizer,
                         Optimizer::make(phase.optimizer, groupsOf(phase, own, layersFor(phase.optimizer, model))));
        made->add(std::move(optimizer));
        made->m_phases.push_back(phase.name);
    }
    return made;
}

void OptimizerSet::add(std::unique_ptr<Optimizer> optimizer) {
    for (std::size_t group = 0; group < optimizer->groupCount(); ++group) {
        m_places.push_back({m_optimizers.size(), group});
    }
    m_parameters.insert(m_parameters.end(), optimizer->parameters().begin(), optimizer->parameters().end());
    m_optimizers.push_back(std::move(optimizer));
}

std::string OptimizerSet::groupName(std::size_t group) const {
    return plan::groupInPhase(m_phases.empty() ? std::string() : m_phases[m_places[group].optimizer],
                              of(group).groupName(m_places[group].group));
}

double OptimizerSet::largestLearningRate() const {
    double largest = 0;
    for (const auto& optimizer : m_optimizers) {
        largest = std::max(largest, optimizer->largestLearningRate());
    }
    return largest;
}

double OptimizerSet::largestBaseLearningRate() const {
    double largest = 0;
    for (const auto& optimizer : m_optimizers) {
        largest = std::max(largest, optimizer->largestBaseLearningRate());
    }
    return largest;
}

bool OptimizerSet::hasMomentum() const {
    return std::any_of(m_optimizers.begin(), m_optimizers.end(),
                       [](const auto& optimizer) { return optimizer->hasMomentum(); });
}

void OptimizerSet::setMomentum(std::optional<double> momentum) {
    for (const auto& optimizer : m_optimizers) {
        if (optimizer->hasMomentum()) {
            optimizer->setMomentum(momentum);
        }
    }
}

NamedTensors OptimizerSet::state() const {
    NamedTensors all = m_optimizers.front()->state();
    for (std::size_t i = 1; i < m_optimizers.size(); ++i) {
        for (auto& tensor : m_optimizers[i]->state()) {
            all.push_back(std::move(tensor));
        }
    }
    return all;
}

Status OptimizerSet::loadState(const std::map<std::string, at::Tensor>& state) {
    for (const auto& optimizer : m_optimizers) {
        PLUMBLINE_TRY(optimizer->loadState(state));
    }
    return {};
}

std::int64_t OptimizerSet::stateBytes() const {
    std::int64_t bytes = 0;
    for (const auto& optimizer : m_optimizers) {
        bytes += optimizer->stateBytes();
    }
    return bytes;
}

}  // namespace plumbline::train
