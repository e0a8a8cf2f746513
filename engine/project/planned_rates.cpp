#include "project/planned_rates.h"

#include <algorithm>

#include "plan/freezing.h"
#include "plan/parameter_groups.h"
#include "project/block_choice.h"
#include "project/model_parameters.h"

namespace plumbline::project {

namespace {

/// What trains at some time, as the run sorts it out.
std::vector<plan::GroupMember> trainedIn(const plan::TrainingPlan& plan, const graph::ResolvedModel& model,
                                         const plan::PhaseSpec* phase) {
    const std::vector<char> without =
        ownersWithoutGradients(blocksWithoutGradients(plan, model).value_or(std::vector<char>{}), model);
    std::vector<plan::GroupMember> trained;
    for (const ModelParameter& parameter : parametersOf(model)) {
        const bool never = parameter.frozen || without[static_cast<std::size_t>(parameter.leaf)] != 0 ||
                           plan::epochsFrozen(plan, parameter.name) == plan::kFrozenForEver;
        if (!never && (phase == nullptr || plan::phaseOf(plan, parameter.name) == phase)) {
            trained.push_back({parameter.name, parameter.dimensions});
        }
    }
    return trained;
}

void addSeries(const plan::TrainingPlan& plan, const graph::ResolvedModel& model, const plan::PhaseSpec* phase,
               std::vector<plan::RateSeries>& series) {
    const plan::OptimizerSpec& optimizer = phase != nullptr ? phase->optimizer : plan.optimizer;
    const std::string name = phase != nullptr ? phase->name : "";
    const plan::ParameterLayers layers =
        optimizer.layerDecay != 1 || !optimizer.decayNormsAndBiases ? layersOf(model) : plan::ParameterLayers{};
    for (const plan::GroupOfParameters& group : plan::groupsOf(optimizer, trainedIn(plan, model, phase), layers)) {
        series.push_back({plan::rateSeries(name, group.name), group.lr, name, phase != nullptr ? phase->every : 1});
    }
}

}  // namespace

std::vector<plan::RateSeries> rateSeriesOf(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    std::vector<plan::RateSeries> series;
    if (model.ok()) {
        for (const plan::PhaseSpec& phase : plan.phases) {
            addSeries(plan, model, &phase, series);
        }
        if (plan.phases.empty()) {
            addSeries(plan, model, nullptr, series);
        }
    }
    return series.empty() ? plan::rateSeriesOf(plan) : series;
}

std::vector<plan::RateSeries> differingRates(const std::vector<plan::RateSeries>& series) {
    std::vector<plan::RateSeries> differing;
    for (const plan::RateSeries& each : series) {
        const auto same = [&](const plan::RateSeries& other) {
            return other.phase == each.phase && other.base == each.base;
        };
        if (std::none_of(differing.begin(), differing.end(), same)) {
            differing.push_back(each);
        }
    }
    return differing;
}

}  // namespace plumbline::project
