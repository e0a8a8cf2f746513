#pragma once
// What this process may compute on.

#include <cstdint>

namespace plumbline {

/// Logical processors that this process may use, at least 1: what its affinity leaves it, as nproc counts them.
std::int64_t usableProcessors();
/// Whether this machine has an NVIDIA driver; loads nothing. Whether LibTorch can use it is another question.
bool hasNvidiaDriver();

}  // namespace plumbline
