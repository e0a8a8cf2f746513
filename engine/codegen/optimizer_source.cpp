#include "codegen/optimizer_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

#include "codegen/export_templates.h"
#include "codegen/module_body.h"

namespace plumbline::codegen {
namespace {

using plan::OptimizerSpec;

std::string numberOf(const OptimizerSpec& spec, const char* option) {
    return cppNumber(spec.number(option));
}
std::string flagOf(const OptimizerSpec& spec, const char* option) {
    return spec.flag(option) ? "true" : "false";
}
std::string pairOf(const OptimizerSpec& spec, const char* option) {
    const auto [first, second] = spec.pair(option);
    return cppNumber(first) + ", " + cppNumber(second);
}

using Arguments = std::vector<std::string>;

Arguments adamOf(const OptimizerSpec& spec) {
    return {pairOf(spec, "betas"), numberOf(spec, "eps"), flagOf(spec, "amsgrad"),
            spec.type == "AdamW" ? "true" : "false"};
}
Arguments lbfgsOf(const OptimizerSpec& spec) {
    const std::string evaluations =
        spec.option("max_eval").is_null() ? std::string("{}") : std::to_string(spec.integer("max_eval"));
    return {std::to_string(spec.integer("max_iter")),
            evaluations,
            numberOf(spec, "tolerance_grad"),
            numberOf(spec, "tolerance_change"),
            std::to_string(spec.integer("history_size")),
            spec.text("line_search_fn") == "strong_wolfe" ? "true" : "false"};
}

/// A rule is a file under resources/export/optimizers/; its members in their order.
struct Form {
    const char* type;
    const char* rule;
    const char* file;
    Arguments (*arguments)(const OptimizerSpec& spec);
    const char* momentum = "";
};

constexpr Form kForms[] = {
    {"SGD", "SGD", "optimizers/sgd.h",
     [](const OptimizerSpec& spec) {
         return Arguments{numberOf(spec, "momentum"), numberOf(spec, "dampening"), flagOf(spec, "nesterov")};
     },
     "momentum"},
    {"Adam", "Adam", "optimizers/adam.h", adamOf, "beta1"},
    {"AdamW", "Adam", "optimizers/adam.h", adamOf, "beta1"},
    {"Adamax", "Adamax", "optimizers/adamax.h",
     [](const OptimizerSpec& spec) {
         return Arguments{pairOf(spec, "betas"), numberOf(spec, "eps")};
     },
     "beta1"},
    {"NAdam", "NAdam", "optimizers/nadam.h",
     [](const OptimizerSpec& spec) {
         return Arguments{pairOf(spec, "betas"), numberOf(spec, "eps"), numberOf(spec, "momentum_decay"),
                          flagOf(spec, "decoupled_weight_decay")};
     },
     "beta1"},
    {"RAdam", "RAdam", "optimizers/radam.h",
     [](const OptimizerSpec& spec) {
         return Arguments{pairOf(spec, "betas"), numberOf(spec, "eps"), flagOf(spec, "decoupled_weight_decay")};
     },
     "beta1"},
    {"RMSprop", "RMSprop", "optimizers/rmsprop.h",
     [](const OptimizerSpec& spec) {
         return Arguments{numberOf(spec, "alpha"), numberOf(spec, "eps"), numberOf(spec, "momentum"),
                          flagOf(spec, "centered")};
     },
     "momentum"},
    {"Rprop", "Rprop", "optimizers/rprop.h",
     [](const OptimizerSpec& spec) {
         return Arguments{pairOf(spec, "etas"), pairOf(spec, "step_sizes")};
     }},
    {"ASGD", "ASGD", "optimizers/asgd.h",
     [](const OptimizerSpec& spec) {
         return Arguments{numberOf(spec, "lambd"), numberOf(spec, "alpha"), numberOf(spec, "t0")};
     }},
    {"Adagrad", "Adagrad", "optimizers/adagrad.h",
     [](const OptimizerSpec& spec) {
         return Arguments{numberOf(spec, "lr_decay"), numberOf(spec, "initial_accumulator_value"),
                          numberOf(spec, "eps")};
     }},
    {"Adadelta", "Adadelta", "optimizers/adadelta.h",
     [](const OptimizerSpec& spec) {
         return Arguments{numberOf(spec, "rho"), numberOf(spec, "eps")};
     }},
    {"LBFGS", "LBFGS", "optimizers/lbfgs.h", lbfgsOf},
    {"Lion", "Lion", "optimizers/lion.h", [](const OptimizerSpec& spec) { return Arguments{pairOf(spec, "betas")}; },
     "beta1"},
};

}  // namespace

Result<OptimizerSource> optimizerSource(const plan::OptimizerSpec& optimizer) {
    const auto* form =
        std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& one) { return one.type == optimizer.type; });
    if (form == std::end(kForms)) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    fmt::format("The optimizer {} cannot be written as C++", optimizer.type),
                    "/training/optimizer/type", "Export as torchscript or state-dict.");
    }
    if (optimizer.type == "LBFGS" && (optimizer.maximize || optimizer.centralizeGradients)) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    "LibTorch's LBFGS, which the exported program uses, neither maximises nor centralises gradients",
                    "/training/optimizer/type",
                    "Switch maximize and gradient_centralization off, or export as torchscript or state-dict.");
    }
    return OptimizerSource{form->rule, exportPart(form->file),
                           fmt::format("{}{{{}}}", form->rule, fmt::join(form->arguments(optimizer), ", ")),
                           form->momentum};
}

}  // namespace plumbline::codegen
