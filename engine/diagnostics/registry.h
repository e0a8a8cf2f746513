#pragma once
// The detectors there are, each in a file of detectors/: one line here, causes before what follows from them, so that
// both can be told of in one step.

#include "diagnostics/detector.h"

#define PLUMBLINE_DETECTORS(X) \
    X(nonFinite)               \
    X(lossTargetShape)         \
    X(inputDType)              \
    X(validationInTrainMode)   \
    X(trainModeNotRestored)    \
    X(frozenBatchNormDrifts)   \
    X(scalerFrozen)            \
    X(lossDiverged)            \
    X(parameterNotUpdating)    \
    X(loaderStall)             \
    X(accuracyAtChance)

namespace plumbline::diagnostics {

#define PLUMBLINE_DECLARE(detector) DetectorEntry detector();
PLUMBLINE_DETECTORS(PLUMBLINE_DECLARE)
#undef PLUMBLINE_DECLARE

}  // namespace plumbline::diagnostics
