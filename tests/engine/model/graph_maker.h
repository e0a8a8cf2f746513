#pragma once
// Resolved graphs written by hand, so that these tests do not depend on how a document is resolved.

#include <string>
#include <utility>
#include <vector>

#include "graph/resolve.h"

namespace plumbline::model::testing {

class GraphMaker {
public:
    graph::ValueId input(const std::string& name, std::vector<graph::Dim> dims, DType dtype = DType::kFloat32) {
        graph::ResolvedValue value;
        value.type = {dtype, std::move(dims)};
        value.known = true;
        value.port = static_cast<int>(m_model.inputs.size());
        m_model.values.push_back(std::move(value));
        m_model.inputs.emplace_back(name, lastValue());
        return lastValue();
    }

    /// A leaf with `outputs` outputs; gives the first one, the others follow it.
    graph::ValueId leaf(const std::string& path, const std::string& type, Json params,
                        std::vector<graph::ValueId> inputs, int outputs = 1) {
        graph::ResolvedNode node;
        node.path = path;
        node.type = type;
        node.params = params.is_null() ? Json::object() : std::move(params);
        node.inputs = std::move(inputs);
        const int index = static_cast<int>(m_model.nodes.size());
        for (int port = 0; port < outputs; ++port) {
            graph::ResolvedValue value;
            value.producer = index;
            value.port = port;
            m_model.values.push_back(std::move(value));
            node.outputs.push_back(lastValue());
        }
        const graph::ValueId first = node.outputs.front();
        m_model.nodes.push_back(std::move(node));
        m_model.executionOrder.push_back(index);
        return first;
    }

    /// The node made last, to set init, mode, frozen or weightsOf.
    graph::ResolvedNode& last() { return m_model.nodes.back(); }
    void output(const std::string& name, graph::ValueId value) { m_model.outputs.emplace_back(name, value); }
    const graph::ResolvedModel& model() const { return m_model; }

private:
    graph::ValueId lastValue() const { return static_cast<graph::ValueId>(m_model.values.size()) - 1; }
    graph::ResolvedModel m_model;
};

/// `leaves` one after the other on one float32 input of the given dims.
struct ChainLink {
    std::string path;
    std::string type;
    Json params = Json::object();
};
inline GraphMaker chain(std::vector<graph::Dim> dims, const std::vector<ChainLink>& links,
                        DType dtype = DType::kFloat32) {
    GraphMaker maker;
    graph::ValueId value = maker.input("x", std::move(dims), dtype);
    for (const ChainLink& link : links) {
        value = maker.leaf(link.path, link.type, link.params, {value});
    }
    maker.output("y", value);
    return maker;
}

}  // namespace plumbline::model::testing
