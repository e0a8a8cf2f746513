#pragma once
// One setting of a sweep and the values that it may take.

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"

namespace plumbline::sweep {

/// A value is text, as `--set` takes it. Places between the first and the last value are shares from 0 to 1, evenly
/// spread over the values, or over their logarithms.
struct Parameter {
    std::string path;                  ///< dotted, into project.json
    std::vector<std::string> choices;  ///< listed values; empty: a range
    double low = 0, high = 0;          ///< of a range, both of them values
    bool logarithmic = false;
    bool integer = false;
    std::int64_t steps = 0;  ///< values that a grid takes of a range; 0: none stated

    bool isRange() const { return choices.empty(); }
    /// How many values a grid tries; 0 for a range without steps, which a grid cannot take.
    std::int64_t gridSize() const { return isRange() ? steps : static_cast<std::int64_t>(choices.size()); }
    /// The value at a share of 0 to 1.
    std::string at(double share) const;
    /// The value of a grid at a place below gridSize().
    std::string gridValue(std::int64_t place) const;
};

/// "a.b=1,2,3" (values, as JSON or plain text), "a.b=0.1..0.5" (a range; whole numbers where both ends are),
/// "a.b=log:1e-5..1e-1" (evenly over the logarithm), each range with "/n" behind it for n values of a grid.
Result<Parameter> parseParameter(const std::string& text);

}  // namespace plumbline::sweep
