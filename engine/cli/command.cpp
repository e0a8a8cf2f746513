#include "cli/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text.h"
#include "diagnostics/finding.h"
#include "session/run_files.h"

namespace plumbline::cli {

Result<project::Project> openWithSettings(const std::string& path, const std::vector<std::string>& settings) {
    PLUMBLINE_ASSIGN(project::Project project, project::openProject(path));
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            return fail(ErrorKind::kUsage, "bad-setting", fmt::format("--set {} has no value", shortened(setting)), {},
                        "Write it as --set training.optimizer.lr=0.01.");
        }
        PLUMBLINE_ASSIGN(project, project::withSetting(project, setting.substr(0, equals), setting.substr(equals + 1)));
    }
    return project;
}

Result<store::RunInfo> findRunOf(const project::Project& project, const std::string& run) {
    return store::findRun(project.folder / "runs", run);
}

Result<UsedRun> findRunToUse(const project::Project& project, const std::string& asked, const std::string& run,
                             const Output& output) {
    UsedRun used;
    PLUMBLINE_ASSIGN(used.info, findRunOf(project, run));
    if (run == "best" || run == "latest") {
        output.message(fmt::format("{} is run {}", run, used.info.id));
    }
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(used.info.folder));
    PLUMBLINE_ASSIGN(const auto findings, reader->findings());
    std::vector<std::string>& open = used.criticalFindings;
    for (const diagnostics::Finding& finding : findings) {
        if (diagnostics::isOpenCritical(finding) &&
            std::find(open.begin(), open.end(), finding.detector) == open.end()) {
            open.push_back(finding.detector);
        }
    }
    if (!open.empty()) {
        output.message(fmt::format(
            "warning: run {} has open critical findings: {}; \"plumbline findings {} {}\" says what they mean for it",
            used.info.id, fmt::join(open, ", "), shellQuoted(asked), used.info.id));
    }
    return used;
}

Result<project::Project> projectOfRun(const project::Project& project, const store::RunInfo& run) {
    return session::projectOfRun(run.folder, project.folder);
}

Result<std::filesystem::path> checkpointOf(const store::RunInfo& run, const std::string& which) {
    return session::checkpointOfRun(run.folder, which);
}

void addCheckpointOption(CLI::App* command, std::string& which) {
    command->add_option("--checkpoint", which,
                        "best, last, a step or a file of the run's checkpoints; left out: the best one, else the last");
}

Error withOtherCheckpoint(Error error, const store::RunInfo& run, const std::filesystem::path& used) {
    const auto last = session::checkpointOfRun(run.folder, "last");
    if (error.code == "damaged-checkpoint" && last && *last != used) {
        error.hint = "Take the newest one with --checkpoint last, or resume the run, which makes a new best one.";
    }
    return error;
}

}  // namespace plumbline::cli
