#include "project/model_for_data.h"

#include <algorithm>
#include <cmath>

#include "project/project.h"

namespace plumbline::project {
namespace {

constexpr std::int64_t kSmallData = 1000;  ///< training samples up to which a narrow network is proposed

Json inputOf(const data::FeedInfo& feed) {
    Json shape = Json::array({"B"});
    for (const std::int64_t dim : feed.dims) {
        shape.push_back(dim);
    }
    return Json{{"shape", std::move(shape)}, {"dtype", std::string(toString(feed.dtype))}};
}

std::int64_t elements(const data::FeedInfo& feed) {
    std::int64_t count = 1;
    for (const std::int64_t dim : feed.dims) {
        count *= dim;
    }
    return count;
}

/// Halvings until about 4 pixels are left.
std::int64_t stagesFor(std::int64_t side) {
    return side < 16 ? 1 : side < 32 ? 2 : side < 64 ? 3 : 4;
}

/// Prepends what brings the inputs into one vector: Flatten for an image, Concat for several columns.
void joinInputs(const data::Dataset& dataset, Json& graph) {
    std::string from = dataset.inputs().front().name;
    Json nodes = Json::object();
    if (dataset.inputs().size() > 1) {
        Json parts = Json::array();
        for (const data::FeedInfo& feed : dataset.inputs()) {
            parts.push_back(feed.name);
        }
        nodes["columns"] = Json{{"type", "Concat"}, {"from", std::move(parts)}, {"params", {{"dim", 1}}}};
        from = "columns";
    } else if (dataset.inputs().front().dims.size() > 1) {
        nodes["flatten"] = Json{{"type", "Flatten"}, {"from", from}};
        from = "flatten";
    }
    for (const auto& [name, node] : graph["nodes"].items()) {
        nodes[name] = node;
    }
    nodes["linear0"]["from"] = from;
    graph["nodes"] = std::move(nodes);
}

/// The last layer learns numbers around 0; a frozen one behind it brings them into the target's unit: standard
/// deviation and mean of the training split.
void predictNumber(const data::FeedInfo& target, Json& graph) {
    const std::string last = graph["outputs"]["logits"];
    const double std = target.statistics.std.empty() ? 1.0 : target.statistics.std.front();
    const double mean = target.statistics.mean.empty() ? 0.0 : target.statistics.mean.front();
    graph["nodes"]["to_unit"] =
        Json{{"type", "Linear"},
             {"from", last},
             {"params", {{"out_features", 1}}},
             {"frozen", true},
             {"init", {{"scheme", "constant"}, {"value", std > 0 ? std : 1.0}, {"bias", mean}}}};
    graph["outputs"] = Json{{"prediction", "to_unit"}};
}

}  // namespace

Result<Json> modelForData(const std::string& templateId, const data::Dataset& dataset, bool number,
                          const std::string& name) {
    const data::FeedInfo& input = dataset.inputs().front();
    const data::FeedInfo& target = dataset.targets().front();
    const std::int64_t classes =
        number ? 1 : static_cast<std::int64_t>(std::max<std::size_t>(target.classes.size(), 1));
    Json parameters{{"classes", classes}};
    if (templateId == "mlp") {
        std::int64_t features = 0;
        for (const data::FeedInfo& feed : dataset.inputs()) {
            features += elements(feed);
        }
        parameters["features"] = features;
        parameters["hidden"] =
            dataset.size(data::Split::kTrain) < kSmallData ? Json::array({32, 32}) : Json::array({64, 64});
    } else {
        parameters["channels"] = input.dims[0];
        parameters["size"] = std::min(input.dims[1], input.dims[2]);
        if (templateId == "cnn") {
            parameters["stages"] = stagesFor(std::min(input.dims[1], input.dims[2]));
        }
    }
    PLUMBLINE_ASSIGN(Json json, makeFromTemplate(templateId, parameters, name));
    Json& graph = json["model"]["graph"];
    graph["inputs"] = Json::object();
    for (const data::FeedInfo& feed : dataset.inputs()) {
        graph["inputs"][feed.name] = inputOf(feed);
    }
    if (templateId == "mlp") {
        joinInputs(dataset, graph);
    }
    if (number) {
        predictNumber(target, graph);
    }
    return json;
}

}  // namespace plumbline::project
