#include "diagnostics/step_stats.h"

#include <string_view>
#include <unordered_map>

namespace plumbline::diagnostics {

bool dependsOnMode(const RunFacts::Block& block) {
    return block.isBatchNorm || block.dropsInside || block.type.find("Dropout") != std::string::npos ||
           block.type == "DropPath" || block.type == "RReLU";
}

void setFrozen(RunFacts& facts, const std::vector<StepStats::Freezing>& freezings) {
    for (const StepStats::Freezing& freezing : freezings) {
        facts.parameters[static_cast<std::size_t>(freezing.parameter)].frozen = freezing.frozen;
    }
    std::unordered_map<std::string_view, bool> all;  // of each block's parameters
    for (const RunFacts::Parameter& parameter : facts.parameters) {
        bool& frozen = all.emplace(parameter.block, true).first->second;
        frozen = frozen && parameter.frozen;
    }
    for (RunFacts::Block& block : facts.blocks) {
        if (const auto known = all.find(block.path); known != all.end()) {
            block.frozen = known->second;
        }
    }
}

}  // namespace plumbline::diagnostics
