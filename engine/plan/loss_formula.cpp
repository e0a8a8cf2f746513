#include "plan/loss_formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/json_errors.h"
#include "core/text.h"

namespace plumbline::plan {
namespace {

constexpr std::size_t kMaxLength = 4096;
constexpr int kMaxDepth = 100;
constexpr const char* kHint = "docs/losses.md lists what a formula may hold.";

struct Function {
    const char* name;
    std::size_t least, most;
    bool dimension = false;  ///< the last operand, where there are `most`, is a dimension
};
constexpr Function kFunctions[] = {
    {"abs", 1, 1},      {"exp", 1, 1},        {"log", 1, 1},       {"sqrt", 1, 1},
    {"square", 1, 1},   {"sigmoid", 1, 1},    {"tanh", 1, 1},      {"relu", 1, 1},
    {"softplus", 1, 1}, {"clamp", 3, 3},      {"where", 3, 3},     {"min", 1, 2},
    {"max", 1, 2},      {"mean", 1, 2, true}, {"sum", 1, 2, true}, {"norm", 1, 2, true},
};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Recursive descent. After the first error everything returns at once.
class Parser {
public:
    Parser(std::string_view text, const std::string& pointer) : m_text(text), m_pointer(pointer) {}

    Result<LossFormula> parse() {
        if (m_text.size() > kMaxLength) {
            return fail(
                ErrorKind::kInvalid, "formula",
                fmt::format("The formula is {} characters long, and at most {} are read.", m_text.size(), kMaxLength),
                m_pointer, "Shorten it.");
        }
        skip();
        if (m_at == m_text.size()) {
            return fail(ErrorKind::kInvalid, "formula", "ExpressionLoss has no formula.", m_pointer,
                        "Write one, as mean((y - t) ** 2).");
        }
        comparison();
        skip();
        if (m_at != m_text.size()) {
            problem(m_text[m_at] == ')' ? std::string("a \")\" closes nothing") : wanted("an operator or the end"));
        }
        if (m_failed) {
            return fail(m_error);
        }
        return std::move(m_formula);
    }

private:
    void skip() {
        while (m_at < m_text.size() && isSpace(m_text[m_at])) {
            ++m_at;
        }
    }
    void problem(std::string_view what, std::size_t column = 0, std::string hint = kHint) {
        if (!m_failed) {
            m_failed = true;
            m_error = {
                ErrorKind::kInvalid, "formula",
                fmt::format("The formula cannot be read at position {}: {}.", column == 0 ? m_at + 1 : column, what),
                m_pointer, std::move(hint)};
        }
    }
    static std::string wanted(std::string_view what) { return fmt::format("{} is wanted", what); }
    bool take(std::string_view sign) {
        skip();
        if (m_failed || m_text.substr(m_at, sign.size()) != sign) {
            return false;
        }
        m_at += sign.size();
        return true;
    }
    std::size_t column() {
        skip();
        return m_at + 1;
    }
    bool enter() {
        if (++m_depth > kMaxDepth) {
            problem(fmt::format("it is nested more than {} levels deep", kMaxDepth));
        }
        return !m_failed;
    }
    int add(FormulaStep step) {
        m_formula.steps.push_back(std::move(step));
        return static_cast<int>(m_formula.steps.size()) - 1;
    }
    int call(std::size_t column, std::string text, std::vector<int> operands) {
        return add({FormulaStep::Kind::kCall, column, 0, 0, std::move(text), std::move(operands)});
    }

