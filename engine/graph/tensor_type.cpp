#include "graph/tensor_type.h"

namespace plumbline::graph {

std::string TensorType::shapeText() const {
    std::string text;
    for (const Dim& dim : dims) {
        if (!text.empty()) {
            text += ", ";
        }
        text += dim.toString();
    }
    return text;
}

Dim TensorType::elementCount() const {
    Dim count = 1;
    for (const Dim& dim : dims) {
        count = count * dim;
    }
    return count;
}

}  // namespace plumbline::graph
