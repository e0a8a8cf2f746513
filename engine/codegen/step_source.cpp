#include "codegen/step_source.h"

#include <fmt/format.h>
#include <algorithm>

#include "codegen/module_body.h"
#include "core/glob.h"

namespace plumbline::codegen {
namespace {

constexpr const char* kCollect =
    "    std::vector<torch::Tensor> parameters;\n"
    "    for (const Group& group : list) {\n"
    "        parameters.insert(parameters.end(), group.parameters.begin(), group.parameters.end());\n"
    "    }\n";

/// As timm's adaptive_clip_grad (Brock and others 2021): by the units of each tensor.
constexpr const char* kAdaptive =
    "    const torch::NoGradGuard noGrad;\n"
    "    const auto unitNorms = [](const torch::Tensor& x) {{\n"
    "        return x.dim() <= 1 ? x.norm(2) : x.reshape({{x.size(0), -1}}).norm(2, 1, true).reshape([&] {{\n"
    "            std::vector<int64_t> dims(static_cast<std::size_t>(x.dim()), 1);\n"
    "            dims.front() = x.size(0);\n"
    "            return dims;\n"
    "        }}());\n"
    "    }};\n"
    "    for (const torch::Tensor& parameter : parameters) {{\n"
    "        if (parameter.grad().defined() && parameter.numel() > 0) {{\n"
    "            const torch::Tensor largest = unitNorms(parameter).clamp_min({eps}).mul({factor});\n"
    "            const torch::Tensor norms = unitNorms(parameter.grad());\n"
    "            parameter.grad().mul_(torch::where(norms.gt(largest), largest / norms.clamp_min(1e-6), "
    "torch::ones_like(norms)));\n"
    "        }}\n"
    "    }}\n";

std::string clipSource(const plan::ClipSpec& clip) {
    if (clip.type == "norm") {
        return std::string(kCollect) + fmt::format("    torch::nn::utils::clip_grad_norm_(parameters, {}, {});\n",
                                                   cppNumber(clip.maxNorm), cppNumber(clip.normType));
    }
    if (clip.type == "value") {
        return std::string(kCollect) +
               fmt::format("    torch::nn::utils::clip_grad_value_(parameters, {});\n", cppNumber(clip.clipValue));
    }
    if (clip.type == "adaptive") {
        return std::string(kCollect) +
               fmt::format(kAdaptive, fmt::arg("eps", cppNumber(clip.eps)), fmt::arg("factor", cppNumber(clip.factor)));
    }
    return {};
}

std::int64_t epochsOf(const plan::TrainingPlan& plan, const std::string& name, bool buffer) {
    std::int64_t epochs = 0;
    for (const plan::FreezeSpec& freeze : plan.freeze) {
        if ((!buffer || freeze.buffers) && matchesGlob(freeze.match, name)) {
            epochs = std::max(epochs, freeze.epochs == 0 ? kFrozenForEver : freeze.epochs);
        }
    }
    return epochs;
}

std::string untilOf(std::int64_t epochs) {
    return epochs == kFrozenForEver ? std::string("std::numeric_limits<int64_t>::max()") : std::to_string(epochs);
}

std::string freezeSource(const std::string& parameters, const std::string& blocks) {
    std::string text;
    if (!parameters.empty()) {
        text += fmt::format(
            "    static const std::map<std::string, int64_t> parameters{{\n{}    }};\n"
            "    for (const auto& item : model->named_parameters()) {{\n"
            "        if (const auto found = parameters.find(item.key()); found != parameters.end()) {{\n"
            "            torch::Tensor(item.value()).set_requires_grad(epoch >= found->second);\n        }}\n    }}\n",
            parameters);
    }
    if (!blocks.empty()) {
        text += fmt::format(
            "    static const std::map<std::string, int64_t> blocks{{\n{}    }};\n"
            "    for (const auto& item : model->named_modules()) {{\n"
            "        if (const auto found = blocks.find(item.key()); found != blocks.end()) {{\n"
            "            item.value()->train(epoch >= found->second);\n        }}\n    }}\n",
            blocks);
    }
    return text;
}

}  // namespace

std::int64_t epochsFrozen(const plan::TrainingPlan& plan, const std::string& parameter) {
    const auto& groups = plan.optimizer.groups;
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const plan::OptimizerGroup& one) { return matchesGlob(one.match, parameter); });
    return group != groups.end() && group->frozen ? kFrozenForEver : epochsOf(plan, parameter, false);
}

std::int64_t epochsFrozen(const plan::TrainingPlan& plan, const Statistics& statistics) {
    std::int64_t epochs = 0;
    for (const std::string& buffer : statistics.buffers) {
        epochs = std::max(epochs, epochsOf(plan, buffer, true));
    }
    return epochs;
}

void stepMarks(const plan::TrainingPlan& plan, const std::vector<std::string>& parameters,
               const std::vector<Statistics>& statistics, std::map<std::string, std::string>& marks) {
    marks["CLIP"] = clipSource(plan.clip);
    std::string frozen, blocks, forEver;
    for (const std::string& name : parameters) {
        const std::int64_t epochs = epochsFrozen(plan, name);
        frozen += epochs > 0 ? fmt::format("        {{{}, {}}},\n", cppString(name), untilOf(epochs)) : std::string();
        forEver += epochs == kFrozenForEver ? fmt::format("{}{}", forEver.empty() ? "" : ", ", cppString(name))
                                            : std::string();
    }
    for (const Statistics& one : statistics) {
        const std::int64_t epochs = epochsFrozen(plan, one);
        blocks +=
            epochs > 0 ? fmt::format("        {{{}, {}}},\n", cppString(one.block), untilOf(epochs)) : std::string();
    }
    marks["FREEZE"] = freezeSource(frozen, blocks);
    marks["FROZEN"] = forEver;
    const plan::AveragingSpec& averaging = plan.averaging;
    const bool averages = averaging.type != "none", isMean = averaging.type == "swa";
    const auto flag = [](bool on) { return std::string(on ? "true" : "false"); };
    marks["AVERAGES"] = flag(averages);
    marks["AVERAGE_IS_MEAN"] = flag(isMean);
    marks["AVERAGE_COUNTS_STEPS"] = flag(averaging.unit == plan::Unit::kStep);
    marks["AVERAGE_START"] = std::to_string(averaging.start);
    marks["AVERAGE_EVERY"] = std::to_string(averaging.every);
    marks["AVERAGE_DECAY"] = cppNumber(averaging.decay);
    marks["AVERAGES_BUFFERS"] = flag(averaging.useBuffers);
    marks["RECALIBRATES"] = flag(isMean && averaging.recalibrateBatchNorm);
}

}  // namespace plumbline::codegen
