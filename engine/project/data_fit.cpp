#include "project/data_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

namespace plumbline::project {
namespace {

/// "B, 13" for samples of 13 numbers.
std::string batchShape(const data::FeedInfo& feed) {
    std::string text = "B";
    for (const std::int64_t dim : feed.dims) {
        text += fmt::format(", {}", dim);
    }
    return text;
}

bool takes(const graph::TensorType& wanted, const data::FeedInfo& feed) {
    if (wanted.rank() != feed.dims.size() + 1) {
        return false;
    }
    for (std::size_t i = 0; i < feed.dims.size(); ++i) {
        if (const auto constant = wanted.dims[i + 1].constant(); constant && *constant != feed.dims[i]) {
            return false;
        }
    }
    return true;
}

const graph::TensorType* typeOf(const graph::ResolvedModel& model, graph::ValueId value) {
    if (value == graph::kNoValue || !model.values[static_cast<std::size_t>(value)].known) {
        return nullptr;
    }
    return &model.values[static_cast<std::size_t>(value)].type;
}

/// The type of an output of the model; nullptr: there is none of this name, or it is not known.
const graph::TensorType* outputType(const graph::ResolvedModel& model, const std::string& name) {
    const auto output = std::find_if(model.outputs.begin(), model.outputs.end(), [&](const auto& each) { return each.first == name; });
    return output == model.outputs.end() ? nullptr : typeOf(model, output->second);
}

const data::FeedInfo* targetNamed(const data::Dataset& dataset, const std::string& name) {
    const auto& targets = dataset.targets();
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const data::FeedInfo& feed) { return feed.name == name; });
    return target == targets.end() ? nullptr : &*target;
}

/// A class that the model has no output for would end the run in the middle of it, or the whole program on a GPU.
Status checkClasses(const plan::LossSpec& loss, const graph::ResolvedModel& model, const data::Dataset& dataset, const std::string& pointer) {
    const graph::TensorType* logits = outputType(model, loss.output);
    if (loss.type != "CrossEntropyLoss" || targetNamed(dataset, loss.target) == nullptr || logits == nullptr || logits->rank() < 2 || !logits->dims[1].isConstant()) {
        return {};
    }
    const std::int64_t classes = logits->dims[1].constant().value_or(0);
    const Json ignored = loss.options.is_object() ? loss.options.value("ignore_index", Json()) : Json();
    for (const data::Split split : {data::Split::kTrain, data::Split::kValidation, data::Split::kTest}) {
        const std::vector<std::int64_t> counts = dataset.classCounts(split, loss.target);
        for (auto label = static_cast<std::size_t>(classes); label < counts.size(); ++label) {
            if (counts[label] > 0 && ignored != Json(label)) {
                return fail(ErrorKind::kInvalid, "label-out-of-range",
                            fmt::format("The target {} has the class {} (counted from 0), and the output {} tells only {} classes apart.", loss.target,
                                        label, loss.output, classes),
                            pointer, fmt::format("Give the model {} outputs, or correct the labels.", counts.size()));
            }
        }
    }
    return {};
}

/// What the loss would refuse with the first batch.
Status checkLossShape(const plan::TrainingPlan& plan, const plan::LossSpec& loss, const graph::ResolvedModel& model, const data::Dataset& dataset,
                      const std::string& pointer) {
    const data::FeedInfo* target = targetNamed(dataset, loss.target);
    const graph::TensorType* prediction = outputType(model, loss.output);
    if (target == nullptr || prediction == nullptr) {
        return {};
    }
    const bool same = takes(*prediction, *target);
    if (loss.type == "CrossEntropyLoss") {
        if (!isFloatingPoint(target->dtype) || same) {
            return {};
        }
        return fail(ErrorKind::kInvalid, "loss-target-shape",
                    fmt::format("CrossEntropyLoss tells classes apart, and the target {} is a number.", loss.target), pointer,
                    "Choose a class column as target, or MSELoss for a number.");
    }
    const bool elementWise = loss.type == "MSELoss" || loss.type == "BCEWithLogitsLoss";
    const bool scalar = loss.options.is_object() && loss.options.value("scalar_target", false);
    const auto isColumn = [](const graph::TensorType& type) { return type.rank() == 2 && type.dims[1].constant() == 1; };
    const bool columnAndVector = (target->dims.empty() && isColumn(*prediction)) || (prediction->rank() == 1 && target->dims == std::vector<std::int64_t>{1});
    if (!elementWise || same || columnAndVector || scalar || plan.expert.allowBroadcastLoss) {
        return {};
    }
    return fail(ErrorKind::kInvalid, "loss-target-shape",
                fmt::format("{} compares the output {} of shape [{}] with the target {} of shape [{}] element by element, and they differ.", loss.type,
                            loss.output, prediction->shapeText(), loss.target, batchShape(*target)),
                pointer,
                target->classes.empty() ? "Give the model's output and the target the same shape." : "Use CrossEntropyLoss, since the target is a class.");
}

/// A feed's values as a block of the model reads them: which ones, from the smallest to the largest.
struct SeenRange { double min = 0, max = 0; };

std::optional<SeenRange> rangeOf(const data::FeedInfo& feed, std::optional<std::size_t> channel) {
    if (!feed.classes.empty()) {
        return SeenRange{0, static_cast<double>(feed.classes.size() - 1)};
    }
    const std::vector<double>& min = feed.range.min.empty() ? feed.statistics.min : feed.range.min;
    const std::vector<double>& max = feed.range.max.empty() ? feed.statistics.max : feed.range.max;
    if (min.empty() || (channel && (*channel >= min.size() || feed.dims != std::vector{static_cast<std::int64_t>(min.size())}))) {
        return std::nullopt;
    }
    // What becomes a whole number on the way loses its fraction.
    return channel ? SeenRange{std::trunc(min[*channel]), std::trunc(max[*channel])}
                   : SeenRange{std::trunc(*std::min_element(min.begin(), min.end())), std::trunc(*std::max_element(max.begin(), max.end()))};
}

