#include "store/compare_runs.h"

#include <map>

namespace plumbline::store {
namespace {

using Values = std::map<std::string, Json>;

void flatten(const Json& value, const std::string& pointer, Values& leaves) {
    if (value.is_structured() && !value.empty()) {
        std::size_t index = 0;
        for (const auto& [key, item] : value.items()) {
            flatten(item, value.is_array() ? pointerTo(pointer, index++) : pointerTo(pointer, key), leaves);
        }
        return;
    }
    leaves[pointer] = value;
}

std::vector<ValuePair> paired(const Values& a, const Values& b, bool all) {
    std::map<std::string, ValuePair> pairs;
    for (const auto& [name, value] : a) {
        pairs[name] = {name, value, {}};
    }
    for (const auto& [name, value] : b) {
        ValuePair& pair = pairs[name];
        pair.name = name;
        pair.b = value;
    }
    std::vector<ValuePair> list;
    for (auto& [name, pair] : pairs) {
        if (all || pair.a != pair.b) {
            list.push_back(std::move(pair));
        }
    }
    return list;
}

}  // namespace

Result<RunComparison> compareRuns(const RunReader& a, const RunReader& b) {
    RunComparison comparison;
    Values settings[2];
    Values metrics[2];
    const RunReader* readers[2] = {&a, &b};
    for (int i = 0; i < 2; ++i) {
        PLUMBLINE_ASSIGN(const RunInfo info, readers[i]->info());
        PLUMBLINE_ASSIGN(const Json definition, readers[i]->record("definition"));
        (i == 0 ? comparison.a : comparison.b) = info.id;
        flatten(definition, "", settings[i]);
        if (info.metrics.is_object()) {
            for (const auto& [name, value] : info.metrics.items()) {
                metrics[i][name] = value;
            }
        }
    }
    comparison.settings = paired(settings[0], settings[1], false);
    comparison.metrics = paired(metrics[0], metrics[1], true);
    return comparison;
}

}  // namespace plumbline::store
