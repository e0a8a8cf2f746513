#pragma once
// What happens to a sample between its source and the batch. A transform family is one file and one line a transform in
// transform_registry.cpp.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/random.h"
#include "data/dataset.h"
#include "data/value_type.h"

namespace plumbline::data {

/// A transform bound to its input type. Const and thread-safe.
class Step {
public:
    virtual ~Step() = default;
    /// `in` and `out` do not overlap; their sizes are what bind() agreed on.
    virtual Status run(const std::byte* in, std::byte* out, Random& random) const = 0;
    /// Random steps keep the type and are left out where nothing is to be augmented.
    virtual bool isRandom() const { return false; }
};

struct BindContext {
    DType floating = DType::kFloat32;  ///< what real numbers become: float32, or float64 on purpose
    std::string pointer;               ///< of this transform
    /// Statistics of what arrives here over the training split.
    std::function<Result<FeedInfo::Statistics>()> trainStatistics;
};

/// What bind() gives: the type after the transform and how to get there.
struct Bound {
    ValueType type;
    std::unique_ptr<Step> step;  ///< nullptr: the bytes stay as they are
    Json resolved;               ///< the transform with what was fitted written out; null = as it was given
};

class Transform {
public:
    virtual ~Transform() = default;
    virtual Result<Bound> bind(const ValueType& in, const BindContext& context) const = 0;
};

struct TransformType {
    std::string_view name;
    std::string_view help;
    bool random;
    std::unique_ptr<Transform> (*read)(JsonObject& object);  ///< mistakes go into the object
};

const std::vector<TransformType>& transformTypes();
/// One {"type": …} object, checked strictly.
Result<std::unique_ptr<Transform>> readTransform(const Json& json, const std::string& pointer);

/// An integer, or an error kept in the object where it is out of [min, max].
std::int64_t integerIn(JsonObject& object, std::string_view key, std::int64_t fallback, std::int64_t min,
                       std::int64_t max);
double numberIn(JsonObject& object, std::string_view key, double fallback, double min, double max);
/// [height, width], or nothing where the key is missing. Sizes in 1 … 16384.
std::vector<std::int64_t> heightAndWidth(JsonObject& object, std::string_view key);

}  // namespace plumbline::data
