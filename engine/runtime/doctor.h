#pragma once
// What LibTorch makes of this machine.

#include "core/json.h"

namespace plumbline::runtime {

/// {"versions", "threads", "gemm_gflops", "allocator", "cuda": {"loaded", "reason", "devices"}, "problems": […]}.
/// Takes about 0.3 s: the matrix multiplication is measured.
Json doctor();

}  // namespace plumbline::runtime
