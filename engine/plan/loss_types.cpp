// The losses that there are and what each of them can be told, in the words of torch.nn. A new one is an entry here and
// in loss_traits.cpp, and a class in train/losses/.

#include <limits>

#include "plan/plan.h"

namespace plumbline::plan {
namespace {

const char* const kPower =
    "TripletMarginLoss: norm that distances are measured in; MultiMarginLoss: power of each class's lead, 1 or 2.";
constexpr double kLargest = std::numeric_limits<float>::max();

OptionSpec reduction(bool perBatch = false) {
    return choiceOption(
        "reduction", "mean",
        perBatch ? std::vector<std::string>{"mean", "sum", "batchmean"} : std::vector<std::string>{"mean", "sum"},
        "mean: over what counts in the batch; sum: of all of it; batchmean: the sum over the samples' number.");
}
OptionSpec classWeights() {
    return numbersOption("class_weights", nullptr, 0, "One number a class: how much a sample of that class counts.");
}
OptionSpec posWeight() {
    return numbersOption("pos_weight", nullptr, 0, "One number a class: how much more its positives count.");
}
OptionSpec ignoreIndex() {
    return {"ignore_index",
            "int",
            -100,
            -9007199254740992.0,
            9007199254740992.0,
            true,
            {},
            {},
            "Samples with this class do not count."};
}
OptionSpec smoothing() {
    return numberOption("label_smoothing", 0.0, 0, 1, "Share of each label that is spread over all classes.");
}
OptionSpec scalarTarget() {
    return flagOption("scalar_target", false,
                      "The target is one number a sample, for every element of that sample's output.");
}
OptionSpec margin(double value, double min = 0) {
    return numberOption("margin", value, min, kLargest, "Distance, or lead, from which on a sample costs nothing.");
}
OptionSpec smooth(double value) {
    return numberOption("smooth", value, 0, kLargest,
                        "Added above and below the fraction line, so that an empty class has a value.");
}
OptionSpec focus() {
    return numberOption("focus", 2.0, 0, 1e3, "gamma of Lin et al. 2017: how much less easy samples count.");
}
OptionSpec full() {
    return flagOption("full", false, "Adds the part that does not depend on the model.");
}
OptionSpec second(std::string help) {
    return outputOption("other", std::move(help));
}
OptionSpec power(double value, double min) {
    return numberOption("p", value, min, 1e3, kPower);
}

std::vector<TypeSpec> makeTypes() {
    const std::string compared = "Output that is compared with the first one.";
    return {
        {"CrossEntropyLoss", {smoothing(), ignoreIndex(), classWeights(), reduction()}, {}, {}},
        {"NLLLoss", {ignoreIndex(), classWeights(), reduction()}, {}, {}},
        {"BCEWithLogitsLoss", {posWeight(), classWeights(), scalarTarget(), reduction()}, {}, {}},
        {"BCELoss", {classWeights(), scalarTarget(), reduction()}, {}, {}},
        {"FocalLoss",
         {focus(),
          numberOption(
              "alpha", nullptr, 0, 1,
              "Weight of the positives, 1 - alpha that of the negatives, with a target of the output's shape."),
          ignoreIndex(), classWeights(), scalarTarget(), reduction()},
         {},
         {}},
        {"DiceLoss",
         {smooth(1.0), ignoreIndex(), flagOption("include_background", true, "Class 0 counts too."),
          flagOption("squared", false, "Squares below the fraction line, as Milletari et al. 2016.")},
         {},
         {}},
        {"DiceCELoss",
         {smooth(1.0), ignoreIndex(), flagOption("include_background", true, "Class 0 counts too."),
          flagOption("squared", false, "Squares below the fraction line, as Milletari et al. 2016."), smoothing(),
          classWeights(), numberOption("dice_weight", 1.0, 0, kLargest, "Factor of the Dice loss."),
          numberOption("ce_weight", 1.0, 0, kLargest, "Factor of the cross entropy.")},
         {},
         {}},
        {"MSELoss", {scalarTarget(), reduction()}, {}, {}},
        {"L1Loss", {scalarTarget(), reduction()}, {}, {}},
        {"SmoothL1Loss",
         {numberOption("beta", 1.0, 0, kLargest, "Distance below which the loss is quadratic."), scalarTarget(),
          reduction()},
         {},
         {}},
        {"HuberLoss",
         {aboveOption("delta", 1.0, 0, kLargest, "Distance below which the loss is quadratic."), scalarTarget(),
          reduction()},
         {},
         {}},
        {"KLDivLoss",
         {flagOption("log_target", false, "The target holds logarithms of probabilities too."), reduction(true)},
         {},
         {}},
        {"CTCLoss",
         {integerOption("blank", 0, 0, "", "Class of the blank."),
          flagOption("zero_infinity", false, "A sample that cannot be aligned costs nothing instead of infinity."),
          targetOption("input_lengths",
                       "Target with the number of frames of each sample; all frames where it is left out.", true),
          targetOption("target_lengths",
                       "Target with the number of labels of each sample; all that are not blank where it is left out.",
                       true),
          reduction()},
         {},
         {}},
        {"CosineEmbeddingLoss",
         {second(compared),
          numberOption("margin", 0.0, -1, 1, "Distance, or lead, from which on a sample costs nothing."), reduction()},
         {},
         {}},
        {"TripletMarginLoss",
         {outputOption("positive", "Output of a sample of the same kind."),
          outputOption("negative", "Output of a sample of another kind."), margin(1.0), power(2, 0),
          numberOption("eps", 1e-6, 0, kLargest, "Keeps distances above 0, or variances from vanishing."),
          flagOption("swap", false, "Takes the distance from the positive to the negative where that is smaller."),
          reduction()},
         {},
         {"target"}},
        {"MarginRankingLoss", {second(compared), margin(0.0, -kLargest), reduction()}, {}, {}},
        {"ContrastiveLoss", {second(compared), margin(1.0), reduction()}, {}, {}},
        {"MultiMarginLoss",
         {{"p", "float", 1.0, 1, 2, true, {}, {}, kPower}, margin(1.0), classWeights(), reduction()},
         {},
         {}},
        {"MultiLabelMarginLoss", {reduction()}, {}, {}},
        {"MultiLabelSoftMarginLoss", {classWeights(), reduction()}, {}, {}},
        {"SoftMarginLoss", {scalarTarget(), reduction()}, {}, {}},
        {"HingeLoss", {margin(1.0), scalarTarget(), reduction()}, {}, {}},
        {"HingeEmbeddingLoss", {margin(1.0), scalarTarget(), reduction()}, {}, {}},
        {"PoissonNLLLoss",
         {flagOption("log_input", true, "The output is the logarithm of the rate."), full(),
          numberOption("eps", 1e-8, 0, kLargest, "Keeps distances above 0, or variances from vanishing."),
          scalarTarget(), reduction()},
         {},
         {}},
        {"GaussianNLLLoss",
         {outputOption("variance", "Output with the variance of each value."), full(),
          aboveOption("eps", 1e-6, 0, kLargest, "Keeps distances above 0, or variances from vanishing."), reduction()},
         {},
         {}},
        {"ExpressionLoss",
         {textOption("expression", "",
                     "A formula over the names of outputs and targets, as mean((y - t) ** 2); docs/losses.md lists its "
                     "functions."),
          reduction()},
         {},
         {"output", "target"}},
    };
}

}  // namespace

const std::vector<TypeSpec>& lossTypes() {
    static const std::vector<TypeSpec> types = makeTypes();
    return types;
}

LossSpec::LossSpec(std::string chosen, std::string judged, std::string compared, double factor, Json told)
    : LossSpec() {
    type = std::move(chosen);
    output = std::move(judged);
    target = std::move(compared);
    weight = factor;
    options = std::move(told);
}

}  // namespace plumbline::plan
