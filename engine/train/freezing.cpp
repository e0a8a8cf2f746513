#include "train/freezing.h"

#include <algorithm>
#include <map>

#include "plan/freezing.h"
#include "project/block_choice.h"
#include "project/freeze_fit.h"

namespace plumbline::train {

Result<Freezing> Freezing::make(const plan::TrainingPlan& plan, model::Model& model) {
    PLUMBLINE_TRY(project::checkFreezing(plan, model.graph()));
    PLUMBLINE_ASSIGN(const std::vector<char> gradientsOff, project::blocksWithoutGradients(plan, model.graph()));
    const std::vector<char> without = project::ownersWithoutGradients(gradientsOff, model.graph());
    Freezing made(model);
    for (const model::NamedState& parameter : model.parameters()) {
        const bool never = parameter.frozen || without[static_cast<std::size_t>(parameter.leaf)] != 0;
        const std::int64_t until = never ? plan::kFrozenForEver : plan::epochsFrozen(plan, parameter.name);
        if (until > 0 && !parameter.frozen) {
            made.m_parameters.push_back({parameter.tensor, until});
        }
        if (until != plan::kFrozenForEver) {
            made.m_trained.push_back({parameter.name, parameter.tensor});
        }
    }
    made.addBlocks(plan);
    made.enterEpoch(0, false);
    return made;
}

/// Blocks that share their statistics stay together.
void Freezing::addBlocks(const plan::TrainingPlan& plan) {
    const auto isStatistic = [](const model::NamedState& state) {
        return state.buffer && (state.name.ends_with("running_mean") || state.name.ends_with("running_var"));
    };
    const std::vector<model::NamedState> states = m_model->stateDict();
    std::map<const void*, std::int64_t> until;
    for (const model::NamedState& state : states) {
        if (isStatistic(state)) {
            std::int64_t& epochs = until[state.tensor.unsafeGetTensorImpl()];
            epochs = std::max(epochs, plan::epochsStatisticFrozen(plan, state.name));
        }
    }
    for (const model::NamedState& state : states) {
        if (!isStatistic(state) || !state.name.ends_with("running_mean")) {
            continue;
        }
        if (const std::int64_t epochs = until[state.tensor.unsafeGetTensorImpl()]; epochs > 0) {
            m_blocks.push_back({state.leaf, epochs});
        }
    }
}

void Freezing::enterEpoch(std::int64_t epoch, bool leaveModes) {
    for (Parameter& parameter : m_parameters) {
        if (parameter.tensor.requires_grad() != (epoch >= parameter.until)) {
            parameter.tensor.set_requires_grad(epoch >= parameter.until);
        }
    }
    for (const Block& block : m_blocks) {
        const std::string& mode = m_model->graph().nodes[static_cast<std::size_t>(block.leaf)].mode;
        if (!leaveModes && mode != "eval") {
            m_model->setTraining(block.leaf, epoch >= block.until);
        }
    }
}

}  // namespace plumbline::train
