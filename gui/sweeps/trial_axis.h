// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep's parameter as an axis.
#pragma once

#include <optional>
#include <string>

#include "sweep/sweep_file.h"

namespace plumbline::gui {

/// A range that grows by more is drawn evenly over its logarithm.
inline constexpr double kDecades = 100;

/// Whether each of its listed values is a number; so of a range.
bool allNumbers(const sweep::Parameter& parameter);
bool isDrawnByLogarithm(const sweep::Parameter& parameter);
/// The number that a value is; nothing where it is none.
std::optional<double> numberOf(const std::string& value);
/// Where a trial stands on a parameter's axis: its value, or counted from 1 which of the listed values it has. Nothing
/// where it has none.
std::optional<double> placeOnAxis(const sweep::Parameter& parameter, const sweep::Trial& trial);

}  // namespace plumbline::gui
