#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <thread>

#include "core/random.h"
#include "data/dataset.h"

namespace plumbline::data {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kStopPoll{20};

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Batches are numbered through all epochs (tickets). A worker takes the next ticket while fewer than prefetchBatches
/// are ready or in the making, and next() hands them over in the order of tickets. What is in a batch follows from its
/// ticket.
class WorkerLoader final : public Loader {
public:
    WorkerLoader(std::shared_ptr<const Dataset> dataset, const LoaderOptions& options)
        : m_dataset(std::move(dataset)), m_options(options), m_samples(m_dataset->size(options.split)) {
        const std::int64_t whole = m_samples / options.batchSize;
        m_batchesPerEpoch = options.dropLast || whole * options.batchSize == m_samples ? whole : whole + 1;
        const bool ends =
            options.epochs > 0 && options.epochs < INT64_MAX / std::max<std::int64_t>(m_batchesPerEpoch, 1);
        m_lastTicket = ends ? options.epochs * m_batchesPerEpoch : INT64_MAX;
        m_slots.resize(static_cast<std::size_t>(options.prefetchBatches));
    }

    ~WorkerLoader() override {
        {
            const std::scoped_lock lock(m_mutex);
            m_quit = true;
            m_abandon = true;
        }
        m_workMayBeThere.notify_all();
        for (std::thread& worker : m_workers) {
            worker.join();
        }
    }

    Status start() {
        try {
            for (std::int64_t i = 0; i < m_options.workers && m_batchesPerEpoch > 0; ++i) {
                m_workers.emplace_back([this] { work(); });
            }
        } catch (const std::exception& error) {
            return fail(ErrorKind::kMachine, "no-threads",
                        fmt::format("Cannot start {} loader threads: {}", m_options.workers, error.what()), {},
                        "Lower data.loader.workers.");
        }
        return {};
    }

    void seek(LoaderState state) override {
        std::unique_lock lock(m_mutex);
        ++m_generation;
        m_error.reset();
        for (Slot& slot : m_slots) {
            if (slot.ready) {
                giveBack(std::move(slot.batch));
                slot.ready = false;
                --m_outstanding;
            }
        }
        m_readyBytes = 0;
        m_epoch = state.epoch;
        m_batch = std::clamp<std::int64_t>(state.batch, 0, m_batchesPerEpoch);
        m_nextTicket = m_epoch * m_batchesPerEpoch + m_batch;
        m_started = true;
        lock.unlock();
        m_workMayBeThere.notify_all();
    }

    Result<std::optional<HostBatch>> next(RunControl* control) override;

    std::int64_t batchesPerEpoch() const override { return m_batchesPerEpoch; }
    LoaderState state() const override { return {m_epoch, m_batch}; }
    double lastWaitMs() const override { return m_lastWaitMs; }
    std::size_t prefetchedBytes() const override {
        const std::scoped_lock lock(m_mutex);
        return m_readyBytes;
    }
    void recycle(HostBatch&& batch) override {
        const std::scoped_lock lock(m_mutex);
        giveBack(std::move(batch));
    }

private:
    using Order = std::vector<std::int64_t>;
    struct Slot {
        bool ready = false;
        HostBatch batch;
        std::optional<Error> error;
    };

    void work();
    Status make(std::int64_t ticket, HostBatch& batch, RunControl* control);
    std::shared_ptr<const Order> orderOf(std::int64_t epoch);
    Slot& slotOf(std::int64_t ticket) { return m_slots[static_cast<std::size_t>(ticket % m_options.prefetchBatches)]; }
    HostBatch takeSpare() {
        if (m_spare.empty()) {
            return {};
        }
        HostBatch batch = std::move(m_spare.back());
        m_spare.pop_back();
        return batch;
    }
    void giveBack(HostBatch&& batch) {
        if (m_spare.size() < m_slots.size() + 2) {
            m_spare.push_back(std::move(batch));
        }
    }

    const std::shared_ptr<const Dataset> m_dataset;
    const LoaderOptions m_options;
    const std::int64_t m_samples;
    std::int64_t m_batchesPerEpoch = 0;

