#include "model/params.h"

#include <fmt/format.h>

#include <stdexcept>

namespace plumbline::model {

namespace {

const Json* find(const Json& params, const char* key) {
    if (!params.is_object()) {
        return nullptr;
    }
    const auto found = params.find(key);
    return found == params.end() || found->is_null() ? nullptr : &*found;
}

[[noreturn]] void wrong(const char* key, std::string_view wanted, const Json& got) {
    throw std::invalid_argument(fmt::format("The parameter {} has to be {} and is {}.", key, wanted, got.dump()));
}

std::int64_t toInteger(const Json& value, const char* key) {
    if (!value.is_number_integer()) {
        wrong(key, "a whole number", value);
    }
    return value.get<std::int64_t>();
}

}  // namespace

bool isGiven(const Json& params, const char* key) {
    return find(params, key) != nullptr;
}

std::int64_t requiredInteger(const Json& params, const char* key) {
    const Json* value = find(params, key);
    if (value == nullptr) {
        throw std::invalid_argument(fmt::format("The parameter {} is missing.", key));
    }
    return toInteger(*value, key);
}

std::int64_t integerOr(const Json& params, const char* key, std::int64_t fallback) {
    const Json* value = find(params, key);
    return value == nullptr ? fallback : toInteger(*value, key);
}

std::optional<std::int64_t> optionalInteger(const Json& params, const char* key) {
    const Json* value = find(params, key);
    return value == nullptr ? std::nullopt : std::optional(toInteger(*value, key));
}

double numberOr(const Json& params, const char* key, double fallback) {
    const Json* value = find(params, key);
    if (value == nullptr) {
        return fallback;
    }
    if (!value->is_number()) {
        wrong(key, "a number", *value);
    }
    return value->get<double>();
}

bool booleanOr(const Json& params, const char* key, bool fallback) {
    const Json* value = find(params, key);
    if (value == nullptr) {
        return fallback;
    }
    if (!value->is_boolean()) {
        wrong(key, "true or false", *value);
    }
    return value->get<bool>();
}

std::string textOr(const Json& params, const char* key, const std::string& fallback) {
    const Json* value = find(params, key);
    if (value == nullptr) {
        return fallback;
    }
    if (!value->is_string()) {
        wrong(key, "a text", *value);
    }
    return value->get<std::string>();
}

std::vector<std::int64_t> integers(const Json& params, const char* key, std::size_t count,
                                   std::optional<std::int64_t> fallback) {
    const Json* value = find(params, key);
    if (value == nullptr) {
        if (!fallback) {
            throw std::invalid_argument(fmt::format("The parameter {} is missing.", key));
        }
        return std::vector<std::int64_t>(count, *fallback);
    }
    if (!value->is_array()) {
        return std::vector<std::int64_t>(count, toInteger(*value, key));
    }
    std::vector<std::int64_t> list = integerList(params, key);
    if (list.size() == 1) {
        list.resize(count, list.front());
    }
    if (list.size() != count) {
        wrong(key, fmt::format("one whole number or a list of {}", count), *value);
    }
    return list;
}

std::vector<std::int64_t> integerList(const Json& params, const char* key) {
    const Json* value = find(params, key);
    if (value == nullptr) {
        throw std::invalid_argument(fmt::format("The parameter {} is missing.", key));
    }
    if (!value->is_array()) {
        return {toInteger(*value, key)};
    }
    std::vector<std::int64_t> list;
    list.reserve(value->size());
    for (const Json& item : *value) {
        list.push_back(toInteger(item, key));
    }
    return list;
}

}  // namespace plumbline::model
