#include "session/prove_resume.h"

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "core/files.h"
#include "session/run_files.h"
#include "store/run_store.h"

namespace plumbline::session {
namespace {

/// A folder of its own under the system's one for temporary files; gone with it.
class ScratchFolder {
public:
    Status make() {
        std::error_code error;
        std::string pattern = (std::filesystem::temp_directory_path(error) / "plumbline-prove-XXXXXX").string();
        if (error || ::mkdtemp(pattern.data()) == nullptr) {
            return fail(fileError(error ? error.value() : errno, "make a folder for the copy", pattern));
        }
        m_path = pattern;
        return {};
    }
    ~ScratchFolder() {
        std::error_code ignored;
        if (!m_path.empty()) {
            std::filesystem::remove_all(m_path, ignored);
        }
    }
    ScratchFolder() = default;
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

struct Known {
    std::filesystem::path file;
    CheckpointFacts facts;
};

/// The whole checkpoints of a run, newest first, one a step. Damaged ones are passed over.
std::vector<Known> wholeCheckpoints(const std::filesystem::path& runFolder, Engine& engine) {
    std::vector<Known> found;
    std::error_code error;
    for (std::filesystem::directory_iterator it(runFolder / "checkpoints", error), end; !error && it != end;
         it.increment(error)) {
        if (it->path().extension() != ".ckpt") {
            continue;
        }
        if (const auto facts = engine.checkpointFacts(it->path())) {
            found.push_back({it->path(), *facts});
        }
    }
    // Of one step, its own file before a best one.
    const auto key = [](const Known& known) {
        return std::tuple(-known.facts.step, known.file.stem().string().starts_with("best"), known.file);
    };
    std::sort(found.begin(), found.end(), [&](const Known& a, const Known& b) { return key(a) < key(b); });
    found.erase(std::unique(found.begin(), found.end(),
                            [](const Known& a, const Known& b) { return a.facts.step == b.facts.step; }),
                found.end());
    return found;
}

Status copyFile(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error;
    std::filesystem::copy_file(from, to, error);
    return error ? Status(fail(fileError(error.value(), "copy the run", to))) : Status{};
}

/// What a resume needs of the run: its store, the checkpoint to go on from, and the best one where that is no later.
Status copyRun(const std::filesystem::path& runFolder, const Known& from, const std::filesystem::path& to,
               Engine& engine) {
    PLUMBLINE_TRY(makeFolder(to / "checkpoints"));
    std::error_code error;
    for (const char* name : {"run.sqlite", "run.sqlite-wal", "note.json"}) {
        if (std::filesystem::exists(runFolder / name, error)) {
            PLUMBLINE_TRY(copyFile(runFolder / name, to / name));
        }
    }
    PLUMBLINE_TRY(copyFile(from.file, to / "checkpoints" / fmt::format("step-{:09}.ckpt", from.facts.step)));
    const std::filesystem::path best = runFolder / "checkpoints" / "best.ckpt";
    const auto facts = std::filesystem::exists(best, error) ? engine.checkpointFacts(best)
                                                            : Result<CheckpointFacts>(CheckpointFacts{});
    const bool earlier = facts && std::filesystem::exists(best, error) && facts->step <= from.facts.step;
    return earlier ? copyFile(best, to / "checkpoints" / "best.ckpt") : Status{};
}

std::string blockOf(const std::string& tensor) {
    const std::size_t begin = tensor.find('.');
    const std::size_t end = tensor.rfind('.');
    return begin == std::string::npos || end <= begin ? "" : tensor.substr(begin + 1, end - begin - 1);
}

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

}  // namespace

Json toJson(const Proof& proof) {
    const store::SeriesComparison& series = proof.series;
    const CheckpointComparison& checkpoint = proof.checkpoint;
    Json first;
    if (!series.equal()) {
        first = {{"what", series.firstSeries},
                 {"step", series.firstStep},
                 {"block", nullptr},
                 {"run", number(series.firstA)},
                 {"again", number(series.firstB)}};
    } else if (!checkpoint.equal()) {
        const std::string block = blockOf(checkpoint.first);
        first = {{"what", checkpoint.first},
                 {"step", proof.toStep},
                 {"block", block.empty() ? Json() : Json(block)},
                 {"how", checkpoint.how},
                 {"largest", checkpoint.largest}};
    }
    return {{"verdict", proof.passed() ? "passed" : "differs"},
            {"from_step", proof.fromStep},
            {"to_step", proof.toStep},
            {"compared", {{"values", series.values}, {"tensors", checkpoint.tensors}}},
            {"first_difference", first}};
}

Result<Proof> proveResume(const project::Project& project, const std::filesystem::path& runFolder,
                          const std::shared_ptr<Engine>& engine,
                          const std::function<Result<RunSummary>(TrainingSession&)>& follow) {
    PLUMBLINE_ASSIGN(const auto original, store::RunReader::open(runFolder));
    PLUMBLINE_ASSIGN(const store::RunInfo info, original->info());
    if (info.status == "running") {
        return fail(ErrorKind::kUsage, "run-is-on", fmt::format("Run {} is going on, so it cannot be copied", info.id),
                    runFolder.string(), "Wait for its end, or stop it.");
    }
    // A step that was open, and weights that were put back, are no place that training leads to.
    std::vector<Known> whole = wholeCheckpoints(runFolder, *engine);
    const auto last = std::find_if(whole.begin(), whole.end(), [](const Known& known) {
        return !known.facts.stepOpen && !known.facts.restoredBest;
    });
    if (last == whole.end() || last + 1 == whole.end()) {
        return fail(ErrorKind::kUsage, "nothing-to-prove",
                    fmt::format("Run {} has no two checkpoints that one can train from and to", info.id),
                    runFolder.string(), "Train with training.checkpoints.keep_last at 2 or more.");
    }
    const Known to = *last, from = *(last + 1);
    ScratchFolder scratch;
    PLUMBLINE_TRY(scratch.make());
    const std::filesystem::path copy = scratch.path() / info.id;
    PLUMBLINE_TRY(copyRun(runFolder, from, copy, *engine));
    SessionOptions options;
    options.project = project;
    options.runsFolder = scratch.path();
    options.resumeRun = info.id;
    options.maxSteps = to.facts.step;
    options.provesBatch = to.facts.batch;
    RunSummary summary;
    bool stopped = false;
    {
        PLUMBLINE_ASSIGN(const auto session, TrainingSession::create(std::move(options), engine));
        PLUMBLINE_ASSIGN(summary, follow(*session));
        stopped = session->control().stopRequested();
    }
    if (stopped || summary.steps.attempted < to.facts.step) {
        return fail(ErrorKind::kInterrupted, "proof-stopped",
                    fmt::format("The proof was stopped after step {} of {}", summary.steps.attempted, to.facts.step),
                    {}, "Ask again; the run itself was not touched.");
    }
    Proof proof;
    proof.fromStep = from.facts.step;
    proof.toStep = to.facts.step;
    PLUMBLINE_ASSIGN(const auto again, store::RunReader::open(copy));
    // Values of the last step may come after its checkpoint: a validation, the test.
    PLUMBLINE_ASSIGN(proof.series, store::compareSeries(*original, *again, from.facts.step, to.facts.step - 1));
    PLUMBLINE_ASSIGN(
        const store::SeriesComparison lastStep,
        store::compareSeries(*original, *again, to.facts.step - 1, to.facts.step,
                             [](const std::string& name) { return name == "train.loss" || name == "lr"; }));
    proof.series.add(lastStep);
    PLUMBLINE_ASSIGN(
        proof.checkpoint,
        engine->compareCheckpoints(to.file, copy / "checkpoints" / fmt::format("step-{:09}.ckpt", to.facts.step)));
    return proof;
}

}  // namespace plumbline::session
