#include "project/freeze_fit.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/glob.h"
#include "core/text.h"
#include "graph/lints.h"
#include "plan/freezing.h"

namespace plumbline::project {

namespace {

struct Parameter {
    std::string name;
    bool frozen = false;  ///< by its block
};

std::vector<Parameter> parametersOf(const graph::ResolvedModel& model) {
    std::vector<Parameter> parameters;
    for (const graph::ResolvedNode& node : model.nodes) {
        for (const graph::StateSpec& state : node.state) {
            if (!state.buffer && node.weightsOf.empty()) {
                parameters.push_back({node.path.empty() ? state.name : node.path + "." + state.name, node.frozen});
            }
        }
    }
    return parameters;
}

}  // namespace

Status checkFreezing(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    const std::vector<Parameter> parameters = parametersOf(model);
    for (std::size_t i = 0; i < plan.freeze.size(); ++i) {
        const std::string& match = plan.freeze[i].match;
        if (std::none_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) { return matchesGlob(match, parameter.name); })) {
            return fail(ErrorKind::kInvalid, "freeze-matches-nothing",
                        fmt::format("No parameter of the model has a name that \"{}\" matches, so nothing would be frozen.", match),
                        fmt::format("/training/freeze/{}/match", i), "Write full names, with * for anything: backbone.*");
        }
    }
    std::int64_t first = plan::kFrozenForEver;  // the epoch that has something to train
    for (const Parameter& parameter : parameters) {
        first = parameter.frozen ? first : std::min(first, plan::epochsFrozen(plan, parameter.name));
    }
    if (first == plan::kFrozenForEver) {
        if (std::all_of(parameters.begin(), parameters.end(), [](const Parameter& parameter) { return parameter.frozen; })) {
            return fail(ErrorKind::kInvalid, "nothing-to-train", graph::kNothingToTrain, "/model", graph::kNothingToTrainHint);
        }
        return fail(ErrorKind::kInvalid, "nothing-to-train", "Every parameter is frozen for the whole run, so nothing could be trained.",
                    plan.freeze.empty() ? "/training/optimizer/groups" : "/training/freeze",
                    "Let the patterns of training.freeze and of the frozen training.optimizer.groups leave out what trains, as the last layer.");
    }
    if (first > 0) {
        return fail(ErrorKind::kInvalid, "nothing-to-train",
                    fmt::format("Every parameter is frozen for the first {}, so nothing could be trained in them.", counted(first, "epoch")),
                    "/training/freeze", "Let the patterns leave out what trains from the beginning, as the last layer.");
    }
    return {};
}

}  // namespace plumbline::project
