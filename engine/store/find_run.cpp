#include <fmt/format.h>
#include <algorithm>

#include "core/json_errors.h"
#include "core/text.h"
#include "store/run_store.h"

namespace plumbline::store {
namespace {

Result<RunInfo> best(const std::vector<RunInfo>& runs, const std::filesystem::path& runsFolder) {
    const auto newest = std::find_if(runs.begin(), runs.end(), [](const RunInfo& run) { return run.best.has_value(); });
    if (newest == runs.end()) {
        return fail(ErrorKind::kInvalid, "no-best-run",
                    fmt::format("None of the {} runs has a validation value to be best by", runs.size()),
                    runsFolder.string(), "Name a run by its id, or use \"latest\".");
    }
    const RunInfo* chosen = &*newest;
    for (const RunInfo& run : runs) {
        if (run.best && run.bestSeries == newest->bestSeries && run.bestIsMax == newest->bestIsMax &&
            (newest->bestIsMax ? *run.best > *chosen->best : *run.best < *chosen->best)) {
            chosen = &run;
        }
    }
    return *chosen;
}

std::vector<const RunInfo*> matching(const std::vector<RunInfo>& runs, const auto& condition) {
    std::vector<const RunInfo*> found;
    for (const RunInfo& run : runs) {
        if (condition(run)) {
            found.push_back(&run);
        }
    }
    return found;
}

}  // namespace

Result<RunInfo> findRun(const std::filesystem::path& runsFolder, const std::string& idOrWord) {
    PLUMBLINE_ASSIGN(const std::vector<RunInfo> runs, listRuns(runsFolder));
    if (runs.empty()) {
        return fail(ErrorKind::kInvalid, "no-runs", fmt::format("There are no runs in {}", runsFolder.string()),
                    runsFolder.string(), "Train the project first.");
    }
    if (idOrWord == "latest") {
        return runs.front();
    }
    if (idOrWord == "best") {
        return best(runs, runsFolder);
    }
    auto found = matching(runs, [&](const RunInfo& run) { return run.id == idOrWord; });
    if (found.empty() && !idOrWord.empty()) {
        found = matching(runs, [&](const RunInfo& run) { return run.name == idOrWord; });
    }
    if (found.empty() && !idOrWord.empty()) {
        found = matching(runs, [&](const RunInfo& run) { return run.id.starts_with(idOrWord); });
    }
    if (found.size() == 1) {
        return *found.front();
    }
    if (found.size() > 1) {
        return fail(ErrorKind::kUsage, "ambiguous-run",
                    fmt::format("\"{}\" fits {} runs, the newest of them {} and {}", shortened(idOrWord), found.size(),
                                found[0]->id, found[1]->id),
                    runsFolder.string(), "Give more of the id.");
    }
    std::vector<std::string> words = {"latest", "best"};
    for (const RunInfo& run : runs) {
        words.push_back(run.id);
        words.push_back(run.name);
    }
    return fail(ErrorKind::kUsage, "unknown-run",
                fmt::format("There is no run \"{}\" in {}", shortened(idOrWord), runsFolder.string()),
                runsFolder.string(), didYouMean(idOrWord, words, "Look at the list of runs for its id."));
}

}  // namespace plumbline::store
