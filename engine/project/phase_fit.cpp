#include "project/phase_fit.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/glob.h"
#include "core/text.h"
#include "plan/freezing.h"
#include "project/model_parameters.h"

namespace plumbline::project {

namespace {

bool trains(const plan::PhaseSpec& phase, const std::string& parameter) {
    return std::any_of(phase.train.begin(), phase.train.end(), [&](const std::string& pattern) { return matchesGlob(pattern, parameter); });
}

/// Each pattern stands for something.
Status checkPatterns(const plan::PhaseSpec& phase, const std::vector<ModelParameter>& parameters, const std::string& pointer) {
    for (const std::string& pattern : phase.train) {
        if (std::none_of(parameters.begin(), parameters.end(), [&](const ModelParameter& parameter) { return matchesGlob(pattern, parameter.name); })) {
            return fail(ErrorKind::kInvalid, "phase-matches-nothing",
                        fmt::format("No parameter of the model has a name that \"{}\" matches, which the phase \"{}\" is to train.", pattern, phase.name), pointer + "/train",
                        "Write full names, with * for anything: discriminator.*");
        }
    }
    return {};
}

}  // namespace

Status checkPhaseFit(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    const std::vector<ModelParameter> parameters = parametersOf(model);
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        const plan::PhaseSpec& phase = plan.phases[i];
        const std::string pointer = fmt::format("/training/phases/{}", i);
        PLUMBLINE_TRY(checkPatterns(phase, parameters, pointer));
        std::int64_t first = plan::kFrozenForEver;
        for (const ModelParameter& parameter : parameters) {
            if (!trains(phase, parameter.name)) {
                continue;
            }
            if (const plan::PhaseSpec* other = plan::phaseOf(plan, parameter.name); other != &phase) {
                return fail(ErrorKind::kInvalid, "phases-overlap", fmt::format("The phases \"{}\" and \"{}\" both train {}.", other->name, phase.name, parameter.name), pointer + "/train",
                            "Let each parameter be trained by one phase.");
            }
            first = parameter.frozen ? first : std::min(first, plan::epochsFrozen(plan, parameter.name));
        }
        if (first > 0) {
            return fail(ErrorKind::kInvalid, "nothing-to-train",
                        first == plan::kFrozenForEver ? fmt::format("Every parameter that the phase \"{}\" trains is frozen for the whole run.", phase.name)
                                                      : fmt::format("Every parameter that the phase \"{}\" trains is frozen for the first {}.", phase.name, counted(first, "epoch")),
                        pointer + "/train", "Let what freezes leave out something that the phase trains, or remove the phase.");
        }
    }
    return {};
}

std::vector<std::string> untrainedParameters(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    std::vector<std::string> names;
    for (const ModelParameter& parameter : plan.phases.empty() ? std::vector<ModelParameter>{} : parametersOf(model)) {
        const bool isMeant = std::any_of(plan.freeze.begin(), plan.freeze.end(), [&](const plan::FreezeSpec& freeze) { return freeze.epochs == 0 && matchesGlob(freeze.match, parameter.name); });
        if (!parameter.frozen && !isMeant && plan::phaseOf(plan, parameter.name) == nullptr) {
            names.push_back(parameter.name);
        }
    }
    return names;
}

}  // namespace plumbline::project
