#include "cli/follow_run.h"

#include <fmt/format.h>
#include <chrono>
#include <thread>

#include "cli/progress_view.h"
#include "cli/signals.h"
#include "core/text.h"

namespace plumbline::cli {

Result<session::RunSummary> followRun(session::TrainingSession& session, const Output& output) {
    // A run lies in its project's folder runs/.
    const std::string project = session.runFolder().parent_path().parent_path().string();
    ProgressView view(output, fmt::format("plumbline tell {} {} --go-on", shellQuoted(project), session.runId()));
    const SignalScope signals(session.control());
    session.start(false);
    bool finished = false;
    while (!finished) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        session.drainMetrics();
        for (const session::SessionEvent& event : session.drainEvents()) {
            finished = finished || event.kind == session::SessionEvent::Kind::kFinished;
            view.show(event);
        }
        view.update(session.progress());
    }
    view.finish();
    Result<session::RunSummary> summary = session.wait();
    if (!summary && output.json() && summary.error().where.empty()) {
        // The document says where the run is, so that what was written can be found.
        Error error = summary.error();
        error.where = session.runFolder().string();
        return fail(std::move(error));
    }
    return summary;
}

}  // namespace plumbline::cli
