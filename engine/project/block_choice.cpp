#include "project/block_choice.h"

#include <fmt/format.h>

#include "core/json.h"
#include "core/json_errors.h"
#include "graph/block_patterns.h"

namespace plumbline::project {

namespace {

Error nothingMatches(const std::string& pattern, const std::string& pointer, const graph::ResolvedModel& model) {
    std::vector<std::string> paths;
    for (const graph::ModuleNode& block : model.tree) {
        if (!block.path.empty()) {
            paths.push_back(block.path);
        }
    }
    return {ErrorKind::kInvalid, "pattern-matches-nothing", fmt::format("{} is \"{}\", and no block of the model has such a name.", pointer, pattern), pointer,
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

}  // namespace plumbline::project
