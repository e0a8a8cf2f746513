#include "diagnostics/registry.h"

namespace plumbline::diagnostics {

const std::vector<DetectorEntry>& detectors() {
    // Causes before what follows from them, so that both can be told of in one step.
    static const std::vector<DetectorEntry> all = {
        nonFinite(),           lossTargetShape(),       inputDType(),  validationInTrainMode(), trainModeNotRestored(),
        frozenBatchNormDrifts(), scalerFrozen(),        lossDiverged(), parameterNotUpdating(), loaderStall(),  accuracyAtChance(),
    };
    return all;
}

}  // namespace plumbline::diagnostics
