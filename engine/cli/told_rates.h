#pragma once
// A learning rate that a run was told, and what the next step has of it.

#include <string>

#include "core/json.h"

namespace plumbline::cli {

/// Of an event "answer" or "command": a sentence, with a space before it, where the schedule makes another rate of what
/// was told; "" where it does not, and for other settings.
std::string scheduledRates(const Json& told);

}  // namespace plumbline::cli
