#pragma once
// What may be asked of a run while it goes on: taken at a step boundary.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::session {

/// A change of a setting, which the run records as an event "command" and whoever repeats it gets again; or one of the
/// two instructions below, which change no number and are not repeated.
struct LiveCommand {
    std::string path;  ///< dotted setting whose spec says applies = live, as "training.optimizer.lr"; or an instruction
    Json value;
    std::string id =
        {};  ///< of the message that asked for it, which an event "answer" names; "" = nobody waits for one
};

/// {"steps", "trace"}: look at where the time and the memory of the next steps go; `trace` writes a Chrome trace as
/// well.
constexpr const char* kProfileInstruction = "profile";
constexpr std::int64_t kMostProfiledSteps = 10'000, kMostTracedSteps = 100;
/// Write a checkpoint now. No value.
constexpr const char* kCheckpointInstruction = "checkpoint";
/// Whether the training thread carries it out and changes no setting.
inline bool isInstruction(const std::string& path) {
    return path == kProfileInstruction || path == kCheckpointInstruction;
}

/// Of RunControl, for who is not in the run's process: taken at once, by no step.
constexpr const char* kStopInstruction = "stop";
constexpr const char* kPauseInstruction = "pause";
constexpr const char* kGoOnInstruction = "go_on";

/// What the event "answer" tells: {"id", "path", "value", "step", "accepted"}, of a refusal {"code", "message", "hint"}
/// too. `step`: steps that were done. With a learning rate that is taken at once, "rates": [{"group", "base", "lr"}],
/// what the next step has of it.
Json answerTo(const LiveCommand& command, const Status& status, std::int64_t step);

/// Any thread may post; the training thread takes.
class LiveCommands {
public:
    void post(LiveCommand command) {
        const std::scoped_lock lock(m_mutex);
        m_commands.push_back(std::move(command));
        m_pending.store(true, std::memory_order_release);
    }
    bool isPending() const { return m_pending.load(std::memory_order_acquire); }
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