/// The input of the model whose values an id block looks up as they are; `channel`: the one column of it that was picked. -1: another
/// block made them.
int inputBehind(const graph::ResolvedModel& model, graph::ValueId value, std::optional<std::size_t>& channel) {
    while (value != graph::kNoValue) {
        const graph::ResolvedValue& seen = model.values[static_cast<std::size_t>(value)];
        if (seen.producer < 0) {
            return seen.port;
        }
        const graph::ResolvedNode& node = model.nodes[static_cast<std::size_t>(seen.producer)];
        const bool keeps = node.type == "Input" || node.type == "Identity" || node.type == "Flatten" || node.type == "Reshape" || node.type == "Permute" ||
                           (node.type == "ToDtype" && (node.params.value("dtype", "") == "int64" || node.params.value("dtype", "") == "int32"));
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
                    fmt::format("The input {} has the id {:.0f}, and {} looks ids up in a table of {}, from 0 to {}.", input, negative ? seen->min : seen->max,
                                node.path, rows, rows - 1),
                    node.pointer.empty() ? "/model" : node.pointer,
                    negative ? std::string("Correct the ids: a table begins at 0.") : fmt::format("Set num_embeddings to {:.0f} or more, or correct the ids.", seen->max + 1));
    }
    return {};
}

/// The first block that would normalise over a single value in a batch of so many samples.
const graph::ResolvedNode* starvedNorm(const graph::ResolvedModel& model, std::int64_t samples, const std::function<bool(const graph::ResolvedNode&)>& usesBatch) {
    const std::map<std::string, std::int64_t> batch{{"B", samples}};
    for (const graph::ResolvedNode& node : model.nodes) {
        const bool group = node.type == "GroupNorm";
        const graph::TensorType* type = node.inputs.empty() ? nullptr : typeOf(model, node.inputs[0]);
        if (type == nullptr || type->rank() < 2 || !(group || (node.type.starts_with("BatchNorm") && usesBatch(node)))) {
            continue;
        }
        const auto elements = type->elementCount().evaluate(batch);
        const auto shares = group ? std::optional(node.params.value("num_groups", std::int64_t{1})) : type->dims[1].evaluate(batch);
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
                fmt::format("The model's input {} gets no data; the data feed {}.", input, have.empty() ? "nothing" : fmt::format("{}", fmt::join(have, ", "))),
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
                        fmt::format("The input {} has the shape [{}] and the model wants [{}].", name, batchShape(feed), wanted->shapeText()),
                        fmt::format("/data/inputs/{}", place), "Check the data's transforms, or change the shape of the model's input.");
        }
    }
    for (std::size_t i = 0; i < plan.losses.size(); ++i) {
        PLUMBLINE_TRY(checkLossShape(plan, plan.losses[i], model, dataset, fmt::format("/training/losses/{}", i)));
        PLUMBLINE_TRY(checkClasses(plan.losses[i], model, dataset, fmt::format("/training/losses/{}", i)));
    }
    return checkIds(model, dataset);
}

Status checkBatches(const Project& project, const graph::ResolvedModel& model, const data::Dataset& dataset) {
    const data::LoaderSpec& loader = project.data.loader;
    const std::int64_t trained = dataset.size(data::Split::kTrain);
    if (trained == 0 || (loader.dropLast && trained < loader.batchSize)) {
        return fail(ErrorKind::kInvalid, "no-batches", fmt::format("The training split has {} samples, which gives no batch of {}.", trained, loader.batchSize),
                    "/data/loader/batch_size", "Lower batch_size, or set drop_last to false.");
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
        const std::int64_t odd = fixed && samples >= loader.batchSize && fixed->second != loader.batchSize ? loader.batchSize : last;
        if (fixed && fixed->second != odd) {
            return fail(ErrorKind::kInvalid, "fixed-batch",
                        fmt::format("The model's input {} has a fixed batch of {}, and a batch of the {} split, of {} samples, has {}.", fixed->first,
                                    fixed->second, data::toString(split), samples, odd),
                        pointerTo("/model/graph/inputs", fixed->first), "Write \"B\" as the input's first dimension.");
        }
        // Evaluation uses the running statistics, unless there are none or it was told to stay in training mode.
        const bool stays = split == data::Split::kValidation && project.training.expert.validateInTrainMode;
        const graph::ResolvedNode* norm = starvedNorm(model, last, [&](const graph::ResolvedNode& node) {
            return !node.params.value("track_running_stats", true) || node.mode == "stochastic" || ((trains || stays) && node.mode != "eval");
        });
        if (norm != nullptr) {
            return fail(ErrorKind::kInvalid, "batch-of-one",
                        fmt::format("The last batch of the {} split, of {} samples, has {}, and {} ({}) cannot normalise over a single value.", data::toString(split),
                                    samples, last, norm->path, norm->type),
                        "/data/loader/batch_size", trains ? "Set data.loader.drop_last to true, or change batch_size." : "Change batch_size, or the shares of the splits.");
        }
    }
    return {};
}

Status checkData(const Project& project, const graph::ResolvedModel& model, RunControl* control) {
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder, control));
    PLUMBLINE_TRY(checkDataFit(project.training, model, *dataset));
    return checkBatches(project, model, *dataset);
}

}  // namespace plumbline::project
