#include "project/data_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "plan/loss_formula.h"
#include "plan/loss_traits.h"
#include "plan/run_length.h"
#include "plan/schedule.h"
#include "project/formula_fit.h"
#include "project/metric_fit.h"

namespace plumbline::project {

std::string batchShape(const data::FeedInfo& feed) {
    std::string text = "B";
    for (const std::int64_t dim : feed.dims) {
        text += fmt::format(", {}", dim);
    }
    return text;
}

bool takes(const graph::TensorType& wanted, const data::FeedInfo& feed, std::size_t leading) {
    if (wanted.rank() != feed.dims.size() + leading) {
        return false;
    }
    for (std::size_t i = 0; i < feed.dims.size(); ++i) {
        if (const auto constant = wanted.dims[i + leading].constant(); constant && *constant != feed.dims[i]) {
            return false;
        }
    }
    return true;
}

bool isColumnAndVector(const graph::TensorType& type, const data::FeedInfo& feed) {
    const bool isColumn = type.rank() == 2 && type.dims[1].constant() == 1;
    return (feed.dims.empty() && isColumn) || (type.rank() == 1 && feed.dims == std::vector<std::int64_t>{1});
}

namespace {

const graph::TensorType* typeOf(const graph::ResolvedModel& model, graph::ValueId value) {
    if (value == graph::kNoValue || !model.values[static_cast<std::size_t>(value)].known) {
        return nullptr;
    }
    return &model.values[static_cast<std::size_t>(value)].type;
}

/// The type of an output of the model; nullptr: there is none of this name, or it is not known.
const graph::TensorType* outputType(const graph::ResolvedModel& model, const std::string& name) {
    const auto output =
        std::find_if(model.outputs.begin(), model.outputs.end(), [&](const auto& each) { return each.first == name; });
    return output == model.outputs.end() ? nullptr : typeOf(model, output->second);
}

const data::FeedInfo* targetNamed(const data::Dataset& dataset, const std::string& name) {
    const auto& targets = dataset.targets();
    const auto target =
        std::find_if(targets.begin(), targets.end(), [&](const data::FeedInfo& feed) { return feed.name == name; });
    return target == targets.end() ? nullptr : &*target;
}

/// What transforms in float32 may leave of a number that was meant to be 1.
constexpr double kRounding = 1e-6;

/// The smallest and the largest number of a target, after its transforms, as far as they are known.
struct Numbers {
    double min = 0, max = 0;
};
std::optional<Numbers> numbersOf(const data::FeedInfo& target) {
    if (!target.classes.empty()) {
        return Numbers{0, static_cast<double>(target.classes.size() - 1)};
    }
    const std::vector<double>& min = target.range.min.empty() ? target.statistics.min : target.range.min;
    const std::vector<double>& max = target.range.max.empty() ? target.statistics.max : target.range.max;
    return min.empty() || max.empty() ? std::nullopt
                                      : std::optional(Numbers{*std::min_element(min.begin(), min.end()),
                                                              *std::max_element(max.begin(), max.end())});
}

bool holdsClassNumbers(const graph::TensorType& scores, const data::FeedInfo& target) {
    return target.dtype == DType::kInt64 && scores.rank() >= 2 && target.dims.size() + 2 == scores.rank() &&
           scores.dims[1].constant() != 1;
}

tl::unexpected<Error> noSuchClass(const plan::LossSpec& loss, std::int64_t label, std::int64_t classes,
                                  std::string pointer) {
    return fail(
        ErrorKind::kInvalid, "label-out-of-range",
        fmt::format("The target {} has the class {} (counted from 0), and the output {} tells only {} classes apart.",
                    loss.target, label, loss.output, classes),
        std::move(pointer),
        label < 0 ? std::string("Correct the labels, or set ignore_index to it where the loss has that.")
                  : fmt::format("Give the model {} outputs, or correct the labels.", label + 1));
}

/// A class that the model has no output for would end the run in the middle of it, or the whole program on a GPU.
Status checkClasses(const plan::LossSpec& loss, const graph::ResolvedModel& model, const data::Dataset& dataset,
                    const std::string& pointer) {
    const graph::TensorType* scores = outputType(model, loss.output);
    const data::FeedInfo* target = targetNamed(dataset, loss.target);
    const bool inRows = loss.type == "CTCLoss" || loss.type == "MultiLabelMarginLoss";
    const std::size_t dim = loss.type == "CTCLoss" ? 2 : 1;
    if (target == nullptr || scores == nullptr || scores->rank() <= dim || !scores->dims[dim].isConstant() ||
        isFloatingPoint(target->dtype) ||
        (!inRows && plan::kindOf(loss, holdsClassNumbers(*scores, *target)) != plan::LossKind::kClasses)) {
        return {};
    }
    const std::int64_t classes = scores->dims[dim].constant().value_or(0);
    const std::optional<std::int64_t> ignored = plan::ignoredLabel(loss);
    for (const data::Split split : {data::Split::kTrain, data::Split::kValidation, data::Split::kTest}) {
        const std::vector<std::int64_t> counts = dataset.classCounts(split, loss.target);
        for (auto label = static_cast<std::int64_t>(counts.size()) - 1; label >= classes; --label) {
            if (counts[static_cast<std::size_t>(label)] > 0 && ignored != label) {
                return noSuchClass(loss, label, classes, pointer);
            }
        }
    }
    const auto numbers = numbersOf(*target);
    if (!target->classes.empty() || !numbers) {
        return {};
    }
    // Labels of positions: -1 ends a row of MultiLabelMarginLoss, and nobody knows where a row of CTCLoss ends.
    const auto largest = static_cast<std::int64_t>(numbers->max), smallest = static_cast<std::int64_t>(numbers->min);
    const std::int64_t least = loss.type == "MultiLabelMarginLoss" ? -1 : 0;
    if (largest >= classes && ignored != largest) {
        return noSuchClass(loss, largest, classes, pointer);
    }
    return smallest < least && ignored != smallest && loss.type != "CTCLoss"
               ? noSuchClass(loss, smallest, classes, pointer)
               : Status{};
}

/// Whether every class that occurs in the training split is ignored or weighs nothing.
bool countsNothing(const plan::LossSpec& loss, const graph::ResolvedModel& model, const data::Dataset& dataset) {
    const graph::TensorType* scores = outputType(model, loss.output);
    const data::FeedInfo* target = targetNamed(dataset, loss.target);
    if (scores == nullptr || target == nullptr ||
        plan::kindOf(loss, holdsClassNumbers(*scores, *target)) != plan::LossKind::kClasses) {
        return false;
    }
    const std::vector<std::int64_t> counts = dataset.classCounts(data::Split::kTrain, loss.target);
    const std::vector<double> weights = loss.numbers("class_weights");
    const std::optional<std::int64_t> ignored = plan::ignoredLabel(loss);
    bool any = false, counted = false;
    for (std::size_t label = 0; label < counts.size(); ++label) {
        any = any || counts[label] > 0;
        counted = counted || (counts[label] > 0 && ignored != static_cast<std::int64_t>(label) &&
                              (label >= weights.size() || weights[label] != 0));
    }
    return any && !counted;
}

plan::PlanProblem nothingCounts(const plan::LossSpec& loss, std::size_t index, bool critical) {
    return {critical, "nothing-counts", fmt::format("/training/losses/{}", index),
            fmt::format("No sample of the training split counts for {}: each class of {} that occurs there is ignored "
                        "or has the weight 0.",
                        loss.type, loss.target),
            "Change ignore_index or class_weights, or choose another target."};
}

/// A run for whose losses nothing counts at all would do nothing and say nothing. One of several adds nothing, which is
/// a warning.
Status checkAnyCounts(const plan::TrainingPlan& plan, const graph::ResolvedModel& model, const data::Dataset& dataset) {
    const auto nothing = [&](const plan::LossSpec& loss) { return countsNothing(loss, model, dataset); };
    if (plan.losses.empty() || !std::all_of(plan.losses.begin(), plan.losses.end(), nothing)) {
        return {};
    }
    plan::PlanProblem problem = nothingCounts(plan.losses.front(), 0, true);
    return fail(ErrorKind::kInvalid, std::move(problem.code), std::move(problem.message), std::move(problem.pointer),
                std::move(problem.hint));
}

/// Whether each number is -1 or 1: only then is the mean of their squares 1, none being further from 0.
bool areSigns(const data::FeedInfo& target, const Numbers& numbers) {
    if (!target.classes.empty() || numbers.min < -1 - kRounding || numbers.max > 1 + kRounding) {
        return false;
    }
    for (std::size_t i = 0; i < target.statistics.mean.size() && i < target.statistics.std.size(); ++i) {
        if (std::abs(target.statistics.mean[i] * target.statistics.mean[i] +
                     target.statistics.std[i] * target.statistics.std[i] - 1) > 10 * kRounding) {
            return false;
        }
    }
    return true;
}

/// Targets of yes and no hold what the loss's formula is for.
Status checkRange(const plan::LossSpec& loss, const graph::ResolvedModel& model, const data::Dataset& dataset,
                  const std::string& pointer) {
    const data::FeedInfo* target = targetNamed(dataset, loss.target);
    const graph::TensorType* scores = outputType(model, loss.output);
    const plan::TargetRange wanted = plan::lossTraits(loss.type).target;
    const auto numbers = target == nullptr ? std::nullopt : numbersOf(*target);
    if (!numbers || scores == nullptr ||
        plan::kindOf(loss, holdsClassNumbers(*scores, *target)) == plan::LossKind::kClasses) {
        return {};
    }
    if (wanted == plan::TargetRange::kSigns && !areSigns(*target, *numbers)) {
        return fail(ErrorKind::kInvalid, "target-range",
                    fmt::format("{} wants targets of -1 and 1, and those of {} go from {} to {}.", loss.type,
                                loss.target, numbers->min, numbers->max),
                    pointer, "Write -1 for no and 1 for yes in the data, or choose BCEWithLogitsLoss for 0 and 1.");
    }
    const std::optional<std::int64_t> ignored = plan::ignoredLabel(loss);
    const auto outside = [&](double number) {
        return (number < -kRounding || number > 1 + kRounding) && !(ignored && number == static_cast<double>(*ignored));
    };
    if (wanted == plan::TargetRange::kShares && (outside(numbers->min) || outside(numbers->max))) {
        return fail(ErrorKind::kInvalid, "target-range",
                    fmt::format("{} wants targets from 0 to 1, and those of {} go from {} to {}.", loss.type,
                                loss.target, numbers->min, numbers->max),
                    pointer,
                    target->classes.empty() ? "Scale the target with a transform, or choose MSELoss for a number."
                                            : "Choose CrossEntropyLoss for more than two classes.");
    }
    return {};
}

/// The shape of class numbers, of elements or of one number a sample.
Status checkLossShape(const plan::TrainingPlan& plan, const plan::LossSpec& loss, const graph::ResolvedModel& model,
                      const data::Dataset& dataset, const std::string& pointer) {
    const data::FeedInfo* target = targetNamed(dataset, loss.target);
    const graph::TensorType* prediction = outputType(model, loss.output);
    if (target == nullptr || prediction == nullptr) {
        return {};
    }
    const auto refuse = [&](std::string message, std::string hint) {
        return fail(ErrorKind::kInvalid, "loss-target-shape", std::move(message), pointer, std::move(hint));
    };
    const plan::LossTraits& traits = plan::lossTraits(loss.type);
    const bool same = takes(*prediction, *target);
    const plan::LossKind kind = plan::kindOf(loss, holdsClassNumbers(*prediction, *target));
    if (traits.samplesMean &&
        std::any_of(target->dims.begin(), target->dims.end(), [](std::int64_t dim) { return dim != 1; })) {
        return refuse(fmt::format("{} wants one number a sample, and the target {} has the shape [{}].", loss.type,
                                  loss.target, batchShape(*target)),
                      "Choose a target of one number a sample.");
    }
    if (loss.type == "CTCLoss" && (isFloatingPoint(target->dtype) || target->dims.size() != 1)) {
        return refuse(
            fmt::format("CTCLoss wants a row of whole-number labels a sample, and the target {} is {} of shape [{}].",
                        loss.target, toString(target->dtype), batchShape(*target)),
            "Give the target several columns and the dtype int64.");
    }
    if (loss.type == "MultiLabelMarginLoss" && (isFloatingPoint(target->dtype) || !same)) {
        return refuse(fmt::format("MultiLabelMarginLoss wants class numbers of the output's shape [{}], and the target "
                                  "{} is {} of shape [{}].",
                                  prediction->shapeText(), loss.target, toString(target->dtype), batchShape(*target)),
                      "Give it a column a class that holds the sample's classes and -1 after the last, or choose "
                      "MultiLabelSoftMarginLoss for a 0 or 1 a class.");
    }
    if (kind == plan::LossKind::kClasses) {
        if (same && prediction->rank() >= 2 && prediction->dims[1].constant() == 1) {
            return refuse(
                fmt::format("{} tells classes apart, and the output {} has a single score.", loss.type, loss.output),
                "Choose MSELoss for a number, or BCEWithLogitsLoss for yes and no; for classes give the model an "
                "output for each.");
        }
        if (isFloatingPoint(target->dtype) && !(same && traits.takesProbabilities)) {
            return refuse(fmt::format("{} tells classes apart, and the target {} is a number.", loss.type, loss.target),
                          "Choose a class column as target, or MSELoss for a number.");
        }
        return {};
    }
    const bool scalar = loss.flag("scalar_target");
    // Positions of a single channel need not name it.
    const bool oneChannel = traits.kind == plan::LossKind::kEither && prediction->rank() == target->dims.size() + 2 &&
                            prediction->dims[1].constant() == 1;
    const bool elementWise = kind == plan::LossKind::kElements;
    if (!elementWise || same || isColumnAndVector(*prediction, *target) || oneChannel || scalar ||
        plan.expert.allowBroadcastLoss) {
        return {};
    }
    return refuse(fmt::format("{} compares the output {} of shape [{}] with the target {} of shape [{}] element by "
                              "element, and they differ.",
                              loss.type, loss.output, prediction->shapeText(), loss.target, batchShape(*target)),
                  target->classes.empty() ? "Give the model's output and the target the same shape."
                                          : "Use CrossEntropyLoss, since the target is a class.");
}

/// The formula of a loss, with the shapes of the outputs and of the targets.
Status checkFormula(const plan::LossSpec& loss, const graph::ResolvedModel& model, const data::Dataset& dataset,
                    std::int64_t batchSize, const std::string& pointer) {
    if (loss.type != "ExpressionLoss") {
        return {};
    }
    std::vector<std::string> outputs, targets;
    for (const auto& [name, value] : model.outputs) {
        outputs.push_back(name);
    }
    for (const data::FeedInfo& target : dataset.targets()) {
        targets.push_back(target.name);
    }
    const std::string place = pointer + "/expression";
    PLUMBLINE_ASSIGN(const plan::LossBinding binding, plan::bindLoss(loss, outputs, targets, pointer));
    PLUMBLINE_ASSIGN(const plan::LossFormula formula, plan::parseLossFormula(loss.text("expression"), place));
    std::vector<FormulaShape> shapes;
    std::size_t output = 0, target = 0;
    for (const bool isOutput : binding.nameIsOutput) {
        if (isOutput) {
            const graph::TensorType* type = outputType(model, outputs[binding.outputs[output++]]);
            shapes.push_back(type == nullptr ? FormulaShape() : FormulaShape(type->dims));
        } else {
            std::vector<graph::Dim> dims{graph::Dim::symbol("B")};
            const std::vector<std::int64_t>& sample = dataset.targets()[binding.targets[target++]].dims;
            dims.insert(dims.end(), sample.begin(), sample.end());
            shapes.emplace_back(std::move(dims));
        }
    }
    return checkFormulaShapes(formula, shapes, batchSize, place);
}

/// A feed's values as a block of the model reads them: which ones, from the smallest to the largest.
struct SeenRange {
    double min = 0, max = 0;
};

std::optional<SeenRange> rangeOf(const data::FeedInfo& feed, std::optional<std::size_t> channel) {
    if (!feed.classes.empty()) {
        return SeenRange{0, static_cast<double>(feed.classes.size() - 1)};
    }
    const std::vector<double>& min = feed.range.min.empty() ? feed.statistics.min : feed.range.min;
    const std::vector<double>& max = feed.range.max.empty() ? feed.statistics.max : feed.range.max;
    if (min.empty() ||
        (channel && (*channel >= min.size() || feed.dims != std::vector{static_cast<std::int64_t>(min.size())}))) {
        return std::nullopt;
    }
    // What becomes a whole number on the way loses its fraction.
    return channel ? SeenRange{std::trunc(min[*channel]), std::trunc(max[*channel])}
                   : SeenRange{std::trunc(*std::min_element(min.begin(), min.end())),
                               std::trunc(*std::max_element(max.begin(), max.end()))};
}

/// The input of the model whose values an id block looks up as they are; `channel`: the one column of it that was
/// picked. -1: another block made them.
int inputBehind(const graph::ResolvedModel& model, graph::ValueId value, std::optional<std::size_t>& channel) {
    while (value != graph::kNoValue) {
        const graph::ResolvedValue& seen = model.values[static_cast<std::size_t>(value)];
        if (seen.producer < 0) {
            return seen.port;
        }
        const graph::ResolvedNode& node = model.nodes[static_cast<std::size_t>(seen.producer)];
        const bool keeps = node.type == "Input" || node.type == "Identity" || node.type == "Flatten" ||
                           node.type == "Reshape" || node.type == "Permute" ||
                           (node.type == "ToDtype" &&
                            (node.params.value("dtype", "") == "int64" || node.params.value("dtype", "") == "int32"));
        if (node.type == "Select" && !node.inputs.empty() && node.inputs[0] != graph::kNoValue && !channel) {
            // One column of a table, read straight from the input.
            const graph::ResolvedValue& picked = model.values[static_cast<std::size_t>(node.inputs[0])];
            const auto rank = static_cast<std::int64_t>(picked.type.rank());
            const auto dim = node.params.value("dim", std::int64_t{0});
            const auto index = node.params.value("index", std::int64_t{0});
            const auto size = rank == 2 ? picked.type.dims[1].constant() : std::nullopt;
            if ((dim < 0 ? dim + rank : dim) != 1 || !size || picked.producer >= 0) {
                return -1;
            }
            channel = static_cast<std::size_t>(index < 0 ? index + *size : index);
        } else if (!keeps || node.inputs.empty()) {
            return -1;
        }
        value = node.inputs[0];
    }
    return -1;
}

/// An id past the end of a table would end the run in the middle of it, or the whole program on a GPU.
Status checkIds(const graph::ResolvedModel& model, const data::Dataset& dataset) {
    for (const graph::ResolvedNode& node : model.nodes) {
        if (node.type != "Embedding" || node.inputs.empty()) {
            continue;
        }
        std::optional<std::size_t> channel;
        const int port = inputBehind(model, node.inputs[0], channel);
        if (port < 0) {
            continue;
        }
        const std::string& input = model.inputs[static_cast<std::size_t>(port)].first;
        PLUMBLINE_ASSIGN(const std::size_t place, feedOfInput(input, dataset));
        const auto rows = node.params.value("num_embeddings", std::int64_t{0});
        const auto seen = rangeOf(dataset.inputs()[place], channel);
        if (!seen || (seen->min >= 0 && seen->max < static_cast<double>(rows))) {
            continue;
        }
        const bool negative = seen->min < 0;
        return fail(ErrorKind::kInvalid, "id-out-of-range",
                    fmt::format("The input {} has the id {:.0f}, and {} looks ids up in a table of {}, from 0 to {}.",
                                input, negative ? seen->min : seen->max, node.path, rows, rows - 1),
                    node.pointer.empty() ? "/model" : node.pointer,
                    negative ? std::string("Correct the ids: a table begins at 0.")
                             : fmt::format("Set num_embeddings to {:.0f} or more, or correct the ids.", seen->max + 1));
    }
    return {};
}

/// Losses that add nothing, and options of theirs that mean something for another kind of target.
void addLossWarnings(const plan::TrainingPlan& plan, const graph::ResolvedModel& model, const data::Dataset& dataset,
                     std::vector<plan::PlanProblem>& warnings) {
    for (std::size_t i = 0; i < plan.losses.size(); ++i) {
        const plan::LossSpec& loss = plan.losses[i];
        const graph::TensorType* scores = outputType(model, loss.output);
        const data::FeedInfo* target = targetNamed(dataset, loss.target);
        if (countsNothing(loss, model, dataset)) {
            warnings.push_back(nothingCounts(loss, i, false));
        }
        if (loss.type == "FocalLoss" && loss.optionalNumber("alpha") && scores != nullptr && target != nullptr &&
            holdsClassNumbers(*scores, *target)) {
            warnings.push_back(
                {false, "setting-without-effect", fmt::format("/training/losses/{}/alpha", i),
                 fmt::format("The target {} holds classes, and alpha weighs a yes against a no, so it changes nothing.",
                             loss.target),
                 "Remove it, or set class_weights."});
        }
    }
}

/// The first block that would normalise over a single value in a batch of so many samples.
const graph::ResolvedNode* starvedNorm(const graph::ResolvedModel& model, std::int64_t samples,
                                       const std::function<bool(const graph::ResolvedNode&)>& usesBatch) {
    const std::map<std::string, std::int64_t> batch{{"B", samples}};
    for (const graph::ResolvedNode& node : model.nodes) {
        const bool group = node.type == "GroupNorm";
        const graph::TensorType* type = node.inputs.empty() ? nullptr : typeOf(model, node.inputs[0]);
        if (type == nullptr || type->rank() < 2 ||
            !(group || (node.type.starts_with("BatchNorm") && usesBatch(node)))) {
            continue;
        }
        const auto elements = type->elementCount().evaluate(batch);
        const auto shares =
            group ? std::optional(node.params.value("num_groups", std::int64_t{1})) : type->dims[1].evaluate(batch);
        if (elements && shares && *shares > 0 && *elements / *shares == 1) {
            return &node;
        }
    }
    return nullptr;
}

}  // namespace

Result<std::size_t> feedOfInput(const std::string& input, const data::Dataset& dataset) {
    std::vector<std::string> have;
    for (const data::FeedInfo& feed : dataset.inputs()) {
        if (feed.name == input) {
            return have.size();
        }
        have.push_back(feed.name);
    }
    return fail(ErrorKind::kInvalid, "input-without-data",
                fmt::format("The model's input {} gets no data; the data feed {}.", input,
                            have.empty() ? "nothing" : fmt::format("{}", fmt::join(have, ", "))),
                "/data/inputs", fmt::format("Add \"{}\" to data.inputs, or rename the model's input.", input));
}

std::optional<std::pair<std::string, std::int64_t>> fixedBatch(const graph::ResolvedModel& model) {
    for (const auto& [name, value] : model.inputs) {
        const graph::TensorType* type = typeOf(model, value);
        const auto size = type == nullptr || type->dims.empty() ? std::nullopt : type->dims[0].constant();
        if (size) {
            return std::pair{name, *size};
        }
    }
    return std::nullopt;
}

Status checkDataFit(const plan::TrainingPlan& plan, const graph::ResolvedModel& model, const data::Dataset& dataset) {
    for (const auto& [name, value] : model.inputs) {
        PLUMBLINE_ASSIGN(const std::size_t place, feedOfInput(name, dataset));
        const data::FeedInfo& feed = dataset.inputs()[place];
        if (const graph::TensorType* wanted = typeOf(model, value); wanted != nullptr && !takes(*wanted, feed)) {
            return fail(ErrorKind::kInvalid, "input-shape",
                        fmt::format("The input {} has the shape [{}] and the model wants [{}].", name, batchShape(feed),
                                    wanted->shapeText()),
                        fmt::format("/data/inputs/{}", place),
                        "Check the data's transforms, or change the shape of the model's input.");
        }
    }
    for (std::size_t i = 0; i < plan.losses.size(); ++i) {
        PLUMBLINE_TRY(checkLossShape(plan, plan.losses[i], model, dataset, fmt::format("/training/losses/{}", i)));
        PLUMBLINE_TRY(checkClasses(plan.losses[i], model, dataset, fmt::format("/training/losses/{}", i)));
        PLUMBLINE_TRY(checkRange(plan.losses[i], model, dataset, fmt::format("/training/losses/{}", i)));
    }
    for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        if (const graph::TensorType* output = outputType(model, plan.metrics[i].output)) {
            PLUMBLINE_TRY(
                checkMetricTarget(plan, plan.metrics[i], *output, dataset, fmt::format("/training/metrics/{}", i)));
        }
    }
    return checkIds(model, dataset);
}

