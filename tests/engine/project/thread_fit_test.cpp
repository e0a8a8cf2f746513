// Threads that a project asks for, and the cores that are there.
#include <gtest/gtest.h>
#include <algorithm>
#include <tuple>

#include "blocks/register.h"
#include "core/processors.h"
#include "project/thread_fit.h"

namespace plumbline::project {
namespace {

TEST(ThreadFit, MoreThreadsThanCoresAreAWarningWithARemedy) {
    Project project;
    project.json = {{"training", {{"threads", 9}}}};
    project.training.threads = 9;
    const auto problem = threadsAboveCores(project, 4, false);
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code, "threads-above-cores");
    EXPECT_EQ(problem->severity, graph::Severity::kWarning);
    EXPECT_EQ(problem->pointer, "/training/threads");
    EXPECT_NE(problem->message.find("use 9 threads"), std::string::npos) << problem->message;
    EXPECT_NE(problem->message.find("(4)"), std::string::npos) << problem->message;
    ASSERT_EQ(problem->remedies.size(), 1U);
    EXPECT_EQ(applyJsonPatch(project.json, problem->remedies[0].patch).value()["training"]["threads"], 4);

    EXPECT_FALSE(threadsAboveCores(project, 9, false));
    project.training.threads = 0;  // the program chooses
    EXPECT_FALSE(threadsAboveCores(project, 4, false));
    project.training.threads = 9;
    EXPECT_FALSE(threadsAboveCores(project, 4, true));
    EXPECT_GE(usableProcessors(), 1);
}

TEST(ThreadFit, WithTheDeviceAutoARunMayBeOnCudaWhereThereIsADriver) {
    for (const auto& [device, with, without] : {std::tuple{"auto", true, false}, std::tuple{"cuda", true, true},
                                                std::tuple{"cuda:1", true, true}, std::tuple{"cpu", false, false}}) {
        Project project;
        project.training.device = device;
        EXPECT_EQ(mayBeOnCuda(project, true), with) << device;
        EXPECT_EQ(mayBeOnCuda(project, false), without) << device;
    }
}

TEST(ThreadFit, ACheckSaysIt) {
    Json json = makeFromTemplate("mlp", Json::object(), "sample").value();
    for (const std::int64_t more : {0, 1}) {
        json["training"]["device"] = "cpu";
        json["training"]["threads"] = usableProcessors() + more;
        const CheckReport report = checkProject(readProject(json, "").value(), blocks::builtinBlocks());
        EXPECT_EQ(std::count_if(report.problems.begin(), report.problems.end(),
                                [](const graph::Problem& problem) { return problem.code == "threads-above-cores"; }),
                  more);
    }
}

}  // namespace
}  // namespace plumbline::project
