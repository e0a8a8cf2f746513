#pragma once
// How long work learns that it should pause or stop. It knows nothing of threads or windows.

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace plumbline {

/// Why long work was asked to stop.
enum class StopReason : int { kNone = 0, kUser, kInterrupt, kTerminate, kFinding };

/// Shared between the one who works and those who steer; every method may be called from any thread.
class RunControl {
public:
    /// The first reason wins. Wakes a paused worker.
    void requestStop(StopReason reason = StopReason::kUser);
    void requestPause();
    void requestResume();

    bool stopRequested() const { return m_stop.load(std::memory_order_relaxed) != 0; }
    StopReason stopReason() const { return static_cast<StopReason>(m_stop.load()); }
    bool pauseRequested() const { return m_pause.load(std::memory_order_relaxed); }

    /// Blocks while a pause is asked for and no stop; returns at once otherwise.
    void waitWhilePaused();

    /// Async-signal-safe: what a signal handler may call. A paused worker notices within 100 ms.
    void requestStopFromSignal(StopReason reason) noexcept;

private:
    std::atomic<int> m_stop{0};
    std::atomic<bool> m_pause{false};
    std::mutex m_mutex;
    std::condition_variable m_changed;
};

}  // namespace plumbline
