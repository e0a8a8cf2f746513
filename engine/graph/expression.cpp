#include "graph/expression.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "core/json_errors.h"
#include "graph/expression_parser.h"

namespace plumbline::graph {
namespace {

constexpr std::size_t kMaxListSize = 10'000;

bool isWhole(const Json& value) {
    return value.is_number_integer() || value.is_boolean();
}
bool isNumber(const Json& value) {
    return value.is_number() || value.is_boolean();
}

std::int64_t wholeOf(const Json& value) {
    return value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<std::int64_t>();
}
double doubleOf(const Json& value) {
    return isWhole(value) ? static_cast<double>(wholeOf(value)) : value.get<double>();
}

bool isTrue(const Json& value) {
    if (isNumber(value)) {
        return isWhole(value) ? wholeOf(value) != 0 : value.get<double>() != 0;
    }
    if (value.is_string()) {
        return !value.get_ref<const std::string&>().empty();
    }
    return !value.is_null() && !value.empty();
}

/// -1, 0 or 1. Exact between whole numbers and floats: a long double holds both.
int compareNumbers(const Json& a, const Json& b) {
    if (isWhole(a) && isWhole(b)) {
        return wholeOf(a) < wholeOf(b) ? -1 : (wholeOf(a) > wholeOf(b) ? 1 : 0);
    }
    const auto wide = [](const Json& value) {
        return isWhole(value) ? static_cast<long double>(wholeOf(value))
                              : static_cast<long double>(value.get<double>());
    };
    return wide(a) < wide(b) ? -1 : (wide(a) > wide(b) ? 1 : 0);
}

bool areEqual(const Json& a, const Json& b) {
    if (isNumber(a) && isNumber(b)) {
        return compareNumbers(a, b) == 0;
    }
    if (a.is_array() && b.is_array()) {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), areEqual);
    }
    return a.type() == b.type() && a == b;
}

constexpr auto kAddOverflows = [](std::int64_t a, std::int64_t b, std::int64_t* result) {
    return __builtin_add_overflow(a, b, result);
};
constexpr auto kSubtractOverflows = [](std::int64_t a, std::int64_t b, std::int64_t* result) {
    return __builtin_sub_overflow(a, b, result);
};
constexpr auto kMultiplyOverflows = [](std::int64_t a, std::int64_t b, std::int64_t* result) {
    return __builtin_mul_overflow(a, b, result);
};

class Evaluator {
public:
    Evaluator(std::string_view text, const Expression& expression, const Scope& scope)
        : m_text(text), m_expression(expression), m_scope(scope) {}

    Result<Json> evaluate(int index) const {
        const Step& step = m_expression.steps[static_cast<std::size_t>(index)];
        switch (step.operation) {
            case Operation::kLiteral:
                return step.value;
            case Operation::kName:
                return name(step);
            case Operation::kList:
                return list(step);
            case Operation::kIndex:
                return subscript(step);
            case Operation::kCall:
                return call(step);
            case Operation::kConditional: {
                PLUMBLINE_ASSIGN(const Json condition, evaluate(step.children[0]));
                return evaluate(step.children[isTrue(condition) ? 1 : 2]);
            }
            case Operation::kAnd:
            case Operation::kOr: {
                PLUMBLINE_ASSIGN(Json left, evaluate(step.children[0]));
                if (isTrue(left) == (step.operation == Operation::kOr)) {
                    return left;
                }
                return evaluate(step.children[1]);
            }
            case Operation::kNot: {
                PLUMBLINE_ASSIGN(const Json value, evaluate(step.children[0]));
                return Json(!isTrue(value));
            }
            case Operation::kCompare:
                return compare(step);
            case Operation::kNegate:
            case Operation::kPlus: {
                PLUMBLINE_ASSIGN(const Json value, evaluate(step.children[0]));
                const bool negate = step.operation == Operation::kNegate;
                if (!isNumber(value)) {
                    return error(step, fmt::format("the sign needs a number and gets {}", typeName(value)));
                }
                if (!isWhole(value)) {
                    return Json(negate ? -value.get<double>() : value.get<double>());
                }
                return negate ? whole(step, 0, wholeOf(value), kSubtractOverflows) : Result<Json>(Json(wholeOf(value)));
            }
            default:
                return arithmetic(step);
        }
    }

private:
    tl::unexpected<Error> error(const Step& step, std::string_view what, std::string hint = {}) const {
        return expressionError(m_text, step.column, what, std::move(hint));
    }
    tl::unexpected<Error> tooLarge(const Step& step) const {
        return error(step, "the whole number does not fit 64 bits", "Use smaller numbers, or a float.");
    }
    template <class Function>
    Result<Json> whole(const Step& step, std::int64_t a, std::int64_t b, Function overflows) const {
        std::int64_t result = 0;
        if (overflows(a, b, &result)) {
            return tooLarge(step);
        }
        return Json(result);
    }
    Result<Json> finite(const Step& step, double value) const {
        if (!std::isfinite(value)) {
            return error(step, "the result is not a finite number", "Use smaller numbers.");
        }
        return Json(value);
    }

