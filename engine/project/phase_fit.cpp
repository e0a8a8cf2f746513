#include "project/phase_fit.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "core/glob.h"
#include "core/json_errors.h"
#include "core/text.h"
#include "graph/reach.h"
#include "plan/freezing.h"
#include "project/block_choice.h"
#include "project/model_parameters.h"

namespace plumbline::project {

namespace {

bool trains(const plan::PhaseSpec& phase, const std::string& parameter) {
    return std::any_of(phase.train.begin(), phase.train.end(),
                       [&](const std::string& pattern) { return matchesGlob(pattern, parameter); });
}

/// Each pattern stands for something.
Status checkPatterns(const plan::PhaseSpec& phase, const std::vector<ModelParameter>& parameters,
                     const std::string& pointer) {
    for (const std::string& pattern : phase.train) {
        if (std::none_of(parameters.begin(), parameters.end(),
                         [&](const ModelParameter& parameter) { return matchesGlob(pattern, parameter.name); })) {
            return fail(
                ErrorKind::kInvalid, "phase-matches-nothing",
                fmt::format("The phase \"{}\" is to train \"{}\", and no parameter of the model has such a name.",
                            phase.name, pattern),
                pointer + "/train", patternHint(pattern, parameters));
        }
    }
    return {};
}

/// A pattern of training.no_grad that matches nothing is told with what is frozen (checkFreezing).
std::vector<char> gradientsOffIn(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    return blocksWithoutGradients(plan, model).value_or(std::vector<char>{});
}

const std::string& ownerOf(const graph::ResolvedNode& leaf) {
    return leaf.weightsOf.empty() ? leaf.path : leaf.weightsOf;
}

/// All outputs that the losses of a phase read; empty where one of them is none of the model's.
std::vector<std::string> outputsOf(const plan::PhaseSpec& phase, const plan::TrainingPlan& plan,
                                   const graph::ResolvedModel& model,
                                   const std::vector<std::vector<std::string>>& outputs) {
    std::vector<std::string> read;
    for (std::size_t loss = 0; loss < plan.losses.size(); ++loss) {
        if (plan.losses[loss].phase == phase.name) {
            read.insert(read.end(), outputs[loss].begin(), outputs[loss].end());
        }
    }
    const auto isOutput = [&](const std::string& name) {
        return std::any_of(model.outputs.begin(), model.outputs.end(),
                           [&](const auto& output) { return output.first == name; });
    };
    return std::all_of(read.begin(), read.end(), isOutput) ? read : std::vector<std::string>{};
}

}  // namespace

Status checkPhaseFit(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    const std::vector<ModelParameter> parameters = parametersOf(model);
    const std::vector<char> without = ownersWithoutGradients(gradientsOffIn(plan, model), model);
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        const plan::PhaseSpec& phase = plan.phases[i];
        const std::string pointer = fmt::format("/training/phases/{}", i);
        PLUMBLINE_TRY(checkPatterns(phase, parameters, pointer));
        std::int64_t first = plan::kFrozenForEver;
        bool runsWithout = false;
        for (const ModelParameter& parameter : parameters) {
            if (!trains(phase, parameter.name)) {
                continue;
            }
            if (const plan::PhaseSpec* other = plan::phaseOf(plan, parameter.name); other != &phase) {
                return fail(
                    ErrorKind::kInvalid, "phases-overlap",
                    fmt::format("The phases \"{}\" and \"{}\" both train {}.", other->name, phase.name, parameter.name),
                    pointer + "/train", "Let each parameter be trained by one phase.");
            }
            const bool isWithout = without[static_cast<std::size_t>(parameter.leaf)] != 0;
            runsWithout = runsWithout || isWithout;
            first = parameter.frozen || isWithout ? first : std::min(first, plan::epochsFrozen(plan, parameter.name));
        }
        if (first == plan::kFrozenForEver && runsWithout) {
            return fail(
                ErrorKind::kInvalid, "nothing-to-train",
                fmt::format(
                    "Every parameter that the phase \"{}\" trains is frozen or in a block that runs without gradients.",
                    phase.name),
                "/training/no_grad",
                "Let the patterns of training.no_grad leave out something that the phase trains, or remove the phase.");
        }
        if (first > 0) {
            return fail(ErrorKind::kInvalid, "nothing-to-train",
                        first == plan::kFrozenForEver
                            ? fmt::format("Every parameter that the phase \"{}\" trains is frozen for the whole run.",
                                          phase.name)
                            : fmt::format("Every parameter that the phase \"{}\" trains is frozen for the first {}.",
                                          phase.name, counted(first, "epoch")),
                        pointer + "/train",
                        "Let what freezes leave out something that the phase trains, or remove the phase.");
        }
    }
    return {};
}

