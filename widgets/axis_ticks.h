// SPDX-License-Identifier: GPL-3.0-or-later
// Round numbers for axes and short texts for values.
#pragma once

#include <QString>
#include <vector>

namespace plumbline::widgets {

/// About `count` multiples of 1, 2 or 5 times a power of ten inside [lower, upper].
std::vector<double> roundTicks(double lower, double upper, int count);

/// Ticks of a logarithmic axis: 1, 2, 5 … within few decades, powers of ten over many; at most `most`. Neighbours
/// lie at least `leastShare` of the axis's length apart.
std::vector<double> logTicks(double lower, double upper, int most, double leastShare = 0);

/// Four significant figures without trailing zeros: "0.1234", "12,345", "1.2e-05"; "NaN" and "∞" as they are.
QString shortNumber(double value);

}  // namespace plumbline::widgets
