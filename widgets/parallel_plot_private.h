// SPDX-License-Identifier: GPL-3.0-or-later
// What the source files of the parallel plot share. Internal.
#pragma once

#include "widgets/parallel_plot.h"

namespace plumbline::widgets {

/// Where a value stands on an axis, 0 to 1; NaN: nowhere.
double axisShare(const ParallelAxis& axis, double value);

/// What the pointer does while its button is down.
struct ParallelPlot::Drag {
    enum class Kind { Mark, Move, Low, High };
    int axis = 0;
    Kind kind = Kind::Mark;
    QPointF pressed;
    double from = 0;              ///< share where it began
    std::optional<Range> before;  ///< the range that there was
    bool moved = false;
};

inline constexpr double kGrip = 10;  ///< pixels on either side of an axis that belong to it

}  // namespace plumbline::widgets
