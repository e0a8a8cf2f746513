#include "allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

// The sanitizers bring an operator new of their own; under them nothing is counted.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

std::size_t allocationCount() {
    return 0;
}

#else

namespace {
std::atomic<std::size_t> g_count{0};
}

std::size_t allocationCount() {
    return g_count.load();
}

void* operator new(std::size_t size) {
    ++g_count;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

#endif
