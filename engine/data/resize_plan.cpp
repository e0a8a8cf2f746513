#include "data/resize_plan.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace plumbline::data {

ResizePlan::ResizePlan(std::int64_t inHeight, std::int64_t inWidth, std::int64_t outHeight, std::int64_t outWidth)
    : m_rows(makeAxis(inHeight, outHeight)), m_columns(makeAxis(inWidth, outWidth)) {}

ResizePlan::Axis ResizePlan::makeAxis(std::int64_t in, std::int64_t out) {
    Axis axis;
    axis.in = in;
    axis.out = out;
    const double ratio = static_cast<double>(in) / static_cast<double>(out);
    const double support = std::max(ratio, 1.0);
    axis.taps = static_cast<std::int64_t>(std::ceil(support)) * 2 + 1;
    axis.weights.assign(static_cast<std::size_t>(out * axis.taps), 0.0F);
    for (std::int64_t o = 0; o < out; ++o) {
        const double centre = (static_cast<double>(o) + 0.5) * ratio;
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - support + 0.5));
        const auto last = std::min<std::int64_t>(in, static_cast<std::int64_t>(centre + support + 0.5));
        double sum = 0.0;
        std::vector<double> weights;
        for (std::int64_t i = first; i < last; ++i) {
            const double distance = std::abs((static_cast<double>(i) - centre + 0.5) / support);
            weights.push_back(distance < 1.0 ? 1.0 - distance : 0.0);
            sum += weights.back();
        }
        axis.first.push_back(first);
        axis.count.push_back(last - first);
        for (std::size_t k = 0; k < weights.size(); ++k) {
            axis.weights[static_cast<std::size_t>(o * axis.taps) + k] = static_cast<float>(weights[k] / sum);
        }
    }
    return axis;
}

template <class T>
void ResizePlan::run(const T* in, T* out) const {
    // Along the rows first: [in rows][out columns].
    thread_local std::vector<float> narrow;
    narrow.resize(static_cast<std::size_t>(m_rows.in * m_columns.out));
    for (std::int64_t y = 0; y < m_rows.in; ++y) {
        const T* row = in + y * m_columns.in;
        float* target = narrow.data() + y * m_columns.out;
        for (std::int64_t x = 0; x < m_columns.out; ++x) {
            const auto at = static_cast<std::size_t>(x);
            const float* weights = m_columns.weights.data() + x * m_columns.taps;
            float sum = 0.0F;
            for (std::int64_t k = 0; k < m_columns.count[at]; ++k) {
                sum += weights[k] * static_cast<float>(row[m_columns.first[at] + k]);
            }
            target[x] = sum;
        }
    }
    for (std::int64_t y = 0; y < m_rows.out; ++y) {
        const auto at = static_cast<std::size_t>(y);
        const float* weights = m_rows.weights.data() + y * m_rows.taps;
        for (std::int64_t x = 0; x < m_columns.out; ++x) {
            float sum = 0.0F;
            for (std::int64_t k = 0; k < m_rows.count[at]; ++k) {
                sum += weights[k] * narrow[static_cast<std::size_t>((m_rows.first[at] + k) * m_columns.out + x)];
            }
            if constexpr (std::is_same_v<T, std::uint8_t>) {
                out[y * m_columns.out + x] = static_cast<std::uint8_t>(std::clamp(sum + 0.5F, 0.0F, 255.0F));
            } else {
                out[y * m_columns.out + x] = sum;
            }
        }
    }
}

template void ResizePlan::run(const std::uint8_t*, std::uint8_t*) const;
template void ResizePlan::run(const float*, float*) const;

}  // namespace plumbline::data
