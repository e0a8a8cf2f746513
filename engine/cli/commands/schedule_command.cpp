// plumbline schedule

#include <fmt/format.h>
#include <algorithm>

#include "blocks/register.h"
#include "cli/command.h"
#include "core/csv_field.h"
#include "core/text.h"
#include "data/dataset.h"
#include "plan/schedule.h"
#include "project/planned_rates.h"

namespace plumbline::cli {
namespace {

constexpr std::int64_t kMostPoints = 1'000'000;

struct ScheduleArguments {
    std::string project;
    std::vector<std::string> settings;
    std::int64_t points = 20;
    std::string format = "text";
};

/// Only where the length of the run is counted in steps do the data have to be opened.
Result<std::int64_t> stepsOfEpoch(const project::Project& project) {
    const plan::TrainingPlan& plan = project.training;
    const bool countsSteps = plan.scheduler.unit == plan::Unit::kStep;
    if (countsSteps ? plan.epochs == 0 : plan.maxSteps == 0) {
        return 0;
    }
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder, nullptr));
    return plan::stepsPerEpoch(plan, dataset->size(data::Split::kTrain), project.data.loader.batchSize,
                               project.data.loader.dropLast);
}

const char* unitOf(const plan::PlannedRates& planned) {
    return planned.unit == plan::Unit::kStep ? "step" : "epoch";
}

bool movesMomentum(const plan::PlannedRates& planned) {
    return planned.points.front().momentum.has_value();
}

/// "lr", which a run writes besides the rates of its groups, then these.
std::vector<plan::PlannedSeries> withAll(const plan::PlannedRates& planned) {
    std::vector<plan::PlannedSeries> series = planned.series;
    if (std::none_of(series.begin(), series.end(), [](const plan::PlannedSeries& each) { return each.name == "lr"; })) {
        plan::PlannedSeries all;
        all.name = "lr";
        for (const plan::PlannedPoint& point : planned.points) {
            all.rates.push_back(point.lr);
        }
        series.insert(series.begin(), std::move(all));
    }
    return series;
}

Json documentOf(const std::string& type, const plan::PlannedRates& planned) {
    Json points = Json::array(), series = Json::array();
    for (const plan::PlannedPoint& point : planned.points) {
        points.push_back({{"position", point.position},
                          {"lr", point.lr},
                          {"momentum", point.momentum ? Json(*point.momentum) : Json()}});
    }
    for (const plan::PlannedSeries& each : withAll(planned)) {
        Json rates = Json::array();
        for (std::size_t i = 0; i < planned.points.size(); ++i) {
            rates.push_back({{"position", planned.points[i].position}, {"lr", each.rates[i]}});
        }
        series.push_back({{"name", each.name},
                          {"phase", each.phase.empty() ? Json() : Json(each.phase)},
                          {"every", each.every},
                          {"points", std::move(rates)}});
    }
    return {{"type", type},           {"unit", unitOf(planned)},     {"length", planned.length},
            {"known", planned.known}, {"points", std::move(points)}, {"series", std::move(series)}};
}

void printCsv(const plan::PlannedRates& planned, const Output& output) {
    output.line(fmt::format("series,{},value", unitOf(planned)));
    for (const plan::PlannedSeries& each : withAll(planned)) {
        for (std::size_t i = 0; i < planned.points.size(); ++i) {
            output.line(fmt::format("{},{},{}", csvField(each.name), planned.points[i].position, each.rates[i]));
        }
    }
    for (const plan::PlannedPoint& point : planned.points) {
        if (point.momentum) {
            output.line(fmt::format("momentum,{},{}", point.position, *point.momentum));
        }
    }
}

/// A column for each rate that differs from those before it.
void printTable(const std::string& type, const plan::PlannedRates& planned, const Output& output) {
    std::vector<plan::PlannedSeries> columns;
    for (const plan::PlannedSeries& each : planned.series) {
        if (std::none_of(columns.begin(), columns.end(), [&](const plan::PlannedSeries& other) {
                return other.phase == each.phase && other.base == each.base;
            })) {
            columns.push_back(each);
        }
    }
    std::vector<std::vector<std::string>> rows{{unitOf(planned)}};
    for (const plan::PlannedSeries& each : columns) {
        rows.front().push_back(columns.size() == 1 && each.phase.empty() ? "learning rate" : each.name);
    }
    const bool moves = movesMomentum(planned);
    if (moves) {
        rows.front().push_back("momentum");
    }
    for (std::size_t i = 0; i < planned.points.size(); ++i) {
        rows.push_back({std::to_string(planned.points[i].position)});
        for (const plan::PlannedSeries& each : columns) {
            rows.back().push_back(numberText(each.rates[i]));
        }
        if (moves) {
            rows.back().push_back(numberText(planned.points[i].momentum.value_or(0)));
        }
    }
    output.table(rows);
    output.line(fmt::format("\n{} over {}; positions count from 0.", type, counted(planned.length, unitOf(planned))));
    std::string told;
    for (const plan::PlannedSeries& each : columns) {
        if (each.every > 1 && each.phase != told) {
            told = each.phase;
            output.line(
                fmt::format("The phase {} is taken in one of {} steps, from the first one on; its rate goes on with "
                            "each step of the run.",
                            each.phase, each.every));
        }
    }
    if (planned.known < planned.length) {
        output.line(
            fmt::format("Known for {}: from then on the validations decide.", counted(planned.known, unitOf(planned))));
    }
}

Result<int> runSchedule(const ScheduleArguments& arguments, const Output& output) {
    PLUMBLINE_ASSIGN(const project::Project project, openWithSettings(arguments.project, arguments.settings));
    PLUMBLINE_ASSIGN(const std::int64_t steps, stepsOfEpoch(project));
    const plan::TrainingPlan& plan = project.training;
    for (const plan::PlanProblem& problem : plan::checkSchedule(plan, steps, project.data.splits.validation > 0)) {
        if (problem.critical) {
            return fail(ErrorKind::kInvalid, problem.code, problem.message, problem.pointer, problem.hint);
        }
        output.message(fmt::format("warning: {} {}", problem.message, problem.hint));
    }
    const graph::ResolvedModel model = graph::resolve(project.model, blocks::builtinBlocks());
    const plan::PlannedRates planned =
        plan::plannedRates(plan, steps, static_cast<std::size_t>(arguments.points), project::rateSeriesOf(plan, model));
    if (planned.points.empty()) {
        return fail(ErrorKind::kInvalid, "no-end", "The run has no length, so there is no schedule of it.",
                    "/training/stop", "Set stop.epochs, and a training split that is not empty.");
    }
    output.document(documentOf(plan.scheduler.type, planned));
    if (arguments.format == "csv") {
        printCsv(planned, output);
    } else {
        printTable(plan.scheduler.type, planned, output);
    }
    return 0;
}

}  // namespace

void registerSchedule(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<ScheduleArguments>();
    CLI::App* command = app.add_subcommand("schedule",
                                           "Print the planned learning rate of each phase and parameter group, and the "
                                           "momentum where the schedule moves it");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command
        ->add_option("--points", arguments->points,
                     "At most so many positions, evenly spaced from the first to the last")
        ->check(CLI::Range(std::int64_t{2}, kMostPoints))
        ->capture_default_str();
    command
        ->add_option("--format", arguments->format,
                     "text or csv; csv has every series that a run writes, in full precision")
        ->check(CLI::IsMember({"text", "csv"}))
        ->capture_default_str();
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](const Output& output) { return runSchedule(*arguments, output); };
    });
}

}  // namespace plumbline::cli
