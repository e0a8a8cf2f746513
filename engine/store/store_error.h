#pragma once
// Errors of the store that those who write into it tell as well.

#include <filesystem>

#include "core/error.h"

namespace plumbline::store {

/// For std::bad_alloc while a run is read or written; `file` where it is known.
inline Error outOfMemory(const std::filesystem::path& file = {}) {
    return {ErrorKind::kMachine, "out-of-memory", "Memory ran out while reading or writing a run", file.string(),
            "Close other programs."};
}

}  // namespace plumbline::store
