#include "core/program_start.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace plumbline {

void prepareProgram() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
        if (::fcntl(fd, F_GETFD) < 0) {
            (void)::open("/dev/null", O_RDWR);  // takes the lowest free number, which is this one
        }
    }
}

}  // namespace plumbline
