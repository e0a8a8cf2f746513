#include "codegen/formula_source.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <string_view>

#include "codegen/module_body.h"
#include "plan/loss_formula.h"

namespace plumbline::codegen {
namespace {

using plan::FormulaStep;

/// How a step is written: {0} and so on are its operands. Those of two operands that meet element by element are paired
/// first.
struct Form {
    const char* text;  ///< as plan::FormulaStep has it
    std::size_t operands;
    const char* code;
};

constexpr Form kForms[] = {
    {"+", 2, "{0} + {1}"},
    {"-", 2, "{0} - {1}"},
    {"*", 2, "{0} * {1}"},
    {"/", 2, "{0} / {1}"},
    {"**", 2, "{1}.dim() == 0 && !{1}.requires_grad() ? torch::pow({0}, {1}.item<double>()) : torch::pow({0}, {1})"},
    {"<", 2, "{0}.lt({1}).to({0}.scalar_type())"},
    {"<=", 2, "{0}.le({1}).to({0}.scalar_type())"},
    {">", 2, "{0}.gt({1}).to({0}.scalar_type())"},
    {">=", 2, "{0}.ge({1}).to({0}.scalar_type())"},
    {"==", 2, "{0}.eq({1}).to({0}.scalar_type())"},
    {"!=", 2, "{0}.ne({1}).to({0}.scalar_type())"},
    {"neg", 1, "-{0}"},
    {"abs", 1, "torch::abs({0})"},
    {"exp", 1, "torch::exp({0})"},
    {"log", 1, "torch::log({0})"},
    {"sqrt", 1, "torch::sqrt({0})"},
    {"square", 1, "torch::square({0})"},
    {"sigmoid", 1, "torch::sigmoid({0})"},
    {"tanh", 1, "torch::tanh({0})"},
    {"relu", 1, "torch::relu({0})"},
    {"softplus", 1, "torch::softplus({0})"},
    {"clamp", 3, "torch::clamp({0}, {1}, {2})"},
    {"where", 3, "torch::where({0}.ne(0), {1}, {2})"},
    {"min", 1, "{0}.min()"},
    {"min", 2, "torch::minimum({0}, {1})"},
    {"max", 1, "{0}.max()"},
    {"max", 2, "torch::maximum({0}, {1})"},
    {"mean", 1, "{0}.mean()"},
    {"mean", 2, "{0}.mean({1}.item<int64_t>())"},
    {"sum", 1, "{0}.sum()"},
    {"sum", 2, "{0}.sum({1}.item<int64_t>())"},
    {"norm", 1, "torch::linalg_vector_norm({0}, 2)"},
    {"norm", 2, "torch::linalg_vector_norm({0}, 2, torch::IntArrayRef{{{1}.item<int64_t>()}})"},
};

const Form* formOf(const FormulaStep& step) {
    const auto* found = std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& form) {
        return form.text == step.text && form.operands == step.operands.size();
    });
    return found == std::end(kForms) ? nullptr : found;
}

/// Operands that are along a dimension are not compared with the others.
bool isPaired(const FormulaStep& step) {
    return step.operands.size() > 1 && step.text != "mean" && step.text != "sum" && step.text != "norm";
}

std::string nameSource(const plan::FormulaName& name, const std::vector<std::string>& outputs) {
    const bool isOutput = name.of == "output" ||
                          (name.of.empty() && std::find(outputs.begin(), outputs.end(), name.name) != outputs.end());
    return isOutput ? fmt::format("outputs.at({})", cppString(name.name))
                    : fmt::format("batch.at({}).to(like.scalar_type())", cppString("target." + name.name));
}

}  // namespace

Result<std::string> formulaSource(const std::string& formula, const std::vector<std::string>& outputs,
                                  const std::string& pointer) {
    PLUMBLINE_ASSIGN(const plan::LossFormula parsed, plan::parseLossFormula(formula, pointer));
    std::string judged;
    for (const plan::FormulaName& name : parsed.names) {
        const std::string source = nameSource(name, outputs);
        judged = judged.empty() && source.starts_with("outputs") ? source : judged;
    }
    if (judged.empty()) {
        return fail(ErrorKind::kInvalid, "formula-without-output",
                    "The formula of ExpressionLoss names no output of the model, so nothing can be learned from it.",
                    pointer, "Name one, as mean((y - t) ** 2).");
    }
    std::string text = fmt::format("[&] {{\n            const torch::Tensor& like = {};\n", judged);
    for (std::size_t i = 0; i < parsed.steps.size(); ++i) {
        const FormulaStep& step = parsed.steps[i];
        std::string value;
        if (step.kind == FormulaStep::Kind::kNumber) {
            value = fmt::format("constant(like, {})", cppNumber(step.number));
        } else if (step.kind == FormulaStep::Kind::kName) {
            value = nameSource(parsed.names[step.name], outputs);
        } else {
            const Form* form = formOf(step);
            if (form == nullptr) {
                return fail(ErrorKind::kInvalid, "export-unsupported",
                            fmt::format("{} of the formula cannot be written as C++", step.text), pointer,
                            "Export as torchscript or state-dict.");
            }
            std::vector<std::string> operands;
            for (const int operand : step.operands) {
                operands.push_back(fmt::format("v{}", operand));
            }
            for (std::size_t a = 1; isPaired(step) && a < operands.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    const std::string pair = fmt::format("p{}_{}{}", i, b, a);
                    text +=
                        fmt::format("            const auto {} = paired({}, {});\n", pair, operands[b], operands[a]);
                    operands[b] = pair + ".first";
                    operands[a] = pair + ".second";
                }
            }
            operands.resize(3);
            value = fmt::format(fmt::runtime(form->code), operands[0], operands[1], operands[2]);
        }
        text += fmt::format("            const torch::Tensor v{} = {};\n", i, value);
    }
    return text + fmt::format("            return v{}.reshape({{}});\n        }}()", parsed.steps.size() - 1);
}

}  // namespace plumbline::codegen
