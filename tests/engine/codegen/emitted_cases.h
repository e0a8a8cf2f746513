#pragma once
// The reference files' cases as settings of a plan, and cases of our own where PyTorch has none.

#include <string>
#include <utility>
#include <vector>

#include "codegen/module_body.h"
#include "core/json.h"
#include "plan/plan.h"

namespace plumbline::test {

struct OptimizerCase {
    plan::OptimizerSpec spec;
    const Json* reference;
};

inline std::vector<OptimizerCase> optimizerCases(const Json& references) {
    std::vector<OptimizerCase> cases;
    for (const Json& reference : references.at("cases")) {
        OptimizerCase one{{}, &reference};
        one.spec.type = reference.at("optimizer").get<std::string>();
        for (const auto& [type, value] : one.spec.kind()->otherDefaults) {
            (type == "lr" ? one.spec.lr : one.spec.weightDecay) = value.get<double>();
        }
        for (const auto& [name, value] : reference.at("options").items()) {
            if (name == "lr") {
                one.spec.lr = value.get<double>();
            } else if (name == "weight_decay") {
                one.spec.weightDecay = value.get<double>();
            } else if (name == "maximize") {
                one.spec.maximize = value.get<bool>();
            } else {
                one.spec.options[name] = value;
            }
        }
        cases.push_back(std::move(one));
    }
    return cases;
}

struct ScheduleCase {
    plan::SchedulerSpec spec;
    const Json* reference;
};

namespace detail {

inline const std::vector<std::pair<std::string, std::string>>& scheduleNames() {
    static const std::vector<std::pair<std::string, std::string>> names{
        {"StepLR", "step"},
        {"MultiStepLR", "multi_step"},
        {"ExponentialLR", "exponential"},
        {"CosineAnnealingLR", "cosine"},
        {"CosineAnnealingWarmRestarts", "cosine_restarts"},
        {"OneCycleLR", "one_cycle"},
        {"LinearLR", "linear"},
        {"ConstantLR", "constant"},
        {"PolynomialLR", "polynomial"},
        {"CyclicLR", "cyclic"},
        {"ReduceLROnPlateau", "reduce_on_plateau"},
        {"SWALR", "swa"},
        {"SequentialLR", "sequence"},
        {"ChainedScheduler", "chained"},
        {"MultiplicativeLR", "exponential"}};
    return names;
}

inline plan::SchedulePhase phase(const std::string& type, std::int64_t length, Json options) {
    plan::SchedulePhase made;
    made.type = type;
    made.length = length;
    made.options = std::move(options);
    return made;
}

/// What a reference tells in words.
inline void readWords(const std::string& words, plan::SchedulerSpec& spec) {
    if (words.starts_with("inverse square root with warm-up")) {
        spec.type = "inverse_sqrt";
        spec.warmup = 10;
    } else if (words.starts_with("linear warm-up 10 then cosine")) {
        spec.type = "cosine";
        spec.warmup = 10;
        spec.warmupStart = 0;
    } else if (words.starts_with("factor 0.96")) {
        spec.options["gamma"] = 0.96;
    } else if (spec.type == "sequence") {
        spec.phases = {phase("linear", 10, {{"start_factor", 0.1}}), phase("cosine", 0, {{"total", 50}})};
    } else if (spec.type == "chained") {
        spec.phases = {phase("constant", 0, {{"factor", 0.1}, {"total", 5}}),
                       phase("exponential", 0, {{"gamma", 0.97}})};
    }
}

}  // namespace detail

/// Those that a plan can say.
inline std::vector<ScheduleCase> scheduleCases(const Json& references) {
    static const std::vector<std::pair<std::string, std::string>> renamed{
        {"T_max", "total"}, {"eta_min", "min_lr"}, {"total_steps", "total"}, {"total_iters", "total"}};
    std::vector<ScheduleCase> cases;
    for (const Json& reference : references.at("cases")) {
        ScheduleCase one{{}, &reference};
        for (const auto& [theirs, ours] : detail::scheduleNames()) {
            one.spec.type = reference.at("scheduler") == theirs ? ours : one.spec.type;
        }
        const Json& options = reference.at("options");
        if (options.is_string()) {
            detail::readWords(options.get<std::string>(), one.spec);
        } else {
            for (const auto& [name, value] : options.items()) {
                std::string ours = name;
                for (const auto& [from, to] : renamed) {
                    ours = name == from ? to : ours;
                }
                one.spec.options[ours] = value;
            }
        }
        if (one.spec.type == "constant" && one.spec.options.empty()) {
            continue;
        }
        cases.push_back(std::move(one));
    }
    return cases;
}

struct LossCase {
    plan::LossSpec spec;
    std::vector<std::string> outputs;
    Json inputs, targets;  ///< by the names that `spec` reads
    double value = 0;
};

namespace detail {

inline bool isReduced(const Json& reference) {
    return reference.at("options").value("reduction", "mean") != "none";
}

/// The names of a reference's tensors in the order that a loss reads them.
inline std::vector<std::string> operandsOf(const Json& inputs) {
    for (const auto& names :
         std::vector<std::vector<std::string>>{{"input1", "input2"}, {"anchor", "positive", "negative"}, {"logits"}}) {
        if (inputs.contains(names.front())) {
            return names;
        }
    }
    return {"input"};
}

}  // namespace detail

/// Every reference but the unreduced ones, then our own.
inline std::vector<LossCase> lossCases(const Json& references) {
    std::vector<LossCase> cases;
    for (const Json& reference : references.at("cases")) {
        if (!detail::isReduced(reference) || !reference.contains("value") || reference.at("value").is_array()) {
            continue;
        }
        LossCase one;
        one.spec.type = reference.at("loss").get<std::string>();
        one.inputs = reference.at("inputs");
        one.targets = reference.at("targets");
        one.outputs = detail::operandsOf(one.inputs);
        one.spec.output = one.outputs.front();
        one.spec.target = one.targets.contains("targets") ? "targets" : "target";
        for (const auto& [name, value] : reference.at("options").items()) {
            one.spec.options[name == "weight" ? "class_weights" : name] = value;
        }
        if (one.outputs.size() > 1) {
            one.spec.options[one.outputs[1] == "positive" ? "positive" : "other"] = one.outputs[1];
        }
        if (one.outputs.size() > 2) {
            one.spec.options["negative"] = one.outputs[2];
        }
        if (one.targets.contains("var")) {
            one.inputs["var"] = one.targets["var"];
            one.spec.options["variance"] = "var";
        }
        for (const char* lengths : {"input_lengths", "target_lengths"}) {
            if (one.targets.contains(lengths)) {
                one.spec.options[lengths] = lengths;
            }
        }
        one.value = reference.at("value").is_number() ? reference.at("value").get<double>()
                    : reference.at("value") == "inf"  ? std::numeric_limits<double>::infinity()
                                                      : std::numeric_limits<double>::quiet_NaN();
        cases.push_back(std::move(one));
    }
    const auto add = [&](const char* type, Json options, Json inputs, Json targets, double value) {
        LossCase one;
        one.spec.type = type;
        one.spec.options = std::move(options);
        one.inputs = std::move(inputs);
        one.targets = std::move(targets);
        for (const auto& [name, unused] : one.inputs.items()) {
            one.outputs.push_back(name);
        }
        one.spec.output = one.outputs.front();
        one.spec.target = "t";
        one.value = value;
        cases.push_back(std::move(one));
    };
    // By hand: sigmoid(0) = 0.5, so that -0.25 * 0.5 ^ 2 * log 0.5 and -0.75 * 0.5 ^ 2 * log 0.5 are averaged.
    add("FocalLoss", {{"alpha", 0.25}}, {{"a", {{0.0, 0.0}}}}, {{"t", {{1.0, 0.0}}}}, 0.125 * std::log(2.0));
    // Two classes alike: -(1 - 0.5) ^ 1 * log 0.5, times the class's weight; the last label does not count.
    add("FocalLoss", {{"focus", 1.0}, {"class_weights", {3.0, 1.0}}, {"ignore_index", 9}},
        {{"a", {{0.0, 0.0}, {1.0, 1.0}, {5.0, 0.0}}}}, {{"t", {0, 1, 9}}}, std::log(2.0));
    // p = 0.5 for both elements: 1 - (2 * 0.5 + 1) / (1 + 1 + 1) and squared 1 - (2 * 0.5 + 1) / (0.5 + 1 + 1).
    add("DiceLoss", Json::object(), {{"a", {{{0.0, 0.0}}}}}, {{"t", {{{1.0, 0.0}}}}}, 1.0 / 3);
    add("DiceLoss", {{"squared", true}}, {{"a", {{{0.0, 0.0}}}}}, {{"t", {{{1.0, 0.0}}}}}, 0.2);
    add("HingeLoss", Json::object(), {{"a", {{0.5, -2.0, 3.0}}}}, {{"t", {{1.0, 1.0, 1.0}}}}, 3.5 / 3);
    // Distances 5 and 1: half of 25 for a pair of one kind, half of (3 - 1) ^ 2 for the other.
    add("ContrastiveLoss", {{"other", "b"}, {"margin", 3.0}},
        {{"a", {{3.0, 4.0}, {1.0, 0.0}}}, {"b", {{0.0, 0.0}, {0.0, 0.0}}}}, {{"t", {0.0, 1.0}}}, 7.25);
    add("MultiLabelMarginLoss", Json::object(), {{"a", {{0.1, 0.2, 0.4, 0.8}}}}, {{"t", {{3, 0, -1, 1}}}}, 0.85);
    add("ExpressionLoss", {{"expression", "mean(abs(a - t) ** 2 / 2) + max(where(a > t, a, 0))"}},
        {{"a", {{1.0}, {4.0}}}}, {{"t", {3.0, 2.0}}}, 6.0);
    add("ExpressionLoss", {{"expression", "sum(norm(a, 1)) - mean(sum(clamp(output.a, -1, 1), 1)) * 0.5"}},
        {{"a", {{3.0, 4.0}, {0.0, -2.0}}}}, {{"t", {0.0, 0.0}}}, 6.75);
    return cases;
}

}  // namespace plumbline::test
