#pragma once
// Between the program's dtypes and LibTorch's.

#include <c10/core/ScalarType.h>

#include "core/dtype.h"

namespace plumbline::model {

constexpr c10::ScalarType toScalarType(DType dtype) {
    switch (dtype) {
        case DType::kFloat32:
            return c10::ScalarType::Float;
        case DType::kFloat64:
            return c10::ScalarType::Double;
        case DType::kFloat16:
            return c10::ScalarType::Half;
        case DType::kBFloat16:
            return c10::ScalarType::BFloat16;
        case DType::kInt64:
            return c10::ScalarType::Long;
        case DType::kInt32:
            return c10::ScalarType::Int;
        case DType::kInt16:
            return c10::ScalarType::Short;
        case DType::kInt8:
            return c10::ScalarType::Char;
        case DType::kUInt8:
            return c10::ScalarType::Byte;
        case DType::kBool:
            return c10::ScalarType::Bool;
    }
    return c10::ScalarType::Undefined;
}

/// "float32", "int64", … as PyTorch spells it; "undefined" for what the program has no word for.
constexpr const char* dtypeName(c10::ScalarType type) {
    switch (type) {
        case c10::ScalarType::Float:
            return "float32";
        case c10::ScalarType::Double:
            return "float64";
        case c10::ScalarType::Half:
            return "float16";
        case c10::ScalarType::BFloat16:
            return "bfloat16";
        case c10::ScalarType::Long:
            return "int64";
        case c10::ScalarType::Int:
            return "int32";
        case c10::ScalarType::Short:
            return "int16";
        case c10::ScalarType::Char:
            return "int8";
        case c10::ScalarType::Byte:
            return "uint8";
        case c10::ScalarType::Bool:
            return "bool";
        default:
            return "undefined";
    }
}

}  // namespace plumbline::model
