#include "project/package_fit.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "core/text.h"
#include "graph/block_patterns.h"
#include "graph/problem_list.h"

namespace plumbline::project {
namespace {

std::filesystem::path fileOf(const graph::ResolvedNode& node, const std::filesystem::path& folder) {
    const std::filesystem::path file = (folder / node.params.value("path", "")).lexically_normal();
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(file, error);
    return error ? file : whole;
}

bool hasFile(const graph::ResolvedNode& node) {
    const auto path = node.params.find("path");
    return graph::runsPackage(node) && path != node.params.end() && path->is_string();
}

}  // namespace

std::vector<PackageUse> packagesOf(const graph::ResolvedModel& model, const std::filesystem::path& folder) {
    std::vector<PackageUse> uses;
    for (const graph::ResolvedNode& node : model.nodes) {
        if (hasFile(node)) {
            uses.push_back({node.path, fileOf(node, folder)});
        }
    }
    return uses;
}

Result<AotiPackage> PackageReader::read(const std::filesystem::path& file, const std::string& model) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) {
        return m_read(file, model);
    }
    const std::string key =
        fmt::format("{}\n{}\n{}:{}:{}:{}.{}:{}.{}", file.string(), model, info.st_dev, info.st_ino, info.st_size,
                    info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
    auto known = m_known.find(key);
    if (known == m_known.end()) {
        known = m_known.emplace(key, m_read(file, model)).first;
    }
    return known->second;
}

std::vector<graph::Problem> packageProblems(const Project& project, const graph::ResolvedModel& model) {
    graph::ProblemList problems;
    PackageReader reader;
    std::string named;
    for (const graph::ResolvedNode& node : model.nodes) {
        if (!hasFile(node)) {
            continue;
        }
        const std::string pointer = node.pointer + "/params/path";
        const std::filesystem::path file = fileOf(node, project.folder);
        const auto refuse = [&](const Error& error) {
            problems.critical(error.code, node.path, pointer,
                              fmt::format("{}: {}", node.path, graph::sentence(error.message, error.hint)));
        };
        const auto package = reader.read(file, node.params.value("model_name", "model"));
        if (!package) {
            refuse(package.error());
            continue;
        }
        if (const Status runs = runsHere(*package, file); !runs) {
            refuse(runs.error());
            continue;
        }
        if (project.training.device.starts_with("cuda")) {
            problems.critical(
                "package-device", node.path, "/training/device",
                fmt::format(
                    "{} runs a package that was compiled for the CPU, and training.device is {}. Set it to cpu.",
                    node.path, project.training.device));
        }
        named = named.empty() ? node.path : named;
    }
    if (!named.empty()) {
        problems.add({graph::Severity::kInfo,
                      "package-costs",
                      named,
                      {},
                      fmt::format("What is in the package of {} is not known: its parameters and multiply-accumulates "
                                  "count as 0 in the model's.",
                                  named),
                      {}});
    }
    return problems.take();
}

graph::ResolvedModel withPlacedPackages(graph::ResolvedModel model, const std::filesystem::path& folder) {
    for (graph::ResolvedNode& node : model.nodes) {
        if (hasFile(node)) {
            node.params["path"] = fileOf(node, folder).string();
            node.params["trust_command"] =
                fmt::format("plumbline trust {} {}",
                            shellQuoted(folder.empty() ? "." : (folder / "").lexically_normal().parent_path().string()),
                            shellQuoted(node.path));
        }
    }
    return model;
}

}  // namespace plumbline::project
