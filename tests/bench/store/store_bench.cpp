// Measures the run store and prints JSON: creating a run, sustained writing in 200 ms flushes, reading a run of a
// million values, listing ten thousand runs.
//     store_bench [FOLDER]               a temporary folder when left out
//     store_bench --write RUNS VALUES    only writes one run into a runs folder (metrics_bench.py reads it)

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "store/run_store.h"

namespace {

using namespace plumbline;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class T>
T orExit(Result<T> result) {
    if (!result) {
        std::cerr << toSentence(result.error()) << '\n';
        std::exit(result.error().exitCode());
    }
    if constexpr (!std::is_void_v<T>) {
        return std::move(*result);
    }
}

/// `values` over ten series, flushed every 20,000 as a run at 100,000 values a second would be.
std::filesystem::path writeRun(const std::filesystem::path& runs, std::int64_t values, Json& report) {
    constexpr int kSeries = 10;
    constexpr std::int64_t kValuesAFlush = 20'000;
    auto start = Clock::now();
    const auto writer = orExit(store::RunWriter::create(runs, "bench", Json::object()));
    report["create_ms"] = secondsSince(start) * 1000;
    int series[kSeries];
    for (int i = 0; i < kSeries; ++i) {
        series[i] = writer->declareSeries("series." + std::to_string(i), 1);
    }
    start = Clock::now();
    double longest = 0;
    for (std::int64_t n = 0; n < values; ++n) {
        const std::int64_t step = n / kSeries;
        writer->append(series[n % kSeries], {step, static_cast<std::int32_t>(step / 1000),
                                             static_cast<double>(step) * 0.3, 1.0 / static_cast<double>(n + 1)});
        if ((n + 1) % kValuesAFlush == 0) {
            const auto flushStart = Clock::now();
            orExit(writer->flush());
            longest = std::max(longest, secondsSince(flushStart));
        }
    }
    orExit(writer->flushDurably());
    const double seconds = secondsSince(start);
    report["values"] = values;
    report["write_values_per_second"] = static_cast<double>(values) / seconds;
    report["longest_flush_ms"] = longest * 1000;
    store::RunInfo info;
    info.status = "completed";
    orExit(writer->setStatus(info));
    return writer->folder();
}

void readRun(const std::filesystem::path& folder, Json& report) {
    const auto start = Clock::now();
    const auto reader = orExit(store::RunReader::open(folder));
    std::int64_t count = 0;
    double sum = 0;
    for (const store::StoredSeries& series : orExit(reader->series())) {
        orExit(reader->points(series.name, [&](const store::StoredPoint& point) {
            ++count;
            sum += point.value;
        }));
    }
    report["read_values"] = count;
    report["read_seconds"] = secondsSince(start);
    report["bytes_per_value"] =
        static_cast<double>(std::filesystem::file_size(folder / "run.sqlite")) / static_cast<double>(count);
    report["checksum"] = sum;
}

void listRuns(const std::filesystem::path& runs, int count, Json& report) {
    std::filesystem::path original;
    {
        const auto writer = orExit(store::RunWriter::create(runs, "one of many", Json::object()));
        writer->append(writer->declareSeries("val.loss", 0), {1, 1, 1, 0.5});
        store::RunInfo info;
        info.status = "completed";
        orExit(writer->setStatus(info));
        original = writer->folder();
    }
    for (int i = 1; i < count; ++i) {
        const std::string number = std::to_string(100'000 + i);
        const std::filesystem::path copy = runs / ("20260101-" + number + "-copy");
        std::filesystem::create_directory(copy);
        std::filesystem::copy_file(original / "run.sqlite", copy / "run.sqlite");
    }
    auto start = Clock::now();
    report["runs"] = orExit(store::listRuns(runs)).size();
    report["list_first_seconds"] = secondsSince(start);
    start = Clock::now();
    (void)orExit(store::listRuns(runs)).size();
    report["list_again_seconds"] = secondsSince(start);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 4 && std::string(argv[1]) == "--write") {
        Json written;
        writeRun(argv[2], std::atoll(argv[3]), written);
        std::cout << written.dump(2) << '\n';
        return 0;
    }
    std::string folder =
        argc > 1 ? argv[1] : (std::filesystem::temp_directory_path() / "plumbline-bench-XXXXXX").string();
    if (argc <= 1 && ::mkdtemp(folder.data()) == nullptr) {
        std::cerr << "Cannot make " << folder << '\n';
        return 1;
    }
    Json report;
    readRun(writeRun(std::filesystem::path(folder) / "one", 1'000'000, report), report);
    listRuns(std::filesystem::path(folder) / "many", 10'000, report);
    std::cout << report.dump(2) << '\n';
    std::error_code ignored;
    if (argc <= 1) {
        std::filesystem::remove_all(folder, ignored);
    }
    return 0;
}
