#include <fmt/format.h>
#include <algorithm>

#include "core/text.h"
#include "plan/plan.h"

namespace plumbline::plan {

namespace {

Status checkRprop(const OptimizerSpec& spec) {
    const auto [shrink, grow] = spec.pair("etas");
    if (!(shrink > 0 && shrink < 1 && grow > 1)) {
        return fail(
            ErrorKind::kInvalid, "etas-out-of-order",
            fmt::format("Rprop's first eta has to lie between 0 and 1 and its second above 1; they are {} and {}.",
                        shrink, grow),
            "/training/optimizer/etas", "Usual are 0.5 and 1.2.");
    }
    const auto [smallest, largest] = spec.pair("step_sizes");
    if (smallest > largest) {
        return fail(ErrorKind::kInvalid, "step-sizes-out-of-order",
                    fmt::format("Rprop's smallest step size {} is above its largest, {}.", smallest, largest),
                    "/training/optimizer/step_sizes", "Usual are 1e-6 and 50.");
    }
    return {};
}

/// It takes all parameters as one vector, as PyTorch's does.
Status checkLbfgs(const OptimizerSpec& spec) {
    const auto trains = [](const OptimizerGroup& group) { return !group.frozen; };
    if (const auto group = std::find_if(spec.groups.begin(), spec.groups.end(), trains); group != spec.groups.end()) {
        return fail(ErrorKind::kInvalid, "lbfgs-takes-one-group",
                    fmt::format("LBFGS takes all parameters as one group, so \"{}\" cannot have a learning rate or a "
                                "weight decay of its own.",
                                group->match),
                    fmt::format("/training/optimizer/groups/{}", group - spec.groups.begin()),
                    "Remove the group, or choose AdamW.");
    }
    if (spec.layerDecay != 1) {
        return fail(
            ErrorKind::kInvalid, "lbfgs-takes-one-group",
            fmt::format(
                "LBFGS takes all parameters as one group, so layer_decay {} cannot give each layer a rate of its own.",
                spec.layerDecay),
            "/training/optimizer/layer_decay", "Remove layer_decay, or choose AdamW.");
    }
    if (spec.centralizeGradients) {
        return fail(ErrorKind::kInvalid, "lbfgs-needs-the-gradient",
                    "LBFGS learns the curvature from the gradient, so gradient_centralization may not change it.",
                    "/training/optimizer/gradient_centralization",
                    "Switch gradient_centralization off, or choose another optimizer.");
    }
    return {};
}

}  // namespace

Status checkOptimizer(const OptimizerSpec& spec) {
    if (spec.flag("nesterov") && (spec.number("momentum") <= 0 || spec.number("dampening") != 0)) {
        return fail(ErrorKind::kInvalid, "nesterov-needs-momentum",
                    fmt::format("Nesterov needs a momentum above 0 and no dampening; they are {} and {}.",
                                spec.number("momentum"), spec.number("dampening")),
                    "/training/optimizer/nesterov", "Set momentum to 0.9 and dampening to 0, or switch nesterov off.");
    }
    if (const auto& fused = fusedOptimizers();
        spec.implementation == "fused" && std::find(fused.begin(), fused.end(), spec.type) == fused.end()) {
        return fail(ErrorKind::kInvalid, "no-fused-kernel", fmt::format("There is no fused kernel for {}.", spec.type),
                    "/training/optimizer/implementation", "Set implementation to auto.");
    }
    if (spec.type == "Rprop") {
        return checkRprop(spec);
    }
    return spec.type == "LBFGS" ? checkLbfgs(spec) : Status{};
}

namespace {

/// Learning rates beyond any use, and what is usual.
struct RateRange {
    const char* type;
    double beyond;
    double least, most;  ///< usual
};

/// The step of these has about the size of the rate, whatever the gradient is.
constexpr RateRange kNormalised{"", 10, 0.0001, 0.01};
/// Where the gradient decides about the step: far above what the largest batches take.
constexpr RateRange kRates[] = {{"SGD", 1000, 0.001, 1},    {"ASGD", 1000, 0.001, 1},     {"LBFGS", 1000, 0.01, 1},
                                {"Adadelta", 1000, 0.1, 1}, {"Adagrad", 100, 0.001, 0.1}, {"Rprop", 100, 0.001, 0.1}};

const RateRange& rateRangeOf(const std::string& type) {
    const auto found =
        std::find_if(std::begin(kRates), std::end(kRates), [&](const RateRange& each) { return each.type == type; });
    return found == std::end(kRates) ? kNormalised : *found;
}

void checkRate(const OptimizerSpec& optimizer, const std::string& pointer, std::vector<PlanProblem>& problems) {
    if (const RateRange& range = rateRangeOf(optimizer.type); optimizer.lr > range.beyond) {
        problems.push_back({false, "rate-beyond-use", pointer + "/lr",
                            fmt::format("A learning rate of {} is far beyond what trains with {}; usual is {} to {}.",
                                        optimizer.lr, optimizer.type, range.least, range.most),
                            "Lower lr; plumbline find-lr looks for a rate that suits."});
    }
}

bool decaysAnything(const OptimizerSpec& optimizer) {
    return optimizer.weightDecay != 0 ||
           std::any_of(optimizer.groups.begin(), optimizer.groups.end(),
                       [](const OptimizerGroup& group) { return !group.frozen && group.weightDecay.value_or(0) != 0; });
}

/// Norms and biases are left out of a weight decay that nothing has.
void checkDecay(const TrainingPlan& plan, std::vector<PlanProblem>& problems) {
    const bool decays = plan.phases.empty()
                            ? decaysAnything(plan.optimizer)
                            : std::any_of(plan.phases.begin(), plan.phases.end(),
                                          [](const PhaseSpec& phase) { return decaysAnything(phase.optimizer); });
    if (!plan.optimizer.decayNormsAndBiases && !decays) {
        problems.push_back({false, "setting-without-effect", "/training/optimizer/decay_norms_and_biases",
                            "Nothing has a weight decay, so decay_norms_and_biases changes nothing.",
                            "Set training.optimizer.weight_decay above 0, or remove decay_norms_and_biases."});
    }
}

}  // namespace

std::vector<PlanProblem> checkOptimizerInPlan(const TrainingPlan& plan) {
    std::vector<PlanProblem> problems;
    checkDecay(plan, problems);
    checkRate(plan.optimizer, "/training/optimizer", problems);
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        if (plan.phases[i].ownLr) {
            checkRate(plan.phases[i].optimizer, fmt::format("/training/phases/{}/optimizer", i), problems);
        }
    }
    if (plan.optimizer.type == "LBFGS" && plan.phases.empty()) {
        if (plan.precision == Precision::kFp16) {
            problems.push_back(
                {true, "lbfgs-with-scaler", "/training/precision",
                 "LBFGS computes the loss several times in a step, which the scaler of fp16 does not allow.",
                 "Set precision to fp32 or bf16, or choose another optimizer."});
        }
        if (plan.gradientNoise.eta > 0) {
            problems.push_back({true, "lbfgs-needs-the-gradient", "/training/gradient_noise/eta",
                                "LBFGS learns the curvature from the gradient, so no noise may be added to it.",
                                "Set gradient_noise.eta to 0, or choose another optimizer."});
        }
    }
    for (std::size_t i = 0; i < plan.freeze.size(); ++i) {
        const FreezeSpec& freeze = plan.freeze[i];
        const std::string pointer = fmt::format("/training/freeze/{}/epochs", i);
        if (freeze.epochs > 0 && plan.optimizer.type == "LBFGS") {
            problems.push_back(
                {true, "lbfgs-with-unfreezing", pointer,
                 fmt::format(
                     "LBFGS takes all parameters from its first step on, so \"{}\" cannot begin to train after {}.",
                     freeze.match, counted(freeze.epochs, "epoch")),
                 "Set epochs to 0, which freezes them for the whole run, or choose another optimizer."});
        }
    }
    return problems;
}

}  // namespace plumbline::plan
