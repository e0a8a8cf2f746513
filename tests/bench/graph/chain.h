#pragma once
// A long model to measure with.

#include <string>

#include "core/json.h"

namespace plumbline::bench {

/// The "model" of a project: convolution, norm and activation by turns in one chain of `count` blocks, and a
/// classifier.
inline Json chainModel(int count) {
    Json nodes = Json::object();
    std::string from = "image";
    const auto add = [&](const std::string& name, Json node) {
        node["from"] = from;
        // Appended unseen: looking for the name first, as operator[] does, takes quadratic time.
        nodes.get_ref<Json::object_t&>().std::vector<std::pair<const std::string, Json>>::emplace_back(name,
                                                                                                       std::move(node));
        from = name;
    };
    for (int i = 0; i + 3 < count; ++i) {
        Json node = {{"type", i % 3 == 0 ? "Conv2d" : i % 3 == 1 ? "BatchNorm2d" : "ReLU"}};
        if (i % 3 == 0) {
            node["params"] = {{"out_channels", "=8 * 2"}, {"kernel_size", 3}, {"padding", 1}};
        }
        add("block" + std::to_string(i), std::move(node));
    }
    add("pool", {{"type", "AdaptiveAvgPool2d"}, {"params", {{"output_size", 1}}}});
    add("flatten", {{"type", "Flatten"}});
    add("fc", {{"type", "Linear"}, {"params", {{"out_features", 10}}}});
    return {{"definitions", Json::object()},
            {"graph",
             {{"inputs", {{"image", {{"shape", {"B", 1, 8, 8}}, {"dtype", "float32"}}}}},
              {"nodes", std::move(nodes)},
              {"outputs", {{"logits", from}}}}}};
}

/// A whole project around that chain, on generated images.
inline Json chainProject(int count) {
    Json project = Json::parse(R"({
      "schema_version": 1, "name": "chain", "description": "",
      "model": null,
      "data": {"sources": {"generated": {"type": "generated", "kind": "images", "samples": 60, "channels": 1, "size": 8, "classes": 10, "seed": 0}},
               "inputs": {"image": {"from": "generated.image"}}, "targets": {"label": {"from": "generated.label"}},
               "splits": {"train": 0.7, "validation": 0.15, "test": 0.15, "seed": 0}, "loader": {"batch_size": 16, "workers": 0}},
      "training": {"stop": {"epochs": 2}, "losses": [{"type": "CrossEntropyLoss", "output": "logits", "target": "label"}],
                   "metrics": [{"type": "accuracy", "output": "logits", "target": "label"}], "optimizer": {"type": "SGD", "lr": 0.1}}
    })");
    project["model"] = chainModel(count);
    return project;
}

}  // namespace plumbline::bench
