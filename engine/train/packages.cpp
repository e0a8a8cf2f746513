#include "train/packages.h"

#include <fmt/format.h>

#include "graph/block_patterns.h"
#include "model/leaf.h"
#include "train/checkpoint.h"

namespace plumbline::train {

Json packagesOf(const graph::ResolvedModel& graph) {
    Json packages = Json::object();
    for (const graph::ResolvedNode& node : graph.nodes) {
        if (graph::runsPackage(node) && node.params.contains(model::kContentHash)) {
            packages[node.path] = node.params.at(model::kContentHash);
        }
    }
    return packages;
}

std::string otherPackage(const Json& before, const Json& now) {
    for (const auto& [block, sum] : now.items()) {
        if (before.is_object() && before.contains(block) && before.at(block) != sum) {
            return block;
        }
    }
    return {};
}

Status refuseOtherPackages(const Json& before, const graph::ResolvedModel& graph) {
    const Json now = packagesOf(graph);
    const std::string block = otherPackage(before, now);
    if (block.empty()) {
        return {};
    }
    const graph::ResolvedNode* node = graph.find(block);
    return fail(
        ErrorKind::kInvalid, "package-changed",
        fmt::format("The package of {} is not the one that the run was trained with: its SHA-256 is {} and was {}.",
                    block, now.at(block).get<std::string>(),
                    before.at(block).is_string() ? before.at(block).get<std::string>() : before.at(block).dump()),
        node == nullptr ? std::string() : node->pointer + "/params/path",
        "Put the package back as it was, or start a new run.");
}

Status loadModelState(model::Model& model, const std::filesystem::path& checkpoint, bool* notRecalibrated) {
    if (!packagesOf(model.graph()).empty()) {
        PLUMBLINE_ASSIGN(const Checkpoint header, readCheckpoint(checkpoint, "no tensor"));
        PLUMBLINE_TRY(refuseOtherPackages(header.meta.value("packages", Json::object()), model.graph()));
    }
    PLUMBLINE_ASSIGN(const auto state, readModelState(checkpoint, notRecalibrated));
    return model.loadStateDict(state);
}

}  // namespace plumbline::train
