#pragma once
// Whether what a command printed has got to where it should.

#include "core/error.h"

namespace plumbline::cli {

/// Everything so far has arrived at standard output, or its reader has gone and wants no more; otherwise
/// "output-failed".
Status outputArrived();

}  // namespace plumbline::cli
