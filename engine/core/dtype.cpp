#include "core/dtype.h"

#include <array>

namespace plumbline {
namespace {

struct Entry {
    DType dtype;
    std::string_view name;
    std::size_t size;
    bool floating;
};

constexpr std::array<Entry, 10> kEntries{{
    {DType::kFloat32, "float32", 4, true},
    {DType::kFloat64, "float64", 8, true},
    {DType::kFloat16, "float16", 2, true},
    {DType::kBFloat16, "bfloat16", 2, true},
    {DType::kInt64, "int64", 8, false},
    {DType::kInt32, "int32", 4, false},
    {DType::kInt16, "int16", 2, false},
    {DType::kInt8, "int8", 1, false},
    {DType::kUInt8, "uint8", 1, false},
    {DType::kBool, "bool", 1, false},
}};

const Entry& entryOf(DType dtype) {
    return kEntries.at(static_cast<std::size_t>(dtype));
}

}  // namespace

std::size_t sizeOf(DType dtype) {
    return entryOf(dtype).size;
}

std::string_view toString(DType dtype) {
    return entryOf(dtype).name;
}

std::optional<DType> parseDType(std::string_view name) {
    for (const Entry& entry : kEntries) {
        if (entry.name == name) {
            return entry.dtype;
        }
    }
    return std::nullopt;
}

bool isFloatingPoint(DType dtype) {
    return entryOf(dtype).floating;
}

}  // namespace plumbline
