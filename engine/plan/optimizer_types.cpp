// The optimizers that there are and what each of them can be told, in torch.optim's words. A new one is an entry here
// and a file in train/optimizers/.

#include "plan/plan.h"

#include <limits>

namespace plumbline::plan {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();

OptionSpec betas(double first, double second) {
    return pairOption("betas", first, second, 0, 1, false,
                      "Decay of the running mean of the gradient and of its square.");
}

OptionSpec eps(double value) {
    return numberOption("eps", value, 0, 1, "Added to the denominator.");
}

std::vector<TypeSpec> makeTypes() {
    const OptionSpec momentum = numberOption("momentum", 0, 0, 1, "Share of the last update that is kept.");
    const OptionSpec amsgrad = flagOption("amsgrad", false, "Keeps the largest second moment seen.");
    const OptionSpec decoupled =
        flagOption("decoupled_weight_decay", false,
                   "Takes the weight decay from the parameter, as AdamW does, instead of adding it to the gradient.");
    const std::string alpha =
        "RMSprop: decay of the running mean of the gradient's square; ASGD: power with which the rate falls.";
    return {
        {"SGD",
         {momentum, numberOption("dampening", 0, 0, 1, "Damps the gradient's share of the momentum."),
          flagOption("nesterov", false, "Looks ahead along the momentum.")},
         {}},
        {"Adam", {betas(0.9, 0.999), eps(1e-8), amsgrad}, {}},
        {"AdamW", {betas(0.9, 0.999), eps(1e-8), amsgrad}, {{"weight_decay", 0.01}}},
        {"Adamax", {betas(0.9, 0.999), eps(1e-8)}, {{"lr", 0.002}}},
        {"NAdam",
         {betas(0.9, 0.999), eps(1e-8),
          numberOption("momentum_decay", 0.004, 0, kLargest, "How fast the momentum grows to its full value."),
          decoupled},
         {{"lr", 0.002}}},
        {"RAdam", {betas(0.9, 0.999), eps(1e-8), decoupled}, {}},
        {"RMSprop",
         {numberOption("alpha", 0.99, 0, kLargest, alpha), eps(1e-8), momentum,
          flagOption("centered", false,
                     "Divides by the standard deviation of the gradient instead of its root mean square.")},
         {{"lr", 0.01}}},
        {"Rprop",
         {pairOption("etas", 0.5, 1.2, 0, kLargest, true,
                     "Factors of the step size where the gradient's sign changed and where it stayed."),
          pairOption("step_sizes", 1e-6, 50, 0, kLargest, true, "Smallest and largest step size.")},
         {{"lr", 0.01}},
         {"weight_decay"}},
        {"ASGD",
         {numberOption("lambd", 1e-4, 0, kLargest, "How strongly parameters are drawn to 0."),
          numberOption("alpha", 0.75, 0, kLargest, alpha),
          numberOption("t0", 1e6, 0, kLargest, "Updates before averaging starts.")},
         {{"lr", 0.01}}},
        {"Adagrad",
         {numberOption("lr_decay", 0, 0, kLargest, "How fast the learning rate falls with the updates."),
          numberOption("initial_accumulator_value", 0, 0, kLargest, "What the sum of squares starts from."),
          eps(1e-10)},
         {{"lr", 0.01}}},
        {"Adadelta", {decayOption("rho", 0.9, "Decay of the running means of squares."), eps(1e-6)}, {{"lr", 1.0}}},
        {"LBFGS",
         {integerOption("max_iter", 20, 1, "iterations", "Most iterations in one step."),
          integerOption("max_eval", nullptr, 1, "passes",
                        "Most forward and backward passes in one step; 1.25 times max_iter where it is left out."),
          numberOption("tolerance_grad", 1e-7, 0, kLargest, "A step ends once the largest gradient is this small."),
          numberOption("tolerance_change", 1e-9, 0, kLargest, "A step ends once loss or parameters change by less."),
          integerOption("history_size", 100, 1, "updates",
                        "Updates that the approximation of the curvature is made from."),
          choiceOption(
              "line_search_fn", "none", {"none", "strong_wolfe"},
              "How far a step goes: as far as the learning rate says, or until the strong Wolfe conditions hold.")},
         {{"lr", 1.0}},
         {"weight_decay", "maximize"}},
        {"Lion", {betas(0.9, 0.99)}, {{"lr", 1e-4}}},
    };
}

}  // namespace

const std::vector<std::string>& fusedOptimizers() {
    static const std::vector<std::string> names{"SGD", "Adam", "AdamW", "Adagrad"};
    return names;
}

const std::vector<TypeSpec>& optimizerTypes() {
    static const std::vector<TypeSpec> types = makeTypes();
    return types;
}

}  // namespace plumbline::plan
