#pragma once
// The detectors there are, each in a file of detectors/.

#include "diagnostics/detector.h"

namespace plumbline::diagnostics {

DetectorEntry accuracyAtChance();
DetectorEntry frozenBatchNormDrifts();
DetectorEntry inputDType();
DetectorEntry loaderStall();
DetectorEntry lossDiverged();
DetectorEntry lossTargetShape();
DetectorEntry nonFinite();
DetectorEntry parameterNotUpdating();
DetectorEntry scalerFrozen();
DetectorEntry trainModeNotRestored();
DetectorEntry validationInTrainMode();

}  // namespace plumbline::diagnostics
