#include "export/export.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "blocks/register.h"
#include "core/files.h"
#include "export/format.h"
#include "project/data_fit.h"
#include "train/checkpoint.h"

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
    if (std::filesystem::exists(folder, error) && (!std::filesystem::is_directory(folder, error) || !std::filesystem::is_empty(folder, error))) {
        return fail(ErrorKind::kUsage, "folder-not-empty", fmt::format("{} already holds files, which an export would overwrite", folder.string()), folder.string(),
                    "Choose a new folder, or remove this one.");
    }
    return {};
}

/// Written into beside the target; gone unless keep() moved it over.
class WorkFolder {
public:
    explicit WorkFolder(const std::filesystem::path& target) : m_target(target), m_folder(target) { m_folder += fmt::format(".{}.tmp", getpid()); }
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

Status loadWeights(const session::ExportRequest& request, model::Model& model) {
    if (request.checkpoint.empty()) {
        return {};
    }
    PLUMBLINE_ASSIGN(const auto state, train::readModelState(request.checkpoint));
    return model.loadStateDict(state);
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

Result<session::ExportReport> exportModel(const session::ExportRequest& request, RunControl& control, const std::function<void(const std::string&)>& progress) {
    const Format* chosen = nullptr;
    std::vector<std::string> names;
    for (const Format& format : kFormats) {
        names.emplace_back(format.name);
        chosen = request.format == format.name ? &format : chosen;
    }
    if (chosen == nullptr) {
        return fail(ErrorKind::kUsage, "unknown-format", fmt::format("There is no export format \"{}\"", request.format), request.format,
                    fmt::format("There are {}.", fmt::join(names, ", ")));
    }
    PLUMBLINE_TRY(refuseFullFolder(request.folder));
    const graph::BlockRegistry& registry = blocks::builtinBlocks();
    const graph::ResolvedModel graph = graph::resolve(request.project.model, registry);
    model::BuildOptions options;
    options.seed = request.project.training.seed;
    PLUMBLINE_ASSIGN(const auto model, model::Model::build(graph, options));
    PLUMBLINE_TRY(loadWeights(request, *model));

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
    PLUMBLINE_TRY(work.keep());
    for (std::string& file : report.files) {
        file = (request.folder / file).string();
    }
    return report;
}

}  // namespace plumbline::exporting