    Result<Json> name(const Step& step) const {
        const Json* value = m_scope.find(step.text);
        if (value == nullptr) {
            const std::vector<std::string> names = m_scope.names();
            std::string known;
            for (const std::string& candidate : names) {
                known += (known.empty() ? "" : ", ") + candidate;
            }
            const std::string hint = didYouMean(step.text, names,
                                                known.empty() ? std::string("No names are known here; write a value.")
                                                              : fmt::format("Known here: {}.", known));
            return error(step, fmt::format("\"{}\" is not a known name", step.text), hint);
        }
        if (value->is_discarded()) {
            return fail(ErrorKind::kInvalid, "unknown-value", fmt::format("\"{}\" has no value", step.text), {},
                        "Give the parameter a value, or a default in its definition.");
        }
        if (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
            return tooLarge(step);
        }
        return *value;
    }
    Result<Json> list(const Step& step) const {
        Json result = Json::array();
        for (const int child : step.children) {
            PLUMBLINE_ASSIGN(Json item, evaluate(child));
            // A list in a list would double through nested definitions until the memory ends.
            if (item.is_structured()) {
                return error(step,
                             fmt::format("a list holds numbers, texts and true or false, and gets {}", typeName(item)));
            }
            result.push_back(std::move(item));
        }
        return result;
    }
    Result<Json> subscript(const Step& step) const {
        PLUMBLINE_ASSIGN(const Json items, evaluate(step.children[0]));
        PLUMBLINE_ASSIGN(const Json index, evaluate(step.children[1]));
        if (!items.is_array() || !isWhole(index)) {
            return error(step, fmt::format("[ ] needs a list and an integer and gets {} and {}", typeName(items),
                                           typeName(index)));
        }
        const auto size = static_cast<std::int64_t>(items.size());
        const std::int64_t at = wholeOf(index);
        if (at < -size || at >= size) {
            return error(step, fmt::format("item {} is asked for and the list has {}", at, size));
        }
        return items[static_cast<std::size_t>(at < 0 ? at + size : at)];
    }
    Result<Json> call(const Step& step) const {
        Json arguments = Json::array();
        for (const int child : step.children) {
            PLUMBLINE_ASSIGN(Json value, evaluate(child));
            arguments.push_back(std::move(value));
        }
        if (step.text == "len") {
            if (arguments.size() != 1 || !(arguments[0].is_array() || arguments[0].is_string())) {
                return error(step, "len needs one list or text");
            }
            return Json(static_cast<std::int64_t>(
                arguments[0].is_array() ? arguments[0].size() : arguments[0].get_ref<const std::string&>().size()));
        }
        if (arguments.size() == 1 && arguments[0].is_array()) {
            arguments = Json(arguments[0]);
        }
        if (arguments.empty()) {
            return error(step, fmt::format("{} needs at least one number", step.text));
        }
        std::size_t best = 0;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (!isNumber(arguments[i])) {
                return error(step, fmt::format("{} needs numbers and gets {}", step.text, typeName(arguments[i])));
            }
            const int order = compareNumbers(arguments[i], arguments[best]);
            if (step.text == "min" ? order < 0 : order > 0) {
                best = i;
            }
        }
        return arguments[best];
    }
    Result<Json> compare(const Step& step) const {
        PLUMBLINE_ASSIGN(Json left, evaluate(step.children[0]));
        for (std::size_t i = 0; i < step.signs.size(); ++i) {
            PLUMBLINE_ASSIGN(Json right, evaluate(step.children[i + 1]));
            const std::string& sign = step.signs[i];
            bool holds = false;
            if (sign == "==" || sign == "!=") {
                holds = areEqual(left, right) == (sign == "==");
            } else {
                int order = 0;
                if (isNumber(left) && isNumber(right)) {
                    order = compareNumbers(left, right);
                } else if (left.is_string() && right.is_string()) {
                    order = left.get_ref<const std::string&>().compare(right.get_ref<const std::string&>());
                } else {
                    return error(step, fmt::format("{} cannot order {} and {}", sign, typeName(left), typeName(right)));
                }
                holds = sign == "<" ? order < 0 : sign == "<=" ? order <= 0 : sign == ">" ? order > 0 : order >= 0;
            }
            if (!holds) {
                return Json(false);
            }
            left = std::move(right);
        }
        return Json(true);
    }

    Result<Json> arithmetic(const Step& step) const {
        PLUMBLINE_ASSIGN(const Json left, evaluate(step.children[0]));
        PLUMBLINE_ASSIGN(const Json right, evaluate(step.children[1]));
        if (step.operation == Operation::kAdd && left.is_array() && right.is_array()) {
            if (left.size() + right.size() > kMaxListSize) {
                return error(step, fmt::format("the list has more than {} items", kMaxListSize));
            }
            Json joined = left;
            joined.insert(joined.end(), right.begin(), right.end());
            return joined;
        }
        if (!isNumber(left) || !isNumber(right)) {
            return error(step, fmt::format("the operator needs two numbers and gets {} and {}", typeName(left),
                                           typeName(right)));
        }
        const bool divides = step.operation == Operation::kDivide || step.operation == Operation::kFloorDivide ||
                             step.operation == Operation::kModulo;
        if (divides && doubleOf(right) == 0) {
            return error(step, "something is divided by 0", "Make sure that the divisor is not 0.");
        }
        if (step.operation == Operation::kPower) {
            return power(step, left, right);
        }
        if (!isWhole(left) || !isWhole(right)) {
            return floating(step, doubleOf(left), doubleOf(right));
        }
        const std::int64_t a = wholeOf(left);
        const std::int64_t b = wholeOf(right);
        switch (step.operation) {
            case Operation::kAdd:
                return whole(step, a, b, kAddOverflows);
            case Operation::kSubtract:
                return whole(step, a, b, kSubtractOverflows);
            case Operation::kMultiply:
                return whole(step, a, b, kMultiplyOverflows);
            case Operation::kDivide:
                return finite(step, static_cast<double>(a) / static_cast<double>(b));
            default:
                break;
        }
        if (b == -1) {  // the one division that can overflow
            return step.operation == Operation::kModulo ? Result<Json>(Json(0)) : whole(step, 0, a, kSubtractOverflows);
        }
        const std::int64_t remainder = a % b;
        const bool adjust = remainder != 0 && (remainder < 0) != (b < 0);
        if (step.operation == Operation::kModulo) {
            return Json(adjust ? remainder + b : remainder);
        }
        return Json(adjust ? a / b - 1 : a / b);
    }
    Result<Json> floating(const Step& step, double a, double b) const {
        switch (step.operation) {
            case Operation::kAdd:
                return finite(step, a + b);
            case Operation::kSubtract:
                return finite(step, a - b);
            case Operation::kMultiply:
                return finite(step, a * b);
            case Operation::kDivide:
                return finite(step, a / b);
            default:
                break;
        }
        // As CPython's float_divmod: the remainder has the divisor's sign, the quotient is made to fit it.
        double remainder = std::fmod(a, b);
        double quotient = (a - remainder) / b;
        if (remainder != 0) {
            if ((b < 0) != (remainder < 0)) {
                remainder += b;
                quotient -= 1.0;
            }
        } else {
            remainder = std::copysign(0.0, b);
        }
        if (step.operation == Operation::kModulo) {
            return finite(step, remainder);
        }
        if (quotient == 0) {
            return finite(step, std::copysign(0.0, a / b));
        }
        double floored = std::floor(quotient);
        if (quotient - floored > 0.5) {
            floored += 1.0;
        }
        return finite(step, floored);
    }
    Result<Json> power(const Step& step, const Json& left, const Json& right) const {
        if (isWhole(left) && isWhole(right) && wholeOf(right) >= 0) {
            std::int64_t base = wholeOf(left);
            std::int64_t result = 1;
            for (std::int64_t exponent = wholeOf(right); exponent > 0; exponent >>= 1) {
                if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) {
                    return tooLarge(step);
                }
                if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) {
                    return tooLarge(step);
                }
            }
            return Json(result);
        }
        const double base = doubleOf(left);
        const double exponent = doubleOf(right);
        if (base == 0 && exponent < 0) {
            return error(step, "0 is raised to a negative power", "Make sure that the base is not 0.");
        }
        if (base < 0 && std::floor(exponent) != exponent) {
            return error(step, "a negative number is raised to a fraction", "Make sure that the base is not negative.");
        }
        return finite(step, std::pow(base, exponent));
    }

    std::string_view m_text;
    const Expression& m_expression;
    const Scope& m_scope;
};

}  // namespace

