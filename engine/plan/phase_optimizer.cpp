#include "plan/phase_optimizer.h"

#include "plan/plan.h"

namespace plumbline::plan {

Json phaseOptimizer(const Json& training, const Json& own) {
    Json merged = training.value("optimizer", Json::object());
    if (!merged.is_object()) {
        merged = Json::object();
    }
    const Json before = merged.value("type", Json(OptimizerSpec().type)), now = own.value("type", before);
    const TypeSpec* kind = now.is_string() ? findType(optimizerTypes(), now.get<std::string>()) : nullptr;
    if (now != before && kind != nullptr) {
        for (const TypeSpec& other : optimizerTypes()) {
            for (const OptionSpec& option : other.options) {
                if (kind->option(option.name) == nullptr) {
                    merged.erase(option.name);
                }
            }
        }
        for (const std::string& without : kind->without) {
            merged.erase(without);
        }
    }
    merged.update(own);
    return merged;
}

}  // namespace plumbline::plan
