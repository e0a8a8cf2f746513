// A disk that hangs and a store that another program has locked: the training thread goes on, nothing grows without
// end, and what is missing is counted and told.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "session/session_sink.h"

namespace plumbline::session {
namespace {

/// A store in memory whose flush does what the test says. It outlives the sink's writer.
struct Disk {
    std::mutex mutex;
    std::condition_variable changed;
    bool hangs = false;
    int lockedFlushes = 0;          ///< so many flushes find it locked; -1 = all
    std::function<void()> thrower;  ///< what a flush throws
    std::size_t handedOver = 0;
    std::size_t mostWaiting = 0, waiting = 0;
    std::vector<Json> events;

    void hang(bool on) {
        {
            const std::scoped_lock lock(mutex);
            hangs = on;
        }
        changed.notify_all();
    }
    std::size_t stored() {
        const std::scoped_lock lock(mutex);
        return handedOver - waiting;
    }
};

class FakeWriter final : public store::RunWriter {
public:
    explicit FakeWriter(Disk& disk) : m_disk(disk) {}
    const std::string& id() const override { return m_id; }
    const std::filesystem::path& folder() const override { return m_folder; }
    int declareSeries(const std::string&, std::int64_t) override { return m_series++; }
    void append(int, const store::StoredPoint&) override {
        const std::scoped_lock lock(m_disk.mutex);
        ++m_disk.handedOver;
        m_disk.mostWaiting = std::max(m_disk.mostWaiting, ++m_disk.waiting);
    }
    Status appendEvent(const Json& event) override {
        const std::scoped_lock lock(m_disk.mutex);
        m_disk.events.push_back(event);
        return {};
    }
    Status putFinding(const diagnostics::Finding&) override { return {}; }
    Status putRecord(const std::string&, const Json&) override { return {}; }
    Result<store::RunInfo> dropAfter(std::int64_t, double) override {
        PLUMBLINE_TRY(flush());
        return store::RunInfo{};
    }
    Status setStatus(const store::RunInfo&) override { return {}; }
    Status flushDurably() override { return flush(); }
    Status flush() override {
        std::unique_lock lock(m_disk.mutex);
        m_disk.changed.wait(lock, [this] { return !m_disk.hangs; });
        if (m_disk.thrower) {
            m_disk.thrower();
        }
        if (m_disk.lockedFlushes != 0) {
            m_disk.lockedFlushes -= m_disk.lockedFlushes > 0 ? 1 : 0;
            return fail(ErrorKind::kMachine, "store-locked", "The run's store is locked by another program", {},
                        "Close it.");
        }
        m_disk.waiting = 0;
        return {};
    }

private:
    Disk& m_disk;
    std::string m_id = "run";
    std::filesystem::path m_folder = "run";
    int m_series = 0;
};

class SlowStore : public ::testing::Test {
protected:
    std::unique_ptr<SessionSink> sink(SessionSink::Limits limits) {
        SessionSink::Callbacks callbacks;
        callbacks.onState = [](RunState) {};
        callbacks.onFinding = [](const diagnostics::Finding&) {};
        callbacks.onFailure = [this] { m_failed = true; };
        auto made = std::make_unique<SessionSink>(std::make_unique<FakeWriter>(m_disk), std::make_unique<EventFile>(),
                                                  std::move(callbacks), store::RunInfo{},
                                                  std::vector<diagnostics::Finding>{}, limits);
        EXPECT_TRUE(made->start());
        m_loss = made->series("train.loss", 1);
        return made;
    }
    void give(SessionSink& to, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            to.metric({m_loss, 1, ++m_step, 0, 1.0});
        }
    }
    static std::vector<std::string> logs(SessionSink& from) {
        std::vector<std::string> texts;
        for (const SessionEvent& event : from.drainEvents()) {
            if (event.kind == SessionEvent::Kind::kEvent && event.event.event == "log") {
                texts.push_back(event.event.data["message"].get<std::string>());
            }
        }
        return texts;
    }
    static bool eventually(const std::function<bool()>& holds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!holds()) {
            if (std::chrono::steady_clock::now() > end) {
                return false;
            }
            std::this_thread::yield();
        }
        return true;
    }

