// ExpressionLoss: a person's own formula (plan/loss_formula.h) on the tensors of a batch, differentiated by autograd.

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string_view>

#include "model/failure.h"
#include "plan/loss_formula.h"
#include "train/losses/all_losses.h"
#include "train/losses/support.h"

namespace plumbline::train {
namespace {

using plan::FormulaStep;
using Values = std::vector<at::Tensor>;

/// Dimensions of size 1 are repeated; shapes of another length are refused, but for one number a sample as [B] and [B,
/// 1].
void alignShapes(const FormulaStep& step, at::Tensor& a, at::Tensor& b) {
    if (a.dim() == b.dim() || a.dim() == 0 || b.dim() == 0) {
        return;
    }
    b = a.dim() > b.dim() ? alignTarget(a, b) : b;
    a = b.dim() > a.dim() ? alignTarget(b, a) : a;
    if (a.dim() != b.dim()) {
        throw std::invalid_argument(
            fmt::format("{} at position {} of the formula got shapes {} and {}, which would be compared every one with "
                        "every other; give both the same shape",
                        step.text == "neg" ? "-" : step.text, step.column, losses::shapeText(a), losses::shapeText(b)));
    }
}

at::Tensor over(const Values& in, at::Tensor (*all)(const at::Tensor&),
                at::Tensor (*along)(const at::Tensor&, std::int64_t)) {
    return in.size() == 1 ? all(in[0]) : along(in[0], in[1].item<std::int64_t>());
}

/// A number that nothing has to be learned of and no device has to be waited for.
bool isNumber(const at::Tensor& value) {
    return value.dim() == 0 && value.is_cpu() && !value.requires_grad();
}

using Compute = at::Tensor (*)(const Values& in);
/// Numbers of a formula are tensors without dimensions, on the CPU.
const std::map<std::string_view, Compute>& operations() {
    static const std::map<std::string_view, Compute> all{
        {"+", [](const Values& in) { return in[0] + in[1]; }},
        {"-", [](const Values& in) { return in[0] - in[1]; }},
        {"*", [](const Values& in) { return in[0] * in[1]; }},
        {"/", [](const Values& in) { return in[0] / in[1]; }},
        {"**",
         [](const Values& in) {
             return isNumber(in[1]) ? at::pow(in[0], in[1].item<double>()) : at::pow(in[0], in[1]);
         }},
        {"<", [](const Values& in) { return in[0].lt(in[1]).to(in[0].scalar_type()); }},
        {"<=", [](const Values& in) { return in[0].le(in[1]).to(in[0].scalar_type()); }},
        {">", [](const Values& in) { return in[0].gt(in[1]).to(in[0].scalar_type()); }},
        {">=", [](const Values& in) { return in[0].ge(in[1]).to(in[0].scalar_type()); }},
        {"==", [](const Values& in) { return in[0].eq(in[1]).to(in[0].scalar_type()); }},
        {"!=", [](const Values& in) { return in[0].ne(in[1]).to(in[0].scalar_type()); }},
        {"neg", [](const Values& in) { return -in[0]; }},
        {"abs", [](const Values& in) { return at::abs(in[0]); }},
        {"exp", [](const Values& in) { return in[0].exp(); }},
        {"log", [](const Values& in) { return in[0].log(); }},
        {"sqrt", [](const Values& in) { return in[0].sqrt(); }},
        {"square", [](const Values& in) { return in[0].square(); }},
        {"sigmoid", [](const Values& in) { return at::sigmoid(in[0]); }},
        {"tanh", [](const Values& in) { return at::tanh(in[0]); }},
        {"relu", [](const Values& in) { return at::relu(in[0]); }},
        {"softplus", [](const Values& in) { return at::softplus(in[0]); }},
        {"clamp",
         [](const Values& in) {
             return isNumber(in[1]) && isNumber(in[2]) ? at::clamp(in[0], in[1].item<double>(), in[2].item<double>())
                                                       : at::clamp(in[0], in[1], in[2]);
         }},
        {"where", [](const Values& in) { return at::where(in[0].ne(0), in[1], in[2]); }},
        {"min", [](const Values& in) { return in.size() == 1 ? in[0].min() : at::minimum(in[0], in[1]); }},
        {"max", [](const Values& in) { return in.size() == 1 ? in[0].max() : at::maximum(in[0], in[1]); }},
        {"mean",
         [](const Values& in) {
             return over(
                 in, [](const at::Tensor& x) { return x.mean(); },
                 [](const at::Tensor& x, std::int64_t dim) { return x.mean(dim); });
         }},
        {"sum",
         [](const Values& in) {
             return over(
                 in, [](const at::Tensor& x) { return x.sum(); },
                 [](const at::Tensor& x, std::int64_t dim) { return x.sum(dim); });
         }},
        {"norm",
         [](const Values& in) {
             return over(
                 in, [](const at::Tensor& x) { return at::linalg_vector_norm(x, 2); },
                 [](const at::Tensor& x, std::int64_t dim) {
                     return at::linalg_vector_norm(x, 2, at::IntArrayRef{dim});
                 });
         }},
    };
    return all;
}

class Expression final : public losses::OverSamples {
public:
    Expression(plan::LossFormula formula, const plan::LossBinding& binding) : m_formula(std::move(formula)) {
        for (const FormulaStep& step : m_formula.steps) {
            m_calls.push_back(step.kind == FormulaStep::Kind::kCall ? operations().at(step.text) : nullptr);
        }
        std::size_t outputs = 0, targets = 0;
        for (const bool isOutput : binding.nameIsOutput) {
            m_names.push_back({isOutput, isOutput ? outputs++ : targets++});
        }
    }

