#include "graph/tensor_signature.h"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>

#include "core/text.h"

namespace plumbline::graph {
namespace {

constexpr std::size_t kMostTensors = 32;
constexpr std::size_t kMostDims = 8;
constexpr std::int64_t kLargestSize = 2147483647;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\n\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

class Reader {
public:
    Reader(const std::string& text, const std::string& parameter) : m_text(text), m_parameter(parameter) {}

    Result<std::vector<TensorType>> read() const {
        std::vector<TensorType> types;
        std::string_view rest = trimmed(m_text);
        while (!rest.empty() || types.empty()) {
            const std::size_t open = rest.find('['), close = rest.find(']');
            if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
                types.size() == kMostTensors) {
                return wrong();
            }
            const auto dtype = parseDType(trimmed(rest.substr(0, open)));
            if (!dtype) {
                return wrong();
            }
            PLUMBLINE_ASSIGN(std::vector<Dim> dims, readDims(trimmed(rest.substr(open + 1, close - open - 1))));
            types.push_back({*dtype, std::move(dims)});
            rest = trimmed(rest.substr(close + 1));
            if (rest.empty()) {
                break;
            }
            if (rest.front() != ',') {
                return wrong();
            }
            rest = trimmed(rest.substr(1));
            if (rest.empty()) {
                return wrong();
            }
        }
        return types;
    }

private:
    Result<std::vector<Dim>> readDims(std::string_view text) const {
        std::vector<Dim> dims;
        while (!text.empty()) {
            const std::size_t comma = std::min(text.find(','), text.size());
            const std::string word(trimmed(text.substr(0, comma)));
            const auto dim = Dim::parse(word);
            const auto constant = dim ? dim->constant() : std::nullopt;
            const bool isSize = constant && *constant > 0 && *constant <= kLargestSize;
            const bool isSymbol = dim && !constant && *dim == Dim::symbol(word);
            if (dims.size() == kMostDims || (!isSize && !isSymbol)) {
                return wrong();
            }
            dims.push_back(*dim);
            if (comma + 1 == text.size()) {
                return wrong();
            }
            text = comma == text.size() ? std::string_view() : trimmed(text.substr(comma + 1));
        }
        return dims;
    }

    tl::unexpected<Error> wrong() const {
        return fail(
            ErrorKind::kInvalid, "bad-parameter",
            fmt::format("has {} = \"{}\", which is no list of tensors", m_parameter, shortened(oneLine(m_text))),
            m_parameter,
            "Write a dtype and the sizes of each, separated by commas, as float32 [B, 3, 32, 32]: a size is a whole "
            "number from 1, or a symbol where it may vary.");
    }

    const std::string& m_text;
    const std::string& m_parameter;
};

}  // namespace

Result<std::vector<TensorType>> parseSignature(const std::string& text, const std::string& parameter) {
    return Reader(text, parameter).read();
}

}  // namespace plumbline::graph
