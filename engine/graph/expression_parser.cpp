#include "graph/expression_parser.h"

#include <fmt/format.h>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace plumbline::graph {
namespace {

constexpr std::size_t kMaxLength = 4096;
constexpr int kMaxDepth = 100;
constexpr std::array<std::string_view, 3> kFunctions{"min", "max", "len"};
constexpr std::array<std::string_view, 5> kWords{"and", "or", "not", "if", "else"};

bool isWordStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
bool isWord(char c) {
    return isWordStart(c) || isDigit(c);
}

template <class Words>
bool isOneOf(std::string_view word, const Words& words) {
    for (const std::string_view candidate : words) {
        if (candidate == word) {
            return true;
        }
    }
    return false;
}

/// Recursive descent. After the first error everything returns at once.
class Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<Expression> parse() {
        m_expression.root = conditional();
        skip();
        if (!m_failed && m_at != m_text.size()) {
            error("an operator or the end");
        }
        if (m_failed) {
            return fail(m_error);
        }
        return std::move(m_expression);
    }

private:
    void skip() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0) {
            ++m_at;
        }
    }
    void error(std::string_view wanted) { problem(fmt::format("{} is wanted", wanted)); }
    void problem(std::string_view what) {
        if (!m_failed) {
            m_failed = true;
            m_error = expressionError(m_text, m_at + 1, what).value();
        }
    }
    bool take(std::string_view sign) {
        skip();
        if (m_failed || m_text.substr(m_at, sign.size()) != sign) {
            return false;
        }
        m_at += sign.size();
        return true;
    }
    std::string_view word() {
        skip();
        std::size_t end = m_at;
        if (end < m_text.size() && isWordStart(m_text[end])) {
            while (end < m_text.size() && isWord(m_text[end])) {
                ++end;
            }
        }
        return m_text.substr(m_at, end - m_at);
    }
    bool takeWord(std::string_view wanted) {
        if (m_failed || word() != wanted) {
            return false;
        }
        m_at += wanted.size();
        return true;
    }
    int add(Operation operation, std::size_t column, std::vector<int> children) {
        Step step;
        step.operation = operation;
        step.column = column;
        step.children = std::move(children);
        m_expression.steps.push_back(std::move(step));
        return static_cast<int>(m_expression.steps.size()) - 1;
    }
    int literal(std::size_t column, Json value) {
        const int step = add(Operation::kLiteral, column, {});
        m_expression.steps.back().value = std::move(value);
        return step;
    }
    bool enter() {
        if (++m_depth > kMaxDepth) {
            problem(fmt::format("it is nested more than {} levels deep", kMaxDepth));
        }
        return !m_failed;
    }

    int conditional() {
        if (!enter()) {
            return 0;
        }
        int value = disjunction();
        const std::size_t column = m_at + 1;
        if (takeWord("if")) {
            const int condition = disjunction();
            if (!takeWord("else")) {
                error("\"else\"");
            }
            const int otherwise = conditional();
            value = add(Operation::kConditional, column, {condition, value, otherwise});
        }
        --m_depth;
        return value;
    }
    int disjunction() {
        int value = conjunction();
        while (takeWord("or")) {
            const std::size_t column = m_at - 1;
            value = add(Operation::kOr, column, {value, conjunction()});
        }
        return value;
    }
    int conjunction() {
        int value = negation();
        while (takeWord("and")) {
            const std::size_t column = m_at - 2;
            value = add(Operation::kAnd, column, {value, negation()});
        }
        return value;
    }
    int negation() {
        skip();
        const std::size_t column = m_at + 1;
        if (!takeWord("not")) {
            return comparison();
        }
        if (!enter()) {
            return 0;
        }
        const int value = add(Operation::kNot, column, {negation()});
        --m_depth;
        return value;
    }
    int comparison() {
        const int first = sum();
        std::vector<int> values{first};
        std::vector<std::string> signs;
        skip();
        const std::size_t column = m_at + 1;
        for (;;) {
            std::string found;
            for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"}) {
                if (take(sign)) {
                    found = sign;
                    break;
                }
            }
            if (found.empty()) {
                break;
            }
            signs.push_back(std::move(found));
            values.push_back(sum());
        }
        if (signs.empty()) {
            return first;
        }
        const int step = add(Operation::kCompare, column, std::move(values));
        m_expression.steps.back().signs = std::move(signs);
        return step;
    }
    int sum() {
        int value = product();
        for (;;) {
            skip();
            const std::size_t column = m_at + 1;
            if (take("+")) {
                value = add(Operation::kAdd, column, {value, product()});
            } else if (take("-")) {
                value = add(Operation::kSubtract, column, {value, product()});
            } else {
                return value;
            }
        }
    }
    int product() {
        int value = unary();
        for (;;) {
            skip();
            const std::size_t column = m_at + 1;
            if (m_text.substr(m_at, 2) == "**") {
                return value;
            }
            if (take("//")) {
                value = add(Operation::kFloorDivide, column, {value, unary()});
            } else if (take("*")) {
                value = add(Operation::kMultiply, column, {value, unary()});
            } else if (take("/")) {
                value = add(Operation::kDivide, column, {value, unary()});
            } else if (take("%")) {
                value = add(Operation::kModulo, column, {value, unary()});
            } else {
                return value;
            }
        }
    }
    int unary() {
        skip();
        const std::size_t column = m_at + 1;
        const bool negative = take("-");
        if (!negative && !take("+")) {
            return power();
        }
        if (!enter()) {
            return 0;
        }
        const int value = add(negative ? Operation::kNegate : Operation::kPlus, column, {unary()});
        --m_depth;
        return value;
    }
    int power() {
        const int base = postfix();
        skip();
        const std::size_t column = m_at + 1;
        if (!take("**") || !enter()) {
            return base;
        }
        const int value = add(Operation::kPower, column, {base, unary()});
        --m_depth;
        return value;
    }
    int postfix() {
        int value = atom();
        for (;;) {
            skip();
            const std::size_t column = m_at + 1;
            if (!take("[")) {
                return value;
            }
            const int index = conditional();
            if (!take("]")) {
                error("\"]\"");
                return value;
            }
            value = add(Operation::kIndex, column, {value, index});
        }
    }
    std::vector<int> items(std::string_view close) {
        std::vector<int> values;
        while (!m_failed && !take(close)) {
            if (!values.empty() && !take(",")) {
                error(fmt::format("\",\" or \"{}\"", close));
                break;
            }
            if (!values.empty() && take(close)) {
                break;
            }
            values.push_back(conditional());
        }
        return values;
    }
    int atom() {
        skip();
        const std::size_t column = m_at + 1;
        if (m_failed) {
            return 0;
        }
        if (take("(")) {
            const int value = conditional();
            if (!take(")")) {
                error("\")\"");
            }
            return value;
        }
        if (take("[")) {
            std::vector<int> values = items("]");
            return add(Operation::kList, column, std::move(values));
        }
        if (m_at < m_text.size() && (isDigit(m_text[m_at]) || m_text[m_at] == '.')) {
            return number(column);
        }
        if (m_at < m_text.size() && (m_text[m_at] == '\'' || m_text[m_at] == '"')) {
            return text(column);
        }
        const std::string name(word());
        if (name.empty() || isOneOf(name, kWords)) {
            error("a value");
            return 0;
        }
        m_at += name.size();
        if (name == "True" || name == "true" || name == "False" || name == "false") {
            return literal(column, name == "True" || name == "true");
        }
        if (name == "None" || name == "null") {
            return literal(column, nullptr);
        }
        if (take("(")) {
            if (!isOneOf(name, kFunctions)) {
                m_at = column - 1;
                problem(fmt::format("there is no function \"{}\"; there are min, max and len", name));
                return 0;
            }
            std::vector<int> arguments = items(")");
            const int step = add(Operation::kCall, column, std::move(arguments));
            m_expression.steps.back().text = name;
            return step;
        }
        const int step = add(Operation::kName, column, {});
        m_expression.steps.back().text = name;
        return step;
    }
    int number(std::size_t column) {
        std::size_t end = m_at;
        bool isFloat = false;
        while (end < m_text.size() && (isDigit(m_text[end]) || m_text[end] == '_')) {
            ++end;
        }
        if (end < m_text.size() && m_text[end] == '.') {
            isFloat = true;
            ++end;
            while (end < m_text.size() && isDigit(m_text[end])) {
                ++end;
            }
        }
        if (end < m_text.size() && (m_text[end] == 'e' || m_text[end] == 'E')) {
            std::size_t exponent = end + 1;
            if (exponent < m_text.size() && (m_text[exponent] == '+' || m_text[exponent] == '-')) {
                ++exponent;
            }
            if (exponent < m_text.size() && isDigit(m_text[exponent])) {
                isFloat = true;
                end = exponent;
                while (end < m_text.size() && isDigit(m_text[end])) {
                    ++end;
                }
            }
        }
        std::string digits(m_text.substr(m_at, end - m_at));
        std::erase(digits, '_');
        const char* first = digits.data();
        const char* last = first + digits.size();
        Json value;
        bool good = end == m_text.size() || !isWordStart(m_text[end]);
        if (isFloat) {
            double parsed = 0;
            const auto [rest, code] = std::from_chars(first, last, parsed);
            good = good && code == std::errc{} && rest == last && std::isfinite(parsed);
            value = parsed;
        } else {
            std::int64_t parsed = 0;
            const auto [rest, code] = std::from_chars(first, last, parsed);
            good = good && code == std::errc{} && rest == last;
            value = parsed;
        }
        if (!good) {
            problem(fmt::format("\"{}\" is no number that fits",
                                m_text.substr(m_at, end - m_at + (end < m_text.size() ? 1 : 0))));
            return 0;
        }
        m_at = end;
        return literal(column, std::move(value));
    }
    int text(std::size_t column) {
        const char quote = m_text[m_at];
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos) {
            problem("the text has no closing quote");
            return 0;
        }
        std::string value(m_text.substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
        return literal(column, std::move(value));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    Expression m_expression;
    bool m_failed = false;
    Error m_error;
};

}  // namespace

tl::unexpected<Error> expressionError(std::string_view text, std::size_t column, std::string_view what,
                                      std::string hint) {
    const std::string shown = text.size() > 80 ? std::string(text.substr(0, 77)) + "..." : std::string(text);
    return fail(ErrorKind::kInvalid, "bad-expression", fmt::format("\"={}\": {} (column {})", shown, what, column), {},
                hint.empty() ? "Correct the expression." : std::move(hint));
}

Result<Expression> parseExpression(std::string_view text) {
    if (text.size() > kMaxLength) {
        return expressionError(text, kMaxLength, fmt::format("it is longer than {} characters", kMaxLength));
    }
    return Parser(text).parse();
}

}  // namespace plumbline::graph
