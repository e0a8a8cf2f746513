#pragma once
// A runs folder for one test, and short ways to write and read a run.

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "store/run_store.h"
#include "support/temporary_folder.h"

namespace plumbline::store {

inline StoredPoint point(std::int64_t step, double value, std::int32_t epoch = 0) {
    return {step, epoch, static_cast<double>(step) * 0.25, value};
}

inline std::unique_ptr<RunWriter> newRun(const std::filesystem::path& runs, const std::string& name = "",
                                         const Json& definition = Json::object()) {
    auto writer = RunWriter::create(runs, name, definition);
    EXPECT_TRUE(writer) << (writer ? "" : toSentence(writer.error()));
    return writer ? std::move(*writer) : nullptr;
}

inline std::unique_ptr<RunReader> openRun(const std::filesystem::path& folder) {
    auto reader = RunReader::open(folder);
    EXPECT_TRUE(reader) << (reader ? "" : toSentence(reader.error()));
    return reader ? std::move(*reader) : nullptr;
}

inline std::vector<StoredPoint> pointsOf(const RunReader& reader, const std::string& series) {
    std::vector<StoredPoint> points;
    const Status status = reader.points(series, [&](const StoredPoint& each) { points.push_back(each); });
    EXPECT_TRUE(status) << (status ? "" : toSentence(status.error()));
    return points;
}

inline std::vector<StoredPoint> pointsOf(const std::filesystem::path& folder, const std::string& series) {
    return pointsOf(*openRun(folder), series);
}

inline RunInfo infoOf(const std::filesystem::path& folder) {
    auto info = openRun(folder)->info();
    EXPECT_TRUE(info) << (info ? "" : toSentence(info.error()));
    return info ? *info : RunInfo{};
}

inline RunInfo withStatus(const std::string& status) {
    RunInfo info;
    info.status = status;
    return info;
}

inline diagnostics::Finding finding(const std::string& id, std::int64_t step) {
    diagnostics::Finding result;
    result.id = id;
    result.detector = "non-finite";
    result.severity = diagnostics::Severity::kCritical;
    result.step = step;
    result.block = "conv1";
    result.message = "conv1 gave NaN";
    result.evidence = {{"count", 3}};
    result.remedies = {{"Halve the learning rate", Json::array(), "live"}};
    return result;
}

/// Runs `work` in a process of its own that ends by SIGKILL, as a crash or the out-of-memory killer would end it.
inline void inKilledProcess(const std::function<void()>& work) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        work();
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
}

}  // namespace plumbline::store
