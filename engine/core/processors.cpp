#include "core/processors.h"

#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <initializer_list>
#include <thread>

namespace plumbline {

std::int64_t usableProcessors() {
    cpu_set_t usable;
    CPU_ZERO(&usable);
    // A machine with more processors than the set has bits is an error of the call.
    const bool known = ::sched_getaffinity(0, sizeof(usable), &usable) == 0;
    return std::max<std::int64_t>(1, known ? CPU_COUNT(&usable) : std::thread::hardware_concurrency());
}

bool hasNvidiaDriver() {
    // The last is a Windows' below Linux.
    const std::initializer_list<const char*> signs = {"/proc/driver/nvidia/version", "/dev/nvidiactl", "/dev/dxg"};
    return std::any_of(signs.begin(), signs.end(), [](const char* sign) { return ::access(sign, F_OK) == 0; });
}

}  // namespace plumbline
