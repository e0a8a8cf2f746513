#pragma once
// What LibTorch's caching allocator holds on a device.

#include <c10/core/Device.h>
#include <cstdint>

namespace plumbline::train {

/// Bytes, in PyTorch's words: inactive is what lies split and unused within active segments.
struct DeviceMemory {
    std::int64_t allocated = 0, reserved = 0, active = 0, inactive = 0;
    std::int64_t peakAllocated = 0;
};

/// Zeros for the CPU, whose tensors model/memory.h counts.
DeviceMemory deviceMemory(c10::Device device);
void resetDevicePeak(c10::Device device);

/// Bytes of the machine's own memory that a program may still ask for, as Linux tells; 0: it does not.
std::int64_t freeMemory();

}  // namespace plumbline::train
