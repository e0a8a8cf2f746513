#include "data/pipeline.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace plumbline::data {
namespace {

template <class From, class To>
class CastStep final : public Step {
public:
    CastStep(std::int64_t count, std::string pointer) : m_count(count), m_pointer(std::move(pointer)) {}
    Status run(const std::byte* in, std::byte* out, Random&) const override {
        const auto* from = reinterpret_cast<const From*>(in);
        auto* to = reinterpret_cast<To*>(out);
        for (std::int64_t i = 0; i < m_count; ++i) {
            if constexpr (std::is_integral_v<To>) {
                // 2^63 is exact in double and the first value that does not fit.
                const auto value = static_cast<double>(from[i]);
                const double low = static_cast<double>(std::numeric_limits<To>::min());
                const double high = std::ldexp(1.0, std::numeric_limits<To>::digits);
                if (!(value >= low && value < high) || value != std::floor(value)) {
                    return fail(ErrorKind::kInvalid, "not-an-integer",
                                fmt::format("The value {} cannot be kept as {}", value,
                                            sizeof(To) == 1   ? "uint8"
                                            : sizeof(To) == 4 ? "int32"
                                                              : "int64"),
                                m_pointer, "Use dtype float32, or correct the data.");
                }
            }
            to[i] = static_cast<To>(from[i]);
        }
        return {};
    }

private:
    std::int64_t m_count;
    std::string m_pointer;
};

template <class From>
std::unique_ptr<Step> castFrom(std::int64_t count, DType to, const std::string& pointer) {
    switch (to) {
        case DType::kFloat32:
            return std::make_unique<CastStep<From, float>>(count, pointer);
        case DType::kFloat64:
            return std::make_unique<CastStep<From, double>>(count, pointer);
        case DType::kInt64:
            return std::make_unique<CastStep<From, std::int64_t>>(count, pointer);
        case DType::kInt32:
            return std::make_unique<CastStep<From, std::int32_t>>(count, pointer);
        case DType::kUInt8:
            return std::make_unique<CastStep<From, std::uint8_t>>(count, pointer);
        default:
            return nullptr;
    }
}

}  // namespace

std::string formatDims(const std::vector<std::int64_t>& dims) {
    return fmt::format("[{}]", fmt::join(dims, ", "));
}

std::unique_ptr<Step> makeCast(const ValueType& from, DType to, const std::string& pointer) {
    const std::int64_t count = from.elementCount();
    switch (from.dtype) {
        case DType::kFloat32:
            return castFrom<float>(count, to, pointer);
        case DType::kFloat64:
            return castFrom<double>(count, to, pointer);
        case DType::kInt64:
            return castFrom<std::int64_t>(count, to, pointer);
        case DType::kInt32:
            return castFrom<std::int32_t>(count, to, pointer);
        case DType::kUInt8:
            return castFrom<std::uint8_t>(count, to, pointer);
        default:
            return nullptr;
    }
}

Pipeline::Pipeline(ValueType input) : m_input(input), m_type(std::move(input)) {}

void Pipeline::add(std::unique_ptr<Step> step, const ValueType& type) {
    m_type = type;
    if (step == nullptr) {
        return;
    }
    if (!m_steps.empty()) {
        const auto* last = dynamic_cast<const AffineStep*>(m_steps.back().get());
        const auto* next = dynamic_cast<const AffineStep*>(step.get());
        if (last != nullptr && next != nullptr) {
            if (auto merged = last->followedBy(*next)) {
                m_steps.back() = std::move(merged);
                m_outputBytes.back() = type.byteCount();
                return;
            }
        }
    }
    m_steps.push_back(std::move(step));
    m_outputBytes.push_back(type.byteCount());
}

Result<Json> Pipeline::append(const Json& transform, const BindContext& context) {
    PLUMBLINE_ASSIGN(const std::unique_ptr<Transform> reader, readTransform(transform, context.pointer));
    PLUMBLINE_ASSIGN(Bound bound, reader->bind(m_type, context));
    add(std::move(bound.step), bound.type);
    return bound.resolved.is_null() ? transform : bound.resolved;
}

Status Pipeline::finish(DType dtype, bool squeeze, const std::string& pointer) {
    ValueType type = m_type;
    if (dtype != type.dtype) {
        auto cast = makeCast(type, dtype, pointer);
        if (cast == nullptr) {
            return fail(ErrorKind::kInvalid, "unknown-dtype",
                        fmt::format("{} cannot become {}", toString(type.dtype), toString(dtype)), pointer,
                        "Choose another dtype, or leave it out.");
        }
        type.dtype = dtype;
        if (isFloatingPoint(dtype)) {
            type.classes.clear();
        }
        add(std::move(cast), type);
    }
    if (squeeze) {
        if (type.elementCount() != 1) {
            return fail(
                ErrorKind::kInvalid, "squeeze-dims",
                fmt::format("\"squeeze\" needs a single number a sample and there are {}", formatDims(type.dims)),
                pointer, "Remove it.");
        }
        m_type.dims.clear();
    }
    return {};
}

Status Pipeline::run(const std::byte* in, std::byte* out, Random* random) const {
    thread_local std::vector<std::byte> scratch[2];
    static thread_local Random unused{0};
    const auto skipped = [&](const Step& step) { return random == nullptr && step.isRandom(); };
    std::size_t last = m_steps.size();
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        if (!skipped(*m_steps[i])) {
            last = i;
        }
    }
    if (last == m_steps.size()) {
        std::memcpy(out, in, m_input.byteCount());
        return {};
    }
    std::size_t turn = 0;
    for (std::size_t i = 0; i <= last; ++i) {
        if (skipped(*m_steps[i])) {
            continue;
        }
        std::byte* to = out;
        if (i != last) {
            auto& buffer = scratch[turn++ % 2];
            if (buffer.size() < m_outputBytes[i]) {
                buffer.resize(m_outputBytes[i]);
            }
            to = buffer.data();
        }
        PLUMBLINE_TRY(m_steps[i]->run(in, to, random != nullptr ? *random : unused));
        in = to;
    }
    return {};
}

bool Pipeline::isCopy(bool augment) const {
    return std::none_of(m_steps.begin(), m_steps.end(), [&](const auto& step) { return augment || !step->isRandom(); });
}

bool Pipeline::hasRandomSteps() const {
    return std::any_of(m_steps.begin(), m_steps.end(), [](const auto& step) { return step->isRandom(); });
}

std::optional<FeedInfo::Statistics> Pipeline::map(const FeedInfo::Statistics& input) const {
    if (m_type.channels() != m_input.channels() || m_type.elementCount() != m_input.elementCount()) {
        return std::nullopt;
    }
    FeedInfo::Statistics statistics = input;
    for (const auto& step : m_steps) {
        if (step->isRandom()) {
            continue;
        }
        const auto* affine = dynamic_cast<const AffineStep*>(step.get());
        if (affine == nullptr) {
            // A change of dtype leaves the values as they are, up to rounding.
            if (&step == &m_steps.back() && m_type.dtype != DType::kUInt8) {
                continue;
            }
            return std::nullopt;
        }
        auto mapped = affine->map(statistics);
        if (!mapped) {
            return std::nullopt;
        }
        statistics = std::move(*mapped);
    }
    return statistics;
}

}  // namespace plumbline::data