Status checkBatches(const Project& project, const graph::ResolvedModel& model, const data::Dataset& dataset) {
    const data::LoaderSpec& loader = project.data.loader;
    const std::int64_t trained = dataset.size(data::Split::kTrain);
    if (trained == 0 || (loader.dropLast && trained < loader.batchSize)) {
        return fail(
            ErrorKind::kInvalid, "no-batches",
            fmt::format("The training split has {} samples, which gives no batch of {}.", trained, loader.batchSize),
            "/data/loader/batch_size", "Lower batch_size, or set drop_last to false.");
    }
    const std::int64_t batches =
        loader.dropLast ? trained / loader.batchSize : (trained + loader.batchSize - 1) / loader.batchSize;
    if (project.training.accumulation > batches) {
        return fail(ErrorKind::kInvalid, "accumulation-too-long",
                    fmt::format("Gradients are to be accumulated over {} batches, but an epoch has {}.",
                                project.training.accumulation, batches),
                    "/training/accumulation", fmt::format("Set accumulation to {} or less.", batches));
    }
    PLUMBLINE_TRY(checkAnyCounts(project.training, model, dataset));
    for (std::size_t i = 0; i < project.training.losses.size(); ++i) {
        PLUMBLINE_TRY(checkFormula(project.training.losses[i], model, dataset, loader.batchSize,
                                   fmt::format("/training/losses/{}", i)));
    }
    // How long the run is in steps, the data tell.
    for (const plan::PlanProblem& problem : plan::checkSchedule(
             project.training, plan::stepsPerEpoch(project.training, trained, loader.batchSize, loader.dropLast),
             dataset.size(data::Split::kValidation) > 0)) {
        if (problem.critical) {
            return fail(ErrorKind::kInvalid, problem.code, problem.message, problem.pointer, problem.hint);
        }
    }
    const auto fixed = fixedBatch(model);
    for (const data::Split split : {data::Split::kTrain, data::Split::kValidation, data::Split::kTest}) {
        const std::int64_t samples = dataset.size(split);
        if (samples == 0) {
            continue;
        }
        const bool trains = split == data::Split::kTrain;
        const std::int64_t rest = samples % loader.batchSize;
        const std::int64_t last = rest == 0 || (trains && loader.dropLast) ? loader.batchSize : rest;
        const std::int64_t odd =
            fixed && samples >= loader.batchSize && fixed->second != loader.batchSize ? loader.batchSize : last;
        if (fixed && fixed->second != odd) {
            return fail(
                ErrorKind::kInvalid, "fixed-batch",
                fmt::format(
                    "The model's input {} has a fixed batch of {}, and a batch of the {} split, of {} samples, has {}.",
                    fixed->first, fixed->second, data::toString(split), samples, odd),
                pointerTo("/model/graph/inputs", fixed->first), "Write \"B\" as the input's first dimension.");
        }
        // Evaluation uses the running statistics, unless there are none or it was told to stay in training mode.
        const bool stays = split == data::Split::kValidation && project.training.expert.validateInTrainMode;
        const graph::ResolvedNode* norm = starvedNorm(model, last, [&](const graph::ResolvedNode& node) {
            return !node.params.value("track_running_stats", true) || node.mode == "stochastic" ||
                   ((trains || stays) && node.mode != "eval");
        });
        if (norm != nullptr) {
            return fail(ErrorKind::kInvalid, "batch-of-one",
                        fmt::format("The last batch of the {} split, of {} samples, has {}, and {} ({}) cannot "
                                    "normalise over a single value.",
                                    data::toString(split), samples, last, norm->path, norm->type),
                        "/data/loader/batch_size",
                        loader.batchSize == 1 ? "Set batch_size to 2 or more."
                        : trains              ? "Set data.loader.drop_last to true, or change batch_size."
                                              : "Change batch_size, or the shares of the splits.");
        }
    }
    return {};
}

