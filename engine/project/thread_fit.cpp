#include "project/thread_fit.h"

#include <fmt/format.h>

#include "graph/problem_list.h"

namespace plumbline::project {

std::optional<graph::Problem> threadsAboveCores(const Project& project, std::int64_t cores, bool onCuda) {
    constexpr const char* kThreads = "/training/threads";
    const plan::TrainingPlan& plan = project.training;
    if (plan.threads <= cores || onCuda) {
        return std::nullopt;
    }
    graph::Problem problem{graph::Severity::kWarning,
                           "threads-above-cores",
                           {},
                           kThreads,
                           fmt::format("Operations are to use {} threads, more than the cores that this program may "
                                       "use here ({}): the threads wait for each other, so a "
                                       "step takes longer, and so does a stop. Set training.threads to {}, or to 0, "
                                       "which lets the program choose.",
                                       plan.threads, cores, cores),
                           {}};
    if (const Json::json_pointer place(kThreads); project.json.contains(place)) {
        problem.remedies.push_back(
            graph::replaceValue(fmt::format("Set threads to {}", cores), kThreads, project.json.at(place), cores));
    }
    return problem;
}

bool mayBeOnCuda(const Project& project, bool hasDriver) {
    const std::string& device = project.training.device;
    return device.starts_with("cuda") || (device == "auto" && hasDriver);
}

}  // namespace plumbline::project
