#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "cli/command.h"
#include "cli/output_arrived.h"
#include "cli/signals.h"
#include "cli/usage.h"
#include "core/program_start.h"
#include "core/text.h"

namespace {

using plumbline::Error;
using plumbline::ErrorKind;
using namespace plumbline::cli;

bool asksForJson(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0) {
            return true;
        }
    }
    return false;
}

int runProgram(int argc, char** argv) {
    CLI::App app{"Plumbline: builds, trains and exports models, and says when one is silently wrong.", "plumbline"};
    app.require_subcommand(1);
    app.fallthrough();
    app.set_version_flag("--version", PLUMBLINE_VERSION);
    app.footer(
        "PROJECT is a folder or its project.json; RUN is an id, a name, latest or best.\n"
        "Exit codes: 0 done, 1 run failed, 2 wrong usage, 3 project or data invalid, 4 ended by a finding,\n"
        "5 this machine lacks something, 6 a verification did not hold, 130 and 143 interrupted after saving.");
    Invocation invocation;
    for (int i = 0; i < argc; ++i) {
        invocation.commandLine += (i > 0 ? " " : "") + plumbline::shellQuoted(argv[i]);
    }
    app.add_flag("--json", invocation.json, "One JSON document on standard output and nothing else there");
#define PLUMBLINE_CALL(group) register##group(app, invocation);
    PLUMBLINE_COMMANDS(PLUMBLINE_CALL)
#undef PLUMBLINE_CALL
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        return Output(asksForJson(argc, argv)).failure(usageError(app, error, {argv + 1, argv + argc}));
    }
    const Output output(invocation.json);
    const auto code = invocation.run(output);
    if (!code) {
        return output.failure(bySignal(code.error()));
    }
    // What was asked for has to have arrived; a reader that has seen enough (head) is no failure.
    const plumbline::Status arrived = outputArrived();
    return *code == 0 && !arrived ? output.failure(arrived.error()) : *code;
}

/// A failure that nothing of ours has turned into an error.
int surprise(bool json, const std::string& what) {
    return Output(json).failure({ErrorKind::kRunFailed,
                                 "internal",
                                 what,
                                 {},
                                 "What was written before is kept; report this with the command."});
}

}  // namespace

int main(int argc, char** argv) {
    plumbline::prepareProgram();
    try {
        return runProgram(argc, argv);
    } catch (const std::bad_alloc&) {
        return Output(asksForJson(argc, argv))
            .failure({ErrorKind::kMachine,
                      "out-of-memory",
                      "The memory of this machine is exhausted",
                      {},
                      "Close other programs, or use smaller data."});
    } catch (const std::exception& error) {
        return surprise(asksForJson(argc, argv), error.what());
    } catch (...) {
        return surprise(asksForJson(argc, argv), "An exception of unknown type");
    }
}
