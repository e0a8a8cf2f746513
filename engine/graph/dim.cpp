// Dim: a polynomial over symbols. A floor division that does not come out even becomes a symbol of its own whose name
// is the division as text ("(T + 1) // 2"), so that it can be compared, printed and evaluated like any other.

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>

#include "graph/tensor_type.h"

namespace plumbline::graph {
namespace {

constexpr std::int64_t kLimit = std::int64_t{1} << 62;
constexpr int kMaxDepth = 64;

std::int64_t clamp(std::int64_t value) {
    return std::clamp(value, -kLimit, kLimit);
}

std::int64_t add(std::int64_t a, std::int64_t b) {
    return clamp(a + b);
}  // both within ±2^62: cannot overflow

std::int64_t multiply(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) {
        return (a < 0) == (b < 0) ? kLimit : -kLimit;
    }
    return clamp(result);
}

std::int64_t floorOf(std::int64_t a, std::int64_t b) {
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Products of sums multiply their terms: more than any shape needs is refused before the memory ends.
constexpr std::size_t kMaxTerms = 1000;
template <class Value>
std::size_t termsOf(const Value& value) {
    if constexpr (std::is_same_v<Value, Dim>) {
        return value.termCount();
    } else {
        return 1;  // a number
    }
}

bool isOpaque(const std::string& symbol) {
    return symbol.front() == '(';
}

/// Recursive descent over + - * // ( ). `Value` is Dim (to build) or optional<int64_t> (to evaluate).
template <class Value>
class Reader {
public:
    Reader(std::string_view text, std::function<Value(const std::string&)> symbol,
           std::function<Value(std::int64_t)> number)
        : m_text(text), m_symbol(std::move(symbol)), m_number(std::move(number)) {}

    /// Nothing when the text is no dimension; `error` says why.
    std::optional<Value> read(std::string& error) {
        Value value = sum();
        skip();
        if (m_error.empty() && m_at != m_text.size()) {
            expected("an operator");
        }
        error = m_error;
        return m_error.empty() ? std::optional<Value>(std::move(value)) : std::nullopt;
    }

private:
    void skip() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') {
            ++m_at;
        }
    }
    bool take(std::string_view token) {
        skip();
        if (m_text.substr(m_at, token.size()) != token) {
            return false;
        }
        m_at += token.size();
        return true;
    }
    void expected(std::string_view what) {
        if (m_error.empty()) {
            m_error = fmt::format("\"{}\" has to have {} at column {}", m_text, what, m_at + 1);
        }
    }
    Value sum() {
        Value value = product();
        while (m_error.empty()) {
            if (take("+")) {
                value = value + product();
            } else if (take("-")) {
                value = value - product();
            } else {
                break;
            }
        }
        return value;
    }
    Value product() {
        Value value = factor();
        while (m_error.empty()) {
            if (take("//")) {
                const std::size_t at = m_at;
                const Value divisor = factor();
                if (divisor == m_number(0)) {
                    m_at = at;
                    expected("a divisor that is not 0");
                    break;
                }
                value = floorDivide(value, divisor);
            } else if (take("*")) {
                const std::size_t at = m_at;
                const Value right = factor();
                if (m_error.empty() && termsOf(value) * termsOf(right) > kMaxTerms) {
                    m_at = at;
                    expected(fmt::format("a product of at most {} terms", kMaxTerms));
                    break;
                }
                value = value * right;
            } else {
                break;
            }
        }
        return value;
    }
    Value factor() {
        if (++m_depth > kMaxDepth) {
            expected(fmt::format("at most {} levels", kMaxDepth));
            return m_number(0);
        }
        Value value = m_number(0);
        skip();
        if (take("-")) {
            value = m_number(0) - factor();
        } else if (take("(")) {
            value = sum();
            if (!take(")")) {
                expected("a closing parenthesis");
            }
        } else if (m_at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0) {
            std::int64_t number = 0;
            const auto [end, code] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), number);
            if (code != std::errc{} || number > kLimit) {
                expected("a number below 2^62");
            }
            m_at = static_cast<std::size_t>(end - m_text.data());
            value = m_number(number);
        } else if (m_at < m_text.size() &&
                   (std::isalpha(static_cast<unsigned char>(m_text[m_at])) != 0 || m_text[m_at] == '_')) {
            const std::size_t start = m_at;
            while (m_at < m_text.size() &&
                   (std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0 || m_text[m_at] == '_')) {
                ++m_at;
            }
            value = m_symbol(std::string(m_text.substr(start, m_at - start)));
        } else {
            expected("a number, a symbol or a parenthesis");
        }
        --m_depth;
        return value;
    }

    std::string_view m_text;
    std::function<Value(const std::string&)> m_symbol;
    std::function<Value(std::int64_t)> m_number;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::string m_error;
};

