#include "graph/lint_edit.h"

namespace plumbline::graph {

std::optional<NodePlace> placeOf(const Document& document, const std::string& pointer) {
    constexpr std::string_view kRoot = "/model/graph/nodes/";
    constexpr std::string_view kDefinitions = "/model/definitions/";
    NodePlace place;
    if (pointer.starts_with(kRoot)) {
        place.node = pointer.substr(kRoot.size());
    } else if (pointer.starts_with(kDefinitions)) {
        const std::size_t slash = pointer.find('/', kDefinitions.size());
        place.graph = pointer.substr(kDefinitions.size(), slash - kDefinitions.size());
        place.node = pointer.substr(pointer.rfind('/') + 1);
    }
    const Graph* graph = document.graph(place.graph);
    if (graph == nullptr || graph->find(place.node) == nullptr) {
        return std::nullopt;
    }
    return place;
}

std::optional<Remedy> editRemedy(const Document& document, const std::string& pointer, std::string title,
                                 const std::function<bool(Graph& graph, Node& node)>& edit) {
    const auto place = placeOf(document, pointer);
    if (!place) {
        return std::nullopt;
    }
    Document changed = document;
    Graph& graph = *changed.graph(place->graph);
    if (!edit(graph, *graph.find(place->node))) {
        return std::nullopt;
    }
    const Json before = {{"model", writeDocument(document)}};
    const Json changes = Json::diff(before, {{"model", writeDocument(changed)}});
    if (changes.empty()) {
        return std::nullopt;
    }
    Remedy remedy;
    remedy.title = std::move(title);
    remedy.patch = Json::array();
    for (const Json& change : changes) {
        if (change.at("op") != "add") {
            // A removed block is known by its type: the file may spell the rest differently than it is written.
            std::string path = change.at("path").get<std::string>();
            if (const Json& old = before.at(Json::json_pointer(path)); old.is_object() && old.contains("type")) {
                path += "/type";
            }
            remedy.patch.push_back({{"op", "test"}, {"path", path}, {"value", before.at(Json::json_pointer(path))}});
        }
    }
    if (remedy.patch.empty()) {  // additions alone: the block has to be what it was
        const Node& node = *document.graph(place->graph)->find(place->node);
        remedy.patch.push_back({{"op", "test"}, {"path", pointer + "/type"}, {"value", node.type}});
    }
    for (const Json& change : changes) {
        remedy.patch.push_back(change);
    }
    return remedy;
}

}  // namespace plumbline::graph
