#include "cli/usage.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/json_errors.h"
#include "core/text.h"
#include "project/project.h"

namespace plumbline::cli {
namespace {

Error usage(std::string code, std::string message, std::string hint) {
    return {ErrorKind::kUsage, std::move(code), std::move(message), {}, std::move(hint)};
}

std::vector<std::string> namesOfOptions(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

Error unexpected(const CLI::App& app, const CLI::App& command, const std::string& word) {
    const std::string help = fmt::format("plumbline {} --help says what it takes.", command.get_name());
    if (!word.starts_with('-')) {
        return usage("usage", fmt::format("plumbline {} does not take \"{}\"", command.get_name(), shortened(word)),
                     help);
    }
    std::vector<std::string> known = namesOfOptions(command);
    const std::vector<std::string> common = namesOfOptions(app);
    known.insert(known.end(), common.begin(), common.end());
    const std::string option = word.substr(0, word.find('='));
    std::string setting = option.substr(std::min(option.find_first_not_of('-'), option.size()));
    std::replace(setting.begin(), setting.end(), '-', '_');
    setting = command.get_option_no_throw("--set") != nullptr ? project::settingThatEndsAlike(setting) : "";
    if (!setting.empty()) {
        return usage("unknown-option",
                     fmt::format("plumbline {} has no option \"{}\"", command.get_name(), shortened(option)),
                     fmt::format("Did you mean \"--set {}=…\"?", setting));
    }
    return usage("unknown-option",
                 fmt::format("plumbline {} has no option \"{}\"", command.get_name(), shortened(option)),
                 didYouMean(option, known, help));
}

}  // namespace

Error usageError(CLI::App& app, const CLI::ParseError& failure, const std::vector<std::string>& arguments) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        commands.push_back(command->get_name());
    }
    const auto word = std::find_if(arguments.begin(), arguments.end(),
                                   [](const std::string& each) { return !each.starts_with('-'); });
    if (word == arguments.end()) {
        const bool options =
            !arguments.empty() &&
            std::any_of(arguments.begin(), arguments.end(), [](const std::string& each) { return each != "--json"; });
        return usage("usage",
                     options ? fmt::format("plumbline has no option \"{}\"", shortened(arguments.front()))
                             : std::string("A command is needed"),
                     "plumbline --help lists them.");
    }
    if (std::find(commands.begin(), commands.end(), *word) == commands.end()) {
        return usage("unknown-command", fmt::format("There is no command \"{}\"", shortened(*word)),
                     didYouMean(*word, commands, "plumbline --help lists them."));
    }
    const CLI::App& command = *app.get_subcommand(*word);
    const std::vector<std::string> remaining = app.remaining(true);
    if (failure.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) && !remaining.empty()) {
        return unexpected(app, command, remaining.front());
    }
    const std::string help = fmt::format("See plumbline {} --help.", command.get_name());
    std::string what = failure.what();
    if (const std::size_t required = what.find(" is required");
        failure.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) && required != std::string::npos) {
        return usage("usage", fmt::format("plumbline {} needs {}", command.get_name(), what.substr(0, required)), help);
    }
    return usage("usage", std::move(what), help);
}

}  // namespace plumbline::cli
