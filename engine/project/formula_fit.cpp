#include "project/formula_fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace plumbline::project {

namespace {

using Dims = std::vector<graph::Dim>;

std::string textOf(const Dims& dims) {
    graph::TensorType type;
    type.dims = dims;
    return fmt::format("[{}]", type.shapeText());
}

bool isColumn(const Dims& dims) {
    return dims.size() == 2 && dims[1].constant() == 1;
}

class Shapes {
public:
    Shapes(const plan::LossFormula& formula, const std::vector<FormulaShape>& names, const std::string& pointer)
        : m_formula(formula), m_names(names), m_pointer(pointer) {}

    Result<FormulaShape> run() {
        for (const plan::FormulaStep& step : m_formula.steps) {
            switch (step.kind) {
                case plan::FormulaStep::Kind::kNumber:
                    m_shapes.emplace_back(Dims{});
                    break;
                case plan::FormulaStep::Kind::kName:
                    m_shapes.push_back(step.name < m_names.size() ? m_names[step.name] : std::nullopt);
                    break;
                case plan::FormulaStep::Kind::kCall: {
                    PLUMBLINE_ASSIGN(FormulaShape shape, call(step));
                    m_shapes.push_back(std::move(shape));
                    break;
                }
            }
        }
        return m_shapes.empty() ? FormulaShape() : m_shapes.back();
    }

private:
    tl::unexpected<Error> refuse(std::string message, std::string hint) const {
        return fail(ErrorKind::kInvalid, "formula", std::move(message), m_pointer, std::move(hint));
    }

    Result<FormulaShape> call(const plan::FormulaStep& step) const {
        const bool reduces = step.text == "mean" || step.text == "sum" || step.text == "norm";
        if (reduces && step.operands.size() == 2) {
            return along(step);
        }
        if (reduces || ((step.text == "min" || step.text == "max") && step.operands.size() == 1)) {
            return FormulaShape(Dims{});
        }
        FormulaShape shape = of(step.operands.front());
        for (std::size_t i = 1; i < step.operands.size(); ++i) {
            PLUMBLINE_ASSIGN(shape, together(step, shape, of(step.operands[i])));
        }
        return shape;
    }

    /// Without one of its dimensions.
    Result<FormulaShape> along(const plan::FormulaStep& step) const {
        FormulaShape shape = of(step.operands[0]);
        if (!shape) {
            return shape;
        }
        const auto rank = static_cast<std::int64_t>(shape->size());
        const auto asked =
            static_cast<std::int64_t>(m_formula.steps[static_cast<std::size_t>(step.operands[1])].number);
        const std::int64_t dim = asked < 0 ? asked + std::max<std::int64_t>(rank, 1) : asked;
        if (dim < 0 || dim >= std::max<std::int64_t>(rank, 1)) {
            return refuse(
                fmt::format(
                    "{} at position {} of the formula goes along dimension {}, and what it got has the shape {}.",
                    step.text, step.column, asked, textOf(*shape)),
                "Name one of its dimensions, from 0, or leave the dimension out.");
        }
        if (rank > 0) {
            shape->erase(shape->begin() + static_cast<std::ptrdiff_t>(dim));
        }
        return shape;
    }

    /// Two operands, element by element.
    Result<FormulaShape> together(const plan::FormulaStep& step, const FormulaShape& first,
                                  const FormulaShape& second) const {
        if (!first || !second) {
            return FormulaShape();
        }
        const Dims &a = *first, &b = *second;
        if (a.empty() || b.empty()) {
            return FormulaShape(a.empty() ? b : a);
        }
        if ((isColumn(a) && b.size() == 1) || (isColumn(b) && a.size() == 1)) {
            return FormulaShape(isColumn(a) ? a : b);
        }
        bool fits = a.size() == b.size();
        Dims both;
        for (std::size_t i = 0; fits && i < a.size(); ++i) {
            const auto x = a[i].constant(), y = b[i].constant();
            fits = !x || !y || *x == *y || *x == 1 || *y == 1;
            both.push_back(x == 1 ? b[i] : a[i]);
        }
        if (!fits) {
            return refuse(
                fmt::format("{} at position {} of the formula got the shapes {} and {}, which do not fit each other.",
                            step.text == "neg" ? "-" : step.text, step.column, textOf(a), textOf(b)),
                "Give both the same shape, or take a mean or a sum of one along the dimension that is too much.");
        }
        return FormulaShape(std::move(both));
    }

    FormulaShape of(int step) const { return m_shapes[static_cast<std::size_t>(step)]; }

    const plan::LossFormula& m_formula;
    const std::vector<FormulaShape>& m_names;
    const std::string& m_pointer;
    std::vector<FormulaShape> m_shapes;
};

}  // namespace

Status checkFormulaShapes(const plan::LossFormula& formula, const std::vector<FormulaShape>& names,
                          std::int64_t batchSize, const std::string& pointer) {
    PLUMBLINE_ASSIGN(const FormulaShape result, Shapes(formula, names, pointer).run());
    const auto isOne = [&](const graph::Dim& dim) {
        const auto size = dim == graph::Dim::symbol("B") ? std::optional(batchSize) : dim.constant();
        return !size || *size == 1;  // a size that only the data tell is let pass
    };
    if (result && !std::all_of(result->begin(), result->end(), isOne)) {
        return fail(
            ErrorKind::kInvalid, "loss-target-shape",
            fmt::format("The formula of ExpressionLoss gives numbers of the shape {}, and a loss is one number.",
                        textOf(*result)),
            pointer, "Put mean( ) or sum( ) around it.");
    }
    return {};
}

}  // namespace plumbline::project
