#include "compile/difference.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/max.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/text.h"
#include "model/failure.h"

namespace plumbline::compile {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double largestOf(const at::Tensor& values) {
    return values.numel() == 0 ? 0 : at::max(values).item<double>();
}

/// Of two floating-point tensors of one shape.
double relativeDifference(const at::Tensor& reference, const at::Tensor& other) {
    const at::Tensor a = reference.detach().to(at::kDouble), b = other.detach().to(at::kDouble);
    const at::Tensor same =
        a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));  // the same infinity, or NaN on both sides
    const double delta =
        largestOf(at::where(same, at::zeros_like(a), at::nan_to_num(at::abs(at::sub(a, b)), kInfinite, kInfinite)));
    const double size = largestOf(at::abs(at::where(at::isfinite(a), a, at::zeros_like(a))));
    return delta == 0 ? 0 : size == 0 ? kInfinite : delta / size;
}

}  // namespace

Difference differenceOf(const std::vector<at::Tensor>& reference, const std::vector<at::Tensor>& other) {
    Difference difference;
    if (reference.size() != other.size()) {
        return {kInfinite, fmt::format("gives {} and not {}",
                                       counted(static_cast<std::int64_t>(other.size()), "tensor"), reference.size())};
    }
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const at::Tensor &a = reference[i], &b = other[i];
        if (!b.defined() || a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type() || a.device() != b.device()) {
            return {kInfinite, fmt::format("gives {} and not {}", model::describe(b), model::describe(a))};
        }
        if (at::isFloatingType(a.scalar_type())) {
            difference.largest = std::max(difference.largest, relativeDifference(a, b));
        } else if (!at::equal(a, b)) {
            return {kInfinite, "gives other whole numbers"};
        }
    }
    if (!(difference.largest <= kBound)) {
        difference.refusal = fmt::format("differs by {} of the largest value, more than {}",
                                         numberText(difference.largest, 2), numberText(kBound, 1));
    }
    return difference;
}

std::int64_t otherClasses(const at::Tensor& reference, const at::Tensor& other) {
    return reference.dim() < 2 || reference.size(1) < 2
               ? 0
               : at::argmax(reference, 1).ne(at::argmax(other, 1)).sum().item<std::int64_t>();
}

}  // namespace plumbline::compile
