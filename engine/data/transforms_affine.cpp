// scale, normalize and to_float: all of the form factor * x + offset.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/json_errors.h"
#include "data/affine.h"
#include "data/transforms.h"

namespace plumbline::data {
namespace {

template <class In, class Out>
void applyGroup(const In* in, Out* out, std::int64_t count, double factor, double offset) {
    for (std::int64_t i = 0; i < count; ++i) {
        out[i] = static_cast<Out>(factor * static_cast<double>(in[i]) + offset);
    }
}

template <class In, class Out>
void applyAll(const std::byte* in, std::byte* out, std::int64_t groups, std::int64_t count,
              const AffineCoefficients& coefficients) {
    const auto* from = reinterpret_cast<const In*>(in);
    auto* to = reinterpret_cast<Out*>(out);
    if (count == 1) {  // columns of a table
        for (std::int64_t i = 0; i < groups; ++i) {
            const auto g = static_cast<std::size_t>(i);
            to[i] = static_cast<Out>(coefficients.factor[g] * static_cast<double>(from[i]) + coefficients.offset[g]);
        }
        return;
    }
    for (std::int64_t g = 0; g < groups; ++g) {
        applyGroup(from + g * count, to + g * count, count, coefficients.factor[static_cast<std::size_t>(g)],
                   coefficients.offset[static_cast<std::size_t>(g)]);
    }
}

template <class In>
void applyTo(DType outType, const std::byte* in, std::byte* out, std::int64_t groups, std::int64_t count,
             const AffineCoefficients& coefficients) {
    if (outType == DType::kFloat64) {
        applyAll<In, double>(in, out, groups, count, coefficients);
    } else {
        applyAll<In, float>(in, out, groups, count, coefficients);
    }
}

bool isNumeric(DType dtype) {
    return dtype != DType::kBool && dtype != DType::kFloat16 && dtype != DType::kBFloat16;
}

Result<Bound> bindAffine(const ValueType& in, const BindContext& context, AffineCoefficients coefficients) {
    if (!in.classes.empty() || !isNumeric(in.dtype)) {
        return fail(ErrorKind::kInvalid, "transform-type",
                    fmt::format("A class index ({}) cannot be scaled", toString(in.dtype)), context.pointer,
                    "Put one_hot before it, or remove it.");
    }
    Bound bound;
    bound.type = in;
    bound.type.dtype = context.floating;
    bound.step = std::make_unique<AffineStep>(in, context.floating, std::move(coefficients));
    return bound;
}

class Scale final : public Transform {
public:
    explicit Scale(double by) : m_by(by) {}
    Result<Bound> bind(const ValueType& in, const BindContext& context) const override {
        return bindAffine(in, context, {{m_by}, {0.0}});
    }

private:
    double m_by;
};

class Normalize final : public Transform {
public:
    Normalize(std::vector<double> mean, std::vector<double> std) : m_mean(std::move(mean)), m_std(std::move(std)) {}

