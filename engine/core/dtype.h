#pragma once
// Element types of tensors, spelt as PyTorch spells them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline {

enum class DType : std::uint8_t {
    kFloat32,
    kFloat64,
    kFloat16,
    kBFloat16,
    kInt64,
    kInt32,
    kInt16,
    kInt8,
    kUInt8,
    kBool
};

/// Bytes an element takes.
std::size_t sizeOf(DType dtype);
/// "float32", "int64", …
std::string_view toString(DType dtype);
std::optional<DType> parseDType(std::string_view name);
bool isFloatingPoint(DType dtype);

}  // namespace plumbline
