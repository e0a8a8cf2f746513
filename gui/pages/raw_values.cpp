// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw_values.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>

namespace plumbline::gui {

namespace {

/// A number, or a list of them.
std::vector<double> numbersIn(const Json& transform, const char* key) {
    const auto value = transform.find(key);
    if (value == transform.end()) {
        return {};
    }
    if (value->is_number()) {
        return {value->get<double>()};
    }
    const bool all = value->is_array() &&
                     std::all_of(value->begin(), value->end(), [](const Json& each) { return each.is_number(); });
    return all ? value->get<std::vector<double>>() : std::vector<double>();
}

/// Random ones are left out of what is shown; these keep every value and its order.
bool keepsValues(std::string_view type) {
    return type == "to_float" || type == "flatten" || type == "reshape" || type == "add_noise" ||
           type.starts_with("random_");
}

/// Values went through 32-bit floats on their way: what that added is rounded off, so that 59 is not 59.0000019.
double withoutNoise(double raw, double magnitude) {
    constexpr double kFloatStep = 2.4e-7;
    const double noise = kFloatStep * magnitude;
    if (!std::isfinite(raw) || !(noise > 0)) {
        return raw;
    }
    const double step = std::pow(10.0, std::ceil(std::log10(noise)));
    return std::round(raw / step) * step;
}

double oneOf(const std::vector<double>& values, std::size_t index) {
    return values[values.size() == 1 ? 0 : index];
}

}  // namespace

std::optional<RawValues> RawValues::of(const data::FeedInfo& feed) {
    if (!feed.transforms.is_array()) {
        return std::nullopt;
    }
    RawValues raw;
    raw.m_elements = std::accumulate(feed.dims.begin(), feed.dims.end(), std::int64_t{1}, std::multiplies<>());
    bool scaled = false;
    for (const Json& transform : feed.transforms) {
        const std::string type = transform.is_object() ? transform.value("type", std::string()) : std::string();
        std::vector<double> factor, offset;
        if (type == "scale") {
            factor = numbersIn(transform, "by");
            offset = {0.0};
        } else if (type == "normalize") {
            const std::vector<double> mean = numbersIn(transform, "mean"), std = numbersIn(transform, "std");
            for (std::size_t i = 0; i < std::max(mean.size(), std.size()) && !mean.empty() && !std.empty(); ++i) {
                factor.push_back(1 / oneOf(std, i));
                offset.push_back(-oneOf(mean, i) / oneOf(std, i));
            }
        } else if (keepsValues(type)) {
            continue;
        }
        const bool fits = factor.size() == 1 || raw.m_factor.size() == 1 || factor.size() == raw.m_factor.size();
        const bool goesBack =
            std::all_of(factor.begin(), factor.end(), [](double each) { return std::isfinite(each) && each != 0; });
        if (factor.empty() || !fits || !goesBack) {
            return std::nullopt;
        }
        RawValues both = raw;
        const std::size_t groups = std::max(factor.size(), raw.m_factor.size());
        both.m_factor.resize(groups);
        both.m_offset.resize(groups);
        for (std::size_t i = 0; i < groups; ++i) {
            both.m_factor[i] = oneOf(factor, i) * oneOf(raw.m_factor, i);
            both.m_offset[i] = oneOf(factor, i) * oneOf(raw.m_offset, i) + oneOf(offset, i);
        }
        raw = std::move(both);
        scaled = true;
    }
    const bool whole = raw.m_elements > 0 && raw.m_elements % static_cast<std::int64_t>(raw.m_factor.size()) == 0;
    return scaled && whole ? std::optional(std::move(raw)) : std::nullopt;
}

double RawValues::at(std::int64_t element, double value) const {
    const auto groups = static_cast<std::int64_t>(m_factor.size());
    const auto group =
        static_cast<std::size_t>(std::clamp<std::int64_t>(element / (m_elements / groups), 0, groups - 1));
    const double magnitude = std::max(std::abs(value), std::abs(m_offset[group])) / std::abs(m_factor[group]);
    return withoutNoise((value - m_offset[group]) / m_factor[group], magnitude);
}

data::FeedInfo::Statistics RawValues::of(const data::FeedInfo::Statistics& statistics) const {
    data::FeedInfo::Statistics raw = statistics;
    if (m_factor.size() != 1 && m_factor.size() != statistics.mean.size()) {
        return raw;
    }
    for (std::size_t i = 0; i < statistics.mean.size(); ++i) {
        const double factor = oneOf(m_factor, i), offset = oneOf(m_offset, i);
        raw.mean[i] = (statistics.mean[i] - offset) / factor;
        raw.std[i] = statistics.std[i] / std::abs(factor);
        raw.min[i] = ((factor < 0 ? statistics.max[i] : statistics.min[i]) - offset) / factor;
        raw.max[i] = ((factor < 0 ? statistics.min[i] : statistics.max[i]) - offset) / factor;
    }
    return raw;
}

}  // namespace plumbline::gui
