#include "project/freeze_fit.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/glob.h"
#include "core/text.h"
#include "graph/lints.h"
#include "plan/freezing.h"
#include "project/block_choice.h"
#include "project/model_parameters.h"

namespace plumbline::project {

Status checkFreezing(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    PLUMBLINE_ASSIGN(const std::vector<char> gradientsOff, blocksWithoutGradients(plan, model));
    const std::vector<char> ownersWithout = ownersWithoutGradients(gradientsOff, model);
    const auto isWithout = [&](const ModelParameter& parameter) {
        return ownersWithout[static_cast<std::size_t>(parameter.leaf)] != 0;
    };
    const std::vector<ModelParameter> parameters = parametersOf(model);
    for (std::size_t i = 0; i < plan.freeze.size(); ++i) {
        const std::string& match = plan.freeze[i].match;
        if (std::none_of(parameters.begin(), parameters.end(),
                         [&](const ModelParameter& parameter) { return matchesGlob(match, parameter.name); })) {
            return fail(
                ErrorKind::kInvalid, "freeze-matches-nothing",
                fmt::format("No parameter of the model has a name that \"{}\" matches, so nothing would be frozen.",
                            match),
                fmt::format("/training/freeze/{}/match", i), patternHint(match, parameters));
        }
    }
    std::int64_t first = plan::kFrozenForEver;  // the epoch that has something to train
    for (const ModelParameter& parameter : parameters) {
        first = parameter.frozen || isWithout(parameter) ? first
                                                         : std::min(first, plan::epochsFrozen(plan, parameter.name));
    }
    if (first == plan::kFrozenForEver) {
        if (std::all_of(parameters.begin(), parameters.end(),
                        [](const ModelParameter& parameter) { return parameter.frozen; })) {
            return fail(ErrorKind::kInvalid, "nothing-to-train", graph::kNothingToTrain, "/model",
                        graph::kNothingToTrainHint);
        }
        if (std::any_of(parameters.begin(), parameters.end(), isWithout)) {
            return fail(
                ErrorKind::kInvalid, "nothing-to-train",
                "Every parameter is frozen or in a block that runs without gradients, so nothing could be trained.",
                "/training/no_grad", "Let the patterns of training.no_grad leave out what trains, as the last layer.");
        }
        return fail(ErrorKind::kInvalid, "nothing-to-train",
                    "Every parameter is frozen for the whole run, so nothing could be trained.",
                    plan.freeze.empty() ? "/training/optimizer/groups" : "/training/freeze",
                    "Let the patterns of training.freeze and of the frozen training.optimizer.groups leave out what "
                    "trains, as the last layer.");
    }
    if (first > 0) {
        return fail(ErrorKind::kInvalid, "nothing-to-train",
                    fmt::format("Every parameter is frozen for the first {}, so nothing could be trained in them.",
                                counted(first, "epoch")),
                    "/training/freeze",
                    "Let the patterns leave out what trains from the beginning, as the last layer.");
    }
    return {};
}

}  // namespace plumbline::project
