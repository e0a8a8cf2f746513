// What the worker sweep of `plumbline tune-loader` chooses for sources that are slow in a known way. Prints JSON.
//     tune_bench [SECONDS A POINT]
// "waits": each sample costs 2 ms of waiting, as from a disk far away: more workers help until the source serves no
// more than four at once. "computes": each sample costs 0.2 ms of computing: there is no gain beyond the cores.

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include "bench/bench.h"
#include "data/opened_dataset.h"

namespace plumbline::data {
namespace {

constexpr auto kWait = std::chrono::milliseconds(2);
constexpr auto kWork = std::chrono::microseconds(200);
constexpr int kServedAtOnce = 4;

class SlowSource final : public Source {
public:
    explicit SlowSource(bool waits) : m_waits(waits) {
        m_fields.resize(2);
        m_fields[0].name = "x";
        m_fields[0].type.dtype = DType::kFloat32;
        m_fields[0].type.dims = {1, 8, 8};
        m_fields[1].name = "y";
        m_fields[1].type.dtype = DType::kInt64;
        m_fields[1].type.classes = {"a", "b"};
    }
    std::int64_t size() const override { return 100'000; }
    const std::vector<Field>& fields() const override { return m_fields; }
    bool readsFilesLater() const override { return true; }
    Status read(std::size_t field, std::int64_t row, std::byte* out) const override {
        std::memset(out, 0, m_fields[field].type.byteCount());
        if (field == 1) {
            const std::int64_t label = row % 2;
            std::memcpy(out, &label, sizeof label);
        } else {
            m_waits ? wait() : compute();
        }
        return {};
    }
    std::uint64_t contentHash() const override { return 0; }
    std::size_t residentBytes() const override { return 0; }
    Status parse(const std::string&, const std::vector<std::size_t>&, const std::vector<std::byte*>&) const override {
        return {};
    }

private:
    void wait() const {
        std::unique_lock lock(m_mutex);
        m_freed.wait(lock, [this] { return m_served < kServedAtOnce; });
        ++m_served;
        lock.unlock();
        std::this_thread::sleep_for(kWait);
        lock.lock();
        --m_served;
        m_freed.notify_one();
    }
    static void compute() {
        const double until = bench::threadMilliseconds() + std::chrono::duration<double, std::milli>(kWork).count();
        while (bench::threadMilliseconds() < until) {
        }
    }

    bool m_waits;
    std::vector<Field> m_fields;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_freed;
    mutable int m_served = 0;
};

Json tune(bool waits, double seconds) {
    auto spec = readDataSpec(Json{{"splits", {{"train", 1.0}}}});
    FeedSpec input, target;
    input.name = "x";
    input.from = {"s.x"};
    target.name = "y";
    target.from = {"s.y"};
    input.transforms = target.transforms = Json::array();
    spec->inputs = {input};
    spec->targets = {target};
    NamedSources sources;
    sources.emplace_back("s", std::make_unique<SlowSource>(waits));
    const auto dataset = makeDataset(*spec, std::move(sources));
    if (!dataset) {
        return {{"error", toSentence(dataset.error())}};
    }
    LoaderOptions options;
    options.batchSize = 8;
    options.prefetchBatches = 4;
    const auto tuned = tuneLoader(*dataset, options, seconds, nullptr);
    if (!tuned) {
        return {{"error", toSentence(tuned.error())}};
    }
    Json sweep = Json::array();
    for (const SweepPoint& point : tuned->sweep) {
        sweep.push_back(
            {{"workers", point.workers}, {"samples_per_second", point.samplesPerSecond}, {"spread", point.spread}});
    }
    return {{"chosen", tuned->chosen},
            {"limited_by", tuned->limitedBy},
            {"explanation", tuned->explanation},
            {"sweep", sweep}};
}

}  // namespace
}  // namespace plumbline::data

int main(int argc, char** argv) {
    using namespace plumbline;
    const double seconds = argc > 1 ? std::atof(argv[1]) : 1.0;
    return bench::print({{"cores", std::thread::hardware_concurrency()},
                         {"waits", data::tune(true, seconds)},
                         {"computes", data::tune(false, seconds)}});
}