void Scope::set(std::string name, Json value) {
    m_values.emplace_back(std::move(name), std::move(value));
}

void Scope::setUnknown(std::string name) {
    m_values.emplace_back(std::move(name), Json(Json::value_t::discarded));
}

const Json* Scope::find(std::string_view name) const {
    for (const Scope* scope = this; scope != nullptr; scope = scope->m_parent) {
        for (const auto& [key, value] : scope->m_values) {
            if (key == name) {
                return &value;
            }
        }
    }
    return nullptr;
}

std::vector<std::string> Scope::names() const {
    std::vector<std::string> result;
    for (const Scope* scope = this; scope != nullptr; scope = scope->m_parent) {
        for (const auto& [key, value] : scope->m_values) {
            result.push_back(key);
        }
    }
    return result;
}

Result<Json> evaluateExpression(std::string_view text, const Scope& scope) {
    PLUMBLINE_ASSIGN(const Expression expression, parseExpression(text));
    return Evaluator(text, expression, scope).evaluate(expression.root);
}

Result<Json> evaluateValue(const Json& value, const Scope& scope) {
    if (value.is_string() && value.get_ref<const std::string&>().starts_with('=')) {
        return evaluateExpression(std::string_view(value.get_ref<const std::string&>()).substr(1), scope);
    }
    if (value.is_array() && holdsExpression(value)) {
        Json result = Json::array();
        for (const Json& item : value) {
            PLUMBLINE_ASSIGN(Json evaluated, evaluateValue(item, scope));
            result.push_back(std::move(evaluated));
        }
        return result;
    }
    return value;
}

bool holdsExpression(const Json& value) {
    if (value.is_string()) {
        return value.get_ref<const std::string&>().starts_with('=');
    }
    return value.is_array() && std::any_of(value.begin(), value.end(), holdsExpression);
}

}  // namespace plumbline::graph
