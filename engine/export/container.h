#pragma once
// A file that one of LibTorch's writers makes.

#include <cstddef>
#include <filesystem>
#include <functional>

#include "core/error.h"

namespace plumbline::exporting {

/// Takes bytes, always all of them.
using ByteSink = std::function<std::size_t(const void*, std::size_t)>;

/// Replaces `file` atomically by what `write` hands over. LibTorch's writers never hear of a failure: they would throw
/// out of their destructors, which ends the program. It is the status instead.
Status writeContainer(const std::filesystem::path& file, const std::function<void(const ByteSink&)>& write);

}  // namespace plumbline::exporting
