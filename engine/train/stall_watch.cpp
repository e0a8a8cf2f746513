#include "train/stall_watch.h"

#include <exception>
#include <system_error>
#include <utility>

namespace plumbline::train {

StallWatch::StallWatch(std::function<void(double)> tell, Now now) : m_tell(std::move(tell)), m_now(std::move(now)) {}

StallWatch::~StallWatch() {
    {
        const std::scoped_lock lock(m_mutex);
        m_quit = true;
    }
    m_quits.notify_all();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

void StallWatch::start() {
    try {
        m_thread = std::thread([this] { watch(); });
    } catch (const std::system_error&) {
        // The run itself needs no such thread.
    }
}

void StallWatch::begin() {
    const std::scoped_lock lock(m_mutex);
    m_since = m_now();
    m_waiting = true;
}

void StallWatch::end() {
    const std::scoped_lock lock(m_mutex);
    m_waiting = false;
}

void StallWatch::look() {
    const std::scoped_lock lock(m_mutex);
    const auto waited = m_now() - m_since;
    if (m_waiting && waited >= kPeriod) {
        m_tell(std::chrono::duration<double, std::milli>(waited).count());
    }
}

void StallWatch::watch() {
    std::unique_lock lock(m_mutex);
    while (!m_quits.wait_for(lock, kPeriod, [this] { return m_quit; })) {
        lock.unlock();
        try {
            look();
        } catch (const std::exception&) {
            return;  // memory is exhausted: the training thread will say so
        }
        lock.lock();
    }
}

}  // namespace plumbline::train
