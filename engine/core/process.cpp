#include "core/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace plumbline {
namespace {

constexpr std::size_t kKept = 64 << 10;
constexpr int kPollMs = 50;

/// Whether the child has ended; it stays to be waited for.
bool ended(pid_t child) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

}  // namespace

Result<ProcessResult> runProcess(const std::vector<std::string>& command, const std::filesystem::path& folder,
                                 RunControl& control, OnStop onStop) {
    int pipeEnds[2];
    if (pipe2(pipeEnds, O_CLOEXEC) != 0) {
        return fail(ErrorKind::kMachine, "process-failed",
                    fmt::format("Cannot start {}: {}", command[0], std::strerror(errno)));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    // What this program ignores or blocks for itself is not for others: a compiler whose pipe breaks has to end.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    pid_t child = 0;
    const int spawned = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(pipeEnds[1]);
    if (spawned != 0) {
        close(pipeEnds[0]);
        return fail(ErrorKind::kMachine, "process-failed",
                    fmt::format("Cannot start {}: {}", command[0], std::strerror(spawned)), command[0],
                    fmt::format("Install {}.", command[0]));
    }
    ProcessResult result;
    bool killed = false, interrupted = false;
    char buffer[4096];
    for (;;) {
        if (control.stopRequested() && !killed && !interrupted) {
            killed = onStop == OnStop::kKill;
            interrupted = !killed;
            killpg(child, killed ? SIGKILL : SIGINT);
        }
        pollfd descriptor{pipeEnds[0], POLLIN, 0};
        const int ready = poll(&descriptor, 1, kPollMs);
        if (ready < 0 && errno != EINTR) {
            break;
        }
        if (ready <= 0) {
            // The program itself has ended: whoever it left behind with the pipe is not waited for.
            if (killed || ended(child)) {
                break;
            }
            continue;
        }
        const ssize_t got = read(pipeEnds[0], buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        result.output.append(buffer, static_cast<std::size_t>(got));
        if (result.output.size() > 2 * kKept) {
            result.output.erase(0, result.output.size() - kKept);
        }
    }
    close(pipeEnds[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (killed) {
        return fail(control.stopReason() == StopReason::kTerminate ? ErrorKind::kTerminated : ErrorKind::kInterrupted,
                    "stopped", fmt::format("{} was stopped", command[0]));
    }
    result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace plumbline
