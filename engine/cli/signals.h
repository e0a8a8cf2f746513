#pragma once
// Ctrl-C and SIGTERM: the first stops the run after its batch and saves, a second Ctrl-C ends the program at once.

#include "core/error.h"
#include "core/run_control.h"

namespace plumbline::cli {

/// While it lives, signals go to `control`. One at a time.
class SignalScope {
public:
    explicit SignalScope(RunControl& control);
    ~SignalScope();
    SignalScope(const SignalScope&) = delete;
    SignalScope& operator=(const SignalScope&) = delete;
};

/// Of work that a signal has stopped: what stopped it first, with its exit code. Any other error as it is.
Error bySignal(Error error);
/// A stop after the work that has nothing else to say.
Error stoppedBySignal();

/// 130 or 143 when the control was stopped by a signal, else 0.
int exitCodeOf(StopReason reason);

}  // namespace plumbline::cli
