#pragma once
// What a loss takes its output and its target for: what checks, metrics, predictions and detectors go by instead of its
// name.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace plumbline::plan {

enum class LossKind {
    kClasses,   ///< scores of classes that exclude each other, along dimension 1, with class numbers as target
    kElements,  ///< each element of the output beside the target's
    kEither,    ///< kClasses where the target holds class numbers without that dimension, kElements where it has the
                ///< output's shape
    kOther,
};

/// What the numbers of the output are to the loss.
enum class OutputScale {
    kAny,
    kScores,  ///< of any size; between classes their softmax is the probability, as far as there is one
    kLogits,  ///< the loss applies softmax or sigmoid itself
    kProbabilities,
    kLogProbabilities,
};

/// What the numbers of the target may be.
enum class TargetRange {
    kAny,
    kSigns,   ///< -1 or 1
    kShares,  ///< 0 to 1
};

struct LossTraits {
    LossKind kind = LossKind::kOther;
    OutputScale scale = OutputScale::kAny;
    TargetRange target = TargetRange::kAny;  ///< of elements, or of one number a sample
    bool takesProbabilities = false;         ///< kClasses: the target may also hold a probability a class
    bool weightedMean = false;               ///< class_weights count in what the mean is divided by
    bool samplesMean = false;                ///< the target is one number a sample
};

/// kOther with nothing known for a name that is no loss.
const LossTraits& lossTraits(const std::string& type);
/// The classes of its output exclude each other: always, or where the target holds class numbers.
bool tellsClasses(const LossSpec& loss);
/// kEither decided: `classNumbers` says that the target holds class numbers.
LossKind kindOf(const LossSpec& loss, bool classNumbers);
/// The label that does not count, where the type has one.
std::optional<std::int64_t> ignoredLabel(const LossSpec& loss);

/// A loss as the losses that it is the weighted sum of, each a mean of its own: DiceCELoss is DiceLoss and
/// CrossEntropyLoss; others are themselves.
std::vector<LossSpec> termsOf(const LossSpec& loss);
std::vector<LossSpec> termsOf(const std::vector<LossSpec>& losses);

/// Where what a loss reads stands among the model's outputs and the data's targets.
struct LossBinding {
    std::vector<std::size_t> outputs;  ///< the judged one first, then those of options, in the options' order
    std::vector<std::size_t> targets;  ///< likewise
    std::vector<bool>
        nameIsOutput;  ///< ExpressionLoss: for each name of its formula; both lists are in the names' order
};
/// A name that is unknown, or an expression that cannot be read, is an error with its pointer.
Result<LossBinding> bindLoss(const LossSpec& loss, const std::vector<std::string>& outputs,
                             const std::vector<std::string>& targets, const std::string& pointer);

}  // namespace plumbline::plan
