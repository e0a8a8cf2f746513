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

using Changes = std::map<std::string, std::vector<ChangedValue>>;

/// By the setting's JSON pointer. What is told again, as on the way to another setting, is no change.
Result<Changes> changesOf(const RunReader& run) {
    PLUMBLINE_ASSIGN(const std::int64_t newest, run.newestEventNumber());
    PLUMBLINE_ASSIGN(const std::vector<Json> events, run.eventsOfKind("command", 0, newest));
    Changes changes;
    for (const Json& event : events) {
        const auto path = event.find("path");
        if (path == event.end() || !path->is_string() || !event.contains("value")) {
            continue;
        }
        std::vector<ChangedValue>& known = changes[pointerOfDottedPath(path->get<std::string>())];
        const std::int64_t step = event.value("step", std::int64_t{0}) + 1;
        if (!known.empty() && known.back().step == step) {
            known.back().value = event["value"];
        } else if (known.empty() || known.back().value != event["value"]) {
            known.push_back({step, event["value"]});
        }
    }
    return changes;
}

void addChanges(std::vector<ValuePair>& pairs, const Values& a, const Values& b, Changes (&changes)[2]) {
    const auto valueIn = [](const Values& values, const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() ? Json() : found->second;
    };
    std::map<std::string, ValuePair> byName;
    for (ValuePair& pair : pairs) {
        byName[pair.name] = std::move(pair);
    }
    for (int i = 0; i < 2; ++i) {
        for (auto& [name, list] : changes[i]) {
            ValuePair& pair = byName[name];
            pair.name = name;
            pair.a = valueIn(a, name);
            pair.b = valueIn(b, name);
            (i == 0 ? pair.changesOfA : pair.changesOfB) = std::move(list);
        }
    }
    pairs.clear();
    for (auto& [name, pair] : byName) {
        pairs.push_back(std::move(pair));
    }
}

std::vector<ValuePair> paired(const Values& a, const Values& b, bool all) {
    std::map<std::string, ValuePair> pairs;
    for (const auto& [name, value] : a) {
        pairs[name] = {name, value, {}, {}, {}};
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

std::optional<double> ValuePair::difference() const {
    return a.is_number() && b.is_number() ? std::optional(b.get<double>() - a.get<double>()) : std::nullopt;
}

Result<RunComparison> compareRuns(const RunReader& a, const RunReader& b) {
    RunComparison comparison;
    Values settings[2];
    Values metrics[2];
    Changes changes[2];
    const RunReader* readers[2] = {&a, &b};
    for (int i = 0; i < 2; ++i) {
        PLUMBLINE_ASSIGN(const RunInfo info, readers[i]->info());
        PLUMBLINE_ASSIGN(const Json definition, readers[i]->record("definition"));
        (i == 0 ? comparison.a : comparison.b) = info.id;
        flatten(definition, "", settings[i]);
        PLUMBLINE_ASSIGN(changes[i], changesOf(*readers[i]));
        if (info.metrics.is_object()) {
            for (const auto& [name, value] : info.metrics.items()) {
                metrics[i][name] = value;
            }
        }
    }
    comparison.settings = paired(settings[0], settings[1], false);
    addChanges(comparison.settings, settings[0], settings[1], changes);
    comparison.metrics = paired(metrics[0], metrics[1], true);
    return comparison;
}

}  // namespace plumbline::store
