#pragma once
// The program that brings LibTorch into the user's cache: tools/fetch-libtorch, installed as
// libexec/plumbline/fetch-libtorch.

#include <filesystem>

#include "core/error.h"

namespace plumbline::session {

/// Beside the running program (../libexec/plumbline/), or tools/ of the source tree that it was built from.
Result<std::filesystem::path> findFetchTool();

}  // namespace plumbline::session
