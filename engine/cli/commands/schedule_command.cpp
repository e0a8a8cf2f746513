// plumbline schedule

#include <fmt/format.h>

#include "cli/command.h"
#include "core/text.h"
#include "data/dataset.h"
#include "plan/schedule.h"

namespace plumbline::cli {
namespace {

constexpr std::int64_t kMostPoints = 1'000'000;

struct ScheduleArguments {
    std::string project;
    std::vector<std::string> settings;
    std::int64_t points = 20;
};

/// Only where the length of the run is counted in steps do the data have to be opened.
Result<std::int64_t> stepsOfEpoch(const project::Project& project) {
    const plan::TrainingPlan& plan = project.training;
    const bool countsSteps = plan.scheduler.unit == plan::Unit::kStep;
    if (countsSteps ? plan.epochs == 0 : plan.maxSteps == 0) {
        return 0;
    }
    PLUMBLINE_ASSIGN(const auto dataset, data::Dataset::open(project.data, project.folder, nullptr));
    return plan::stepsPerEpoch(plan, dataset->size(data::Split::kTrain), project.data.loader.batchSize, project.data.loader.dropLast);
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
    const plan::PlannedRates planned = plan::plannedRates(plan, steps, static_cast<std::size_t>(arguments.points));
    if (planned.points.empty()) {
        return fail(ErrorKind::kInvalid, "no-end", "The run has no length, so there is no schedule of it.", "/training/stop", "Set stop.epochs, and a training split that is not empty.");
    }
    const char* const unit = planned.unit == plan::Unit::kStep ? "step" : "epoch";
    const bool moves = planned.points.front().momentum.has_value();
    Json points = Json::array();
    std::vector<std::vector<std::string>> rows{{unit, "learning rate"}};
    if (moves) {
        rows.front().push_back("momentum");
    }
    for (const plan::PlannedPoint& point : planned.points) {
        points.push_back({{"position", point.position}, {"lr", point.lr}, {"momentum", point.momentum ? Json(*point.momentum) : Json()}});
        rows.push_back({std::to_string(point.position), numberText(point.lr)});
        if (moves) {
            rows.back().push_back(numberText(point.momentum.value_or(0)));
        }
    }
    output.document(Json{{"type", plan.scheduler.type}, {"unit", unit}, {"length", planned.length}, {"known", planned.known}, {"points", points}});
    output.table(rows);
    output.line(fmt::format("\n{} over {}; positions count from 0.", plan.scheduler.type, counted(planned.length, unit)));
    if (planned.known < planned.length) {
        output.line(fmt::format("Known for {}: from then on the validations decide.", counted(planned.known, unit)));
    }
    return 0;
}

}  // namespace

void registerSchedule(CLI::App& app, Invocation& invocation) {
    auto arguments = std::make_shared<ScheduleArguments>();
    CLI::App* command = app.add_subcommand("schedule", "Print the planned learning rate, and the momentum where the schedule moves it");
    command->add_option("PROJECT", arguments->project, "Folder or project.json")->required();
    command->add_option("--points", arguments->points, "At most so many positions, evenly spaced from the first to the last")
        ->check(CLI::Range(std::int64_t{2}, kMostPoints))
        ->capture_default_str();
    command->add_option("--set", arguments->settings, "Change a setting for this command, as a.b=v");
    command->callback([&invocation, arguments] { invocation.run = [arguments](const Output& output) { return runSchedule(*arguments, output); }; });
}

}  // namespace plumbline::cli
