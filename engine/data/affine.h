#pragma once
// y = factor * x + offset a channel, computed in double and rounded once. Neighbouring scale, normalize and to_float
// become a single one.

#include <cstdint>
#include <optional>
#include <vector>

#include "data/transform.h"

namespace plumbline::data {

/// One factor and offset a channel (see ValueType::channels()), or a single one for all.
struct AffineCoefficients {
    std::vector<double> factor;
    std::vector<double> offset;
};

class AffineStep final : public Step {
public:
    /// `in` has any dtype but bool and the 16-bit floats; `out` is float32 or float64.
    AffineStep(const ValueType& in, DType out, AffineCoefficients coefficients);

    Status run(const std::byte* in, std::byte* out, Random& random) const override;
    /// This one followed by `next`, or nothing where they do not tell the same channels apart.
    std::unique_ptr<AffineStep> followedBy(const AffineStep& next) const;
    /// What the step makes of statistics measured before it.
    std::optional<FeedInfo::Statistics> map(const FeedInfo::Statistics& before) const;

private:
    ValueType m_in;
    DType m_out;
    AffineCoefficients m_coefficients;
    std::int64_t m_groups;         ///< 1, or one a channel
    std::int64_t m_groupElements;  ///< elements that share a coefficient
    std::vector<float> m_table;    ///< [groups][256] for uint8 to float32
};

}  // namespace plumbline::data
