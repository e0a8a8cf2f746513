#pragma once
// LibTorch on first need: offered to be fetched, with consent, by the tool that is installed beside the program.

#include <memory>

#include "session/engine.h"

namespace plumbline::cli {

/// The engine. Where LibTorch is missing and a person sits at the terminal, asks whether to fetch it.
Result<std::shared_ptr<session::Engine>> engineFor();
/// Runs the fetch tool; its progress goes to standard error.
Status fetchLibTorch(bool withCuda);

}  // namespace plumbline::cli
