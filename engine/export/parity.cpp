#include "export/parity.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/item.h>
#include <ATen/ops/max.h>
#include <ATen/ops/sub.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace plumbline::exporting {

double difference(const at::Tensor& reference, const at::Tensor& other) {
    if (reference.sizes() != other.sizes()) {
        return std::numeric_limits<double>::infinity();
    }
    if (reference.numel() == 0) {
        return 0;
    }
    const at::Tensor a = reference.detach().to(at::kDouble);
    const at::Tensor b = other.detach().to(at::kDouble);
    const double delta = at::max(at::abs(at::sub(a, b))).item().toDouble();
    if (std::isnan(delta)) {
        return std::numeric_limits<double>::infinity();
    }
    return delta / std::max(1.0, at::max(at::abs(a)).item().toDouble());
}

void compare(const NamedTensors& reference, const NamedTensors& other, session::ExportReport& report) {
    std::map<std::string, at::Tensor> byName(other.begin(), other.end());
    std::vector<std::pair<double, std::string>> all;
    report.checked = true;
    report.forwardMax.reset();
    report.trainingMax.reset();
    for (const auto& [name, tensor] : reference) {
        const auto it = byName.find(name);
        const double value =
            it == byName.end() ? std::numeric_limits<double>::infinity() : difference(tensor, it->second);
        std::optional<double>& largest =
            name.starts_with("forward.") || name.starts_with("prepared.") ? report.forwardMax : report.trainingMax;
        largest = std::max(largest.value_or(0), value);
        all.emplace_back(value, name);
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    report.worst = Json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(5, all.size()); ++i) {
        report.worst.push_back({{"tensor", all[i].second},
                                {"difference", std::isfinite(all[i].first) ? Json(all[i].first) : Json("infinite")}});
    }
    report.passed = report.forwardMax.value_or(0) <= kForwardTolerance &&
                    report.trainingMax.value_or(0) <= kTrainingTolerance && !reference.empty();
}

}  // namespace plumbline::exporting
