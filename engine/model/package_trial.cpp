#include "model/package_trial.h"

#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.h"
#include "model/dtype.h"
#include "model/failure.h"

namespace plumbline::model {
namespace {

using Symbols = graph::SymbolSizes<std::int64_t>;

/// Code is specialised for a size of 0 or 1 or for none of them, so that its least size says 2 where 1 is as good.
constexpr std::int64_t kUsualLeast = 2;
/// As many sizes are raised one by one, and no further: zeros of these sizes are made.
constexpr int kMostTrials = 32;
constexpr std::int64_t kLargestLeast = 65'536;

constexpr std::size_t kNoInput = static_cast<std::size_t>(-1);

/// What the code says of an input, or of their number (kNoInput): "input_handles[0]: unmatched dim value at 2,
/// expected: 8, but got: 4" (torch/_inductor/codegen/cpp_wrapper_cpu.py, generate_input_output_runtime_checks).
struct Refusal {
    std::size_t input = 0;
    std::string reason;
    std::size_t dim = 0;
    std::int64_t least = 0;  ///< 0: it is about something else than a size that is too small
};

std::optional<Refusal> refusalIn(std::string_view text) {
    constexpr std::string_view kOtherCount = "expected inputs vector size to be ";
    if (const std::size_t at = text.find(kOtherCount); at != std::string_view::npos) {
        return Refusal{kNoInput, oneLine(std::string(text.substr(at, text.find('\n', at) - at))), 0, 0};
    }
    constexpr std::string_view kBegin = "input_handles[";
    const std::size_t begin = text.find(kBegin);
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string line(text.substr(begin, text.find('\n', begin) - begin));
    const std::size_t colon = line.find("]: ");
    Refusal refusal;
    if (colon == std::string::npos || std::sscanf(line.c_str(), "input_handles[%zu]", &refusal.input) != 1) {
        return std::nullopt;
    }
    refusal.reason = oneLine(line.substr(colon + 3));
    long long least = 0;
    if (std::sscanf(refusal.reason.c_str(), "dim value is too small at %zu, expected it to be >= %lld", &refusal.dim,
                    &least) == 2) {
        refusal.least = least;
    }
    return refusal;
}

/// The inputs that are tried next.
class Trial {
public:
    explicit Trial(const std::vector<graph::TensorType>& declared) : m_declared(declared) {
        // The same size for all: code that takes two of them for one reads no further than it may.
        for (const graph::TensorType& tensor : declared) {
            for (const graph::Dim& dim : tensor.dims) {
                if (!dim.constant()) {
                    m_symbols.emplace(dim.toString(), kUsualLeast);
                }
            }
        }
    }

    std::vector<at::Tensor> inputs() const {
        std::vector<at::Tensor> made;
        for (std::size_t i = 0; i < m_declared.size(); ++i) {
            std::vector<std::int64_t> sizes = graph::sizesOf(m_declared[i].dims, m_symbols);
            for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
                sizes[dim] = m_ones.contains({i, dim}) ? kUsualLeast : sizes[dim];
            }
            made.push_back(at::zeros(sizes, toScalarType(m_declared[i].dtype)));
        }
        return made;
    }

    /// Whether there is something else to try, which the declaration allows.
    bool follows(const Refusal& refusal) {
        const bool isSize = refusal.least > 0 && refusal.least <= kLargestLeast && refusal.input < m_declared.size() &&
                            refusal.dim < m_declared[refusal.input].dims.size();
        if (!isSize) {
            return false;
        }
        const graph::Dim& dim = m_declared[refusal.input].dims[refusal.dim];
        if (const auto constant = dim.constant()) {
            return *constant == 1 && refusal.least == kUsualLeast && m_ones.insert({refusal.input, refusal.dim}).second;
        }
        std::int64_t& size = m_symbols.at(dim.toString());
        if (refusal.least <= size) {
            return false;
        }
        size = refusal.least;
        m_least[dim.toString()] = size;
        return true;
    }
    const Symbols& least() const { return m_least; }

private:
    const std::vector<graph::TensorType>& m_declared;
    Symbols m_symbols, m_least;
    std::set<std::pair<std::size_t, std::size_t>> m_ones;  ///< declared as 1, which 2 stands in for
};

Error mismatch(const std::filesystem::path& file, const std::vector<graph::TensorType>& declared,
               const Refusal& refusal) {
    const std::string of =
        refusal.input < declared.size()
            ? fmt::format("input {}, {} [{}]", refusal.input + 1, toString(declared[refusal.input].dtype),
                          declared[refusal.input].shapeText())
            : counted(static_cast<std::int64_t>(declared.size()), "input");
    return {ErrorKind::kInvalid, "package-mismatch",
            fmt::format("{} was compiled for other inputs than the block declares. It refuses {}: {}", file.string(),
                        of, refusal.reason),
            "",
            refusal.reason.find("stride") != std::string::npos
                ? "Export the model again with contiguous inputs, as x.contiguous() makes them."
                : "Write what the model was exported with in the block's inputs."};
}

}  // namespace

Symbols requireDeclared(const std::filesystem::path& file, const std::vector<graph::TensorType>& declared,
                        const PackageCall& call) {
    Trial trial(declared);
    for (int i = 0; i < kMostTrials; ++i) {
        std::optional<Refusal> refusal;
        try {
            call(trial.inputs());
        } catch (const std::exception& error) {
            refusal = refusalIn(error.what());
        }
        if (!refusal) {
            break;
        }
        if (!trial.follows(*refusal) || i + 1 == kMostTrials) {
            throw PassedError(mismatch(file, declared, *refusal));
        }
    }
    return trial.least();
}

}  // namespace plumbline::model
