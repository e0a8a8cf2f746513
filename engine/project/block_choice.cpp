#include "project/block_choice.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "core/json.h"
#include "core/json_errors.h"
#include "graph/block_patterns.h"
#include "plan/freezing.h"

namespace plumbline::project {

namespace {

Error nothingMatches(const std::string& pattern, const std::string& pointer, const graph::ResolvedModel& model) {
    std::vector<std::string> paths;
    for (const graph::ModuleNode& block : model.tree) {
        if (!block.path.empty()) {
            paths.push_back(block.path);
        }
    }
    return {ErrorKind::kInvalid, "pattern-matches-nothing",
            fmt::format("{} is \"{}\", and no block of the model has such a name.", pointer, pattern), pointer,
            didYouMean(pattern, paths, "Write a block's name as the model has it, as \"head\" or \"encoder.*\".")};
}

}  // namespace

Result<std::vector<char>> float32Blocks(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    std::vector<char> kept;
    if (plan.precision == plan::Precision::kFp32) {
        return kept;
    }
    kept.resize(model.nodes.size());
    const auto keep = [&](const std::vector<int>& leaves) {
        for (const int leaf : leaves) {
            kept[static_cast<std::size_t>(leaf)] = 1;
        }
    };
    if (plan.fp32Outputs) {
        keep(graph::outputBlocks(model));
    }
    for (std::size_t i = 0; i < plan.fp32Blocks.size(); ++i) {
        const std::vector<int> leaves = graph::blocksMatching(model, plan.fp32Blocks[i]);
        if (leaves.empty()) {
            return fail(nothingMatches(plan.fp32Blocks[i], pointerTo("/training/fp32_blocks", i), model));
        }
        keep(leaves);
    }
    return kept;
}

Result<std::vector<char>> blocksWithoutGradients(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    std::vector<char> off(plan.noGrad.empty() ? 0 : model.nodes.size());
    for (std::size_t i = 0; i < plan.noGrad.size(); ++i) {
        const std::vector<int> leaves = graph::blocksMatching(model, plan.noGrad[i]);
        if (leaves.empty()) {
            return fail(nothingMatches(plan.noGrad[i], pointerTo("/training/no_grad", i), model));
        }
        for (const int leaf : leaves) {
            off[static_cast<std::size_t>(leaf)] = 1;
        }
    }
    return off;
}

std::vector<char> ownersWithoutGradients(const std::vector<char>& gradientsOff, const graph::ResolvedModel& model) {
    std::vector<char> without(model.nodes.size());
    if (gradientsOff.empty()) {
        return without;
    }
    std::set<std::string> live;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        if (gradientsOff[i] == 0) {
            live.insert(model.nodes[i].weightsOf.empty() ? model.nodes[i].path : model.nodes[i].weightsOf);
        }
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        without[i] = live.contains(model.nodes[i].path) ? 0 : 1;
    }
    return without;
}

std::string whyNotTwice(const plan::TrainingPlan& plan, const graph::ResolvedModel& model,
                        const std::vector<int>& leaves) {
    for (const int leaf : leaves) {
        const graph::ResolvedNode& node = model.nodes[static_cast<std::size_t>(leaf)];
        const std::string prefix = node.path.empty() ? std::string() : node.path + ".";
        const bool moves = std::any_of(node.state.begin(), node.state.end(), [&](const graph::StateSpec& state) {
            return state.buffer && state.name == "running_mean" &&
                   plan::epochsStatisticFrozen(plan, prefix + state.name) != plan::kFrozenForEver;
        });
        if (moves && node.mode != "eval") {
            return fmt::format("holds {} ({}), whose running statistics would count every batch twice", node.path,
                               node.type);
        }
        if (node.type == "Embedding" && node.params.contains("max_norm") && !node.params["max_norm"].is_null()) {
            return fmt::format("holds {} ({}), which shortens its own weights as it runs", node.path, node.type);
        }
    }
    return {};
}

Result<std::vector<CheckpointedBlock>> checkpointedBlocks(const plan::TrainingPlan& plan,
                                                          const graph::ResolvedModel& model) {
    const std::vector<std::string>& patterns = plan.activationCheckpointing.blocks;
    std::vector<int> chosen;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        const std::string pointer = pointerTo("/training/activation_checkpointing/blocks", i);
        const std::vector<int> blocks = graph::outermostMatching(model, patterns[i]);
        if (blocks.empty()) {
            return fail(nothingMatches(patterns[i], pointer, model));
        }
        for (const int block : blocks) {
            if (const std::string why = whyNotTwice(plan, model, graph::leavesOf(model, block)); !why.empty()) {
                return fail(
                    ErrorKind::kInvalid, "checkpointed-state",
                    fmt::format("The block {} cannot be checkpointed, as it runs again in the backward pass: it {}.",
                                model.tree[static_cast<std::size_t>(block)].path, why),
                    pointer,
                    "Let the pattern leave that block out, or write \"mode\": \"eval\" for the normalisation so that "
                    "its statistics stay as they are.");
            }
            if (!graph::leavesOf(model, block).empty()) {
                chosen.push_back(block);
            }
        }
    }
    // A block within another one that a second pattern names runs with that one.
    std::vector<CheckpointedBlock> units;
    const auto isWithin = [&](int block, int other) {
        return model.tree[static_cast<std::size_t>(block)].path.starts_with(
            model.tree[static_cast<std::size_t>(other)].path + ".");
    };
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (const int block : chosen) {
        if (std::none_of(chosen.begin(), chosen.end(), [&](int other) { return isWithin(block, other); })) {
            units.push_back({model.tree[static_cast<std::size_t>(block)].path, graph::leavesOf(model, block)});
        }
    }
    return units;
}

}  // namespace plumbline::project
