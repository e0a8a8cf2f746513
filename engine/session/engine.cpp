#include "session/engine.h"

namespace plumbline::session {

namespace {

Error readsNone(const std::filesystem::path& file) {
    return {ErrorKind::kMachine, "reads-no-checkpoint", "This build reads no checkpoints.", file.string(),
            "Install the whole program."};
}

}  // namespace

Result<CheckpointFacts> Engine::checkpointFacts(const std::filesystem::path& file) {
    return fail(readsNone(file));
}

Result<CheckpointComparison> Engine::compareCheckpoints(const std::filesystem::path& a,
                                                        const std::filesystem::path& /*b*/) {
    return fail(readsNone(a));
}

}  // namespace plumbline::session
