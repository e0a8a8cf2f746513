// plumbline check

#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "blocks/register.h"
#include "cli/command.h"
#include "project/data_fit.h"

namespace plumbline::cli {
namespace {

std::string shapeOf(const graph::ResolvedModel& model, graph::ValueId value) {
    if (value == graph::kNoValue || !model.values[static_cast<std::size_t>(value)].known) {
        return "?";
    }
    return model.values[static_cast<std::size_t>(value)].type.shapeText();
}

Json shapesOf(const graph::ResolvedModel& model, const std::vector<graph::ValueId>& values) {
    Json list = Json::array();
    for (const graph::ValueId value : values) {
        list.push_back(shapeOf(model, value));
    }
    return list;
}

Json dimJson(const graph::Dim& dim) {
    const auto constant = dim.constant();
    return constant ? Json(*constant) : Json(dim.toString());
}

Result<int> runCheck(const std::string& path, const std::vector<std::string>& settings, bool data,
                     const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, openWithSettings(path, settings));
    project::CheckReport report = project::checkProject(project, blocks::builtinBlocks());
    std::vector<plan::PlanProblem> warnings;
    const Status fits = data && report.ok() ? project::checkData(project, report.model, nullptr, &warnings) : Status();
    project::addWarnings(warnings, report.problems);
    if (!fits) {
        const Error& error = fits.error();
        report.problems.push_back({graph::Severity::kCritical, error.code, {}, error.where, toSentence(error), {}});
    }
    Json layers = Json::array();
    std::vector<std::vector<std::string>> rows{{"block", "type", "output shape", "parameters", "MACs"}};
    const std::map<std::string, std::int64_t> one{{"B", 1}};
    const std::int64_t samples = report.model.samplesOfCosts();
    const auto aSample = [&](const graph::Dim& cost) {
        const auto all = cost.evaluate(one);
        return all ? std::optional(*all / samples) : std::nullopt;
    };
    for (const graph::ResolvedNode& node : report.model.nodes) {
        layers.push_back({{"name", node.path},
                          {"type", node.type},
                          {"input_shapes", shapesOf(report.model, node.inputs)},
                          {"output_shape", node.outputs.empty() ? "?" : shapeOf(report.model, node.outputs.front())},
                          {"parameters", node.cost.parameters},
                          {"macs", dimJson(node.cost.macs)}});
        const auto macs = aSample(node.cost.macs);
        rows.push_back({node.path, node.type, node.outputs.empty() ? "?" : shapeOf(report.model, node.outputs.front()),
                        countText(static_cast<double>(node.cost.parameters)),
                        macs ? countText(static_cast<double>(*macs)) : node.cost.macs.toString()});
    }
    Json problems = Json::array();
    for (const graph::Problem& problem : report.problems) {
        problems.push_back(graph::toJson(problem));
    }
    const auto macs = aSample(report.model.macs());
    output.document(Json{{"ok", report.ok()},
                         {"model",
                          {{"parameters", report.model.parameterCount()},
                           {"macs", macs ? Json(*macs) : Json(report.model.macs().toString())},
                           {"layers", layers}}},
                         {"problems", problems}});
    output.table(rows);
    output.line(fmt::format("\n{} {}, {} MACs a sample", countText(static_cast<double>(report.model.parameterCount())),
                            report.model.parameterCount() == 1 ? "parameter" : "parameters",
                            macs ? countText(static_cast<double>(*macs)) : report.model.macs().toString()));
    for (const graph::Problem& problem : report.problems) {
        output.line(fmt::format("{}: {} ({}{})", graph::toString(problem.severity), problem.message, problem.code,
                                problem.pointer.empty() ? "" : ", " + problem.pointer));
        for (const graph::Remedy& remedy : problem.remedies) {
            output.line("    fix: " + remedy.title);
        }
    }
    output.line(report.ok() ? (data ? "No critical problem." : "No critical problem; the data were not opened.")
                            : "The project cannot be trained as it is.");
    return report.ok() ? 0 : static_cast<int>(ErrorKind::kInvalid);
}

}  // namespace

void registerCheck(CLI::App& app, Invocation& invocation) {
    struct Arguments {
        std::string project;
        std::vector<std::string> settings;
        bool noData = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command =
        app.add_subcommand("check", "Validate a project: its model, settings and data; shapes and costs");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->add_flag("--no-data", arguments->noData, "Leave the data unopened: quicker where they are large");
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) {
            return runCheck(arguments->project, arguments->settings, !arguments->noData, output);
        };
    });
}

}  // namespace plumbline::cli
