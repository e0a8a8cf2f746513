#include "export/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>

#include "blocks/register.h"
#include "core/files.h"
#include "export/format.h"
#include "graph/block_patterns.h"
#include "model/build_stop.h"
#include "project/data_fit.h"
#include "project/package_fit.h"
#include "train/averaging.h"
#include "train/packages.h"

namespace plumbline::exporting {
namespace {

struct Format {
    const char* name;
    FormatFunction run;
};

#define PLUMBLINE_ENTRY(function, name, ...) {name, function},
constexpr Format kFormats[] = {PLUMBLINE_EXPORT_FORMATS(PLUMBLINE_ENTRY)};
#undef PLUMBLINE_ENTRY

Status refuseFullFolder(const std::filesystem::path& folder) {
    std::error_code error;
    if (std::filesystem::exists(folder, error) &&
        (!std::filesystem::is_directory(folder, error) || !std::filesystem::is_empty(folder, error))) {
        return fail(ErrorKind::kUsage, "folder-not-empty",
                    fmt::format("{} already holds files, which an export would overwrite", folder.string()),
                    folder.string(), "Choose a new folder, or remove this one.");
    }
    return {};
}

/// Written into beside the target; gone unless keep() moved it over.
class WorkFolder {
public:
    explicit WorkFolder(const std::filesystem::path& target) : m_target(target), m_folder(target) {
        m_folder += fmt::format(".{}.tmp", getpid());
    }
    ~WorkFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    const std::filesystem::path& path() const { return m_folder; }
    Status keep() {
        std::error_code error;
        std::filesystem::remove(m_target, error);  // an empty folder
        std::filesystem::rename(m_folder, m_target, error);
        return error ? Status(fail(fileError(error.value(), "write", m_target))) : Status{};
    }

private:
    std::filesystem::path m_target;
    std::filesystem::path m_folder;
};

/// Source code of a model cannot have a block in it of which there is none.
Status refusePackages(const graph::ResolvedModel& graph, const std::string& format) {
    for (const graph::ResolvedNode& node : graph.nodes) {
        if (format != "state-dict" && graph::runsPackage(node)) {
            return fail(ErrorKind::kInvalid, "package-not-exported",
                        fmt::format("{} runs a compiled package, of which there is no source to export as {}",
                                    node.path, format),
                        node.pointer, "Export the weights alone (state-dict), and use the package beside them.");
        }
    }
    return {};
}

/// `remark`: what is to be told of them; empty where nothing is.
Status loadWeights(const session::ExportRequest& request, model::Model& model, std::string& remark) {
    if (request.checkpoint.empty()) {
        return {};
    }
    bool notRecalibrated = false;
    PLUMBLINE_TRY(train::loadModelState(model, request.checkpoint, &notRecalibrated));
    remark = train::remarkOnStatistics(request.project.training.averaging, model, notRecalibrated);
    return {};
}

}  // namespace

Status requireData(const FormatContext& context) {
    if (!context.dataset) {
        return fail(context.dataError);
    }
    return project::checkDataFit(context.request.project.training, context.graph, *context.dataset);
}

std::vector<std::int64_t> positionsIn(std::int64_t splitSize, std::int64_t count) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(splitSize > 0 ? count : 0));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = static_cast<std::int64_t>(i) * splitSize / count;
    }
    return positions;
}

std::vector<std::int64_t> positionsToCompare(const FormatContext& context, data::Split split, std::int64_t wanted) {
    const std::int64_t size = context.dataset->size(split);
    const auto fixed = project::fixedBatch(context.graph);
    return positionsIn(size, fixed ? fixed->second : std::min(wanted, size));
}

Error comparisonError(Error error) {
    if (error.kind == ErrorKind::kRunFailed) {
        error.kind = ErrorKind::kVerification;
        error.code = "not-comparable";
    }
    return error;
}

Result<session::ExportReport> exportModel(const session::ExportRequest& request, RunControl& control,
                                          const std::function<void(const std::string&)>& progress) {
    const Format* chosen = nullptr;
    std::vector<std::string> names;
    for (const Format& format : kFormats) {
        names.emplace_back(format.name);
        chosen = request.format == format.name ? &format : chosen;
    }
    if (chosen == nullptr) {
        return fail(ErrorKind::kUsage, "unknown-format",
                    fmt::format("There is no export format \"{}\"", request.format), request.format,
                    fmt::format("There are {}.", fmt::join(names, ", ")));
    }
    PLUMBLINE_TRY(refuseFullFolder(request.folder));
    const graph::BlockRegistry& registry = blocks::builtinBlocks();
    const graph::ResolvedModel graph =
        project::withPlacedPackages(graph::resolve(request.project.model, registry), request.project.folder);
    PLUMBLINE_TRY(refusePackages(graph, request.format));
    model::BuildOptions options;
    options.seed = request.project.training.seed;
    const model::StopWhileBuilding stop(&control);
    PLUMBLINE_ASSIGN(const auto model, model::Model::build(graph, options));
    std::string remark;
    PLUMBLINE_TRY(loadWeights(request, *model, remark));

    std::error_code error;
    const std::filesystem::path target = std::filesystem::absolute(request.folder, error).lexically_normal();
    WorkFolder work(target.filename().empty() ? target.parent_path() : target);
    PLUMBLINE_TRY(makeFolder(work.path()));
    FormatContext context{request, graph, registry, *model, nullptr, {}, work.path(), control, progress};
    auto dataset = data::Dataset::open(request.project.data, request.project.folder, &control);
    if (dataset) {
        context.dataset = *dataset;
    } else {
        context.dataError = dataset.error();
    }
    session::ExportReport report;
    PLUMBLINE_TRY(chosen->run(context, report));
    if (!remark.empty()) {
        report.notes.push_back(std::move(remark));
    }
    PLUMBLINE_TRY(work.keep());
    for (std::string& file : report.files) {
        file = (request.folder / file).string();
    }
    return report;
}

}  // namespace plumbline::exporting