    Disk m_disk;
    SeriesId m_loss = 0;
    std::int64_t m_step = 0;
    std::atomic<bool> m_failed{false};
};

TEST_F(SlowStore, ThatHangsNeitherStopsTheTrainingThreadNorFillsTheMemoryAndWhatIsMissingIsCounted) {
    const auto to = sink({5000, std::chrono::seconds(10)});
    m_disk.hang(true);
    // The training thread hands over far more than may wait; it never waits itself, or this would never end.
    give(*to, 100'000);
    std::size_t shown = 0;
    for (int i = 0; i < 5; ++i) {
        shown += to->drainMetrics().points.size();
        give(*to, 1000);
    }
    EXPECT_GT(shown, 0U) << "a reader goes on seeing values";
    std::vector<std::string> told = logs(*to);
    ASSERT_EQ(told.size(), 1U) << "that it does not keep up is said once, at once";
    EXPECT_NE(told[0].find("does not keep up"), std::string::npos);
    m_disk.hang(false);
    // Values that are passed over while the first ones are being told of are told of by a line of their own.
    std::size_t dropped = 0;
    const auto count = [&] {
        for (const std::string& text : logs(*to)) {
            if (text.find("are not stored") != std::string::npos) {
                dropped += std::stoul(text.substr(text.find(": ") + 2));
            }
        }
        return dropped > 0;
    };
    ASSERT_TRUE(eventually(count));
    ASSERT_TRUE(to->flush());
    EXPECT_TRUE(eventually([&] { return count() && m_disk.stored() + dropped == 105'000U; }))
        << m_disk.stored() << " stored, " << dropped << " dropped";
    EXPECT_FALSE(m_failed);
    EXPECT_GE(m_disk.stored(), 5000U);
    EXPECT_LE(m_disk.mostWaiting, 2 * 5000U);
    give(*to, 10);
    ASSERT_TRUE(to->flush());
    EXPECT_EQ(m_disk.stored() + dropped, 105'010U) << "once the disk answers, everything is stored again";
}

TEST_F(SlowStore, ThatIsLockedForAWhileIsWaitedForAndLosesNothing) {
    const auto to = sink({5000, std::chrono::seconds(20)});
    m_disk.lockedFlushes = 3;
    give(*to, 2000);
    ASSERT_TRUE(to->flush());
    EXPECT_EQ(m_disk.stored(), 2000U);
    EXPECT_FALSE(m_failed);
    const std::vector<std::string> told = logs(*to);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_NE(told[0].find("locked by another program"), std::string::npos);
    EXPECT_TRUE(to->failure());
}

TEST_F(SlowStore, ThatThrowsInTheThreadThatStoresIsAFailureLikeAnyOther) {
    const std::pair<const char*, std::function<void()>> cases[] = {
        {"out-of-memory", [] { throw std::bad_alloc(); }},
        {"store-failed", [] { throw std::runtime_error("it cannot"); }},
        {"store-failed", [] { throw 42; }}};
    for (const auto& [code, thrower] : cases) {
        m_failed = false;
        const auto to = sink({5000, std::chrono::seconds(10)});
        {
            const std::scoped_lock lock(m_disk.mutex);
            m_disk.thrower = thrower;
        }
        give(*to, 10);
        ASSERT_TRUE(eventually([&] { return m_failed.load(); })) << code;
        const Status failure = to->failure();
        ASSERT_FALSE(failure);
        EXPECT_EQ(failure.error().code, code) << toSentence(failure.error());
        EXPECT_FALSE(failure.error().hint.empty());
        const std::scoped_lock lock(m_disk.mutex);
        m_disk.thrower = {};
    }
}

TEST_F(SlowStore, ThatStaysLockedIsAFailureOncePatienceEnds) {
    const auto to = sink({5000, std::chrono::milliseconds(100)});
    m_disk.lockedFlushes = -1;
    give(*to, 100);
    const Status flushed = to->flush();
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error().code, "store-locked");
    EXPECT_TRUE(m_failed);
    m_disk.lockedFlushes = 0;
}

}  // namespace
}  // namespace plumbline::session
