#include "session/run_sink.h"

namespace plumbline::session {

std::string_view toString(RunState state) {
    switch (state) {
        case RunState::kIdle:
            return "idle";
        case RunState::kPreparing:
            return "preparing";
        case RunState::kRunning:
            return "running";
        case RunState::kPaused:
            return "paused";
        case RunState::kStopping:
            return "stopping";
        case RunState::kCompleted:
            return "completed";
        case RunState::kStopped:
            return "stopped";
        case RunState::kFailed:
            return "failed";
    }
    return "";
}

Json toJson(const Event& event) {
    Json json{{"t_ms", event.tMs}, {"event", event.event}};
    if (event.data.is_object()) {
        for (const auto& [key, value] : event.data.items()) {
            json[key] = value;
        }
    }
    return json;
}

}  // namespace plumbline::session
