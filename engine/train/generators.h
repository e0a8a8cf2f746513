#pragma once
// The generators' states by their names in this module.

#include "model/generators.h"

namespace plumbline::train {

using model::copyGenerators;
using model::GeneratorCopies;
using model::GeneratorStates;
using model::restoreGenerators;
using model::saveGenerators;

}  // namespace plumbline::train
