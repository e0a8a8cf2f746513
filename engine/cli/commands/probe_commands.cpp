// plumbline preflight, find-lr, find-batch-size, overfit

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "blocks/register.h"
#include "cli/command.h"
#include "cli/finite.h"
#include "cli/libtorch_setup.h"
#include "cli/signals.h"
#include "core/text.h"
#include "graph/refusal.h"

namespace plumbline::cli {
namespace {

struct ProbeArguments {
    std::string project;
    std::vector<std::string> settings;
    std::string device;
    session::ProbeRequest request;
    double budgetMb = 0;
    bool apply = false;
};

/// What `check` would refuse is refused first; what it warns of is told.
Result<Json> runProbe(ProbeArguments& arguments, session::ProbeKind kind, const Output& output) {
    if (!arguments.device.empty()) {
        arguments.settings.push_back("training.device=" + arguments.device);
    }
    session::ProbeRequest& request = arguments.request;
    request.kind = kind;
    PLUMBLINE_ASSIGN(request.project, openWithSettings(arguments.project, arguments.settings));
    const project::CheckReport check = project::checkProject(request.project, blocks::builtinBlocks());
    PLUMBLINE_TRY(graph::refuseCritical(check.problems));
    for (const graph::Problem& problem : check.problems) {
        output.message(fmt::format("{}: {}", graph::toString(problem.severity), problem.message));
    }
    PLUMBLINE_ASSIGN(const auto engine, engineFor());
    RunControl control;
    const SignalScope signals(control);
    auto report = engine->probe(request, control, [&](const std::string& line) { output.message(line); });
    if (exitCodeOf(control.stopReason()) != 0) {
        return fail(stoppedBySignal());
    }
    return report;
}

double numberAt(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_number() ? json[key].get<double>() : std::nan("");
}

using Change = std::pair<std::string, std::string>;  ///< a setting and its value

/// With --apply changes settings of project.json, as a person would in the window; else says how they are set.
Status applyOrTell(const ProbeArguments& arguments, const std::vector<Change>& changes, const Output& output) {
    if (!arguments.apply) {
        std::string options;
        for (const auto& [setting, value] : changes) {
            options += fmt::format(" --set {}={}", setting, value);
        }
        output.line(fmt::format("Set {} with:{}", changes.size() == 1 ? "it" : "them together", options));
        return {};
    }
    PLUMBLINE_ASSIGN(project::Project changed, project::openProject(arguments.project));
    for (const auto& [setting, value] : changes) {
        PLUMBLINE_ASSIGN(changed, project::withSetting(changed, setting, value));
    }
    PLUMBLINE_TRY(project::saveProject(changed));
    for (const auto& [setting, value] : changes) {
        output.message(fmt::format("{} is {} in {} now.", setting, value, (changed.folder / "project.json").string()));
    }
    return {};
}

void printPreflight(const Json& report, const Output& output) {
    const Json& training = report["training"];
    output.line(fmt::format("training    {:.1f} ms a batch, {:.1f} ms waiting for the loader, loss {}",
                            numberAt(training, "batch_ms"), numberAt(training, "loader_wait_ms"),
                            numberText(numberAt(training, "loss"), 4)));
    if (report["validation"].is_object()) {
        std::string values;
        for (const auto& [name, value] : report["validation"]["metrics"].items()) {
            values +=
                fmt::format(", {} {}", name, value.is_number() ? numberText(value.get<double>(), 4) : value.dump());
        }
        output.line(fmt::format("validation  {:.1f} ms a batch{}", numberAt(report["validation"], "batch_ms"), values));
    } else {
        output.line("validation  none: the split is empty");
    }
    output.line(fmt::format(
        "an epoch    {} steps, about {}; the run about {}, with {}", report["steps_per_epoch"].get<std::int64_t>(),
        secondsText(numberAt(report, "epoch_seconds")), secondsText(numberAt(report, "run_seconds")),
        counted(report["validations"].get<std::int64_t>(), "validation")));
    const double averages = numberAt(report["memory"], "averages");
    output.line(fmt::format(
        "memory      at most {} of tensors; parameters {}, gradients {}, optimizer state {}{}",
        bytesText(numberAt(report, "peak_memory_bytes")), bytesText(numberAt(report["memory"], "parameters")),
        bytesText(numberAt(report["memory"], "gradients")), bytesText(numberAt(report["memory"], "optimizer_state")),
        averages > 0 ? fmt::format(", averaged weights {}", bytesText(averages)) : std::string()));
    Json blocks = report["blocks"];
    std::stable_sort(blocks.begin(), blocks.end(), [](const Json& a, const Json& b) {
        return a["peak_bytes"].get<std::int64_t>() > b["peak_bytes"].get<std::int64_t>();
    });
    std::vector<std::vector<std::string>> rows{{"block", "type", "forward ms", "keeps", "peak"}};
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; i < std::min(kShown, blocks.size()); ++i) {
        rows.push_back({blocks[i]["block"].get<std::string>(), blocks[i]["type"].get<std::string>(),
                        fmt::format("{:.3f}", numberAt(blocks[i], "forward_ms")),
                        bytesText(numberAt(blocks[i], "kept_bytes")), bytesText(numberAt(blocks[i], "peak_bytes"))});
    }
    output.table(rows);
    if (blocks.size() > kShown) {
        output.line(fmt::format("… and {} more; --json lists all.",
                                counted(static_cast<std::int64_t>(blocks.size() - kShown), "block")));
    }
    for (const Json& warning : report["warnings"]) {
        output.line("warning: " + warning["message"].get<std::string>());
    }
    for (const Json& finding : report["findings"]) {
        output.line(
            fmt::format("{}: {}", finding["severity"].get<std::string>(), finding["message"].get<std::string>()));
    }
}

Result<int> runPreflight(ProbeArguments arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const Json report, runProbe(arguments, session::ProbeKind::kPreflight, output));
    output.document(report);
    printPreflight(report, output);
    const Json& findings = report["findings"];
    const bool critical = std::any_of(findings.begin(), findings.end(),
                                      [](const Json& finding) { return finding["severity"] == "critical"; });
    return critical ? static_cast<int>(ErrorKind::kFinding) : 0;
}