Status checkPhaseReach(const plan::TrainingPlan& plan, const graph::ResolvedModel& model,
                       const std::vector<std::vector<std::string>>& outputs) {
    const std::vector<char> gradientsOff = gradientsOffIn(plan, model);
    const std::vector<char> without = ownersWithoutGradients(gradientsOff, model);
    const std::vector<ModelParameter> parameters = parametersOf(model);
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        const plan::PhaseSpec& phase = plan.phases[i];
        const std::vector<std::string> read = outputsOf(phase, plan, model, outputs);
        if (read.empty()) {
            continue;
        }
        std::set<std::string> owners;  // of what it trains in the first epoch
        for (const ModelParameter& parameter : parameters) {
            const auto leaf = static_cast<std::size_t>(parameter.leaf);
            if (!parameter.frozen && without[leaf] == 0 && plan::phaseOf(plan, parameter.name) == &phase &&
                plan::epochsFrozen(plan, parameter.name) == 0) {
                owners.insert(model.nodes[leaf].path);
            }
        }
        const graph::Reach reach = graph::reachOf(model, read, gradientsOff);
        bool arrives = false;
        int blocker = -1;
        for (std::size_t leaf = 0; leaf < model.nodes.size(); ++leaf) {
            if (owners.contains(ownerOf(model.nodes[leaf]))) {
                arrives = arrives || reach.leaves[leaf] != 0;
                blocker = blocker < 0 ? reach.blockers[leaf] : blocker;
            }
        }
        if (arrives) {
            continue;
        }
        const std::string pointer = fmt::format("/training/phases/{}", i);
        if (blocker < 0) {
            return fail(
                ErrorKind::kInvalid, "nothing-learns",
                fmt::format("The losses of the phase \"{}\" depend on no parameter that it trains from the beginning.",
                            phase.name),
                pointer,
                "Name the parameters that they depend on, or let them read an output of the blocks that the phase "
                "trains.");
        }
        const std::string& path = model.nodes[static_cast<std::size_t>(blocker)].path;
        if (static_cast<std::size_t>(blocker) < gradientsOff.size() &&
            gradientsOff[static_cast<std::size_t>(blocker)] != 0) {
            return fail(
                ErrorKind::kInvalid, "nothing-learns",
                fmt::format(
                    "The losses of the phase \"{}\" reach no parameter that it trains: {} runs without gradients.",
                    phase.name, path),
                "/training/no_grad",
                "Let the patterns of training.no_grad leave out what lies between the phase's parameters and its "
                "losses.");
        }
        return fail(
            ErrorKind::kInvalid, "nothing-learns",
            fmt::format("The losses of the phase \"{}\" reach no parameter that it trains: gradients stop at {}.",
                        phase.name, path),
            pointer, "Take away what stops them, or let the losses read an output that does not pass through it.");
    }
    return {};
}

std::vector<std::string> untrainedParameters(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    std::vector<std::string> names;
    const std::vector<char> without = ownersWithoutGradients(gradientsOffIn(plan, model), model);
    for (const ModelParameter& parameter : plan.phases.empty() ? std::vector<ModelParameter>{} : parametersOf(model)) {
        const bool isMeant = std::any_of(plan.freeze.begin(), plan.freeze.end(), [&](const plan::FreezeSpec& freeze) {
            return freeze.epochs == 0 && matchesGlob(freeze.match, parameter.name);
        });
        if (!parameter.frozen && !isMeant && without[static_cast<std::size_t>(parameter.leaf)] == 0 &&
            plan::phaseOf(plan, parameter.name) == nullptr) {
            names.push_back(parameter.name);
        }
    }
    return names;
}

}  // namespace plumbline::project
