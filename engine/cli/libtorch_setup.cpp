#include "cli/libtorch_setup.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "core/files.h"
#include "session/fetch_tool.h"

extern char** environ;

namespace plumbline::cli {

Status fetchLibTorch(bool withCuda) {
    PLUMBLINE_ASSIGN(const std::filesystem::path tool, session::findFetchTool());
    std::string program = tool.string();
    std::string yes = "--yes";
    std::string cuda = "--with-cuda";
    std::vector<char*> arguments{program.data(), yes.data()};
    if (withCuda) {
        arguments.push_back(cuda.data());
    }
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int spawned = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ);
    if (spawned != 0) {
        return fail(fileError(spawned, "start", tool));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return fail(ErrorKind::kMachine, "libtorch-missing", "LibTorch could not be fetched", {},
                    "The lines above say why; what was loaded so far is kept.");
    }
    return {};
}

Result<std::shared_ptr<session::Engine>> engineFor() {
    if (!session::findLibTorch() && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 &&
        session::findFetchTool()) {
        std::fputs(
            "LibTorch 2.13.0 is not on this machine. Fetch it now (540 MB, or 2.5 GB with an NVIDIA driver of 580 or "
            "newer; "
            "kept in your cache folder)? [y/N] ",
            stderr);
        std::string answer;
        std::getline(std::cin, answer);
        if (answer == "y" || answer == "Y" || answer == "yes") {
            PLUMBLINE_TRY(fetchLibTorch(false));
        }
    }
    auto engine = session::openEngine();
    for (const std::string& remark : session::takeOpeningRemarks()) {
        std::fprintf(stderr, "%s\n", remark.c_str());
    }
    return engine;
}

}  // namespace plumbline::cli
