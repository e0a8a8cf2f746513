#include "model/initialise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <vector>

#include "model/fill.h"
#include "model/params.h"

namespace plumbline::model {

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

Status checkMember(const Scheme& scheme, const std::string& key, const Json& value, const std::string& where) {
    const auto wrong = [&](std::string_view wanted) {
        return fail(ErrorKind::kInvalid, "init-value",
                    fmt::format("{} of the initialisation {} has to be {} and is {}.", key, scheme.name, wanted, value.dump()),
                    where);
    };
    if (key == "scheme") {
        return {};
    }
    if (key == "bias" || contains(scheme.numbers, key)) {
        if (!value.is_number()) {
            return wrong("a number");
        }
        if (key == "std" && value.get<double>() <= 0.0) {
            return wrong("greater than 0");
        }
        return {};
    }
    if (!contains(scheme.texts, key)) {
        std::vector<std::string_view> known = scheme.texts;
        known.insert(known.end(), scheme.numbers.begin(), scheme.numbers.end());
        known.emplace_back("bias");
        return fail(ErrorKind::kInvalid, "init-unknown-key",
                    fmt::format("The initialisation {} has no setting {}.", scheme.name, key), where,
                    fmt::format("It knows: {}.", joined(known)));
    }
    if (key == "mode" && value != "fan_in" && value != "fan_out") {
        return wrong("\"fan_in\" or \"fan_out\"");
    }
    if (key == "nonlinearity" && !(value.is_string() && contains(kNonlinearities, value.get<std::string>()))) {
        return wrong(fmt::format("one of {}", joined(kNonlinearities)));
    }
    return {};
}

double gainFrom(const Json& init) {
    if (isGiven(init, "gain")) {
        return numberOr(init, "gain", 1.0);
    }
    return isGiven(init, "nonlinearity") ? gainOf(textOr(init, "nonlinearity", "linear"), 0.01) : 1.0;
}

/// Sets one weight; `matrix` when it has two or more dimensions.
void fillWeight(const Json& init, const std::string& scheme, const at::Tensor& weight) {
    if (scheme == "constant" || scheme == "zeros" || scheme == "ones") {
        fillConstant(weight, scheme == "constant" ? numberOr(init, "value", 0.0) : scheme == "ones" ? 1.0 : 0.0);
        return;
    }
    if (weight.dim() < 2) {
        return;
    }
    const bool fanOut = textOr(init, "mode", "fan_in") == "fan_out";
    const std::string nonlinearity = textOr(init, "nonlinearity", "leaky_relu");
    if (scheme == "kaiming_normal") {
        fillKaimingNormal(weight, numberOr(init, "a", 0.0), fanOut, nonlinearity);
    } else if (scheme == "kaiming_uniform") {
        fillKaimingUniform(weight, numberOr(init, "a", 0.0), fanOut, nonlinearity);
    } else if (scheme == "xavier_normal") {
        fillXavierNormal(weight, gainFrom(init));
    } else if (scheme == "xavier_uniform") {
        fillXavierUniform(weight, gainFrom(init));
    } else if (scheme == "orthogonal") {
        fillOrthogonal(weight, gainFrom(init));
    } else if (scheme == "normal") {
        fillNormal(weight, numberOr(init, "mean", 0.0), numberOr(init, "std", 1.0));
    } else if (scheme == "trunc_normal") {
        fillTruncatedNormal(weight, numberOr(init, "mean", 0.0), numberOr(init, "std", 1.0), numberOr(init, "low", -2.0),
                            numberOr(init, "high", 2.0));
    }
}

}  // namespace

Status checkInit(const Json& init, const std::string& where) {
    if (init.is_null()) {
        return {};
    }
    if (!init.is_object() || !init.contains("scheme") || !init.at("scheme").is_string()) {
        return fail(ErrorKind::kInvalid, "init-scheme", "An initialisation is an object with a \"scheme\".", where,
                    "Write {\"scheme\": \"kaiming_normal\"}, or leave init out for PyTorch's default.");
    }
    const std::string name = init.at("scheme").get<std::string>();
    for (const Scheme& scheme : schemes()) {
        if (scheme.name != name) {
            continue;
        }
        for (const auto& [key, value] : init.items()) {
            PLUMBLINE_TRY(checkMember(scheme, key, value, where));
        }
        if (name == "trunc_normal" && numberOr(init, "low", -2.0) >= numberOr(init, "high", 2.0)) {
            return fail(ErrorKind::kInvalid, "init-value", "low of the initialisation trunc_normal has to be below high.",
                        where);
        }
        return {};
    }
    std::vector<std::string> names;
    for (const Scheme& scheme : schemes()) {
        names.emplace_back(scheme.name);
    }
    const std::string near = nearestWord(name, names);
    return fail(ErrorKind::kInvalid, "init-scheme", fmt::format("There is no initialisation scheme {}.", name), where,
                near.empty() ? fmt::format("The schemes are: {}.", joined(names)) : fmt::format("Did you mean {}?", near));
}

void applyInit(const Json& init, Leaf& leaf) {
    if (init.is_null()) {
        return;
    }
    const std::string scheme = textOr(init, "scheme", "default");
    for (std::size_t i = 0; i < leaf.tensors().size(); ++i) {
        const LeafStateName& state = leaf.names()[i];
        if (state.buffer) {
            continue;
        }
        if (state.name.starts_with("bias")) {
            if (isGiven(init, "bias")) {
                fillConstant(leaf.tensors()[i], numberOr(init, "bias", 0.0));
            }
        } else if (scheme != "default") {
            fillWeight(init, scheme, leaf.tensors()[i]);
        }
    }
}

}  // namespace plumbline::model
