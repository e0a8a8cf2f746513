// plumbline new, plumbline templates

#include <fmt/format.h>

#include "blocks/register.h"
#include "cli/command.h"
#include "core/files.h"
#include "core/text.h"
#include "project/from_data.h"

namespace plumbline::cli {
namespace {

struct NewArguments {
    std::string folder;
    std::string templateId;
    std::string name;
    std::vector<std::string> parameters;
    std::vector<std::string> data;
    project::DataChoices choices;
    bool copyData = false;
};

struct Made {
    Json json;
    std::string templateId;
    std::string told;  ///< what was found and proposed, for a person
    std::vector<std::string> warnings;
};

Result<Made> makeFromTemplate(const NewArguments& arguments, const std::string& name) {
    Json parameters = Json::object();
    for (const std::string& text : arguments.parameters) {
        const std::size_t equals = text.find('=');
        const Json value = equals == std::string::npos ? Json() : Json::parse(text.substr(equals + 1), nullptr, false);
        if (equals == std::string::npos || value.is_discarded()) {
            return fail(ErrorKind::kUsage, "bad-parameter",
                        fmt::format("--parameter {} is not name=value", shortened(text)), {},
                        "Write it as --parameter classes=3.");
        }
        parameters[text.substr(0, equals)] = value;
    }
    Made made;
    made.templateId = arguments.templateId.empty() ? "cnn" : arguments.templateId;
    PLUMBLINE_ASSIGN(made.json, project::makeFromTemplate(made.templateId, parameters, name));
    return made;
}

Result<Made> makeFromData(const NewArguments& arguments, const std::string& name) {
    if (!arguments.parameters.empty()) {
        return fail(ErrorKind::kUsage, "bad-parameter",
                    "--parameter belongs to a template; with --data the data decides", {},
                    "Change the model afterwards, in the window or in project.json.");
    }
    PLUMBLINE_ASSIGN(const data::FoundData found, data::inspectData({arguments.data.begin(), arguments.data.end()}));
    project::DataChoices choices = arguments.choices;
    choices.templateId = arguments.templateId;
    PLUMBLINE_ASSIGN(const project::DataProposal proposal, project::proposeProject(found, choices));
    Made made;
    made.templateId = proposal.templateId;
    made.told = fmt::format("Found {}. Predicts {} \"{}\" with the template {}.", project::describe(found),
                            proposal.task == project::Task::kNumber ? "the number" : "the class",
                            shortened(oneLine(proposal.target)), proposal.templateId);
    for (const project::ColumnUse& use : proposal.columns) {
        made.told += use.note == project::ColumnUse::Note::kNone
                         ? ""
                         : fmt::format("\n  {}: {}", shortened(oneLine(use.name)), project::noteText(use));
    }
    PLUMBLINE_ASSIGN(made.json, project::makeFromData(proposal, name, nullptr, &made.warnings));
    if (arguments.copyData) {
        PLUMBLINE_TRY(project::copyDataInto(arguments.folder, made.json));
    }
    return made;
}

Result<int> runNew(const NewArguments& arguments, const Output& output) {
    const std::filesystem::path folder = arguments.folder;
    std::error_code error;
    if (std::filesystem::exists(folder / "project.json", error)) {
        return fail(ErrorKind::kUsage, "project-exists", fmt::format("{} already holds a project", folder.string()),
                    folder.string(), "Choose another folder; nothing was overwritten.");
    }
    const std::string name = arguments.name.empty()
                                 ? std::filesystem::absolute(folder, error).lexically_normal().filename().string()
                                 : arguments.name;
    const std::string given = name.empty() ? "project" : name;
    PLUMBLINE_ASSIGN(const Made made,
                     arguments.data.empty() ? makeFromTemplate(arguments, given) : makeFromData(arguments, given));
    PLUMBLINE_ASSIGN(const project::Project project, project::readProject(made.json, folder));
    PLUMBLINE_TRY(project::saveProject(project));
    output.document(
        Json{{"folder", folder.string()}, {"template", made.templateId}, {"name", name}, {"warnings", made.warnings}});
    for (const std::string& warning : made.warnings) {
        output.message("warning: " + warning);
    }
    if (!made.told.empty()) {
        output.line(made.told);
    }
    output.line(fmt::format("Made {} from the template {}. Train it with: plumbline train {}", folder.string(),
                            made.templateId, shellQuoted(folder.string())));
    return 0;
}

Result<int> runTemplates(const Output& output) {
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"id", "title", "what it is", "parameters"}};
    for (const project::TemplateInfo& info : project::templates()) {
        list.push_back(
            {{"id", info.id}, {"title", info.title}, {"summary", info.summary}, {"parameters", info.parameters}});
        rows.push_back({info.id, info.title, info.summary, info.parameters.dump()});
    }
    output.document(Json{{"templates", list}});
    output.table(rows);
    return 0;
}

}  // namespace

void registerNew(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<NewArguments>();
    CLI::App* command = app.add_subcommand("new", "Make a project from a template or from your data");
    command->add_option("DIR", arguments->folder, "Folder to make")->required();
    command->add_option("--template", arguments->templateId,
                        "Which template; plumbline templates lists them. cnn unless --data proposes another");
    command->add_option("--name", arguments->name, "Name of the project; the folder's when left out");
    command->add_option("--parameter", arguments->parameters, "A parameter of the template, as classes=3");
    CLI::Option* data =
        command
            ->add_option(
                "--data", arguments->data,
                "A CSV table, an IDX file of images (and its labels), or a folder with one folder of images a class")
            ->expected(1, 2);
    command->add_option("--target", arguments->choices.target, "Column to predict; proposed when left out")
        ->needs(data);
    command->add_option("--task", arguments->choices.task, "Predict it as classes or number; proposed when left out")
        ->needs(data);
    command->add_option("--leave-out", arguments->choices.leftOut, "A column that is no input")
        ->delimiter(',')
        ->needs(data);
    command
        ->add_flag("--copy-data", arguments->copyData,
                   "Copy the data into the project instead of reading it where it lies")
        ->needs(data);
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) { return runNew(*arguments, output); };
    });

    CLI::App* list = app.add_subcommand("templates", "List the templates and their parameters");
    list->callback([&invocation] { invocation.run = runTemplates; });
}

}  // namespace plumbline::cli
