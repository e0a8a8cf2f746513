#include "cli/signals.h"

#include <unistd.h>
#include <atomic>
#include <csignal>

namespace plumbline::cli {
namespace {

std::atomic<RunControl*> activeControl{nullptr};
std::atomic<int> interrupts{0};
std::atomic<int> first{0};  ///< signal: what RunControl takes for the reason as well; 0: none has come

void onSignal(int signal) {
    RunControl* control = activeControl.load();
    int none = 0;
    first.compare_exchange_strong(none, signal);
    if (signal == SIGINT && interrupts.fetch_add(1) > 0) {
        _exit(first == SIGINT ? 130 : 143);
    }
    if (control == nullptr) {
        _exit(128 + signal);
    }
    control->requestStopFromSignal(signal == SIGINT ? StopReason::kInterrupt : StopReason::kTerminate);
}

void install(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    // One after the other: what comes within the handler of another is no first one.
    sigemptyset(&action.sa_mask);
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
        sigaddset(&action.sa_mask, each);
    }
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    // The terminal or the connection is gone. Under nohup it stays ignored.
    struct sigaction before {};
    sigaction(SIGHUP, nullptr, &before);
    if (before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, nullptr);
    }
}

}  // namespace

SignalScope::SignalScope(RunControl& control) {
    interrupts = 0;
    first = 0;
    activeControl = &control;
    install(onSignal);
}

SignalScope::~SignalScope() {
    install(SIG_DFL);
    activeControl = nullptr;
}

Error bySignal(Error error) {
    const int signal = first;
    const bool isStop = error.kind == ErrorKind::kInterrupted || error.kind == ErrorKind::kTerminated;
    if (signal == 0 || !isStop) {
        return error;
    }
    error.kind = signal == SIGINT ? ErrorKind::kInterrupted : ErrorKind::kTerminated;
    if (error.code == "stopped") {
        error.message = signal == SIGINT   ? "Stopped by Ctrl-C"
                        : signal == SIGHUP ? "Stopped, as the terminal was closed"
                                           : "Stopped by SIGTERM";
        error.hint = error.hint.empty() ? "Give the command again." : error.hint;
    }
    return error;
}

Error stoppedBySignal() {
    return bySignal({ErrorKind::kInterrupted, "stopped", "Stopped", {}, {}});
}

int exitCodeOf(StopReason reason) {
    return reason == StopReason::kInterrupt ? 130 : reason == StopReason::kTerminate ? 143 : 0;
}

}  // namespace plumbline::cli
