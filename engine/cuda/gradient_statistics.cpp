#include "cuda/gradient_statistics.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>

#include "cuda/cpu_statistics.h"
#include "cuda/kernel_library.h"

namespace plumbline::cuda {

namespace {

/// Values in one piece, without regard to their order.
at::Tensor packed(const at::Tensor& tensor) {
    if (tensor.is_sparse()) {
        return tensor.coalesce().values().contiguous();
    }
    return tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
}

bool isSupported(at::ScalarType type) {
    return type == at::kFloat || type == at::kDouble || type == at::kHalf || type == at::kBFloat16;
}

GradientStatistics onCpu(const at::Tensor& tensor) {
    const std::int64_t count = tensor.numel();
    switch (tensor.scalar_type()) {
        case at::kFloat:
            return statisticsOf(tensor.const_data_ptr<float>(), count);
        case at::kDouble:
            return statisticsOf(tensor.const_data_ptr<double>(), count);
        case at::kHalf:
            return statisticsOneByOne(tensor.const_data_ptr<at::Half>(), count);
        default:
            return statisticsOneByOne(tensor.const_data_ptr<at::BFloat16>(), count);
    }
}

std::int64_t kernelDtype(at::ScalarType type) {
    switch (type) {
        case at::kDouble:
            return PLUMBLINE_FLOAT64;
        case at::kHalf:
            return PLUMBLINE_FLOAT16;
        case at::kBFloat16:
            return PLUMBLINE_BFLOAT16;
        default:
            return PLUMBLINE_FLOAT32;
    }
}

/// The kernel over all `tensors` (packed, not empty, on one CUDA device).
Status byKernel(const std::vector<at::Tensor>& tensors, const std::vector<std::size_t>& places,
                std::span<GradientStatistics> each) {
    std::vector<PlumblineTensor> table;
    table.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) {
        table.push_back({tensor.const_data_ptr(), tensor.numel(), kernelDtype(tensor.scalar_type())});
    }
    const KernelLibrary& library = kernelLibrary();
    const auto count = static_cast<std::int64_t>(table.size());
    const at::Device device = tensors.front().device();
    const c10::DeviceGuard guard(device);
    const at::Tensor workspace = at::empty({static_cast<std::int64_t>(library.workspace(table.data(), count))},
                                           at::TensorOptions().dtype(at::kByte).device(device));
    const c10::Stream stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device);
    std::vector<PlumblineStatistics> results(table.size());
    const int code = library.statistics(device.index(), table.data(), count, workspace.mutable_data_ptr(),
                                        results.data(), stream.native_handle());
    if (code != 0) {
        return fail(ErrorKind::kMachine, "cuda-kernel",
                    fmt::format("The gradient statistics failed on the device: {}.", library.error(code)), device.str(),
                    "Check the driver, or train with --device cpu.");
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        each[places[i]] = {results[i].sum_squares, results[i].max_abs, results[i].non_finite};
    }
    return {};
}

/// LibTorch's operators, read out once.
void byOperators(const std::vector<at::Tensor>& tensors, const std::vector<std::size_t>& places,
                 std::span<GradientStatistics> each) {
    std::vector<at::Tensor> numbers;
    for (const at::Tensor& tensor : tensors) {
        const at::Tensor finite = tensor.isfinite();
        const at::Tensor values = at::where(finite, tensor, at::zeros_like(tensor)).to(at::kDouble).abs();
        numbers.push_back(values.square().sum());
        numbers.push_back(values.max());
        numbers.push_back(finite.logical_not().sum().to(at::kDouble));
    }
    const at::Tensor all = at::stack(numbers).cpu();
    const double* values = all.const_data_ptr<double>();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        each[places[i]] = {values[3 * i], values[3 * i + 1], static_cast<std::int64_t>(values[3 * i + 2])};
    }
}

Status compute(std::span<const at::Tensor> tensors, std::span<GradientStatistics> each) {
    std::vector<at::Tensor> onDevice;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        each[i] = {};
        if (!tensors[i].defined()) {
            continue;
        }
        if (!isSupported(tensors[i].scalar_type())) {
            return fail(ErrorKind::kUsage, "gradient-dtype",
                        fmt::format("Gradient {} has the dtype {}, which has no norm.", i,
                                    c10::toString(tensors[i].scalar_type())));
        }
        if (tensors[i].numel() == 0) {
            continue;
        }
        if (tensors[i].is_cpu() && !tensors[i].is_sparse() && tensors[i].is_non_overlapping_and_dense()) {
            each[i] = onCpu(tensors[i]);
            continue;
        }
        const at::Tensor values = packed(tensors[i].detach());
        if (values.numel() == 0) {
            continue;
        }
        if (values.is_cpu()) {
            each[i] = onCpu(values);
        } else {
            onDevice.push_back(values);
            places.push_back(i);
        }
    }
    if (onDevice.empty()) {
        return {};
    }
    if (kernelLibrary().ok() && onDevice.front().is_cuda()) {
        return byKernel(onDevice, places, each);
    }
    byOperators(onDevice, places, each);
    return {};
}

}  // namespace

Status gradientStatistics(std::span<const at::Tensor> tensors, std::span<GradientStatistics> each) {
    if (each.size() != tensors.size()) {
        return fail(ErrorKind::kUsage, "gradient-count",
                    fmt::format("There are {} tensors and room for {} results.", tensors.size(), each.size()));
    }
    try {
        return compute(tensors, each);
    } catch (const c10::Error& error) {
        return fail(ErrorKind::kRunFailed, "gradient-statistics", error.what_without_backtrace());
    } catch (const std::exception& error) {
        return fail(ErrorKind::kRunFailed, "gradient-statistics", error.what());
    }
}

Result<GradientStatistics> gradientStatistics(std::span<const at::Tensor> tensors) {
    std::vector<GradientStatistics> each(tensors.size());
    PLUMBLINE_TRY(gradientStatistics(tensors, each));
    GradientStatistics all;
    for (const GradientStatistics& one : each) {
        all.add(one);
    }
    return all;
}

bool kernelLibraryAvailable() {
    return kernelLibrary().ok();
}

}  // namespace plumbline::cuda
