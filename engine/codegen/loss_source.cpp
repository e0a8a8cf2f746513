#include "codegen/loss_source.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "codegen/export_templates.h"
#include "codegen/formula_source.h"
#include "codegen/module_body.h"
#include "plan/loss_traits.h"

namespace plumbline::codegen {
namespace {

using plan::LossSpec;

std::string outputNamed(const std::string& name) {
    return fmt::format("outputs.at({})", cppString(name));
}
std::string targetNamed(const std::string& name) {
    return fmt::format("batch.at({})", cppString("target." + name));
}

std::string listOf(const LossSpec& loss, const char* option) {
    std::string text;
    for (const double value : loss.numbers(option)) {
        text += (text.empty() ? "" : ", ") + cppNumber(value);
    }
    return "{" + text + "}";
}

/// What a loss is written from.
struct Words {
    const LossSpec& loss;
    std::string prediction = outputNamed(loss.output);
    std::string given = targetNamed(loss.target);
    std::string reduction = loss.text("reduction") == "mean" || loss.text("reduction").empty()
                                ? "torch::Reduction::Mean"
                                : "torch::Reduction::Sum";

    std::string number(const char* option) const { return cppNumber(loss.number(option)); }
    std::string flag(const char* option) const { return loss.flag(option) ? "true" : "false"; }
    std::string integer(const char* option) const { return std::to_string(loss.integer(option)); }
    std::string output(const char* option) const { return outputNamed(loss.text(option)); }
    /// The target in the prediction's shape and type.
    std::string target() const {
        return fmt::format("{}({}, {})", loss.flag("scalar_target") ? "spread" : "aligned", prediction, given);
    }
    /// Class numbers, or probabilities in the prediction's type.
    std::string classes() const { return fmt::format("classesLike({}, {})", prediction, given); }
    std::string ofSamples() const { return fmt::format("ofSamples({}, {})", prediction, given); }
    /// One number a class, or none; `along`: beside every element of its class.
    std::string weights(const char* option, bool along) const {
        return loss.numbers(option).empty() ? std::string("{}")
                                            : fmt::format("{}({}, {})", along ? "alongClasses" : "numbersLike",
                                                          prediction, listOf(loss, option));
    }
    /// A call whose first arguments are prediction and target.
    template <typename... More>
    std::string compared(const char* function, const More&... more) const {
        std::string text = fmt::format("{}({}, {}", function, prediction, target());
        ((text += fmt::format(", {}", more)), ...);
        return text + ")";
    }
};

std::string crossEntropy(const Words& words) {
    return fmt::format("torch::cross_entropy_loss({}, {}, {}, {}, {}, {})", words.prediction, words.classes(),
                       words.weights("class_weights", false), words.reduction, words.integer("ignore_index"),
                       words.number("label_smoothing"));
}
std::string nll(const Words& words) {
    return fmt::format("torch::nll_loss_nd({}, {}, {}, {}, {})", words.prediction, words.given,
                       words.weights("class_weights", false), words.reduction, words.integer("ignore_index"));
}
std::string bceWithLogits(const Words& words) {
    return words.compared("torch::binary_cross_entropy_with_logits", words.weights("class_weights", true),
                          words.weights("pos_weight", true), words.reduction);
}
std::string bce(const Words& words) {
    const std::string weights = words.weights("class_weights", true);
    return words.compared("torch::binary_cross_entropy",
                          weights == "{}" ? weights : fmt::format("{}.expand_as({})", weights, words.prediction),
                          words.reduction);
}
std::string mse(const Words& words) {
    return words.compared("torch::mse_loss", words.reduction);
}
std::string l1(const Words& words) {
    return words.compared("torch::l1_loss", words.reduction);
}
std::string smoothL1(const Words& words) {
    return words.compared("torch::smooth_l1_loss", words.reduction, words.number("beta"));
}
std::string huber(const Words& words) {
    return words.compared("torch::huber_loss", words.reduction, words.number("delta"));
}
std::string klDiv(const Words& words) {
    return words.compared("torch::kl_div", words.reduction, words.flag("log_target"));
}
std::string poisson(const Words& words) {
    return words.compared("torch::poisson_nll_loss", words.flag("log_input"), words.flag("full"), words.number("eps"),
                          words.reduction);
}
std::string gaussian(const Words& words) {
    return words.compared("gaussianNLL", words.output("variance"), words.flag("full"), words.number("eps"),
                          words.reduction);
}
std::string softMargin(const Words& words) {
    return words.compared("torch::soft_margin_loss", words.reduction);
}
std::string hinge(const Words& words) {
    return fmt::format("reduced(({} - {} * {}).clamp_min(0), {})", words.number("margin"), words.prediction,
                       words.target(), words.reduction);
}
std::string hingeEmbedding(const Words& words) {
    return words.compared("torch::hinge_embedding_loss", words.number("margin"), words.reduction);
}
std::string marginRanking(const Words& words) {
    return fmt::format("torch::margin_ranking_loss({}, {}, {}, {}, {})", words.prediction, words.output("other"),
                       words.target(), words.number("margin"), words.reduction);
}
std::string cosineEmbedding(const Words& words) {
    return fmt::format("torch::cosine_embedding_loss({}, {}, {}, {}, {})", words.prediction, words.output("other"),
                       words.ofSamples(), words.number("margin"), words.reduction);
}
std::string contrastive(const Words& words) {
    return fmt::format("contrastive({}, {}, {}, {}, {})", words.prediction, words.output("other"), words.ofSamples(),
                       words.number("margin"), words.reduction);
}
std::string triplet(const Words& words) {
    return fmt::format("torch::triplet_margin_loss({}, {}, {}, {}, {}, {}, {}, {})", words.prediction,
                       words.output("positive"), words.output("negative"), words.number("margin"), words.number("p"),
                       words.number("eps"), words.flag("swap"), words.reduction);
}
std::string multiMargin(const Words& words) {
    return fmt::format("torch::multi_margin_loss({}, {}, {}, {}, {}, {})", words.prediction, words.given,
                       words.number("p"), words.number("margin"), words.weights("class_weights", false),
                       words.reduction);
}
std::string multiLabelMargin(const Words& words) {
    return fmt::format("torch::multilabel_margin_loss({}, {}, {})", words.prediction, words.given, words.reduction);
}
std::string multiLabelSoftMargin(const Words& words) {
    return words.compared("torch::nn::functional::multilabel_soft_margin_loss",
                          fmt::format("torch::nn::functional::MultilabelSoftMarginLossFuncOptions(){}.reduction({})",
                                      words.loss.numbers("class_weights").empty()
                                          ? std::string()
                                          : fmt::format(".weight({})", words.weights("class_weights", false)),
                                      words.loss.text("reduction") == "sum" ? "torch::kSum" : "torch::kMean"));
}

/// The target as it is given, or beside every element of its sample.
std::string givenOf(const Words& words) {
    return words.loss.flag("scalar_target") ? words.target() : words.given;
}
std::string focal(const Words& words) {
    const auto alpha = words.loss.optionalNumber("alpha");
    return fmt::format("focal({}, {}, {}, {}, {}, {}, {})", words.prediction, givenOf(words), words.number("focus"),
                       alpha ? cppNumber(*alpha) : "{}", words.integer("ignore_index"),
                       listOf(words.loss, "class_weights"), words.reduction);
}
std::string dice(const Words& words) {
    return fmt::format("dice({}, {}, {}, {}, {}, {})", words.prediction, words.given, words.number("smooth"),
                       words.integer("ignore_index"), words.flag("include_background"), words.flag("squared"));
}
std::string ctc(const Words& words) {
    const auto lengths = [&](const char* option) {
        return words.loss.text(option).empty() ? std::string("{}") : targetNamed(words.loss.text(option));
    };
    return fmt::format("ctc({}, {}, {}, {}, {}, {}, {})", words.prediction, words.given, lengths("input_lengths"),
                       lengths("target_lengths"), words.integer("blank"), words.flag("zero_infinity"), words.reduction);
}

/// Labels that count, by their weights where those count in what the mean is divided by.
std::string countedLabels(const Words& words) {
    return fmt::format("countedLabels({}, {}, {})", words.given, words.integer("ignore_index"),
                       plan::lossTraits(words.loss.type).weightedMean ? listOf(words.loss, "class_weights") : "{}");
}
std::string countedElements(const Words& words) {
    return fmt::format("{}.ne({}).sum().item<double>()", words.given, words.integer("ignore_index"));
}
std::string samplesThatCount(const Words& words) {
    return fmt::format("{0}.ne({1}).reshape({{{0}.size(0), -1}}).any(1).sum().item<double>()", words.given,
                       words.integer("ignore_index"));
}
std::string countedSamples(const Words&) {
    return "static_cast<double>(samples)";
}

struct Form {
    const char* type;
    std::string (*value)(const Words& words);
    const char* part = "";
    std::string (*count)(const Words& words) = countedSamples;
};

constexpr Form kForms[] = {
    {"CrossEntropyLoss", crossEntropy, "", countedLabels},
    {"NLLLoss", nll, "", countedLabels},
    {"BCEWithLogitsLoss", bceWithLogits},
    {"BCELoss", bce},
    {"FocalLoss", focal, "losses/focal.h", countedElements},
    {"DiceLoss", dice, "losses/dice.h", samplesThatCount},
    {"CTCLoss", ctc, "losses/ctc.h"},
    {"MSELoss", mse},
    {"L1Loss", l1},
    {"SmoothL1Loss", smoothL1},
    {"HuberLoss", huber},
    {"KLDivLoss", klDiv},
    {"PoissonNLLLoss", poisson},
    {"GaussianNLLLoss", gaussian, "losses/gaussian_nll.h"},
    {"CosineEmbeddingLoss", cosineEmbedding},
    {"ContrastiveLoss", contrastive, "losses/contrastive.h"},
    {"TripletMarginLoss", triplet},
    {"MarginRankingLoss", marginRanking},
    {"MultiMarginLoss", multiMargin},
    {"MultiLabelMarginLoss", multiLabelMargin},
    {"MultiLabelSoftMarginLoss", multiLabelSoftMargin},
    {"SoftMarginLoss", softMargin},
    {"HingeLoss", hinge},
    {"HingeEmbeddingLoss", hingeEmbedding},
};

}  // namespace

Result<LossSource> lossSource(const plan::LossSpec& loss, const std::vector<std::string>& outputs,
                              const std::string& pointer) {
    if (loss.type == "ExpressionLoss") {
        PLUMBLINE_ASSIGN(std::string value, formulaSource(loss.text("expression"), outputs, pointer));
        return LossSource{std::move(value), "static_cast<double>(samples)", "losses/formula.h"};
    }
    const auto* form =
        std::find_if(std::begin(kForms), std::end(kForms), [&](const Form& one) { return one.type == loss.type; });
    if (form == std::end(kForms)) {
        return fail(ErrorKind::kInvalid, "export-unsupported",
                    fmt::format("The loss {} cannot be written as C++", loss.type), pointer + "/type",
                    "Export as torchscript or state-dict.");
    }
    const Words words{loss};
    std::string value = form->value(words);
    if (loss.text("reduction") == "batchmean") {
        value += fmt::format(".div({}.size(0))", words.prediction);
    }
    return LossSource{std::move(value), form->count(words), form->part};
}

Status lossMarks(const std::vector<plan::LossSpec>& losses, const std::vector<std::string>& outputs,
                 std::map<std::string, std::string>& marks) {
    if (losses.empty()) {
        return fail(ErrorKind::kInvalid, "no-loss", "The plan names no loss, so no training program can be written",
                    "/training/losses", "Add one.");
    }
    std::set<std::string> parts;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        for (const plan::LossSpec& term : plan::termsOf(losses[i])) {
            PLUMBLINE_ASSIGN(const LossSource source, lossSource(term, outputs, fmt::format("/training/losses/{}", i)));
            marks["LOSSES"] += fmt::format("        {},\n", source.value);
            marks["LOSS_COUNTS"] += fmt::format("        {},\n", source.count);
            const char* comma = marks["LOSS_WEIGHTS"].empty() ? "" : ", ";
            marks["LOSS_WEIGHTS"] += comma + cppNumber(term.weight);
            marks["LOSS_SUMS"] += std::string(comma) + (term.text("reduction") == "sum" ? "true" : "false");
            if (!source.part.empty() && parts.insert(source.part).second) {
                marks["LOSS_FUNCTIONS"] += exportPart(source.part);
            }
        }
    }
    marks.try_emplace("LOSS_FUNCTIONS");
    return {};
}

}  // namespace plumbline::codegen