    Status fits(const LossOperands& operands) const override {
        const at::NoGradGuard noGrad;
        try {
            const at::Tensor result = unreduced(operands);
            if (result.numel() == 1) {
                return {};
            }
            return losses::misfit(
                fmt::format("The formula of ExpressionLoss gives {} numbers of shape {}, and a loss is one number.",
                            result.numel(), losses::shapeText(result)),
                "Put mean( ) or sum( ) around it.");
        } catch (...) {
            Error error =
                model::errorOfCurrentException("The formula of ExpressionLoss cannot be computed", "/training/losses");
            if (error.kind != ErrorKind::kMachine) {
                error.kind = ErrorKind::kInvalid;
                error.code = "formula";
                error.hint = "Correct the formula, or the shapes of what it names.";
            }
            return fail(std::move(error));
        }
    }

protected:
    at::Tensor compute(const LossOperands& operands, std::int64_t reduction) const override {
        (void)reduction;
        const at::TensorOptions number = at::TensorOptions().dtype(operands.prediction().scalar_type());
        Values values;
        values.reserve(m_formula.steps.size());
        for (std::size_t i = 0; i < m_formula.steps.size(); ++i) {
            const FormulaStep& step = m_formula.steps[i];
            values.push_back(step.kind == FormulaStep::Kind::kNumber ? at::scalar_tensor(step.number, number)
                             : step.kind == FormulaStep::Kind::kName ? named(m_names[step.name], operands)
                                                                     : called(step, m_calls[i], values));
        }
        const at::Tensor& result = values.back();
        return result.numel() == 1 ? result.reshape({}) : result;
    }

private:
    struct Place {
        bool isOutput;
        std::size_t index;
    };

    static at::Tensor named(const Place& place, const LossOperands& operands) {
        return place.isOutput ? operands.outputs[place.index]
                              : operands.targets[place.index].to(operands.prediction().scalar_type());
    }
    static at::Tensor called(const FormulaStep& step, Compute compute, const Values& values) {
        Values in;
        for (const int operand : step.operands) {
            in.push_back(values[static_cast<std::size_t>(operand)]);
        }
        const bool alongDimension = step.text == "mean" || step.text == "sum" || step.text == "norm";
        for (std::size_t i = 1; !alongDimension && i < in.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                alignShapes(step, in[k], in[i]);
            }
        }
        return compute(in);
    }

    plan::LossFormula m_formula;
    std::vector<Compute> m_calls;  ///< a step; nullptr of one that computes nothing
    std::vector<Place> m_names;
};

}  // namespace

Result<std::unique_ptr<Loss>> makeExpression(const LossRequest& request) {
    PLUMBLINE_ASSIGN(plan::LossFormula formula,
                     plan::parseLossFormula(request.spec.text("expression"), pointerTo(request.pointer, "expression")));
    if (request.binding == nullptr || request.binding->nameIsOutput.size() != formula.names.size()) {
        return fail(ErrorKind::kInvalid, "formula-name", "The names of the formula have not been looked up.",
                    pointerTo(request.pointer, "expression"), "Name outputs and targets as the project does.");
    }
    return std::make_unique<Expression>(std::move(formula), *request.binding);
}

}  // namespace plumbline::train
