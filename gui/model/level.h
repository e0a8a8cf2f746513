// SPDX-License-Identifier: GPL-3.0-or-later
// Where the canvas is: the root graph or the inside of a composite.
#pragma once

#include <string>
#include <vector>

namespace plumbline::gui {

/// One level of the way in.
struct Level {
    std::string graph;  ///< definition name; "" = root
    std::string path;   ///< of the instance that was entered ("layers.0"), "" for the root or a definition on its own

    /// Full path of a node at this level.
    std::string pathOf(const std::string& node) const { return path.empty() ? node : path + "." + node; }
    friend bool operator==(const Level&, const Level&) = default;
};

/// From the root to where the canvas is; never empty.
using LevelStack = std::vector<Level>;

}  // namespace plumbline::gui