    // Touched by the thread of next() alone.
    std::int64_t m_epoch = 0;
    std::int64_t m_batch = 0;
    double m_lastWaitMs = 0;

    mutable std::mutex m_mutex;
    std::condition_variable m_workMayBeThere;
    std::condition_variable m_batchReady;
    std::vector<Slot> m_slots;  ///< by ticket modulo prefetchBatches
    std::vector<HostBatch> m_spare;
    std::int64_t m_nextTicket = 0;
    std::int64_t m_outstanding = 0;  ///< ready or in the making, of any generation
    std::uint64_t m_generation = 0;  ///< changes with seek(); what was made for an older one is thrown away
    std::size_t m_readyBytes = 0;
    std::optional<Error> m_error;
    std::int64_t m_lastTicket = 0;  ///< one past what the workers make ahead
    bool m_started = false;
    bool m_quit = false;
    std::atomic<bool> m_abandon{false};

    std::mutex m_orderMutex;
    std::map<std::int64_t, std::shared_ptr<const Order>> m_orders;  ///< the epochs in work

    std::vector<std::thread> m_workers;
};

std::shared_ptr<const WorkerLoader::Order> WorkerLoader::orderOf(std::int64_t epoch) {
    if (m_options.noShufflePerEpoch) {
        epoch = 0;
    }
    const std::scoped_lock lock(m_orderMutex);
    auto& order = m_orders[epoch];
    if (order == nullptr) {
        Order positions(static_cast<std::size_t>(m_samples));
        if (m_options.shuffle) {
            Random random(deriveSeed(m_options.seed, "shuffle", static_cast<std::uint64_t>(epoch)));
            positions = permutation(m_samples, random);
        } else {
            for (std::int64_t i = 0; i < m_samples; ++i) {
                positions[static_cast<std::size_t>(i)] = i;
            }
        }
        order = std::make_shared<const Order>(std::move(positions));
        // Workers are at most a window ahead; the order of an epoch long past is made again if it is ever wanted.
        while (m_orders.size() > 2 && m_orders.begin()->first < epoch) {
            m_orders.erase(m_orders.begin());
        }
    }
    return m_orders[epoch];
}

Status WorkerLoader::make(std::int64_t ticket, HostBatch& batch, RunControl* control) {
    try {
        const std::int64_t epoch = ticket / m_batchesPerEpoch;
        const std::int64_t index = ticket % m_batchesPerEpoch;
        const std::shared_ptr<const Order> order = orderOf(m_options.shuffle ? epoch : 0);
        const std::int64_t first = index * m_options.batchSize;
        const std::int64_t count = std::min(m_options.batchSize, m_samples - first);
        BatchRequest request;
        request.split = m_options.split;
        request.positions = std::span(*order).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        request.augment = m_options.augment;
        request.abandon = &m_abandon;
        request.control = control;
        if (m_options.sameWorkerSeed) {
            // The mistake as it is usually made: every worker starts from the same state in every epoch, so that the
            // n-th batch of one worker is augmented as the n-th of any other.
            request.drawBySlot = true;
            request.seed = deriveSeed(m_options.seed, "same-worker",
                                      static_cast<std::uint64_t>(index / std::max<std::int64_t>(m_options.workers, 1)));
        } else {
            request.seed = deriveSeed(m_options.seed, "epoch", static_cast<std::uint64_t>(epoch));
        }
        PLUMBLINE_TRY(m_dataset->fillBatch(request, batch));
        batch.epoch = epoch;
        batch.index = index;
        return {};
    } catch (const std::bad_alloc&) {
        return fail(ErrorKind::kMachine, "out-of-memory", "There is not enough memory for the next batch", {},
                    "Lower data.loader.batch_size or prefetch_batches.");
    } catch (const std::exception& error) {
        return fail(ErrorKind::kRunFailed, "loader-failed", fmt::format("Making a batch failed: {}", error.what()));
    }
}

void WorkerLoader::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_workMayBeThere.wait(lock, [&] {
            return m_quit ||
                   (m_started && !m_error && m_outstanding < m_options.prefetchBatches && m_nextTicket < m_lastTicket);
        });
        if (m_quit) {
            return;
        }
        const std::int64_t ticket = m_nextTicket++;
        const std::uint64_t generation = m_generation;
        ++m_outstanding;
        HostBatch batch = takeSpare();
        lock.unlock();
        Status status = make(ticket, batch, nullptr);
        lock.lock();
        if (generation != m_generation) {
            --m_outstanding;
            giveBack(std::move(batch));
            continue;
        }
        Slot& slot = slotOf(ticket);
        slot.ready = true;
        slot.error.reset();
        if (status) {
            m_readyBytes += batch.byteCount();
        } else {
            slot.error = std::move(status).error();
        }
        slot.batch = std::move(batch);
        m_batchReady.notify_one();
    }
}

