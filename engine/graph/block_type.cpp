#include "graph/block_type.h"

#include <utility>

namespace plumbline::graph {

const ParameterSpec* BlockSpec::parameter(std::string_view name) const {
    for (const ParameterSpec& spec : parameters) {
        if (spec.name == name) {
            return &spec;
        }
    }
    return nullptr;
}

void BlockRegistry::add(std::unique_ptr<BlockType> type) {
    m_byName.insert_or_assign(type->spec().type, type.get());
    m_types.push_back(std::move(type));
}

const BlockType* BlockRegistry::find(std::string_view type) const {
    const auto it = m_byName.find(type);
    return it == m_byName.end() ? nullptr : it->second;
}

}  // namespace plumbline::graph
