#pragma once
// What this build was compiled against and runs with.

#include "core/json.h"

namespace plumbline::train {

/// {"plumbline", "libtorch", "compiler", "os", "cpu", "blas", "onednn", "cuda"}: part of each run's record.
Json versions();

}  // namespace plumbline::train
