#include "core/program_start.h"

#include <fcntl.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <filesystem>

namespace plumbline {
namespace {

/// What changes for a moment while a package is loaded (model/package.cpp) is there from the beginning: then a thread
/// that reads the environment meanwhile never sees it move.
void prepareEnvironment() {
    ::setenv("AOTI_RUNTIME_CHECK_INPUTS", "0", 1);
    std::error_code error;
    if (const std::filesystem::path temporary = std::filesystem::temp_directory_path(error); !error) {
        ::setenv("TMPDIR", temporary.c_str(), 0);
    }
}

}  // namespace

void prepareProgram() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) < 0) {
            (void)::open("/dev/null", O_RDWR);  // takes the lowest free number, which is this one
        }
    }
    prepareEnvironment();
}

}  // namespace plumbline
