#include "cli/signals.h"

#include <atomic>
#include <csignal>
#include <unistd.h>

namespace plumbline::cli {
namespace {

std::atomic<RunControl*> activeControl{nullptr};
std::atomic<int> interrupts{0};

void onSignal(int signal) {
    RunControl* control = activeControl.load();
    if (signal == SIGINT && interrupts.fetch_add(1) > 0) {
        _exit(130);
    }
    if (control == nullptr) {
        _exit(128 + signal);
    }
    control->requestStopFromSignal(signal == SIGINT ? StopReason::kInterrupt : StopReason::kTerminate);
}

void install(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
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
    activeControl = &control;
    interrupts = 0;
    install(onSignal);
}

SignalScope::~SignalScope() {
    install(SIG_DFL);
    activeControl = nullptr;
}

int exitCodeOf(StopReason reason) {
    return reason == StopReason::kInterrupt ? 130 : reason == StopReason::kTerminate ? 143 : 0;
}

}  // namespace plumbline::cli
