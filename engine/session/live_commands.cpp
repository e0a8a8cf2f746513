#include "session/live_commands.h"

namespace plumbline::session {

Json answerTo(const LiveCommand& command, const Status& status, std::int64_t step) {
    Json answer{{"id", command.id},
                {"path", command.path},
                {"value", command.value},
                {"step", step},
                {"accepted", status.has_value()}};
    if (!status) {
        answer.update(
            {{"code", status.error().code}, {"message", status.error().message}, {"hint", status.error().hint}});
    }
    return answer;
}

}  // namespace plumbline::session
