#pragma once
// Notices that the training thread waits for the loader while it is still waiting: also when the thread itself is held
// up in a read from a disk or share that no longer answers.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace plumbline::train {

/// The training thread says when it begins and ends to wait; look() tells how long that has taken so far. While it
/// tells, end() waits: so what is told of the run is touched by one thread at a time.
class StallWatch {
public:
    using Clock = std::chrono::steady_clock;
    using Now = std::function<Clock::time_point()>;

    /// `tell` is given milliseconds, once a look, as long as a wait of more than kPeriod lasts.
    explicit StallWatch(std::function<void(double)> tell, Now now = &Clock::now);
    ~StallWatch();
    StallWatch(const StallWatch&) = delete;
    StallWatch& operator=(const StallWatch&) = delete;

    /// Looks every kPeriod from a thread of its own. Without threads to be had nothing is watched.
    void start();
    void begin();
    void end();
    void look();

    static constexpr std::chrono::milliseconds kPeriod{250};

    /// A scope in which the calling thread waits; `watch` may be nullptr.
    class Waiting {
    public:
        explicit Waiting(StallWatch* watch) : m_watch(watch) {
            if (m_watch != nullptr) {
                m_watch->begin();
            }
        }
        ~Waiting() {
            if (m_watch != nullptr) {
                m_watch->end();
            }
        }
        Waiting(const Waiting&) = delete;
        Waiting& operator=(const Waiting&) = delete;

    private:
        StallWatch* m_watch;
    };

private:
    void watch();

    std::function<void(double)> m_tell;
    Now m_now;
    std::mutex m_mutex;
    std::condition_variable m_quits;
    bool m_waiting = false;
    bool m_quit = false;
    Clock::time_point m_since{};
    std::thread m_thread;
};

}  // namespace plumbline::train
