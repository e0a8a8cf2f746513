#pragma once
// Long lists of a metric's state as tensors of a checkpoint.

#include <ATen/ops/empty.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace plumbline::train {

template <class Number>
at::Tensor tensorOf(const std::vector<Number>& values) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, c10::CppTypeToScalarType<Number>::value);
    if (!values.empty()) {
        std::memcpy(tensor.mutable_data_ptr<Number>(), values.data(), values.size() * sizeof(Number));
    }
    return tensor;
}

/// Throws std::invalid_argument where the tensor is not there or of another kind.
template <class Number>
void vectorOf(const std::map<std::string, at::Tensor>& tensors, const std::string& name, std::vector<Number>& values) {
    const auto found = tensors.find(name);
    if (found == tensors.end() || found->second.scalar_type() != c10::CppTypeToScalarType<Number>::value) {
        throw std::invalid_argument("a metric's state lacks \"" + name + "\"");
    }
    const at::Tensor tensor = found->second.cpu().contiguous();
    const Number* first = tensor.const_data_ptr<Number>();
    values.assign(first, first + tensor.numel());
}

}  // namespace plumbline::train