/// A number that may be missing because one of its symbols is.
struct Maybe {
    std::optional<std::int64_t> value;
    friend bool operator==(const Maybe&, const Maybe&) = default;
    friend Maybe operator+(const Maybe& a, const Maybe& b) {
        return a.value && b.value ? Maybe{add(*a.value, *b.value)} : Maybe{};
    }
    friend Maybe operator-(const Maybe& a, const Maybe& b) {
        return a.value && b.value ? Maybe{add(*a.value, -*b.value)} : Maybe{};
    }
    friend Maybe operator*(const Maybe& a, const Maybe& b) {
        return a.value && b.value ? Maybe{multiply(*a.value, *b.value)} : Maybe{};
    }
    friend Maybe floorDivide(const Maybe& a, const Maybe& b) {
        return a.value && b.value && *b.value != 0 ? Maybe{floorOf(*a.value, *b.value)} : Maybe{};
    }
};

std::optional<std::int64_t> valueOf(const std::string& symbol, const std::map<std::string, std::int64_t>& symbols) {
    if (!isOpaque(symbol)) {
        const auto it = symbols.find(symbol);
        return it == symbols.end() ? std::nullopt : std::optional(clamp(it->second));
    }
    Reader<Maybe> reader(
        symbol, [&](const std::string& name) { return Maybe{valueOf(name, symbols)}; },
        [](std::int64_t number) { return Maybe{number}; });
    std::string error;
    const auto result = reader.read(error);
    return result ? result->value : std::nullopt;
}

}  // namespace

Dim::Dim(std::int64_t value) {
    if (value != 0) {
        m_terms.emplace(Monomial{}, clamp(value));
    }
}

Dim Dim::symbol(const std::string& name) {
    Dim dim;
    dim.m_terms.emplace(Monomial{name}, 1);
    return dim;
}

bool Dim::isConstant() const {
    return m_terms.empty() || (m_terms.size() == 1 && m_terms.begin()->first.empty());
}

std::optional<std::int64_t> Dim::constant() const {
    if (m_terms.empty()) {
        return 0;
    }
    return isConstant() ? std::optional(m_terms.begin()->second) : std::nullopt;
}

bool Dim::overflowed() const {
    return std::any_of(m_terms.begin(), m_terms.end(),
                       [](const auto& term) { return term.second >= kLimit || term.second <= -kLimit; });
}

std::optional<std::int64_t> Dim::evaluate(const std::map<std::string, std::int64_t>& symbols) const {
    std::int64_t total = 0;
    for (const auto& [monomial, coefficient] : m_terms) {
        std::int64_t product = coefficient;
        for (const std::string& symbol : monomial) {
            const auto value = valueOf(symbol, symbols);
            if (!value) {
                return std::nullopt;
            }
            product = multiply(product, *value);
        }
        total = add(total, product);
    }
    return total > -kLimit && total < kLimit ? std::optional(total) : std::nullopt;
}

