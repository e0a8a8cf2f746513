#include "graph/init.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "core/json_errors.h"

namespace plumbline::graph {

namespace {

struct Scheme {
    std::string_view name;
    std::vector<std::string_view> numbers;  ///< keys with a number
    std::vector<std::string_view> texts;    ///< keys with a word
};

const std::vector<Scheme>& schemes() {
    static const std::vector<Scheme> all = {
        {"default", {}, {}},
        {"kaiming_normal", {"a"}, {"mode", "nonlinearity"}},
        {"kaiming_uniform", {"a"}, {"mode", "nonlinearity"}},
        {"xavier_normal", {"gain"}, {"nonlinearity"}},
        {"xavier_uniform", {"gain"}, {"nonlinearity"}},
        {"orthogonal", {"gain"}, {"nonlinearity"}},
        {"normal", {"mean", "std"}, {}},
        {"trunc_normal", {"mean", "std", "low", "high"}, {}},
        {"constant", {"value"}, {}},
        {"zeros", {}, {}},
        {"ones", {}, {}},
    };
    return all;
}

constexpr std::array<std::string_view, 2> kModes = {"fan_in", "fan_out"};
constexpr std::array<std::string_view, 6> kNonlinearities = {"linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"};

template <class List>
bool contains(const List& list, std::string_view word) {
    for (const std::string_view item : list) {
        if (item == word) {
            return true;
        }
    }
    return false;
}

template <class List>
std::string joined(const List& list) {
    return fmt::format("{}", fmt::join(list, ", "));
}

Status checkMember(const Scheme& scheme, const std::string& key, const Json& value, const std::string& pointer) {
    const auto wrong = [&](std::string_view wanted) {
        return fail(
            ErrorKind::kInvalid, "init-value",
            fmt::format("{} of the initialisation {} has to be {} and is {}.", key, scheme.name, wanted, value.dump()),
            pointer, fmt::format("Write {}.", wanted));
    };
    if (key == "scheme") {
        return {};
    }
    if (key == "bias" || contains(scheme.numbers, key)) {
        if (!value.is_number()) {
            return wrong("a number");
        }
        if (key == "std" && value.get<double>() <= 0.0) {
            return wrong("a number above 0");
        }
        return {};
    }
    if (!contains(scheme.texts, key)) {
        std::vector<std::string_view> known = scheme.texts;
        known.insert(known.end(), scheme.numbers.begin(), scheme.numbers.end());
        known.emplace_back("bias");
        return fail(ErrorKind::kInvalid, "init-unknown-key",
                    fmt::format("The initialisation {} has no setting {}.", scheme.name, key), pointer,
                    fmt::format("It knows: {}.", joined(known)));
    }
    if (key == "mode" && !(value.is_string() && contains(kModes, value.get<std::string>()))) {
        return wrong("\"fan_in\" or \"fan_out\"");
    }
    if (key == "nonlinearity" && !(value.is_string() && contains(kNonlinearities, value.get<std::string>()))) {
        return wrong(fmt::format("one of {}", joined(kNonlinearities)));
    }
    return {};
}

}  // namespace

Status checkInit(const Json& init, const std::string& pointer) {
    if (init.is_null()) {
        return {};
    }
    if (!init.is_object() || !init.contains("scheme") || !init.at("scheme").is_string()) {
        return fail(ErrorKind::kInvalid, "wrong-type",
                    fmt::format("{} has to be an object with a text \"scheme\".", pointer.empty() ? "init" : pointer),
                    pointer, "Write, for example, {\"scheme\": \"kaiming_normal\"}.");
    }
    const std::string name = init.at("scheme").get<std::string>();
    for (const Scheme& scheme : schemes()) {
        if (scheme.name != name) {
            continue;
        }
        for (const auto& [key, value] : init.items()) {
            PLUMBLINE_TRY(checkMember(scheme, key, value, pointer));
        }
        if (name == "trunc_normal" && init.value("low", -2.0) >= init.value("high", 2.0)) {
            return fail(ErrorKind::kInvalid, "init-value",
                        "low of the initialisation trunc_normal has to be below high.", pointer,
                        "Lower low or raise high; they are -2 and 2 where they are left out.");
        }
        return {};
    }
    const std::vector<std::string> names = initSchemes();
    return fail(ErrorKind::kInvalid, "init-scheme", fmt::format("There is no initialisation scheme {}.", name), pointer,
                didYouMean(name, names, fmt::format("The schemes are: {}.", joined(names))));
}

std::vector<InitKey> initKeys(const std::string& name) {
    std::vector<InitKey> keys;
    for (const Scheme& scheme : schemes()) {
        if (scheme.name != name) {
            continue;
        }
        for (const std::string_view text : scheme.texts) {
            keys.push_back(text == "mode"
                               ? InitKey{std::string(text), {kModes.begin(), kModes.end()}}
                               : InitKey{std::string(text), {kNonlinearities.begin(), kNonlinearities.end()}});
        }
        for (const std::string_view number : scheme.numbers) {
            keys.push_back({std::string(number), {}});
        }
        if (name != "default") {
            keys.push_back({"bias", {}});
        }
    }
    return keys;
}

std::vector<std::string> initSchemes() {
    std::vector<std::string> names;
    for (const Scheme& scheme : schemes()) {
        names.emplace_back(scheme.name);
    }
    return names;
}

}  // namespace plumbline::graph
