#include "graph/remedy_edit.h"

#include <algorithm>
#include <cctype>

namespace plumbline::graph {
namespace {

/// Collects the changes of a patch and the tests that go before them.
class Patch {
public:
    void change(const std::string& pointer, const Json& before, const Json& after) {
        for (const Json& one : Json::diff(before, after)) {
            const auto& path = one.at("path").get_ref<const std::string&>();
            Json moved = one;
            moved["path"] = pointer + path;
            if (one.at("op") != "add") {
                test(pointer + path, before.at(Json::json_pointer(path)));
            }
            m_changes.push_back(std::move(moved));
        }
    }
    void add(const std::string& pointer, Json value) {
        m_changes.push_back({{"op", "add"}, {"path", pointer}, {"value", std::move(value)}});
    }
    /// A removed block is known by its type: the file may spell the rest differently than it would be written.
    void remove(const std::string& pointer, const std::string& type) {
        test(pointer + "/type", type);
        m_changes.push_back({{"op", "remove"}, {"path", pointer}});
    }
    void test(const std::string& pointer, Json value) {
        m_tests.push_back({{"op", "test"}, {"path", pointer}, {"value", std::move(value)}});
    }
    bool hasTests() const { return !m_tests.empty(); }
    bool isEmpty() const { return m_changes.empty(); }
    Json take() {
        m_tests.insert(m_tests.end(), m_changes.begin(), m_changes.end());
        return std::move(m_tests);
    }

private:
    Json m_tests = Json::array();
    Json m_changes = Json::array();
};

}  // namespace

std::optional<NodePlace> placeOf(const Document& document, const std::string& pointer) {
    constexpr std::string_view kRoot = "/model/graph/nodes/";
    constexpr std::string_view kDefinitions = "/model/definitions/";
    NodePlace place;
    if (pointer.starts_with(kRoot)) {
        place.graph = &document.root;
    } else if (pointer.starts_with(kDefinitions)) {
        const std::size_t slash = pointer.find('/', kDefinitions.size());
        place.graph = document.definition(pointer.substr(kDefinitions.size(), slash - kDefinitions.size()));
    }
    place.node = place.graph == nullptr ? nullptr : place.graph->find(pointer.substr(pointer.rfind('/') + 1));
    return place.node == nullptr ? std::nullopt : std::optional(place);
}

std::optional<Remedy> editRemedy(const Document& document, const std::string& pointer, std::string title,
                                 const std::function<bool(Graph& graph, Node& node)>& edit) {
    const auto place = placeOf(document, pointer);
    if (!place) {
        return std::nullopt;
    }
    const Graph& before = *place->graph;
    Graph after = before;
    if (!edit(after, *after.find(place->node->name))) {
        return std::nullopt;
    }
    Patch patch;
    std::size_t next = 0;
    for (const Node& node : before.nodes) {
        const std::string at = pointerOf(before.name, node.name);
        if (next == after.nodes.size() || after.nodes[next].name != node.name) {
            patch.remove(at, node.type);
            continue;
        }
        if (after.nodes[next] != node) {
            patch.change(at, writeNode(node), writeNode(after.nodes[next]));
        }
        ++next;
    }
    for (; next < after.nodes.size(); ++next) {
        patch.add(pointerOf(before.name, after.nodes[next].name), writeNode(after.nodes[next]));
    }
    for (std::size_t i = 0; i < before.outputs.size(); ++i) {
        if (after.outputs[i] != before.outputs[i]) {
            const std::string graph =
                before.name.empty() ? "/model/graph" : pointerTo("/model/definitions", before.name);
            patch.change(pointerTo(graph + "/outputs", before.outputs[i].name), before.outputs[i].source.toString(),
                         after.outputs[i].source.toString());
        }
    }
    if (patch.isEmpty()) {
        return std::nullopt;
    }
    if (!patch.hasTests()) {  // additions alone: the block has to be what it was
        patch.test(pointer + "/type", place->node->type);
    }
    Remedy remedy;
    remedy.title = std::move(title);
    remedy.patch = patch.take();
    return remedy;
}

bool insertBefore(Graph& graph, Node& node, std::size_t index, const std::string& port, const std::string& type,
                  Json params) {
    const bool isNamed =
        std::any_of(node.inputs.begin(), node.inputs.end(), [](const Input& input) { return !input.port.empty(); });
    const auto it = isNamed ? std::find_if(node.inputs.begin(), node.inputs.end(),
                                           [&](const Input& input) { return input.port == port; })
                            : node.inputs.begin() + static_cast<std::ptrdiff_t>(std::min(index, node.inputs.size()));
    if (it == node.inputs.end() || it->source.node.empty()) {
        return false;
    }
    std::string wanted = type;
    std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    Node inserted;
    inserted.name = freeName(graph, wanted);
    inserted.type = type;
    inserted.inputs = {{{}, it->source}};
    inserted.params = std::move(params);
    it->source = {inserted.name, {}};
    return addNode(graph, std::move(inserted)).has_value();
}

}  // namespace plumbline::graph
