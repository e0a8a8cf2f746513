#pragma once
// Tensors that foreign code takes or gives, as a person declares them: "float32 [B, 3, 32, 32], int64 [B]".

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "graph/tensor_type.h"

namespace plumbline::graph {

/// At least one. Each dim is a whole number above 0 or a symbol. The error's message goes on from the block's name;
/// `parameter` is its `where`.
Result<std::vector<TensorType>> parseSignature(const std::string& text, const std::string& parameter);

/// What the symbols of a signature stand for, filled in as tensors are compared with it: other dims while shapes are
/// inferred, numbers in a call.
template <class Size>
using SymbolSizes = std::map<std::string, Size, std::less<>>;

/// Whether sizes are what is declared; a symbol takes the first size it meets and has to be that from then on.
template <class Size>
bool matches(const std::vector<Dim>& declared, const std::vector<Size>& sizes, SymbolSizes<Size>& symbols) {
    if (declared.size() != sizes.size()) {
        return false;
    }
    for (std::size_t i = 0; i < declared.size(); ++i) {
        const auto constant = declared[i].constant();
        if (constant ? !(sizes[i] == Size(*constant))
                     : !(symbols.try_emplace(declared[i].toString(), sizes[i]).first->second == sizes[i])) {
            return false;
        }
    }
    return true;
}

/// The sizes that are declared, with these symbols; every symbol is one of them.
template <class Size>
std::vector<Size> sizesOf(const std::vector<Dim>& declared, const SymbolSizes<Size>& symbols) {
    std::vector<Size> sizes;
    for (const Dim& dim : declared) {
        const auto constant = dim.constant();
        sizes.push_back(constant ? Size(*constant) : symbols.at(dim.toString()));
    }
    return sizes;
}

}  // namespace plumbline::graph
