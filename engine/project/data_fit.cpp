#include "project/data_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

/// A class that the model has no output for would end the run in the middle of it, or the whole program on a GPU.
Status checkClasses(const plan::LossSpec& loss, const graph::ResolvedModel& model, const data::Dataset& dataset, const std::string& pointer) {
    const auto output = std::find_if(model.outputs.begin(), model.outputs.end(), [&](const auto& each) { return each.first == loss.output; });
    const auto& targets = dataset.targets();
    const bool hasTarget = std::any_of(targets.begin(), targets.end(), [&](const data::FeedInfo& feed) { return feed.name == loss.target; });
    const graph::TensorType* logits = output == model.outputs.end() ? nullptr : typeOf(model, output->second);
    if (loss.type != "CrossEntropyLoss" || !hasTarget || logits == nullptr || logits->rank() < 2 || !logits->dims[1].isConstant()) {
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
    const auto output = std::find_if(model.outputs.begin(), model.outputs.end(), [&](const auto& each) { return each.first == loss.output; });
    const auto& targets = dataset.targets();
    const auto target = std::find_if(targets.begin(), targets.end(), [&](const data::FeedInfo& feed) { return feed.name == loss.target; });
    const graph::TensorType* prediction = output == model.outputs.end() ? nullptr : typeOf(model, output->second);
    if (target == targets.end() || prediction == nullptr) {
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
    return {};
}

Status checkData(const Project& project, const graph::ResolvedModel& model, RunControl* control) {
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder, control));
    return checkDataFit(project.training, model, *dataset);
}

}  // namespace plumbline::project
