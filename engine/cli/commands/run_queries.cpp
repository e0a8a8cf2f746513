// plumbline runs, metrics, findings, compare, apply

#include <fmt/compile.h>
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "cli/command.h"
#include "core/csv_field.h"
#include "core/json_errors.h"
#include "core/text.h"
#include "diagnostics/project_edit.h"
#include "store/compare_runs.h"

namespace plumbline::cli {
namespace {

struct QueryArguments {
    std::string project;
    std::string run;
    std::string other;
    std::string series;
    std::string format = "csv";
    std::string finding;
    std::size_t remedy = 0;
};

Result<std::unique_ptr<store::RunReader>> openRun(const QueryArguments& arguments, const std::string& run) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const store::RunInfo info, findRunOf(project, run));
    return store::RunReader::open(info.folder);
}

Json runJson(const store::RunInfo& run) {
    return {
        {"id", run.id},
        {"name", run.name},
        {"note", run.note},
        {"status", run.status},
        {"started", run.started},
        {"seconds", run.seconds},
        {"epochs", run.epochs},
        {"steps", {{"attempted", run.stepsAttempted}, {"applied", run.stepsApplied}, {"skipped", run.stepsSkipped}}},
        {"metrics", run.metrics},
        {"stop_reason", run.stopReason},
        {"findings", run.findings},
        {"critical_findings", run.criticalFindings},
        {"parent", run.parent.empty() ? Json() : Json{{"run", run.parent}, {"step", run.parentStep}}},
        {"folder", run.folder.string()}};
}

Result<int> runRuns(const QueryArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const auto runs, store::listRuns(project.folder / "runs"));
    Json list = Json::array();
    bool anyParent = false;
    std::vector<std::vector<std::string>> rows{
        {"run", "name", "from", "status", "epochs", "steps", "seconds", "findings", "metrics"}};
    for (const store::RunInfo& run : runs) {
        list.push_back(runJson(run));
        std::string metrics;
        if (run.metrics.is_object()) {
            for (const auto& [name, value] : run.metrics.items()) {
                if (value.is_number() && !name.starts_with("train.")) {
                    metrics +=
                        fmt::format("{}{} {}", metrics.empty() ? "" : "  ", name, numberText(value.get<double>(), 4));
                }
            }
        }
        anyParent = anyParent || !run.parent.empty();
        rows.push_back({run.id, run.name,
                        run.parent.empty() ? "" : fmt::format("{} step {}", run.parent, run.parentStep), run.status,
                        std::to_string(run.epochs), std::to_string(run.stepsAttempted),
                        fmt::format("{:.1f}", run.seconds),
                        run.criticalFindings == 0 ? std::to_string(run.findings)
                                                  : fmt::format("{} ({} critical)", run.findings, run.criticalFindings),
                        metrics});
    }
    for (std::vector<std::string>& row : rows) {
        if (!anyParent) {
            row.erase(row.begin() + 2);
        }
    }
    output.document(Json{{"runs", list}});
    if (runs.empty()) {
        output.line("No runs yet. Train with: plumbline train " + shellQuoted(arguments.project));
    } else {
        output.table(rows);
    }
    return 0;
}

