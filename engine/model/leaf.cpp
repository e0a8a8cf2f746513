#include "model/leaf.h"

#include <ATen/ops/empty.h>

namespace plumbline::model {

std::size_t Leaf::addParameter(std::string name, at::IntArrayRef dims) {
    m_names.push_back({std::move(name), false});
    m_tensors.push_back(at::empty(dims, at::kFloat));
    return m_tensors.size() - 1;
}

std::size_t Leaf::addBuffer(std::string name, at::IntArrayRef dims, at::ScalarType dtype) {
    m_names.push_back({std::move(name), true});
    m_tensors.push_back(at::empty(dims, dtype));
    return m_tensors.size() - 1;
}

const LeafBuilders& leafBuilders() {
    static const LeafBuilders builders = [] {
        LeafBuilders all;
#define PLUMBLINE_CALL(family) add##family##Leaves(all);
        PLUMBLINE_BLOCK_FAMILIES(PLUMBLINE_CALL)
#undef PLUMBLINE_CALL
        return all;
    }();
    return builders;
}

}  // namespace plumbline::model
