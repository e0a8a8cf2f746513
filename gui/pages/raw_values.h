// SPDX-License-Identifier: GPL-3.0-or-later
// The way back from what a model gets to what the data hold: 0.76 is an age of 59.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "data/dataset.h"

namespace plumbline::gui {

/// Undoes the scaling of one input or target (scale, normalize).
class RawValues {
public:
    /// Nothing where the values are the data's own, or where they cannot be had back (one_hot, resize).
    static std::optional<RawValues> of(const data::FeedInfo& feed);

    /// Of element `element` of a sample.
    double at(std::int64_t element, double value) const;
    data::FeedInfo::Statistics of(const data::FeedInfo::Statistics& statistics) const;

private:
    std::int64_t m_elements = 1;                       ///< of a sample
    std::vector<double> m_factor{1.0}, m_offset{0.0};  ///< value = factor * raw + offset; one for all, or one a channel
};

}  // namespace plumbline::gui