Result<int> runFindLr(ProbeArguments arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const Json report, runProbe(arguments, session::ProbeKind::kLearningRate, output));
    output.document(report);
    output.line(report["explanation"].get<std::string>());
    if (!report["suggested"].is_number()) {
        return static_cast<int>(ErrorKind::kVerification);
    }
    std::vector<Change> changes;
    for (const Json& change : report["changes"]) {
        changes.emplace_back(change["path"].get<std::string>(), fmt::format("{}", change["value"].get<double>()));
    }
    if (changes.size() > 1) {
        output.line(
            fmt::format("That is the highest rate of the run, which is {} now; all of its rates are taken times {}.",
                        numberText(numberAt(report, "highest_now")), numberText(numberAt(report, "factor"))));
    }
    PLUMBLINE_TRY(applyOrTell(arguments, changes, output));
    return 0;
}

Result<int> runFindBatch(ProbeArguments arguments, const Output& output) {
    arguments.request.budgetBytes = static_cast<std::int64_t>(arguments.budgetMb * 1e6);
    PLUMBLINE_ASSIGN(const Json report, runProbe(arguments, session::ProbeKind::kBatchSize, output));
    output.document(report);
    std::vector<std::vector<std::string>> rows{{"batch size", "ms a step", "samples/s", "tensors"}};
    for (const Json& size : report["sizes"]) {
        rows.push_back(
            {std::to_string(size["batch_size"].get<std::int64_t>()), fmt::format("{:.2f}", numberAt(size, "step_ms")),
             countText(numberAt(size, "samples_per_second")), bytesText(numberAt(size, "peak_memory_bytes"))});
    }
    output.table(rows);
    for (const Json& size : report["not_tried"]) {
        output.line(fmt::format("{} was not measured: {}", size["batch_size"].get<std::int64_t>(),
                                size["reason"].get<std::string>()));
    }
    output.line(report["explanation"].get<std::string>());
    if (!report["chosen"].is_number()) {
        return static_cast<int>(ErrorKind::kVerification);
    }
    const std::string value = report["chosen"].dump();
    PLUMBLINE_TRY(applyOrTell(arguments, {{"data.loader.batch_size", value}}, output));
    return 0;
}

Result<int> runOverfit(ProbeArguments arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const Json report, runProbe(arguments, session::ProbeKind::kOverfit, output));
    output.document(report);
    output.line(report["explanation"].get<std::string>());
    return report["passed"].get<bool>() ? 0 : static_cast<int>(ErrorKind::kVerification);
}

