#include "graph/document.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace plumbline::graph {
namespace {

template <class Container>
auto findByName(Container& items, const std::string& name) -> decltype(&items.front()) {
    const auto it = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
    return it == items.end() ? nullptr : &*it;
}

}  // namespace

const Node* Graph::find(const std::string& nodeName) const {
    return findByName(nodes, nodeName);
}
Node* Graph::find(const std::string& nodeName) {
    return findByName(nodes, nodeName);
}
const Graph* Document::definition(const std::string& name) const {
    return findByName(definitions, name);
}
Graph* Document::definition(const std::string& name) {
    return findByName(definitions, name);
}

std::string pointerOf(const std::string& graphName, const std::string& nodeName) {
    const std::string graph = graphName.empty() ? "/model/graph" : pointerTo("/model/definitions", graphName);
    return pointerTo(graph + "/nodes", nodeName);
}

bool isValidName(const std::string& name) {
    const auto all = [&](auto test) { return std::all_of(name.begin(), name.end(), test); };
    const auto isDigit = [](unsigned char c) { return c >= '0' && c <= '9'; };
    const auto isWord = [&](unsigned char c) {
        return isDigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    if (name.empty() || name.size() > 100) {
        return false;
    }
    return isDigit(static_cast<unsigned char>(name.front())) ? all(isDigit) : all(isWord);
}

bool isIdentifier(const std::string& name) {
    return isValidName(name) && (name.front() < '0' || name.front() > '9');
}

bool isParameterName(const std::string& name) {
    constexpr std::array<std::string_view, 15> kReserved{"index", "min",  "max",   "len",  "and",   "or",   "not", "if",
                                                         "else",  "true", "false", "True", "False", "None", "null"};
    return isIdentifier(name) && std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

}  // namespace plumbline::graph
