#include "train/metrics/judged.h"

#include <ATen/ops/log.h>
#include <ATen/ops/log_softmax.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace plumbline::train {

at::Tensor raised(const at::Tensor& prediction) {
    const at::ScalarType type = prediction.scalar_type();
    return prediction.detach().to(type == at::kDouble ? at::kDouble : at::kFloat);
}

void refuseShapes(const char* what, const at::Tensor& prediction, const at::Tensor& target) {
    throw std::invalid_argument(fmt::format(
        "{} got a prediction of shape [{}] and a target of shape [{}]; broadcasting them would compare every "
        "prediction with every target",
        what, fmt::join(prediction.sizes(), ", "), fmt::join(target.sizes(), ", ")));
}

void refuseLabel(std::int64_t label, std::int64_t classes) {
    throw std::invalid_argument(
        fmt::format("a target has the class {}, and the output tells only {} classes apart, from 0", label, classes));
}

void refuseLabels(std::int64_t count, std::int64_t classes) {
    throw std::invalid_argument(
        fmt::format("{} labels of a target are no class of the output, which tells {} apart, from 0", count, classes));
}

Judged judge(const char* what, const at::Tensor& prediction, const at::Tensor& target, bool exclusive) {
    const std::int64_t channels = prediction.dim() < 2 ? 1 : prediction.size(1);
    Judged judged{Judging::kBinary, 2, raised(prediction), target.is_floating_point() ? target : target.to(at::kLong)};
    if (prediction.sizes() == target.sizes()) {
        if (channels > 1) {
            judged.judging = exclusive && target.is_floating_point() ? Judging::kSoft : Judging::kLabels;
            judged.classes = channels;
        }
        return judged;
    }
    const bool oneLess =
        prediction.dim() == target.dim() + 1 && prediction.dim() >= 2 && prediction.size(0) == target.size(0) &&
        std::equal(prediction.sizes().begin() + 2, prediction.sizes().end(), target.sizes().begin() + 1);
    if (!oneLess) {
        refuseShapes(what, prediction, target);
    }
    if (channels == 1) {
        judged.target = judged.target.unsqueeze(1);
        return judged;
    }
    judged.judging = Judging::kClasses;
    judged.classes = channels;
    return judged;
}

at::Tensor logProbabilities(const at::Tensor& prediction, bool areProbabilities) {
    return areProbabilities ? at::log(prediction) : at::log_softmax(prediction, 1);
}

at::Tensor largestClass(const at::Tensor& scores) {
    return scores.argmax(1);
}

}  // namespace plumbline::train
