#include "model/state_dict.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/failure.h"

namespace plumbline::model {

namespace {

/// "a, b, c and 7 more"
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 12;
    if (names.size() <= kShown) {
        return fmt::format("{}", fmt::join(names, ", "));
    }
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "), names.size() - kShown);
}

/// The tensor `state` holds for the owner of the same storage, or nullptr.
const at::Tensor* ownersValue(const std::map<std::string, at::Tensor>& state, const std::vector<NamedState>& own,
                              const at::Tensor& tensor) {
    for (const NamedState& item : own) {
        if (!item.shared && item.tensor.is_same(tensor)) {
            const auto found = state.find(item.name);
            return found == state.end() ? nullptr : &found->second;
        }
    }
    return nullptr;
}

}  // namespace

Status copyStateDict(const std::map<std::string, at::Tensor>& state, const std::vector<NamedState>& own) {
    std::vector<std::string> missing;
    std::vector<std::string> wrongShape;
    std::vector<std::string> contradicting;
    std::map<std::string, bool> known;
    for (const NamedState& item : own) {
        known.emplace(item.name, true);
        const auto found = state.find(item.name);
        if (found == state.end() || !found->second.defined()) {
            if (!item.shared) {
                missing.push_back(item.name);
            }
            continue;
        }
        if (found->second.sizes() != item.tensor.sizes()) {
            wrongShape.push_back(fmt::format("{} ([{}] instead of [{}])", item.name,
                                             fmt::join(found->second.sizes(), ", "),
                                             fmt::join(item.tensor.sizes(), ", ")));
        } else if (item.shared) {
            const at::Tensor* owner = ownersValue(state, own, item.tensor);
            if (owner != nullptr && owner->sizes() == found->second.sizes() && !at::equal(*owner, found->second)) {
                contradicting.push_back(item.name);
            }
        }
    }
    std::vector<std::string> unexpected;
    for (const auto& [name, tensor] : state) {
        if (!known.contains(name)) {
            unexpected.push_back(name);
        }
    }
    std::string message;
    const auto tell = [&](const char* what, const std::vector<std::string>& names) {
        if (!names.empty()) {
            message += fmt::format("{}{}: {}", message.empty() ? "" : "; ", what, listed(names));
        }
    };
    tell("missing", missing);
    tell("unexpected", unexpected);
    tell("wrong shape", wrongShape);
    tell("different from the weights they share", contradicting);
    if (!message.empty()) {
        return fail(ErrorKind::kInvalid, "state-dict-mismatch",
                    fmt::format("The weights do not fit the model: {}.", message), "",
                    "Load weights that were saved from the same model definition.");
    }
    try {
        const at::NoGradGuard noGrad;
        for (const NamedState& item : own) {
            if (const auto found = state.find(item.name); found != state.end() && !item.shared) {
                item.tensor.copy_(found->second);
            }
        }
    } catch (...) {
        return fail(errorOfCurrentException("The weights could not be copied into the model", ""));
    }
    return {};
}

}  // namespace plumbline::model
