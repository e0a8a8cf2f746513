// plumbline trust

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <iostream>

#include "blocks/register.h"
#include "cli/command.h"
#include "core/text.h"
#include "core/trusted_files.h"
#include "project/package_fit.h"

namespace plumbline::cli {
namespace {

struct TrustArguments {
    std::string project;
    std::string block;
    std::string remove;
    bool removes = false;
    bool yes = false;
    bool list = false;
};

std::string shown(const std::filesystem::path& file) {
    return oneLine(file.string());
}

Result<int> showTrusted(const Output& output) {
    PLUMBLINE_ASSIGN(const std::vector<TrustedFile> files, trustedFiles());
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"SHA-256", "size", "since", "file"}};
    for (const TrustedFile& one : files) {
        list.push_back({{"sha256", one.sha256}, {"file", one.file}, {"bytes", one.bytes}, {"since", one.since}});
        rows.push_back({one.sha256, bytesText(static_cast<double>(one.bytes)), oneLine(one.since), oneLine(one.file)});
    }
    output.document(Json{{"list", trustListFile().string()}, {"files", list}});
    if (files.empty()) {
        output.line("No file is trusted.");
    } else {
        output.table(rows);
    }
    return 0;
}

/// By the whole sum, or as much of its beginning as only one has.
Result<int> removeTrusted(const std::string& sum, const Output& output) {
    PLUMBLINE_ASSIGN(const std::vector<TrustedFile> files, trustedFiles());
    std::vector<std::string> found;
    for (const TrustedFile& one : files) {
        if (!sum.empty() && one.sha256.starts_with(sum)) {
            found.push_back(one.sha256);
        }
    }
    if (found.size() != 1) {
        return fail(
            ErrorKind::kUsage, "unknown-sum",
            fmt::format("{} of the trusted files have a SHA-256 that begins with \"{}\"",
                        found.empty() ? std::string("None") : std::to_string(found.size()), shortened(oneLine(sum))),
            sum, "plumbline trust --list shows them; write as many digits as tell one from the others.");
    }
    PLUMBLINE_ASSIGN(const bool removed, distrustFile(found.front()));
    output.document(Json{{"removed", removed ? Json(found.front()) : Json()}});
    output.line(fmt::format("{} is no longer trusted.", found.front()));
    return 0;
}

bool agrees() {
    std::fputs("Trust it? [y/N] ", stderr);
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

/// The packages of the project, or of the one block, each file once.
Result<std::vector<project::PackageUse>> askedFor(const project::Project& project, const std::string& block) {
    std::vector<project::PackageUse> uses =
        project::packagesOf(graph::resolve(project.model, blocks::builtinBlocks()), project.folder);
    if (!block.empty()) {
        std::erase_if(uses, [&](const project::PackageUse& use) { return use.block != block; });
    }
    if (uses.empty()) {
        return fail(ErrorKind::kUsage, "no-package",
                    block.empty() ? std::string("No block of the project runs a package")
                                  : fmt::format("\"{}\" is no block that runs a package", shortened(oneLine(block))),
                    block, "plumbline check lists the blocks with their types; this one is for AOTIPackage.");
    }
    std::vector<project::PackageUse> once;
    for (project::PackageUse& use : uses) {
        if (std::none_of(once.begin(), once.end(),
                         [&](const project::PackageUse& other) { return other.file == use.file; })) {
            once.push_back(std::move(use));
        }
    }
    return once;
}

Result<int> runTrust(const TrustArguments& arguments, const Output& output) {
    if (arguments.list) {
        return showTrusted(output);
    }
    if (arguments.removes) {
        return removeTrusted(arguments.remove, output);
    }
    if (arguments.project.empty()) {
        return fail(ErrorKind::kUsage, "no-project", "plumbline trust needs a project", {},
                    "Write plumbline trust PROJECT, or plumbline trust --list.");
    }
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const std::vector<project::PackageUse> uses, askedFor(project, arguments.block));
    const bool asks = !arguments.yes;
    if (asks && (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0)) {
        return fail(ErrorKind::kUsage, "not-asked",
                    "Whether a file of native code is trusted is asked on a terminal, and this is none", {},
                    "Run the command in a terminal, or with --yes if you know the file.");
    }
    Json packages = Json::array();
    bool all = true;
    for (const project::PackageUse& use : uses) {
        PLUMBLINE_ASSIGN(const FileSum sum, sumOf(use.file));
        PLUMBLINE_ASSIGN(const bool before, isTrusted(sum.sha256));
        output.message(fmt::format("{} runs {}\n    size     {} ({} bytes)\n    SHA-256  {}", oneLine(use.block),
                                   shown(use.file), bytesText(static_cast<double>(sum.bytes)), sum.bytes, sum.sha256));
        bool trusted = before;
        if (before) {
            output.message("It is trusted already.");
        } else {
            output.message(
                "It is native code: while a run goes on it may do all that you may do, with your files and your "
                "network. Trust it only if you know\n"
                "where it comes from. Trust goes by what is in the file: once it changes, it has to be trusted anew.");
            trusted = !asks || agrees();
            if (trusted) {
                PLUMBLINE_TRY(trustFile(use.file, sum));
            }
            output.message(trusted ? "It is trusted from now on." : "It is not trusted, and nothing was changed.");
        }
        all = all && trusted;
        packages.push_back({{"block", use.block},
                            {"file", use.file.string()},
                            {"bytes", sum.bytes},
                            {"sha256", sum.sha256},
                            {"trusted", trusted},
                            {"before", before}});
    }
    output.document(Json{{"packages", packages}});
    return all ? 0 : static_cast<int>(ErrorKind::kRunFailed);
}

}  // namespace

void registerTrust(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<TrustArguments>();
    CLI::App* command = app.add_subcommand(
        "trust", "Let a project's compiled packages run: they are native code, which may do all that you may do");
    command->add_option("PROJECT", arguments->project, "Folder or project.json");
    command->add_option("BLOCK", arguments->block,
                        "The block whose package it is; without one, every package of the project");
    command->add_flag("--yes", arguments->yes, "Trust without being asked");
    CLI::Option* list = command->add_flag("--list", arguments->list, "Show what is trusted");
    CLI::Option* remove =
        command->add_option("--remove", arguments->remove, "Trust a file no longer: its SHA-256, or the first digits")
            ->excludes(list);
    command->callback([&invocation, arguments, remove] {
        arguments->removes = remove->count() > 0;
        invocation.run = [arguments](const Output& output) { return runTrust(*arguments, output); };
    });
}

}  // namespace plumbline::cli