std::string Dim::toString() const {
    if (const auto value = constant()) {
        return std::to_string(*value);
    }
    std::string text;
    const auto append = [&](const Monomial& monomial, std::int64_t coefficient) {
        if (text.empty()) {
            if (coefficient < 0) {
                text += '-';
            }
        } else {
            text += coefficient < 0 ? " - " : " + ";
        }
        const std::int64_t size = coefficient < 0 ? -coefficient : coefficient;
        std::string product = size == 1 && !monomial.empty() ? "" : std::to_string(size);
        for (const std::string& symbol : monomial) {
            product += product.empty() ? "" : "*";
            // A sign in front binds more tightly than the division: -(a // b) keeps its parentheses.
            const bool alone = monomial.size() == 1 && size == 1 && (coefficient > 0 || text != "-");
            product += isOpaque(symbol) && !alone ? "(" + symbol + ")" : symbol;
        }
        text += product;
    };
    for (const auto& [monomial, coefficient] : m_terms) {
        if (!monomial.empty()) {
            append(monomial, coefficient);
        }
    }
    if (const auto it = m_terms.find({}); it != m_terms.end()) {
        append({}, it->second);
    }
    return text;
}

Dim operator+(const Dim& a, const Dim& b) {
    Dim result = a;
    for (const auto& [monomial, coefficient] : b.m_terms) {
        std::int64_t& value = result.m_terms[monomial];
        value = add(value, coefficient);
        if (value == 0) {
            result.m_terms.erase(monomial);
        }
    }
    return result;
}

Dim operator-(const Dim& a, const Dim& b) {
    return a + Dim(-1) * b;
}

Dim operator*(const Dim& a, const Dim& b) {
    Dim result;
    for (const auto& [left, leftValue] : a.m_terms) {
        for (const auto& [right, rightValue] : b.m_terms) {
            Dim::Monomial monomial;
            monomial.reserve(left.size() + right.size());
            std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(monomial));
            std::int64_t& value = result.m_terms[monomial];
            value = add(value, multiply(leftValue, rightValue));
            if (value == 0) {
                result.m_terms.erase(monomial);
            }
        }
    }
    return result;
}

Dim floorDivide(const Dim& a, const Dim& b) {
    const auto divisor = b.constant();
    if (divisor) {
        if (const auto value = a.constant()) {
            return floorOf(*value, *divisor);
        }
        // a = divisor * even + rest, so a // divisor = even + rest // divisor: the symbols are whole numbers.
        Dim even;
        Dim rest;
        for (const auto& [monomial, coefficient] : a.m_terms) {
            const std::int64_t quotient = floorOf(coefficient, *divisor);
            if (quotient != 0) {
                even.m_terms.emplace(monomial, quotient);
            }
            if (const std::int64_t left = coefficient - quotient * *divisor; left != 0) {
                rest.m_terms.emplace(monomial, left);
            }
        }
        if (const auto value = rest.constant()) {
            return even + Dim(floorOf(*value, *divisor));
        }
        return even + Dim::symbol(fmt::format("({}) // {}", rest.toString(), *divisor));
    }
    if (b.m_terms.size() == 1) {  // by a monomial: exact where every term holds it
        const auto& [symbols, coefficient] = *b.m_terms.begin();
        Dim exact;
        for (const auto& [monomial, value] : a.m_terms) {
            Dim::Monomial left;
            std::set_difference(monomial.begin(), monomial.end(), symbols.begin(), symbols.end(),
                                std::back_inserter(left));
            if (left.size() + symbols.size() != monomial.size() || value % coefficient != 0) {
                exact = Dim();
                break;
            }
            exact.m_terms[left] = value / coefficient;
        }
        if (!exact.m_terms.empty() || a.m_terms.empty()) {
            return exact;
        }
    } else if (a == b) {
        return 1;
    }
    return Dim::symbol(fmt::format("({}) // ({})", a.toString(), b.toString()));
}

Result<Dim> Dim::parse(const std::string& text) {
    Reader<Dim> reader(text, &Dim::symbol, [](std::int64_t number) { return Dim(number); });
    std::string error;
    auto result = reader.read(error);
    if (!result) {
        return fail(ErrorKind::kInvalid, "bad-dimension", error, {},
                    "Write a whole number, a symbol as B, or arithmetic as 2*T + 1.");
    }
    return *std::move(result);
}

}  // namespace plumbline::graph
