#include "monitor/tensor_statistics.h"

#include <stdexcept>

namespace plumbline::monitor {

namespace {

/// A tensor of an element type without a norm has none; whatever else went wrong (a device that failed) may not pass
/// for zero.
void orThrow(const Status& status) {
    if (!status && status.error().code != "gradient-dtype") {
        throw std::runtime_error(status.error().message);
    }
}

}  // namespace

TensorStatistics statisticsOf(const at::Tensor& tensor) {
    TensorStatistics result;
    orThrow(cuda::gradientStatistics({&tensor, 1}, {&result, 1}));
    return result;
}

void statisticsOf(const std::vector<at::Tensor>& tensors, std::vector<TensorStatistics>& result) {
    result.assign(tensors.size(), {});
    orThrow(cuda::gradientStatistics(tensors, result));
}

bool isAllZero(const at::Tensor& tensor) {
    const TensorStatistics statistics = statisticsOf(tensor);
    return statistics.maxAbs == 0 && statistics.nonFinite == 0;
}

std::int64_t countNonFinite(const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_floating_point() ? statisticsOf(tensor).nonFinite : 0;
}

}  // namespace plumbline::monitor
