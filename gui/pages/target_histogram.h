// SPDX-License-Identifier: GPL-3.0-or-later
// How the values of a target that is a number are spread, in every split.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace plumbline::gui {

struct TargetHistogram {
    std::string target;
    double lower = 0, upper = 1;                  ///< of the even bins, in the data's own unit
    std::array<std::vector<double>, 3> counts{};  ///< training, validation, test
    bool ofSome = false;                          ///< not of all samples: there are too many to look at
};

/// Of the first target that is a single number; nothing where there is none, or when it is abandoned. May take long.
Result<std::optional<TargetHistogram>> readTargetHistogram(const data::Dataset& dataset,
                                                           const std::atomic<bool>& abandon);

}  // namespace plumbline::gui
