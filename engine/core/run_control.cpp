#include "core/run_control.h"

#include <chrono>

namespace plumbline {

void RunControl::requestStop(StopReason reason) {
    requestStopFromSignal(reason);
    const std::scoped_lock lock(m_mutex);
    m_changed.notify_all();
}

void RunControl::requestStopFromSignal(StopReason reason) noexcept {
    int none = 0;
    m_stop.compare_exchange_strong(none, static_cast<int>(reason));
}

void RunControl::requestPause() {
    const std::scoped_lock lock(m_mutex);
    m_pause = true;
}

void RunControl::requestResume() {
    const std::scoped_lock lock(m_mutex);
    m_pause = false;
    m_changed.notify_all();
}

void RunControl::waitWhilePaused() {
    std::unique_lock lock(m_mutex);
    while (m_pause && !stopRequested()) {
        m_changed.wait_for(lock, std::chrono::milliseconds(100));
    }
}

}  // namespace plumbline