    int comparison() {
        const int first = sum();
        const std::size_t at = column();
        for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"}) {
            if (take(sign)) {
                const int second = sum();
                return call(at, std::string(sign), {first, second});
            }
        }
        return first;
    }
    int sum() {
        int value = product();
        for (;;) {
            const std::size_t at = column();
            const char* sign = take("+") ? "+" : take("-") ? "-" : nullptr;
            if (sign == nullptr) {
                return value;
            }
            const int second = product();
            value = call(at, sign, {value, second});
        }
    }
    int product() {
        int value = unary();
        for (;;) {
            const std::size_t at = column();
            if (m_text.substr(m_at, 2) == "**") {
                return value;
            }
            const char* sign = take("*") ? "*" : take("/") ? "/" : nullptr;
            if (sign == nullptr) {
                return value;
            }
            const int second = unary();
            value = call(at, sign, {value, second});
        }
    }
    int unary() {
        const std::size_t at = column();
        const bool negative = take("-");
        if (!negative && !take("+")) {
            return power();
        }
        if (!enter()) {
            return 0;
        }
        int value = unary();
        --m_depth;
        if (negative && !m_failed) {
            FormulaStep& last = m_formula.steps.back();
            if (last.kind == FormulaStep::Kind::kNumber) {
                last.number = -last.number;
            } else {
                value = call(at, "neg", {value});
            }
        }
        return value;
    }
    int power() {
        const int base = atom();
        const std::size_t at = column();
        if (!take("**") || !enter()) {
            return base;
        }
        const int exponent = unary();
        --m_depth;
        return call(at, "**", {base, exponent});
    }
    int atom() {
        const std::size_t at = column();
        if (m_failed || !enter()) {
            return 0;
        }
        const int value = take("(")                                                                ? parenthesis(at)
                          : m_at < m_text.size() && (isDigit(m_text[m_at]) || m_text[m_at] == '.') ? number(at)
                                                                                                   : word(at);
        --m_depth;
        return value;
    }
    int parenthesis(std::size_t opened) {
        const int value = comparison();
        if (!take(")")) {
            problem(fmt::format("the \"(\" at position {} is not closed", opened));
        }
        return value;
    }
    int number(std::size_t at) {
        double value = 0;
        const char* const first = m_text.data() + m_at;
        const char* const last = m_text.data() + m_text.size();
        const auto [end, code] = std::from_chars(first, last, value);
        if (code != std::errc{} || !std::isfinite(value) || (end != last && (isLetter(*end) || *end == '.'))) {
            problem("this is no number that fits", at);
            return 0;
        }
        m_at += static_cast<std::size_t>(end - first);
        return add({FormulaStep::Kind::kNumber, at, value, 0, {}, {}});
    }
    std::string identifier() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (isLetter(m_text[m_at]) || (m_at > begin && isDigit(m_text[m_at])))) {
            ++m_at;
        }
        return std::string(m_text.substr(begin, m_at - begin));
    }
    int word(std::size_t at) {
        std::string name = identifier();
        if (name.empty()) {
            problem(m_at == m_text.size() ? std::string("it ends where a value is wanted") : wanted("a value"), at);
            return 0;
        }
        if (take("(")) {
            return function(at, name);
        }
        std::string of;
        if ((name == "output" || name == "target") && m_at < m_text.size() && m_text[m_at] == '.') {
            ++m_at;
            of = std::exchange(name, identifier());
            if (name.empty()) {
                problem(wanted("a name"));
                return 0;
            }
        }
        auto& names = m_formula.names;
        const auto found = std::find_if(names.begin(), names.end(),
                                        [&](const FormulaName& each) { return each.name == name && each.of == of; });
        const auto place = static_cast<std::size_t>(found - names.begin());
        if (found == names.end()) {
            names.push_back({std::move(name), std::move(of), at});
        }
        return add({FormulaStep::Kind::kName, at, 0, place, {}, {}});
    }
    int function(std::size_t at, const std::string& name) {
        const auto* const known = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                               [&](const Function& each) { return each.name == name; });
        if (known == std::end(kFunctions)) {
            problem(fmt::format("there is no function \"{}\"", name), at, didYouMean(name, formulaFunctions(), kHint));
            return 0;
        }
        const std::size_t opened = m_at;
        std::vector<int> operands;
        while (!m_failed && !(operands.empty() && take(")"))) {
            operands.push_back(comparison());
            if (take(")")) {
                break;
            }
            if (!take(",")) {
                problem(m_at == m_text.size() ? fmt::format("the \"(\" at position {} is not closed", opened)
                                              : wanted("\",\" or \")\""));
            }
        }
        if (!m_failed && (operands.size() < known->least || operands.size() > known->most)) {
            problem(known->least == known->most
                        ? fmt::format("{} takes {} and got {}", name,
                                      counted(static_cast<std::int64_t>(known->least), "value"), operands.size())
                        : fmt::format("{} takes {} or {} values and got {}", name, known->least, known->most,
                                      operands.size()),
                    at);
        }
        if (!m_failed && known->dimension && operands.size() == known->most) {
            const FormulaStep& last = m_formula.steps[static_cast<std::size_t>(operands.back())];
            if (last.kind != FormulaStep::Kind::kNumber || last.number != std::floor(last.number) ||
                std::abs(last.number) > 64) {
                problem(fmt::format("the second value of {} is the number of a dimension", name), last.column);
            }
        }
        return call(at, name, std::move(operands));
    }

    std::string_view m_text;
    const std::string& m_pointer;
    std::size_t m_at = 0;
    int m_depth = 0;
    bool m_failed = false;
    Error m_error;
    LossFormula m_formula;
};

}  // namespace

Result<LossFormula> parseLossFormula(std::string_view text, const std::string& pointer) {
    return Parser(text, pointer).parse();
}

const std::vector<std::string>& formulaFunctions() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Function& function : kFunctions) {
            all.emplace_back(function.name);
        }
        return all;
    }();
    return names;
}

}  // namespace plumbline::plan
