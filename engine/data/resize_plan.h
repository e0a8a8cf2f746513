#pragma once
// Bilinear resizing with antialiasing where an image shrinks: Pillow's triangle filter, so that numbers agree with it.

#include <cstdint>
#include <vector>

namespace plumbline::data {

class ResizePlan {
public:
    ResizePlan(std::int64_t inHeight, std::int64_t inWidth, std::int64_t outHeight, std::int64_t outWidth);

    /// One plane, row by row. T is uint8 (rounded to the nearest) or float.
    template <class T>
    void run(const T* in, T* out) const;

private:
    /// For every output position: where its inputs start, and their weights (sum 1).
    struct Axis {
        std::int64_t in = 0;
        std::int64_t out = 0;
        std::int64_t taps = 0;
        std::vector<std::int64_t> first;
        std::vector<std::int64_t> count;
        std::vector<float> weights;  ///< [out][taps]
    };
    static Axis makeAxis(std::int64_t in, std::int64_t out);

    Axis m_rows;
    Axis m_columns;
};

extern template void ResizePlan::run(const std::uint8_t*, std::uint8_t*) const;
extern template void ResizePlan::run(const float*, float*) const;

}  // namespace plumbline::data
