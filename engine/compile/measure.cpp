#include "compile/measure.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace plumbline::compile {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kLeast = 7, kMost = 60;
constexpr std::chrono::milliseconds kTime(250);

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

Times interleaved(at::Device device, const std::function<void()>& first, const std::function<void()>& second) {
    const auto timed = [device](const std::function<void()>& work) {
        const Clock::time_point start = Clock::now();
        work();
        if (!device.is_cpu()) {
            c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
        }
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    };
    std::vector<double> ofFirst, ofSecond;
    const Clock::time_point start = Clock::now();
    while (ofFirst.size() < kLeast || (ofFirst.size() < kMost && Clock::now() - start < kTime)) {
        ofFirst.push_back(timed(first));
        ofSecond.push_back(timed(second));
    }
    return {median(ofFirst), median(ofSecond)};
}

}  // namespace plumbline::compile
