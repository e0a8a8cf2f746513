#pragma once
// session/probe.h, carried out.

#include <functional>
#include <string>

#include "core/error.h"
#include "core/run_control.h"
#include "session/probe.h"

namespace plumbline::train {

/// `progress` is told a line now and then. A stop is the error "stopped".
Result<Json> probe(const session::ProbeRequest& request, RunControl& control,
                   const std::function<void(const std::string&)>& progress);

}  // namespace plumbline::train
