#include "runtime/torch_warnings.h"

#include <c10/util/Logging.h>
#include <fmt/format.h>

namespace plumbline::runtime {

void TorchWarnings::process(const c10::Warning& warning) {
    std::string text = warning.msg().substr(0, warning.msg().find('\n'));
    // "… (function operator())" is LibTorch's own place.
    if (const std::size_t place = text.rfind(" (function "); place != std::string::npos) {
        text.erase(place);
    }
    // The first sentence says what; the rest is of PyTorch's next releases and of Python.
    if (const std::size_t end = text.find(". "); end != std::string::npos) {
        text.erase(end);
    }
    text.erase(text.find_last_not_of(". ") + 1);
    if (m_tell && m_told.insert(text).second) {
        m_tell(fmt::format("LibTorch warns: {}.", text));
    }
}

void silenceTorchLog() {
    constexpr int kErrors = 2;
    FLAGS_caffe2_log_level = kErrors;
}

}  // namespace plumbline::runtime
