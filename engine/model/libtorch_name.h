#pragma once
// Compiled packages ask the dynamic loader for "libtorch.so". The wheel's own pulls CUDA in; ours is empty and has that
// name.

#include "core/error.h"

namespace plumbline::model {

/// From now on the name is answered, by whatever library has it already, or by ours. Code "runtime-broken" where ours
/// is not there.
Status answerToLibTorchsName();

}  // namespace plumbline::model
