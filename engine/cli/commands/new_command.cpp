// plumbline new, plumbline templates

#include <fmt/format.h>

#include "blocks/register.h"
#include "cli/command.h"
#include "core/files.h"

namespace plumbline::cli {
namespace {

struct NewArguments {
    std::string folder;
    std::string templateId = "cnn";
    std::string name;
    std::vector<std::string> parameters;
};

Result<int> runNew(const NewArguments& arguments, const Output& output) {
    const std::filesystem::path folder = arguments.folder;
    std::error_code error;
    if (std::filesystem::exists(folder / "project.json", error)) {
        return fail(ErrorKind::kUsage, "project-exists", fmt::format("{} already holds a project", folder.string()), folder.string(),
                    "Choose another folder; nothing was overwritten.");
    }
    Json parameters = Json::object();
    for (const std::string& text : arguments.parameters) {
        const std::size_t equals = text.find('=');
        const Json value = equals == std::string::npos ? Json() : Json::parse(text.substr(equals + 1), nullptr, false);
        if (equals == std::string::npos || value.is_discarded()) {
            return fail(ErrorKind::kUsage, "bad-parameter", fmt::format("--parameter {} is not name=value", text), text,
                        "Write it as --parameter classes=3.");
        }
        parameters[text.substr(0, equals)] = value;
    }
    const std::string name = arguments.name.empty() ? std::filesystem::absolute(folder, error).lexically_normal().filename().string() : arguments.name;
    PLUMBLINE_ASSIGN(const Json json, project::makeFromTemplate(arguments.templateId, parameters, name.empty() ? "project" : name));
    PLUMBLINE_ASSIGN(const project::Project project, project::readProject(json, folder));
    PLUMBLINE_TRY(project::saveProject(project));
    output.document(Json{{"folder", folder.string()}, {"template", arguments.templateId}, {"name", name}});
    output.line(fmt::format("Made {} from the template {}. Train it with: plumbline train {}", folder.string(), arguments.templateId, folder.string()));
    return 0;
}

Result<int> runTemplates(const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"id", "title", "what it is", "parameters"}};
    for (const project::TemplateInfo& info : project::templates()) {
        list.push_back({{"id", info.id}, {"title", info.title}, {"summary", info.summary}, {"parameters", info.parameters}});
        rows.push_back({info.id, info.title, info.summary, info.parameters.dump()});
    }
    output.document(Json{{"templates", list}});
    output.table(rows);
    return 0;
}

}  // namespace

void registerNew(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<NewArguments>();
    CLI::App* command = app.add_subcommand("new", "Make a project from a template");
    command->add_option("DIR", arguments->folder, "Folder to make")->required();
    command->add_option("--template", arguments->templateId, "Which template; plumbline templates lists them")->capture_default_str();
    command->add_option("--name", arguments->name, "Name of the project; the folder's when left out");
    command->add_option("--parameter", arguments->parameters, "A parameter of the template, as classes=3");
    command->callback([&invocation, arguments] { invocation.run = [arguments](const Output& output) { return runNew(*arguments, output); }; });

    CLI::App* list = app.add_subcommand("templates", "List the templates and their parameters");
    list->callback([&invocation] { invocation.run = runTemplates; });
}

}  // namespace plumbline::cli