void printProfile(const Json& report, const Output& output) {
    const Json& phases = report["phases"];
    const double total = numberAt(phases, "total_ms");
    std::vector<std::vector<std::string>> rows{{"phase", "ms a step", "share"}};
    for (const char* name :
         {"loader_wait", "to_device", "forward", "loss", "backward", "optimizer", "monitor", "other"}) {
        const double ms = numberAt(phases, (std::string(name) + "_ms").c_str());
        rows.push_back({name, fmt::format("{:.3f}", ms), fmt::format("{:.1f} %", total > 0 ? 100 * ms / total : 0)});
    }
    rows.push_back({"total", fmt::format("{:.3f}", total), "100.0 %"});
    output.table(rows);
    output.line();
    Json blocks = report["blocks"];
    const auto spent = [](const Json& block) {
        return block["forward_ms"].get<double>() + block["backward_ms"].get<double>();
    };
    std::stable_sort(blocks.begin(), blocks.end(), [&](const Json& a, const Json& b) { return spent(a) > spent(b); });
    rows = {{"block", "type", "forward ms", "backward ms", "share", "keeps", "grows by"}};
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; i < std::min(kShown, blocks.size()); ++i) {
        const Json& block = blocks[i];
        rows.push_back({block["block"].get<std::string>(), block["type"].get<std::string>(),
                        fmt::format("{:.3f}", numberAt(block, "forward_ms")),
                        fmt::format("{:.3f}", numberAt(block, "backward_ms")),
                        fmt::format("{:.1f} %", total > 0 ? 100 * spent(block) / total : 0),
                        bytesText(numberAt(block, "kept_bytes")), bytesText(numberAt(block, "growth_bytes"))});
    }
    output.table(rows);
    if (blocks.size() > kShown) {
        output.line(fmt::format("… and {} more; --json lists all.",
                                counted(static_cast<std::int64_t>(blocks.size() - kShown), "block")));
    }
    const double growth = numberAt(report["memory"], "growth_bytes");
    output.line(fmt::format("memory of tensors {} from the first profiled step to the last",
                            growth == 0 ? std::string("did not grow") : fmt::format("grew by {}", bytesText(growth))));
}

Result<int> runProfile(ProbeArguments arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const Json report, runProbe(arguments, session::ProbeKind::kProfile, output));
    output.document(report);
    printProfile(report, output);
    return 0;
}

using Run = Result<int> (*)(ProbeArguments, const Output&);

CLI::App* addProbe(CLI::App& app, Invocation& invocation, const char* name, const char* summary,
                   const std::shared_ptr<ProbeArguments>& arguments, Run run) {
    CLI::App* command = app.add_subcommand(name, summary);
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->add_option("--device", arguments->device, "auto, cpu or cuda:i");
    command->callback([&invocation, arguments, run] {
        invocation.run = [arguments, run](const Output& output) { return run(*arguments, output); };
    });
    return command;
}

}  // namespace

void registerProbe(CLI::App& app, Invocation& invocation) {
    constexpr std::int64_t kMost = 1'000'000;
    auto flight = std::make_shared<ProbeArguments>();
    addProbe(app, invocation, "preflight",
             "Two batches of training and validation with every detector on: memory a block, findings, how long an "
             "epoch will take",
             flight, runPreflight)
        ->add_option("--batches", flight->request.batches, "Batches of each split")
        ->check(CLI::Range(std::int64_t{1}, kMost))
        ->capture_default_str();

    auto profile = std::make_shared<ProbeArguments>();
    profile->request.steps = 20;
    CLI::App* profiled =
        addProbe(app, invocation, "profile",
                 "Where a step's time and memory go: loader, forward and backward of each block, optimizer, monitor",
                 profile, runProfile);
    profiled->add_option("--steps", profile->request.steps, "Steps that are looked at, after two that are not")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{10000}))
        ->capture_default_str();
    profiled->add_option("--trace", profile->request.trace,
                         "Write LibTorch's operations of as many steps to this file, for chrome://tracing or Perfetto");

    auto rate = std::make_shared<ProbeArguments>();
    CLI::App* findLr =
        addProbe(app, invocation, "find-lr",
                 "Find a learning rate: train while it rises, and see where the loss falls fastest", rate, runFindLr);
    findLr->add_option("--lowest", rate->request.lowest, "First rate")
        ->check(CLI::PositiveNumber & notNan())
        ->capture_default_str();
    findLr->add_option("--highest", rate->request.highest, "Last rate")
        ->check(CLI::PositiveNumber & notNan())
        ->capture_default_str();
    findLr->add_option("--steps", rate->request.steps, "Steps between them")
        ->check(CLI::Range(std::int64_t{10}, kMost))
        ->capture_default_str();
    findLr->add_flag("--apply", rate->apply, "Write the rate into project.json");

    auto batch = std::make_shared<ProbeArguments>();
    CLI::App* findBatch = addProbe(
        app, invocation, "find-batch-size",
        "Find a batch size: speed and memory of 1, 2, 4 … samples, until memory or samples end", batch, runFindBatch);
    findBatch
        ->add_option("--budget-mb", batch->budgetMb,
                     "Memory that tensors may take; left out: four fifths of what is free")
        ->check(CLI::Range(1e-3, 1e9));
    findBatch->add_option("--largest", batch->request.largest, "Try none larger")
        ->check(CLI::Range(std::int64_t{1}, kMost))
        ->capture_default_str();
    findBatch->add_flag("--apply", batch->apply, "Write the size into project.json");

    auto heart = std::make_shared<ProbeArguments>();
    heart->request.steps = 200;
    addProbe(app, invocation, "overfit",
             "Train on the first batch over and over: what cannot learn it will learn nothing else", heart, runOverfit)
        ->add_option("--steps", heart->request.steps, "At most so many")
        ->check(CLI::Range(std::int64_t{1}, kMost))
        ->capture_default_str();
}

}  // namespace plumbline::cli
