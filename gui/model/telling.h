// SPDX-License-Identifier: GPL-3.0-or-later
// The two or three parameters a block shows on the canvas: "32, k3 s2 p1".
#pragma once

#include <QString>

#include "graph/block_type.h"

namespace plumbline::gui {

/// `params` are the resolved values; what has its default and is told by a letter is left out.
QString tellingText(const graph::BlockSpec& spec, const Json& params);
/// A JSON value as a person writes it: 3, "same", 3×5, =channels.
QString valueText(const Json& value);
/// Category of a leaf type as the theme knows it.
int categoryOf(const std::string& category);

}  // namespace plumbline::gui