Result<int> runMetrics(const QueryArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const auto reader, openRun(arguments, arguments.run));
    PLUMBLINE_ASSIGN(const auto all, reader->series());
    std::vector<std::string> names;
    for (const store::StoredSeries& series : all) {
        if (arguments.series.empty() || series.name == arguments.series) {
            names.push_back(series.name);
        }
    }
    if (names.empty() && !arguments.series.empty()) {
        std::vector<std::string> known;
        for (const store::StoredSeries& series : all) {
            known.push_back(series.name);
        }
        return fail(ErrorKind::kUsage, "unknown-series",
                    fmt::format("The run has no series \"{}\"", shortened(arguments.series)), {},
                    didYouMean(arguments.series, known, "plumbline metrics without --series prints all."));
    }
    // Read once before the first byte is printed: a damaged series is an error, never half a document.
    for (const std::string& name : names) {
        PLUMBLINE_TRY(reader->points(name, [](const store::StoredPoint&) {}));
    }
    const bool json = output.json() || arguments.format == "json";
    fmt::memory_buffer buffer;
    const auto write = [&](bool force) {
        if (force || buffer.size() > (1U << 20)) {
            // Who reads no further, as head does, is no failure; main() says what is one.
            if (std::ferror(stdout) == 0) {
                std::fwrite(buffer.data(), 1, buffer.size(), stdout);
            }
            buffer.clear();
        }
    };
    const auto number = [&](double value) {
        // JSON knows no NaN: null stands for it; CSV keeps it.
        if (std::isfinite(value)) {
            fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{}"), value);
        } else {
            buffer.append(std::string_view("null"));
        }
    };
    fmt::format_to(std::back_inserter(buffer), "{}", json ? "{\"series\": [" : "series,step,epoch,elapsed_ms,value\n");
    for (std::size_t i = 0; i < names.size(); ++i) {
        bool first = true;
        if (json) {
            fmt::format_to(std::back_inserter(buffer), "{}\n{{\"name\": {}, \"points\": [", i == 0 ? "" : ",",
                           Json(names[i]).dump());
        }
        const std::string field = csvField(names[i]);  // a group's name, or a metric's, may have a comma
        PLUMBLINE_TRY(reader->points(names[i], [&](const store::StoredPoint& point) {
            if (json) {
                fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{}[{}, {}, "), first ? "" : ", ", point.step,
                               point.epoch);
                number(point.elapsedMs);
                buffer.append(std::string_view(", "));
                number(point.value);
                buffer.push_back(']');
            } else {
                fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{},{},{},{},{}\n"), field, point.step,
                               point.epoch, point.elapsedMs,
                               std::isnan(point.value) ? std::abs(point.value) : point.value);
            }
            first = false;
            write(false);
        }));
        if (json) {
            fmt::format_to(std::back_inserter(buffer), "]}}");
        }
    }
    if (json) {
        fmt::format_to(std::back_inserter(buffer),
                       "\n], \"columns\": [\"step\", \"epoch\", \"elapsed_ms\", \"value\"]}}\n");
    }
    write(true);
    return 0;
}

Result<int> runFindings(const QueryArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const auto reader, openRun(arguments, arguments.run));
    PLUMBLINE_ASSIGN(const auto findings, reader->findings());
    Json list = Json::array();
    for (const diagnostics::Finding& finding : findings) {
        list.push_back(diagnostics::toJson(finding));
        output.line(fmt::format("{}  {}  step {}, epoch {}{}{}{}", finding.id, graph::toString(finding.severity),
                                finding.step, finding.epoch, finding.block.empty() ? "" : ", " + finding.block,
                                finding.cause.empty() ? "" : ", follows from " + finding.cause,
                                finding.clearedAt ? fmt::format(", cleared at step {}", *finding.clearedAt) : ""));
        output.line("    " + finding.message);
        for (std::size_t i = 0; i < finding.remedies.size(); ++i) {
            output.line(fmt::format("    remedy {}: {}{}", i, finding.remedies[i].title,
                                    finding.remedies[i].patch.empty() ? " (by hand)" : ""));
        }
    }
    if (findings.empty()) {
        output.line("No findings.");
    }
    output.document(Json{{"findings", list}});
    return 0;
}

Result<int> runCompare(const QueryArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const auto first, openRun(arguments, arguments.run));
    PLUMBLINE_ASSIGN(const auto second, openRun(arguments, arguments.other));
    PLUMBLINE_ASSIGN(const store::RunComparison comparison, store::compareRuns(*first, *second));
    Json differences = Json::array();
    Json results = Json::array();
    std::vector<std::vector<std::string>> rows{{"what", comparison.a, comparison.b, "difference"}};
    const auto said = [](const Json& began, const std::vector<store::ChangedValue>& changes) {
        std::string all = began.dump();
        for (const store::ChangedValue& change : changes) {
            all += fmt::format(", from step {} on {}", change.step, change.value.dump());
        }
        return all;
    };
    const auto toList = [](const std::vector<store::ChangedValue>& changes) {
        Json all = Json::array();
        for (const store::ChangedValue& change : changes) {
            all.push_back({{"step", change.step}, {"value", change.value}});
        }
        return all;
    };
    const auto list = [&](const std::vector<store::ValuePair>& pairs, Json& into, const char* key) {
        for (const store::ValuePair& pair : pairs) {
            Json told{{key, pair.name}, {"a", pair.a}, {"b", pair.b}};
            if (!pair.changesOfA.empty() || !pair.changesOfB.empty()) {
                told["changes"] = {{"a", toList(pair.changesOfA)}, {"b", toList(pair.changesOfB)}};
            }
            into.push_back(std::move(told));
            const auto difference = pair.difference();
            rows.push_back({pair.name, said(pair.a, pair.changesOfA), said(pair.b, pair.changesOfB),
                            difference ? fmt::format("{:+.6g}", *difference) : ""});
        }
    };
    list(comparison.settings, differences, "pointer");
    list(comparison.metrics, results, "metric");
    output.document(Json{{"a", comparison.a}, {"b", comparison.b}, {"differences", differences}, {"metrics", results}});
    output.table(rows);
    if (differences.empty()) {
        output.line("The two runs have the same definition.");
    }
    return 0;
}

