#include "core/processors.h"

#include <sched.h>
#include <algorithm>
#include <thread>

namespace plumbline {

std::int64_t usableProcessors() {
    cpu_set_t usable;
    CPU_ZERO(&usable);
    // A machine with more processors than the set has bits is an error of the call.
    const bool known = ::sched_getaffinity(0, sizeof(usable), &usable) == 0;
    return std::max<std::int64_t>(1, known ? CPU_COUNT(&usable) : std::thread::hardware_concurrency());
}

}  // namespace plumbline
