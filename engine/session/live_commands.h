#pragma once
// What may change while a run goes on: taken at a step boundary and recorded in the run.

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"

namespace plumbline::session {

struct LiveCommand {
    std::string path;  ///< dotted setting whose spec says applies = live, as "training.optimizer.lr"
    Json value;
};

/// Any thread may post; the training thread takes.
class LiveCommands {
public:
    void post(LiveCommand command) {
        const std::scoped_lock lock(m_mutex);
        m_commands.push_back(std::move(command));
        m_pending.store(true, std::memory_order_release);
    }
    /// Cheap when there is nothing.
    std::vector<LiveCommand> take() {
        if (!m_pending.load(std::memory_order_acquire)) {
            return {};
        }
        const std::scoped_lock lock(m_mutex);
        m_pending = false;
        return std::exchange(m_commands, {});
    }

private:
    std::mutex m_mutex;
    std::atomic<bool> m_pending{false};
    std::vector<LiveCommand> m_commands;
};

}  // namespace plumbline::session