    Result<Bound> bind(const ValueType& in, const BindContext& context) const override {
        std::vector<double> mean = m_mean;
        std::vector<double> std = m_std;
        if (mean.empty()) {
            if (!in.classes.empty()) {
                return bindAffine(in, context, {});
            }
            PLUMBLINE_ASSIGN(const FeedInfo::Statistics statistics, context.trainStatistics());
            mean = statistics.mean;
            std = statistics.std;
            for (std::size_t i = 0; i < std.size(); ++i) {
                // A constant column has nothing to scale; it becomes zero.
                if (!(std[i] > 1e-12 * std::abs(mean[i]))) {
                    std[i] = 1.0;
                }
            }
        }
        const auto channels = static_cast<std::size_t>(in.channels());
        for (const auto* values : {&mean, &std}) {
            if (values->size() != 1 && values->size() != channels) {
                return fail(ErrorKind::kInvalid, "transform-channels",
                            fmt::format("normalize has {} values and gets {} channels ({})", values->size(), channels,
                                        formatDims(in.dims)),
                            context.pointer, "Give one value a channel, or a single one for all.");
            }
        }
        AffineCoefficients coefficients;
        const std::size_t groups = std::max(mean.size(), std.size());
        for (std::size_t i = 0; i < groups; ++i) {
            const double m = mean[mean.size() == 1 ? 0 : i];
            const double s = std[std.size() == 1 ? 0 : i];
            coefficients.factor.push_back(1.0 / s);
            coefficients.offset.push_back(-m / s);
        }
        PLUMBLINE_ASSIGN(Bound bound, bindAffine(in, context, std::move(coefficients)));
        bound.resolved = {{"type", "normalize"}, {"mean", mean}, {"std", std}};
        return bound;
    }

private:
    std::vector<double> m_mean;  ///< empty: fitted on the training split
    std::vector<double> m_std;
};

std::vector<double> numbers(JsonObject& object, std::string_view key) {
    const Json* value = object.find(key);
    if (value == nullptr) {
        return {};
    }
    if (value->is_number()) {
        return {value->get<double>()};
    }
    const auto isNumber = [](const Json& item) { return item.is_number(); };
    if (!value->is_array() || value->empty() || !std::all_of(value->begin(), value->end(), isNumber)) {
        object.wrongType(key, "a number or a list of numbers");
        return {};
    }
    return value->get<std::vector<double>>();
}

}  // namespace

AffineStep::AffineStep(const ValueType& in, DType out, AffineCoefficients coefficients)
    : m_in(in), m_out(out), m_coefficients(std::move(coefficients)) {
    m_groups = static_cast<std::int64_t>(m_coefficients.factor.size());
    m_groupElements = m_groups > 0 ? in.elementCount() / m_groups : 0;
    if (in.dtype == DType::kUInt8 && out == DType::kFloat32) {
        m_table.resize(static_cast<std::size_t>(m_groups) * 256);
        for (std::size_t g = 0; g < static_cast<std::size_t>(m_groups); ++g) {
            for (std::size_t x = 0; x < 256; ++x) {
                m_table[g * 256 + x] =
                    static_cast<float>(m_coefficients.factor[g] * static_cast<double>(x) + m_coefficients.offset[g]);
            }
        }
    }
}

Status AffineStep::run(const std::byte* in, std::byte* out, Random&) const {
    if (!m_table.empty()) {
        const auto* from = reinterpret_cast<const std::uint8_t*>(in);
        auto* to = reinterpret_cast<float*>(out);
        for (std::int64_t g = 0; g < m_groups; ++g) {
            const float* table = m_table.data() + g * 256;
            for (std::int64_t i = 0; i < m_groupElements; ++i) {
                *to++ = table[*from++];
            }
        }
        return {};
    }
    const auto apply = [&](auto* functionOfType) {
        functionOfType(m_out, in, out, m_groups, m_groupElements, m_coefficients);
    };
    switch (m_in.dtype) {
        case DType::kFloat32:
            apply(&applyTo<float>);
            break;
        case DType::kFloat64:
            apply(&applyTo<double>);
            break;
        case DType::kInt64:
            apply(&applyTo<std::int64_t>);
            break;
        case DType::kInt32:
            apply(&applyTo<std::int32_t>);
            break;
        case DType::kInt16:
            apply(&applyTo<std::int16_t>);
            break;
        case DType::kInt8:
            apply(&applyTo<std::int8_t>);
            break;
        case DType::kUInt8:
            apply(&applyTo<std::uint8_t>);
            break;
        default:
            break;  // bind() refuses the others
    }
    return {};
}

std::unique_ptr<AffineStep> AffineStep::followedBy(const AffineStep& next) const {
    if (m_groups != next.m_groups && m_groups != 1 && next.m_groups != 1) {
        return nullptr;
    }
    const auto groups = static_cast<std::size_t>(std::max(m_groups, next.m_groups));
    AffineCoefficients merged;
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t a = m_groups == 1 ? 0 : g;
        const std::size_t b = next.m_groups == 1 ? 0 : g;
        merged.factor.push_back(next.m_coefficients.factor[b] * m_coefficients.factor[a]);
        merged.offset.push_back(next.m_coefficients.factor[b] * m_coefficients.offset[a] +
                                next.m_coefficients.offset[b]);
    }
    return std::make_unique<AffineStep>(m_in, next.m_out, std::move(merged));
}

std::optional<FeedInfo::Statistics> AffineStep::map(const FeedInfo::Statistics& before) const {
    const std::size_t channels = before.mean.size();
    if (m_groups != 1 && static_cast<std::size_t>(m_groups) != channels) {
        return std::nullopt;
    }
    FeedInfo::Statistics after = before;
    for (std::size_t c = 0; c < channels; ++c) {
        const double factor = m_coefficients.factor[m_groups == 1 ? 0 : c];
        const double offset = m_coefficients.offset[m_groups == 1 ? 0 : c];
        after.mean[c] = factor * before.mean[c] + offset;
        after.std[c] = std::abs(factor) * before.std[c];
        after.min[c] = factor * (factor < 0 ? before.max[c] : before.min[c]) + offset;
        after.max[c] = factor * (factor < 0 ? before.min[c] : before.max[c]) + offset;
    }
    return after;
}

std::unique_ptr<Transform> readScale(JsonObject& object) {
    if (!object.has("by")) {
        object.addError(missingKeyError(pointerTo(object.pointer(), "by"), "\"by\": 0.5"));
    }
    constexpr double kLargest = std::numeric_limits<double>::max();
    return std::make_unique<Scale>(numberIn(object, "by", 1.0, -kLargest, kLargest));
}

std::unique_ptr<Transform> readToFloat(JsonObject&) {
    return std::make_unique<Scale>(1.0);
}

std::unique_ptr<Transform> readNormalize(JsonObject& object) {
    const std::string statistics = object.string("statistics", {});
    std::vector<double> mean = numbers(object, "mean");
    std::vector<double> std = numbers(object, "std");
    const auto problem = [&](std::string_view key, std::string message, std::string hint) {
        object.addError({ErrorKind::kInvalid, "normalize-options", std::move(message), pointerTo(object.pointer(), key),
                         std::move(hint)});
    };
    if (!statistics.empty()) {
        if (statistics != "train") {
            problem("statistics", fmt::format("normalize knows the statistics \"train\", not \"{}\"", statistics),
                    "Other splits would leak into training.");
        } else if (!mean.empty() || !std.empty()) {
            problem("statistics", "normalize has both \"statistics\" and its own \"mean\" or \"std\"",
                    "Remove one of them.");
        }
    } else if (mean.empty() || std.empty()) {
        problem("statistics", "normalize needs \"mean\" and \"std\", or \"statistics\": \"train\"",
                "Give both, a number a channel or column, or have them measured.");
    }
    if (std::any_of(std.begin(), std.end(), [](double value) { return !(value > 0.0); })) {
        problem("std", "normalize has a \"std\" that is not above zero",
                "Give each channel or column its standard deviation.");
    }
    return std::make_unique<Normalize>(std::move(mean), std::move(std));
}

}  // namespace plumbline::data
