#include "diagnostics/registry.h"

namespace plumbline::diagnostics {

const std::vector<DetectorEntry>& detectors() {
#define PLUMBLINE_CALL(detector) detector(),
    static const std::vector<DetectorEntry> all = {PLUMBLINE_DETECTORS(PLUMBLINE_CALL)};
#undef PLUMBLINE_CALL
    return all;
}

}  // namespace plumbline::diagnostics
