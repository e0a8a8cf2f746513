#pragma once
// Two ways to compute the same, timed against each other.

#include <c10/core/Device.h>
#include <functional>

namespace plumbline::compile {

struct Times {
    double first = 0, second = 0;  ///< medians in milliseconds
    double speedup() const { return second > 0 ? first / second : 1; }
};

/// By turns, from 7 to 60 of each, 0.25 s long. What `device` still computes belongs to the one that asked for it.
Times interleaved(at::Device device, const std::function<void()>& first, const std::function<void()>& second);

}  // namespace plumbline::compile
