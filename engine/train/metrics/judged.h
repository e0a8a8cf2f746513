#pragma once
// What an output and a target are to a metric that tells classes apart.

#include <ATen/core/Tensor.h>
#include <string>

namespace plumbline::train {

enum class Judging {
    kClasses,  ///< scores [B, C, …] and classes [B, …]
    kSoft,     ///< scores and probabilities, both [B, C, …]: the largest of each
    kBinary,   ///< one score an element, target of the same shape: a yes above 0.5
    kLabels,   ///< [B, C, …] both: C questions of yes and no
};

struct Judged {
    Judging judging = Judging::kClasses;
    std::int64_t classes = 0;  ///< 2 for kBinary, C else
    at::Tensor prediction;     ///< float32 or float64
    at::Tensor target;  ///< int64 or floating; the prediction's shape, or without its second dimension for kClasses
};

/// `exclusive`: what a target of the output's shape is, where that has several classes. A target [B, …] of an output
/// [B, 1, …] is one of yes and no. Throws std::invalid_argument naming `what` and both shapes where they do not belong
/// together.
Judged judge(const char* what, const at::Tensor& prediction, const at::Tensor& target, bool exclusive);

/// float16 and bfloat16 as float32; detached.
at::Tensor raised(const at::Tensor& prediction);
[[noreturn]] void refuseShapes(const char* what, const at::Tensor& prediction, const at::Tensor& target);
[[noreturn]] void refuseLabel(std::int64_t label, std::int64_t classes);
/// For what a device has counted: labels past the classes.
[[noreturn]] void refuseLabels(std::int64_t count, std::int64_t classes);

/// Logarithms of the classes' probabilities, along dimension 1, from those probabilities or from scores.
at::Tensor logProbabilities(const at::Tensor& prediction, bool areProbabilities);

/// The class of each element's largest score, [B, …] of [B, C, …]; the first of equals.
at::Tensor largestClass(const at::Tensor& scores);
/// The same for one row; NaN counts as the largest, as in PyTorch.
template <class Number>
std::int64_t largest(const Number* scores, std::int64_t classes) {
    std::int64_t best = 0;
    Number top = scores[0];
    bool isNumber = top == top;
    // Without a branch: which class wins cannot be foreseen, and each wrong guess costs more than the whole comparison.
    for (std::int64_t i = 1; i < classes; ++i) {
        const bool above = scores[i] > top;
        best = above ? i : best;
        top = above ? scores[i] : top;
        isNumber &= scores[i] == scores[i];
    }
    if (!isNumber) [[unlikely]] {
        best = 0;
        while (scores[best] == scores[best]) {
            ++best;
        }
    }
    return best;
}

}  // namespace plumbline::train
