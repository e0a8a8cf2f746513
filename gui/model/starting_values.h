// SPDX-License-Identifier: GPL-3.0-or-later
// What a new block begins with, so that it runs where it is put.
#pragma once

#include <optional>

#include "graph/block_type.h"
#include "graph/tensor_type.h"

namespace plumbline::gui {

/// Values for the parameters that have no default; those that nobody can guess stay open. `input`: what the block will
/// read, where it is known. A convolution keeps the input's height and width.
Json startingParams(const graph::BlockType& type, const std::optional<graph::TensorType>& input);

}  // namespace plumbline::gui
