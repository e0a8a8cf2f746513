// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/clipboard.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "gui/convert.h"
#include "gui/model/graph_edits.h"

namespace plumbline::gui {

using graph::Document;
using graph::Graph;
using graph::Node;

namespace {

constexpr const char* kMark = "plumbline_blocks";

/// Definitions that these nodes need, at any depth.
void addNeeded(const Document& from, const std::vector<Node>& nodes, Document& to) {
    for (const Node& node : nodes) {
        const Graph* definition = from.definition(node.type);
        if (definition && !to.definition(node.type)) {
            to.definitions.push_back(*definition);
            addNeeded(from, definition->nodes, to);
        }
    }
}

/// Sources that point outside the copied blocks are left open.
void keepInside(Graph& graph) {
    std::set<std::string> names;
    for (const Node& node : graph.nodes) {
        names.insert(node.name);
    }
    for (const graph::GraphInput& input : graph.inputs) {
        names.insert(input.name);
    }
    for (Node& node : graph.nodes) {
        const bool named =
            std::any_of(node.inputs.begin(), node.inputs.end(), [](const auto& input) { return !input.port.empty(); });
        for (graph::Input& input : node.inputs) {
            if (!names.contains(input.source.node)) {
                input.source = {};
            }
        }
        if (named) {
            std::erase_if(node.inputs, [](const auto& input) { return input.source.node.empty(); });
        }
        while (!node.inputs.empty() && node.inputs.back().source.node.empty()) {
            node.inputs.pop_back();
        }
        if (!node.weights.empty() && !names.contains(node.weights.substr(0, node.weights.find('.')))) {
            node.weights.clear();
        }
    }
    for (graph::GraphOutput& output : graph.outputs) {
        if (!names.contains(output.source.node)) {
            output.source = {};
        }
    }
}

}  // namespace

Json copiedBlocks(const Document& document, const std::string& graphName, const std::vector<std::string>& ids,
                  const QHash<QString, QPointF>& positions) {
    const Graph* graph = document.graph(graphName);
    Document copied;
    const std::set<std::string> wanted(ids.begin(), ids.end());
    for (const graph::GraphInput& input : graph->inputs) {
        if (wanted.contains(input.name)) {
            copied.root.inputs.push_back(input);
        }
    }
    for (const Node& node : graph->nodes) {
        if (wanted.contains(node.name)) {
            copied.root.nodes.push_back(node);
        }
    }
    for (const graph::GraphOutput& output : graph->outputs) {
        if (wanted.contains(outputId(output.name))) {
            copied.root.outputs.push_back(output);
        }
    }
    keepInside(copied.root);
    for (graph::GraphInput& input : copied.root.inputs) {  // a definition's input states no shape, the root's has to
        if (!input.shape.is_array()) {
            input.shape = Json::array({"B", 1});
            input.dtype = "float32";
        }
    }
    addNeeded(document, copied.root.nodes, copied);
    Json json = Json::object();
    json[kMark] = 1;
    json["model"] = graph::writeDocument(copied);
    Json layout = Json::object();
    for (const std::string& id : ids) {
        const QPointF place = positions.value(text(id));
        layout[id] = Json::array({place.x(), place.y()});
    }
    json["layout"] = layout;
    return json;
}

Result<PastedBlocks> readBlocks(const QString& clipboard) {
    auto json = parseJson(bytes(clipboard), "The clipboard");
    if (!json || !json->is_object() || !json->contains(kMark) || !json->contains("model")) {
        return fail(ErrorKind::kInvalid, "no-blocks", "The clipboard holds no blocks.", {},
                    "Copy blocks on the canvas first.");
    }
    PastedBlocks pasted;
    PLUMBLINE_ASSIGN(pasted.content, graph::readDocument((*json)["model"]));
    const Json layout = json->value("layout", Json::object());
    if (layout.is_object()) {
        for (const auto& [id, place] : layout.items()) {
            if (place.is_array() && place.size() == 2 && place[0].is_number() && place[1].is_number()) {
                pasted.positions.insert(text(id), QPointF(place[0].get<double>(), place[1].get<double>()));
            }
        }
    }
    return pasted;
}

Status pasteBlocks(Document& document, const std::string& graphName, const PastedBlocks& blocks, const QPointF& at,
                   QHash<QString, QPointF>& placed) {
    // Definitions first: the same one is used again, another one of the same name is renamed.
    std::map<std::string, std::string> typeOf;
    for (const Graph& definition : blocks.content.definitions) {
        const Graph* there = document.definition(definition.name);
        std::string name = definition.name;
        if (there && !(*there == definition)) {
            for (int number = 2; document.definition(name) != nullptr; ++number) {
                name = definition.name + std::to_string(number);
            }
        }
        typeOf[definition.name] = name;
    }
    const auto retype = [&](Node& node) {
        if (const auto found = typeOf.find(node.type); found != typeOf.end()) {
            node.type = found->second;
        }
    };
    for (Graph definition : blocks.content.definitions) {
        definition.name = typeOf[definition.name];
        if (!document.definition(definition.name)) {
            std::for_each(definition.nodes.begin(), definition.nodes.end(), retype);
            document.definitions.push_back(std::move(definition));
        }
    }
    Graph* target = document.graph(graphName);
    QPointF corner(std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
    for (const QPointF& place : blocks.positions) {
        corner = {std::min(corner.x(), place.x()), std::min(corner.y(), place.y())};
    }
    const auto place = [&](const std::string& oldId, const std::string& newId) {
        const auto found = blocks.positions.constFind(text(oldId));
        placed.insert(text(newId), found == blocks.positions.constEnd() ? at : at + *found - corner);
    };
    std::map<std::string, std::string> nameOf;
    for (graph::GraphInput input : blocks.content.root.inputs) {
        const std::string name = graph::freeName(*target, input.name);
        nameOf[input.name] = name;
        place(input.name, name);
        input.name = name;
        if (!graphName.empty()) {
            input.shape = nullptr;
            input.dtype.clear();
        }
        target->inputs.push_back(std::move(input));
    }
    std::vector<Node> added;
    for (Node node : blocks.content.root.nodes) {
        retype(node);
        const std::string old = node.name;
        node.name = graph::freeName(*target, old);
        nameOf[old] = node.name;
        place(old, node.name);
        PLUMBLINE_TRY(graph::addNode(*target, node));
        added.push_back(std::move(node));
    }
    const auto rewire = [&](graph::Source& source) {
        const auto found = nameOf.find(source.node);
        source.node = found == nameOf.end() ? std::string() : found->second;
    };
    for (const Node& each : added) {
        Node* node = target->find(each.name);
        for (graph::Input& input : node->inputs) {
            rewire(input.source);
        }
        if (!node->weights.empty()) {
            const std::size_t dot = node->weights.find('.');
            const std::string rest = dot == std::string::npos ? std::string() : node->weights.substr(dot);
            node->weights = nameOf[node->weights.substr(0, dot)] + rest;
        }
    }
    for (graph::GraphOutput output : blocks.content.root.outputs) {
        std::string name = output.name;
        for (int number = 2; std::any_of(target->outputs.begin(), target->outputs.end(),
                                         [&](const auto& each) { return each.name == name; });
             ++number) {
            name = output.name + std::to_string(number);
        }
        place(outputId(output.name), outputId(name));
        output.name = name;
        rewire(output.source);
        target->outputs.push_back(std::move(output));
    }
    return {};
}

}  // namespace plumbline::gui
