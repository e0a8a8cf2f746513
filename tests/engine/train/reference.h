#pragma once
// Reading tests/engine/train/data: values that PyTorch 2.13 gave, and nested lists as tensors.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/json.h"

namespace plumbline::test {

inline Json reference(const std::string& name) {
    auto json = readJsonFile(std::string(PLUMBLINE_SOURCE_DIR) + "/tests/engine/train/data/" + name);
    EXPECT_TRUE(json.has_value()) << (json ? "" : json.error().message);
    return json ? *json : Json();
}

inline double number(const Json& value) {
    if (value.is_string()) {
        const std::string text = value.get<std::string>();
        return text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                             : (text[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
    }
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

inline void flatten(const Json& list, std::vector<double>& values, std::vector<std::int64_t>& dims,
                    std::size_t depth = 0) {
    if (!list.is_array()) {
        values.push_back(number(list));
        return;
    }
    if (dims.size() == depth) {
        dims.push_back(static_cast<std::int64_t>(list.size()));
    }
    for (const Json& item : list) {
        flatten(item, values, dims, depth + 1);
    }
}

/// Nested lists as a float64 tensor.
inline at::Tensor tensor(const Json& list) {
    std::vector<double> values;
    std::vector<std::int64_t> dims;
    flatten(list, values, dims);
    at::Tensor result = at::empty(dims, at::kDouble);
    std::copy(values.begin(), values.end(), result.data_ptr<double>());
    return result;
}

/// Compares all elements relative to the larger magnitude; NaN equals NaN, infinity itself.
inline void expectNear(const at::Tensor& got, const at::Tensor& want, double relative, const std::string& what) {
    ASSERT_EQ(got.numel(), want.numel()) << what;
    const at::Tensor a = got.detach().to(at::kDouble).contiguous(), b = want.to(at::kDouble).contiguous();
    for (std::int64_t i = 0; i < a.numel(); ++i) {
        const double x = a.data_ptr<double>()[i], y = b.data_ptr<double>()[i];
        if (std::isnan(y) || std::isinf(y)) {
            EXPECT_TRUE(std::isnan(y) ? std::isnan(x) : x == y) << what << "[" << i << "]: " << x << " is not " << y;
        } else {
            EXPECT_LE(std::abs(x - y), relative * std::max({std::abs(x), std::abs(y), 1e-3}))
                << what << "[" << i << "]: " << x << " is not " << y;
        }
    }
}

}  // namespace plumbline::test