Status checkData(const Project& project, const graph::ResolvedModel& model, RunControl* control,
                 std::vector<plan::PlanProblem>* warnings) {
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder, control));
    PLUMBLINE_TRY(checkDataFit(project.training, model, *dataset));
    PLUMBLINE_TRY(checkBatches(project, model, *dataset));
    if (warnings != nullptr) {
        *warnings = warningsOfData(project, model, *dataset);
    }
    return {};
}

std::vector<plan::PlanProblem> warningsOfData(const Project& project, const graph::ResolvedModel& model,
                                              const data::Dataset& dataset) {
    const plan::TrainingPlan& plan = project.training;
    const data::LoaderSpec& loader = project.data.loader;
    const std::int64_t steps =
        plan::stepsPerEpoch(plan, dataset.size(data::Split::kTrain), loader.batchSize, loader.dropLast);
    const bool hasValidation = dataset.size(data::Split::kValidation) > 0;
    std::vector<plan::PlanProblem> warnings = plan::checkRunLength(plan, steps, hasValidation);
    for (plan::PlanProblem& problem : plan::checkSchedule(plan, steps, hasValidation)) {
        if (!problem.critical) {
            warnings.push_back(std::move(problem));
        }
    }
    addLossWarnings(plan, model, dataset, warnings);
    for (std::string& sentence : dataset.warnings()) {
        warnings.push_back({false, "data-remark", "/data", std::move(sentence), ""});
    }
    return warnings;
}

void addWarnings(const std::vector<plan::PlanProblem>& warnings, std::vector<graph::Problem>& problems) {
    const std::size_t before = problems.size();
    for (const plan::PlanProblem& warning : warnings) {
        const auto end = problems.begin() + static_cast<std::ptrdiff_t>(before);
        const auto same = [&](const graph::Problem& problem) {
            return problem.code == warning.code && problem.pointer == warning.pointer;
        };
        if (std::none_of(problems.begin(), end, same)) {
            problems.push_back({warning.critical ? graph::Severity::kCritical : graph::Severity::kWarning,
                                warning.code,
                                {},
                                warning.pointer,
                                warning.message + (warning.hint.empty() ? "" : " " + warning.hint),
                                {}});
        }
    }
}

}  // namespace plumbline::project
