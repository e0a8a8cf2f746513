#include "plan/loss_traits.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "core/json_errors.h"
#include "plan/loss_formula.h"

namespace plumbline::plan {
namespace {

std::map<std::string, LossTraits> makeTraits() {
    const auto classes = [](OutputScale scale) { return LossTraits{LossKind::kClasses, scale}; };
    const auto elements = [](OutputScale scale, TargetRange target = TargetRange::kAny) {
        return LossTraits{LossKind::kElements, scale, target};
    };
    const auto aSample = [](TargetRange target) {
        return LossTraits{LossKind::kOther, OutputScale::kAny, target, false, false, true};
    };
    const LossTraits either{LossKind::kEither, OutputScale::kLogits, TargetRange::kShares};
    return {
        {"CrossEntropyLoss", {LossKind::kClasses, OutputScale::kLogits, TargetRange::kAny, true, true}},
        {"NLLLoss", {LossKind::kClasses, OutputScale::kLogProbabilities, TargetRange::kAny, false, true}},
        {"BCEWithLogitsLoss", elements(OutputScale::kLogits, TargetRange::kShares)},
        {"BCELoss", elements(OutputScale::kProbabilities, TargetRange::kShares)},
        {"FocalLoss", either},
        {"DiceLoss", either},
        {"DiceCELoss", classes(OutputScale::kLogits)},
        {"MSELoss", elements(OutputScale::kAny)},
        {"L1Loss", elements(OutputScale::kAny)},
        {"SmoothL1Loss", elements(OutputScale::kAny)},
        {"HuberLoss", elements(OutputScale::kAny)},
        {"KLDivLoss", elements(OutputScale::kLogProbabilities)},
        {"CTCLoss", {LossKind::kOther, OutputScale::kLogProbabilities}},
        {"CosineEmbeddingLoss", aSample(TargetRange::kSigns)},
        {"TripletMarginLoss", {}},
        {"MarginRankingLoss", elements(OutputScale::kAny, TargetRange::kSigns)},
        {"ContrastiveLoss", aSample(TargetRange::kShares)},
        {"MultiMarginLoss", classes(OutputScale::kScores)},
        {"MultiLabelMarginLoss", {LossKind::kOther, OutputScale::kScores}},
        {"MultiLabelSoftMarginLoss", elements(OutputScale::kLogits, TargetRange::kShares)},
        {"SoftMarginLoss", elements(OutputScale::kScores, TargetRange::kSigns)},
        {"HingeLoss", elements(OutputScale::kScores, TargetRange::kSigns)},
        {"HingeEmbeddingLoss", elements(OutputScale::kAny, TargetRange::kSigns)},
        {"PoissonNLLLoss", elements(OutputScale::kAny)},
        {"GaussianNLLLoss", elements(OutputScale::kAny)},
        {"ExpressionLoss", {}},
    };
}

std::size_t placeIn(const std::vector<std::string>& all, const std::string& name) {
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known, std::string otherwise) {
    return didYouMean(word, known,
                      known.size() == 1 ? fmt::format("There is \"{}\".", known.front()) : std::move(otherwise));
}

Status bindName(const LossSpec& loss, bool isOutput, const std::string& name, const std::vector<std::string>& known,
                std::string pointer, std::vector<std::size_t>& into) {
    const std::size_t place = placeIn(known, name);
    if (place < known.size()) {
        into.push_back(place);
        return {};
    }
    return isOutput ? fail(ErrorKind::kInvalid, "unknown-output",
                           fmt::format("{} reads \"{}\", which is no output of the model.", loss.type, name),
                           std::move(pointer), suggestion(name, known, "Name one of the model's outputs."))
                    : fail(ErrorKind::kInvalid, "unknown-target",
                           fmt::format("{} compares with \"{}\", which is no target of the data.", loss.type, name),
                           std::move(pointer), suggestion(name, known, "Add it to data.targets."));
}

/// A name of a formula that is both an output and a target has to say which.
Status bindFormulaName(const FormulaName& name, const std::vector<std::string>& outputs,
                       const std::vector<std::string>& targets, const std::string& pointer, LossBinding& binding) {
    const std::size_t output = placeIn(outputs, name.name), target = placeIn(targets, name.name);
    const bool isOutput = output < outputs.size() && name.of != "target",
               isTarget = target < targets.size() && name.of != "output";
    if (isOutput && isTarget) {
        return fail(
            ErrorKind::kInvalid, "formula-name",
            fmt::format("\"{}\" at position {} of the formula is both an output of the model and a target of the data.",
                        name.name, name.column),
            pointer, fmt::format("Write output.{} or target.{}.", name.name, name.name));
    }
    if (!isOutput && !isTarget) {
        std::vector<std::string> known = name.of == "target" ? targets : outputs;
        if (name.of.empty()) {
            known.insert(known.end(), targets.begin(), targets.end());
        }
        return fail(
            ErrorKind::kInvalid, "formula-name",
            fmt::format("\"{}\" at position {} of the formula is no output of the model and no target of the data.",
                        name.name, name.column),
            pointer, suggestion(name.name, known, "Name outputs and targets as the project does."));
    }
    (isOutput ? binding.outputs : binding.targets).push_back(isOutput ? output : target);
    binding.nameIsOutput.push_back(isOutput);
    return {};
}

Result<LossBinding> bindFormula(const LossSpec& loss, const std::vector<std::string>& outputs,
                                const std::vector<std::string>& targets, const std::string& pointer) {
    LossBinding binding;
    PLUMBLINE_ASSIGN(const LossFormula formula, parseLossFormula(loss.text("expression"), pointer));
    for (const FormulaName& name : formula.names) {
        PLUMBLINE_TRY(bindFormulaName(name, outputs, targets, pointer, binding));
    }
    if (binding.outputs.empty()) {
        return fail(ErrorKind::kInvalid, "formula-without-output",
                    "The formula of ExpressionLoss names no output of the model, so nothing can be learned from it.",
                    pointer, "Name one, as mean((y - t) ** 2).");
    }
    return binding;
}

}  // namespace

const LossTraits& lossTraits(const std::string& type) {
    static const std::map<std::string, LossTraits> all = makeTraits();
    static const LossTraits none;
    const auto found = all.find(type);
    return found == all.end() ? none : found->second;
}

bool tellsClasses(const LossSpec& loss) {
    const LossKind kind = lossTraits(loss.type).kind;
    return kind == LossKind::kClasses || kind == LossKind::kEither;
}

LossKind kindOf(const LossSpec& loss, bool classNumbers) {
    const LossKind kind = lossTraits(loss.type).kind;
    return kind != LossKind::kEither ? kind : classNumbers ? LossKind::kClasses : LossKind::kElements;
}

std::optional<std::int64_t> ignoredLabel(const LossSpec& loss) {
    const Json& label = loss.option("ignore_index");
    return label.is_number_integer() ? std::optional(label.get<std::int64_t>()) : std::nullopt;
}

std::vector<LossSpec> termsOf(const LossSpec& loss) {
    if (loss.type != "DiceCELoss") {
        return {loss};
    }
    LossSpec dice("DiceLoss", loss.output, loss.target, loss.weight * loss.number("dice_weight"));
    LossSpec entropy("CrossEntropyLoss", loss.output, loss.target, loss.weight * loss.number("ce_weight"));
    for (LossSpec* term : {&dice, &entropy}) {
        term->phase = loss.phase;
        for (const auto& [name, value] : loss.options.items()) {
            if (term->kind()->option(name) != nullptr) {
                term->options[name] = value;
            }
        }
    }
    return {dice, entropy};
}

std::vector<LossSpec> termsOf(const std::vector<LossSpec>& losses) {
    std::vector<LossSpec> all;
    for (const LossSpec& loss : losses) {
        for (LossSpec& term : termsOf(loss)) {
            all.push_back(std::move(term));
        }
    }
    return all;
}

Result<LossBinding> bindLoss(const LossSpec& loss, const std::vector<std::string>& outputs,
                             const std::vector<std::string>& targets, const std::string& pointer) {
    if (loss.type == "ExpressionLoss") {
        return bindFormula(loss, outputs, targets, pointerTo(pointer, "expression"));
    }
    LossBinding binding;
    const TypeSpec* kind = loss.kind();
    if (kind == nullptr || kind->has("output")) {
        PLUMBLINE_TRY(bindName(loss, true, loss.output, outputs, pointerTo(pointer, "output"), binding.outputs));
    }
    if (kind == nullptr || kind->has("target")) {
        PLUMBLINE_TRY(bindName(loss, false, loss.target, targets, pointerTo(pointer, "target"), binding.targets));
    }
    for (const OptionSpec& option : kind == nullptr ? std::vector<OptionSpec>{} : kind->options) {
        const bool isOutput = option.type == "output";
        if ((!isOutput && option.type != "target") || (option.optional && loss.text(option.name).empty())) {
            continue;
        }
        PLUMBLINE_TRY(bindName(loss, isOutput, loss.text(option.name), isOutput ? outputs : targets,
                               pointerTo(pointer, option.name), isOutput ? binding.outputs : binding.targets));
    }
    return binding;
}

}  // namespace plumbline::plan
