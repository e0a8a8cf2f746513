#include <fmt/format.h>
#include <algorithm>

#include "core/json_errors.h"
#include "data/transform.h"
#include "data/transforms.h"

namespace plumbline::data {

const std::vector<TransformType>& transformTypes() {
#define PLUMBLINE_ENTRY(read, name, help, random) {name, help, random, &read},
    static const std::vector<TransformType> types = {PLUMBLINE_TRANSFORMS(PLUMBLINE_ENTRY)};
#undef PLUMBLINE_ENTRY
    return types;
}

Result<std::unique_ptr<Transform>> readTransform(const Json& json, const std::string& pointer) {
    JsonObject object(json, pointer);
    const std::string name = object.requiredString("type");
    if (name.empty()) {
        PLUMBLINE_TRY(object.finish());
        return fail(ErrorKind::kInvalid, "unknown-transform", "A transform has an empty type",
                    pointerTo(pointer, "type"), "Name one, as \"to_float\".");
    }
    std::vector<std::string> names;
    for (const TransformType& type : transformTypes()) {
        if (type.name == name) {
            std::unique_ptr<Transform> transform = type.read(object);
            PLUMBLINE_TRY(object.finish());
            return transform;
        }
        names.emplace_back(type.name);
    }
    return fail(ErrorKind::kInvalid, "unknown-transform", fmt::format("There is no transform \"{}\"", name),
                pointerTo(pointer, "type"),
                didYouMean(name, names, fmt::format("Known are {}.", fmt::join(names, ", "))));
}

std::int64_t integerIn(JsonObject& object, std::string_view key, std::int64_t fallback, std::int64_t min,
                       std::int64_t max) {
    const std::int64_t value = object.integer(key, fallback);
    if (value < min || value > max) {
        const std::string pointer = pointerTo(object.pointer(), key);
        object.addError({ErrorKind::kInvalid, "out-of-range",
                         fmt::format("{} has to be from {} to {} and is {}", pointer, min, max, value), pointer,
                         "Choose a value within that."});
        return fallback;
    }
    return value;
}

double numberIn(JsonObject& object, std::string_view key, double fallback, double min, double max) {
    const double value = object.number(key, fallback);
    if (!(value >= min && value <= max)) {
        const std::string pointer = pointerTo(object.pointer(), key);
        object.addError({ErrorKind::kInvalid, "out-of-range",
                         fmt::format("{} has to be from {} to {} and is {}", pointer, min, max, value), pointer,
                         "Choose a value within that."});
        return fallback;
    }
    return value;
}

std::vector<std::int64_t> heightAndWidth(JsonObject& object, std::string_view key) {
    const Json* value = object.find(key);
    if (value == nullptr) {
        return {};
    }
    const auto isSize = [](const Json& item) {
        return item.is_number_integer() && item.get<std::int64_t>() >= 1 && item.get<std::int64_t>() <= 16384;
    };
    if (!value->is_array() || value->size() != 2 || !std::all_of(value->begin(), value->end(), isSize)) {
        object.wrongType(key, "[height, width], each from 1 to 16384,");
        return {};
    }
    return {(*value)[0].get<std::int64_t>(), (*value)[1].get<std::int64_t>()};
}

}  // namespace plumbline::data
