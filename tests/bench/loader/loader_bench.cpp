// How many samples a second the loader hands over, from memory: prints one JSON document.
//     loader_bench [SAMPLES [FEATURES [BATCH [WORKERS [SECONDS]]]]]
// "copied" has no transforms, "normalized" are bytes that become standardised float32.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <vector>

#include "core/json.h"
#include "data/opened_dataset.h"
#include "data/transform.h"

namespace plumbline::data {
namespace {

/// Rows of float32 or bytes, and a class each.
class MemorySource final : public Source {
public:
    MemorySource(std::int64_t rows, std::int64_t features, DType dtype) : m_rows(rows) {
        m_fields.resize(2);
        m_fields[0].name = "x";
        m_fields[0].type.dtype = dtype;
        m_fields[0].type.dims = {1, 1, features};
        m_fields[1].name = "y";
        m_fields[1].type.dtype = DType::kInt64;
        m_fields[1].type.classes = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
        m_bytes.resize(static_cast<std::size_t>(rows) * m_fields[0].type.byteCount());
        for (std::size_t i = 0; dtype == DType::kUInt8 && i < m_bytes.size(); ++i) {
            m_bytes[i] = static_cast<std::byte>(i * 2654435761U >> 13);
        }
    }
    std::int64_t size() const override { return m_rows; }
    const std::vector<Field>& fields() const override { return m_fields; }
    const std::byte* view(std::size_t field, std::int64_t row) const override {
        return field == 0 ? m_bytes.data() + static_cast<std::size_t>(row) * m_fields[0].type.byteCount() : nullptr;
    }
    Status read(std::size_t, std::int64_t row, std::byte* out) const override {
        const std::int64_t label = row % 10;
        std::memcpy(out, &label, sizeof(label));
        return {};
    }
    std::uint64_t contentHash() const override { return 0; }
    std::size_t residentBytes() const override { return m_bytes.size(); }
    Status parse(const std::string&, const std::vector<std::size_t>&, const std::vector<std::byte*>&) const override {
        return {};
    }

private:
    std::int64_t m_rows;
    std::vector<Field> m_fields;
    std::vector<std::byte> m_bytes;
};

struct Speed {
    double wall = 0;  ///< samples a second
    double cpu = 0;  ///< samples a second of processor time, all threads together: what a busy machine does not disturb
};

double processCpuSeconds() {
    std::timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

Result<Speed> measure(std::int64_t rows, std::int64_t features, DType dtype, const Json& transforms,
                      LoaderOptions options, double seconds) {
    PLUMBLINE_ASSIGN(DataSpec spec, readDataSpec(Json{{"splits", {{"train", 1.0}}}}));
    FeedSpec input;
    input.name = "x";
    input.from = {"s.x"};
    input.transforms = transforms;
    FeedSpec target;
    target.name = "y";
    target.from = {"s.y"};
    target.transforms = Json::array();
    spec.inputs = {input};
    spec.targets = {target};
    NamedSources sources;
    sources.emplace_back("s", std::make_unique<MemorySource>(rows, features, dtype));
    PLUMBLINE_ASSIGN(const auto dataset, makeDataset(spec, std::move(sources)));
    PLUMBLINE_ASSIGN(const auto loader, makeLoader(dataset, options));
    using Clock = std::chrono::steady_clock;
    Speed best;
    for (int repeat = 0; repeat < 5; ++repeat) {
        std::int64_t samples = 0;
        const Clock::time_point start = Clock::now();
        const double cpuStart = processCpuSeconds();
        double elapsed = 0;
        while ((elapsed = std::chrono::duration<double>(Clock::now() - start).count()) < seconds) {
            PLUMBLINE_ASSIGN(std::optional<HostBatch> batch, loader->next());
            if (batch) {
                samples += batch->size();
                loader->recycle(std::move(*batch));
            }
        }
        best.wall = std::max(best.wall, static_cast<double>(samples) / elapsed);
        best.cpu = std::max(best.cpu, static_cast<double>(samples) / (processCpuSeconds() - cpuStart));
    }
    return best;
}

int run(int argc, char** argv) {
    const auto argument = [&](int at, double fallback) { return argc > at ? std::atof(argv[at]) : fallback; };
    const auto rows = static_cast<std::int64_t>(argument(1, 60000));
    const auto features = static_cast<std::int64_t>(argument(2, 784));
    LoaderOptions options;
    options.batchSize = static_cast<std::int64_t>(argument(3, 256));
    options.workers = static_cast<std::int64_t>(argument(4, 2));
    options.shuffle = true;
    const double seconds = argument(5, 0.5);
    Json report = {
        {"samples", rows}, {"features", features}, {"batch_size", options.batchSize}, {"workers", options.workers}};
    const Json normalize = Json::array({{{"type", "normalize"}, {"mean", 33.0}, {"std", 78.0}}});
    const auto copied = measure(rows, features, DType::kFloat32, Json::array(), options, seconds);
    const auto normalized = measure(rows, features, DType::kUInt8, normalize, options, seconds);
    if (!copied || !normalized) {
        std::fprintf(stderr, "%s\n", toSentence(copied ? normalized.error() : copied.error()).c_str());
        return 1;
    }
    report["samples_per_second"] = copied->wall;
    report["samples_per_cpu_second"] = copied->cpu;
    report["normalized"] = {{"samples_per_second", normalized->wall}, {"samples_per_cpu_second", normalized->cpu}};
    std::printf("%s\n", report.dump(2).c_str());
    return 0;
}

}  // namespace
}  // namespace plumbline::data

int main(int argc, char** argv) {
    return plumbline::data::run(argc, argv);
}
