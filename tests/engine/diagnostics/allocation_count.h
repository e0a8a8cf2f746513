#pragma once

#include <cstddef>

/// How often this program has called operator new so far.
std::size_t allocationCount();