Result<int> runApply(const QueryArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, project::openProject(arguments.project));
    PLUMBLINE_ASSIGN(const store::RunInfo info, findRunOf(project, arguments.run));
    PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(info.folder));
    PLUMBLINE_ASSIGN(const auto findings, reader->findings());
    const diagnostics::Finding* chosen = nullptr;
    for (const diagnostics::Finding& finding : findings) {
        if (finding.id == arguments.finding || (chosen == nullptr && finding.detector == arguments.finding)) {
            chosen = &finding;
        }
    }
    if (chosen == nullptr) {
        return fail(ErrorKind::kUsage, "unknown-finding",
                    fmt::format("Run {} has no finding \"{}\"", info.id, shortened(arguments.finding)), {},
                    "plumbline findings lists them.");
    }
    if (arguments.remedy >= chosen->remedies.size()) {
        return fail(ErrorKind::kUsage, "unknown-remedy",
                    fmt::format("{} has {} and no remedy {}", chosen->id,
                                counted(static_cast<std::int64_t>(chosen->remedies.size()), "remedy", "remedies"),
                                arguments.remedy),
                    arguments.finding, "plumbline findings lists them.");
    }
    const graph::Remedy remedy = diagnostics::refitted(project.json, chosen->remedies[arguments.remedy]);
    if (!remedy.patch.is_array() || remedy.patch.empty()) {
        return fail(ErrorKind::kUsage, "remedy-by-hand",
                    fmt::format("\"{}\" is advice that has to be carried out by hand", remedy.title), chosen->id);
    }
    PLUMBLINE_ASSIGN(const project::Project changed, project::withPatch(project, remedy.patch));
    PLUMBLINE_TRY(project::saveProject(changed));
    Json values = Json::array();
    for (const Json& operation : remedy.patch) {
        if (operation.value("op", "") != "test") {
            values.push_back({{"pointer", operation.value("path", "")},
                              {"value", operation.contains("value") ? operation["value"] : Json()}});
            output.line(fmt::format("{} = {}", operation.value("path", ""),
                                    operation.contains("value") ? operation["value"].dump() : "removed"));
        }
    }
    output.document(
        Json{{"finding", chosen->id}, {"remedy", remedy.title}, {"patch", remedy.patch}, {"changed", values}});
    output.line(remedy.title + ": done. It takes effect with the next run.");
    return 0;
}

CLI::App* addCommand(CLI::App& app, Invocation& invocation, QueryArguments& arguments, const char* name,
                     const char* help, bool run, std::function<Result<int>(const Output&)> action) {
    CLI::App* command = app.add_subcommand(name, help);
    command->add_option("PROJECT", arguments.project, "Folder or project.json")->required();
    if (run) {
        command->add_option("RUN", arguments.run, "Run id, name, latest or best")->required();
    }
    command->callback([&invocation, action = std::move(action)] { invocation.run = action; });
    return command;
}

}  // namespace

void registerRunQueries(CLI::App& app, Invocation& invocation) {
    const auto make = [] { return std::make_shared<QueryArguments>(); };
    auto a = make();
    addCommand(app, invocation, *a, "runs", "List the runs of a project", false,
               [a](const Output& output) { return runRuns(*a, output); });
    auto b = make();
    CLI::App* metrics = addCommand(app, invocation, *b, "metrics", "Print the numbers of a run", true,
                                   [b](const Output& output) { return runMetrics(*b, output); });
    metrics->add_option("--series", b->series, "Only this series, as val.loss");
    metrics->add_option("--format", b->format, "csv or json")
        ->check(CLI::IsMember({"csv", "json"}))
        ->capture_default_str();
    auto c = make();
    addCommand(app, invocation, *c, "findings", "List what the detectors found in a run", true,
               [c](const Output& output) { return runFindings(*c, output); });
    auto d = make();
    CLI::App* compare = addCommand(app, invocation, *d, "compare", "What differs between two runs", true,
                                   [d](const Output& output) { return runCompare(*d, output); });
    compare->add_option("OTHER", d->other, "The run to compare with")->required();
    auto e = make();
    CLI::App* apply = addCommand(app, invocation, *e, "apply", "Apply a finding's remedy to the project", true,
                                 [e](const Output& output) { return runApply(*e, output); });
    apply->add_option("FINDING", e->finding, "Id of a finding, or a detector's name")->required();
    apply->add_option("--remedy", e->remedy, "Which remedy, counted from 0")->capture_default_str();
}

}  // namespace plumbline::cli