Result<std::optional<HostBatch>> WorkerLoader::next(RunControl* control) {
    if (!m_started) {
        seek({});
    }
    m_lastWaitMs = 0;
    if (m_options.epochs > 0 && m_epoch >= m_options.epochs) {
        return std::nullopt;
    }
    if (m_batch >= m_batchesPerEpoch) {
        ++m_epoch;
        m_batch = 0;
        return std::nullopt;
    }
    const auto stopped = [&] { return control != nullptr && control->stopRequested(); };
    const auto stopError = [] { return fail(ErrorKind::kInterrupted, "stopped", "Stopped while waiting for a batch"); };
    if (stopped()) {
        return stopError();
    }
    const std::int64_t ticket = m_epoch * m_batchesPerEpoch + m_batch;
    HostBatch batch;
    if (m_workers.empty()) {
        if (m_error) {
            return fail(*m_error);
        }
        {
            const std::scoped_lock lock(m_mutex);
            batch = takeSpare();
        }
        const Clock::time_point start = Clock::now();
        const Status status = make(ticket, batch, control);
        m_lastWaitMs = millisecondsSince(start);
        if (!status) {
            if (!stopped()) {
                m_error = status.error();
            }
            return fail(status.error());
        }
    } else {
        std::unique_lock lock(m_mutex);
        if (m_error) {
            return fail(*m_error);
        }
        Slot& slot = slotOf(ticket);
        if (!slot.ready) {
            const Clock::time_point start = Clock::now();
            while (!m_batchReady.wait_for(lock, kStopPoll, [&] { return slot.ready; })) {
                if (stopped()) {
                    m_lastWaitMs = millisecondsSince(start);
                    return stopError();
                }
            }
            m_lastWaitMs = millisecondsSince(start);
        }
        slot.ready = false;
        --m_outstanding;
        if (slot.error) {
            m_error = std::move(slot.error);
            return fail(*m_error);
        }
        batch = std::move(slot.batch);
        m_readyBytes -= batch.byteCount();
        lock.unlock();
        m_workMayBeThere.notify_one();
    }
    ++m_batch;
    return batch;
}

}  // namespace

Result<std::unique_ptr<Loader>> makeLoader(std::shared_ptr<const Dataset> dataset, const LoaderOptions& options) {
    const auto invalid = [](std::string_view what, std::int64_t value) {
        return fail(ErrorKind::kInvalid, "out-of-range", fmt::format("{} cannot be {}", what, value), "/data/loader",
                    "Give at least 1 to a batch and to the prefetch, and from 0 to 1024 workers.");
    };
    if (options.batchSize < 1) {
        return invalid("batch_size", options.batchSize);
    }
    if (options.workers < 0 || options.workers > 1024) {
        return invalid("workers", options.workers);
    }
    if (options.prefetchBatches < 1) {
        return invalid("prefetch_batches", options.prefetchBatches);
    }
    const std::int64_t samples = dataset->size(options.split);
    if (options.dropLast && samples > 0 && samples < options.batchSize) {
        return fail(ErrorKind::kInvalid, "no-batches",
                    fmt::format("The {} split has {} samples, fewer than a batch of {}, and drop_last drops them all",
                                toString(options.split), samples, options.batchSize),
                    "/data/loader", "Lower batch_size, or set drop_last to false.");
    }
    auto loader = std::make_unique<WorkerLoader>(std::move(dataset), options);
    PLUMBLINE_TRY(loader->start());
    return loader;
}

}  // namespace plumbline::data
