#include "train/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>

#include <fstream>
#include <string>

namespace plumbline::train {

DeviceMemory deviceMemory(c10::Device device) {
    if (device.is_cpu()) {
        return {};
    }
    const auto stats = c10::getDeviceAllocator(device.type())->getDeviceStats(device.index());
    constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return {stats.allocated_bytes[kAll].current, stats.reserved_bytes[kAll].current, stats.active_bytes[kAll].current,
            stats.inactive_split_bytes[kAll].current, stats.allocated_bytes[kAll].peak};
}

void resetDevicePeak(c10::Device device) {
    if (!device.is_cpu()) {
        c10::getDeviceAllocator(device.type())->resetPeakStats(device.index());
    }
}

std::int64_t freeMemory() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    while (file >> word) {
        std::int64_t kilobytes = 0;
        if (word == "MemAvailable:" && file >> kilobytes) {
            return kilobytes * 1024;
        }
    }
    return 0;
}

}  // namespace plumbline::train
