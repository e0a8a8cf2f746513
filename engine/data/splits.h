#pragma once
// Who goes where: every row in exactly one split, counts exact by largest remainder, the same for the same seed.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/data_spec.h"

namespace plumbline::data {

/// Rows of training, validation and test, ascending.
using SplitRows = std::array<std::vector<std::int64_t>, 3>;

/// Counts that add to `count` and are each less than 1 from their share; ties go to the earlier one. Shares add to 1.
std::array<std::int64_t, 3> largestRemainder(std::int64_t count, const std::array<double, 3>& shares);

/// `classes` is the class of every row, or empty where nothing is stratified. Stratified, every class is less than 1
/// from its share in every split, and the totals are those of largestRemainder() of all rows.
SplitRows splitRows(std::int64_t rows, const SplitSpec& spec, std::span<const std::int64_t> classes,
                    std::int64_t classCount);

}  // namespace plumbline::data
