#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <optional>
#include <random>
#include <unordered_map>

#include "core/files.h"
#include "core/random.h"
#include "store/chunk.h"
#include "store/database_path.h"
#include "store/run_store.h"
#include "store/run_summary.h"
#include "store/schema.h"
#include "store/writer_lock.h"

namespace plumbline::store {
namespace {

using Clock = std::chrono::system_clock;

std::tm utc(Clock::time_point when) {
    const std::time_t seconds = Clock::to_time_t(when);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return parts;
}

std::string isoTime(Clock::time_point when) {
    const std::tm t = utc(when);
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(when.time_since_epoch()).count() % 1000;
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
                       t.tm_hour, t.tm_min, t.tm_sec, ms);
}

std::string newId(Clock::time_point when, Random& random) {
    constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
    const std::tm t = utc(when);
    std::string id = fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}-", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
                                 t.tm_hour, t.tm_min, t.tm_sec);
    for (int i = 0; i < 4; ++i) {
        id += kLetters[random.below(kLetters.size())];
    }
    return id;
}

/// Making the folder is what claims the id, so two programs that start in the same second never share one.
Result<std::filesystem::path> makeRunFolder(const std::filesystem::path& runsFolder, Clock::time_point when) {
    PLUMBLINE_TRY(makeFolder(runsFolder));
    std::random_device device;
    Random random((static_cast<std::uint64_t>(device()) << 32U) | device());
    for (;;) {
        std::filesystem::path folder = runsFolder / newId(when, random);
        if (::mkdir(folder.c_str(), 0777) == 0) {
            return folder;
        }
        if (errno != EEXIST) {
            return fail(fileError(errno, "make the folder", folder));
        }
    }
}

/// A stored chunk of fewer than kOpenChunkPoints.
struct OpenChunk {
    std::int64_t row = 0;
    std::vector<StoredPoint> points;
};

struct Series {
    std::string name;
    std::int64_t stride = 1;
    bool stored = false;               ///< with this stride
    std::vector<OpenChunk> open;       ///< the last rows of the series, in order
    std::vector<StoredPoint> pending;  ///< handed over since the last flush
};

/// A chunk of level n holds from 8^n points to fewer than 8^(n+1).
constexpr int levelOf(std::size_t points) {
    int level = 0;
    for (; points >= 8; points /= 8) {
        ++level;
    }
    return level;
}
static_assert(levelOf(kOpenChunkPoints) > levelOf(kOpenChunkPoints - 1));  // all open chunks are of lower levels

/// Place of the first open chunk that is written again, with all behind it and what is pending: the first one that
/// rises to a higher level by it. So each point is written once a level, and a level has at most seven chunks.
std::size_t firstRewritten(const Series& series) {
    std::size_t total = series.pending.size();
    for (const OpenChunk& chunk : series.open) {
        total += chunk.points.size();
    }
    for (std::size_t i = 0; i < series.open.size(); ++i) {
        const std::size_t count = series.open[i].points.size();
        if (levelOf(total) > levelOf(count)) {
            return i;
        }
        total -= count;
    }
    return series.open.size();
}

class SqliteRunWriter final : public RunWriter {
public:
    SqliteRunWriter(std::filesystem::path folder, WriterLock lock)
        : m_lock(std::move(lock)),
          m_folder(std::move(folder)),
          m_file(m_folder / kRunFile),
          m_id(m_folder.filename().string()) {}

    ~SqliteRunWriter() override {
        // Nobody is left to hear of an error; what was flushed before stays readable.
        (void)flush();
        closeWhole();
    }

    Status openDatabase(int flags) {
        Status opened = openWith(flags);
        // SQLite tries again to read what it could not make or write, and says then that it is missing or read-only:
        // what the disk says to a new file is the reason.
        const bool made = (flags & SQLite::OPEN_CREATE) != 0;
        if (opened || (opened.error().code != "file-missing" && opened.error().code != "read-only")) {
            return opened;
        }
        PLUMBLINE_TRY(writeFileAtomically(m_folder / "probe", ""));
        std::error_code ignored;
        std::filesystem::remove(m_folder / "probe", ignored);
        const bool there = std::filesystem::exists(m_file, ignored);
        return opened.error().code == "file-missing" && (made || there) ? Status(fail(fileError(EIO, "write", m_file)))
                                                                        : opened;
    }

    Status openWith(int flags) {
        return guarded(nullptr, m_file, [&]() -> Status {
            m_path = DatabasePath(m_file);
            m_database = m_path.open(SQLite::OPEN_READWRITE | flags, kBusyTimeoutMs);
            return guarded(m_database.get(), m_file, [&]() -> Status {
                m_database->execAndGet("SELECT count(*) FROM sqlite_master");
                // A new database is synced once it is whole (insertRun); an old one has to be safe at each step.
                setSynchronous((flags & SQLite::OPEN_CREATE) != 0 ? "OFF" : "NORMAL");
                m_database->exec("PRAGMA journal_mode = WAL");
                return migrate(*m_database, m_file);
            });
        });
    }

    Status insertRun(const std::string& name, const std::string& started, const Json& definition) {
        PLUMBLINE_TRY(inTransaction([&]() -> Status {
            SQLite::Statement insert(*m_database,
                                     "INSERT INTO run VALUES (1, ?, ?, ?, 'running', 0, 0, 0, 0, 0, '{}', 'null')");
            insert.bind(1, m_id);
            insert.bind(2, name);
            insert.bind(3, started);
            insert.exec();
            return {};
        }));
        PLUMBLINE_TRY(putRecord("definition", definition));
        PLUMBLINE_TRY(flushDurably());
        return guarded(m_database.get(), m_file, [&]() -> Status {
            setSynchronous("FULL");
            m_database->exec("PRAGMA wal_checkpoint(PASSIVE)");
            setSynchronous("NORMAL");
            return {};
        });
    }

    Status loadForReopen() {
        return inTransaction([&]() -> Status {
            SQLite::Statement query(*m_database, "SELECT id, name, stride FROM series ORDER BY id");
            while (query.executeStep()) {
                Series series;
                series.name = columnText(query, 1);
                series.stride = query.getColumn(2).getInt64();
                series.stored = true;
                if (query.getColumn(0).getInt64() != static_cast<std::int64_t>(m_series.size()) + 1) {
                    return fail(corruptStore(m_file, "its series are not numbered from 1"));
                }
                m_byName.emplace(series.name, m_series.size());
                m_series.push_back(std::move(series));
            }
            return {};
        });
    }

    const std::string& id() const override { return m_id; }
    const std::filesystem::path& folder() const override { return m_folder; }

    int declareSeries(const std::string& name, std::int64_t stride) override {
        const auto [known, isNew] = m_byName.try_emplace(name, m_series.size());
        if (isNew) {
            m_series.emplace_back().name = name;
        }
        Series& series = m_series[known->second];
        series.stored = !isNew && series.stored && series.stride == stride;
        series.stride = stride;
        return static_cast<int>(known->second);
    }

    void append(int series, const StoredPoint& point) override {
        m_series[static_cast<std::size_t>(series)].pending.push_back(point);
    }

    Status appendEvent(const Json& event) override {
        m_events.push_back(event);
        return {};
    }

    Status putFinding(const diagnostics::Finding& finding) override {
        m_findings.push_back(finding);
        return {};
    }

    Status putRecord(const std::string& key, const Json& value) override {
        m_records.emplace_back(key, value);
        return {};
    }

    Status setStatus(const RunInfo& info) override {
        m_status = info;
        return {};
    }

    Status flush() override {
        const bool somethingToDo = m_status || !m_events.empty() || !m_findings.empty() || !m_records.empty() ||
                                   std::any_of(m_series.begin(), m_series.end(), [](const Series& series) {
                                       return !series.pending.empty() || !series.stored;
                                   });
        if (!m_database || !somethingToDo) {
            return {};
        }
        // What the transaction changes in memory is kept aside until it has been committed.
        std::vector<Tail> tails;
        PLUMBLINE_TRY(inTransaction([&]() -> Status {
            writeSeries(tails);
            writeEvents();
            writeFindings();
            writeRecords();
            if (m_status) {
                writeStatus(*m_status);
            }
            return {};
        }));
        for (Tail& tail : tails) {
            Series& series = m_series[tail.series];
            series.open.erase(series.open.begin() + static_cast<std::ptrdiff_t>(tail.first), series.open.end());
            if (!tail.chunk.points.empty()) {
                series.open.push_back(std::move(tail.chunk));
            }
            series.pending.clear();
        }
        for (Series& series : m_series) {
            series.stored = true;
        }
        m_events.clear();
        m_findings.clear();
        m_records.clear();
        m_status.reset();
        return {};
    }

    Status flushDurably() override {
        if (!m_database) {
            return {};
        }
        // A commit under FULL syncs the log, and with it every commit before.
        return guarded(m_database.get(), m_file, [&]() -> Status {
            setSynchronous("FULL");
            Status flushed = flush();
            if (flushed && m_unsynced) {
                // Nothing was left to write, but earlier commits were not synced: a commit is made for their sake.
                flushed = inTransaction([&]() -> Status {
                    m_database->exec("UPDATE run SET one = 1");
                    return {};
                });
            }
            setSynchronous("NORMAL");
            return flushed;
        });
    }

    Result<RunInfo> dropAfter(std::int64_t step, double elapsedMs) override {
        PLUMBLINE_TRY(flush());
        RunInfo left;
        const Status dropped = inTransaction([&]() -> Status {
            PLUMBLINE_TRY(splitChunks(step, elapsedMs));
            dropEvents(step, elapsedMs);
            for (const char* sql : {"DELETE FROM chunks WHERE min_step > ?", "DELETE FROM findings WHERE step > ?"}) {
                SQLite::Statement remove(*m_database, sql);
                remove.bind(1, step);
                remove.exec();
            }
            PLUMBLINE_TRY(reopenFindings(step));
            // It speaks of an end that is none any more.
            m_database->exec("DELETE FROM records WHERE key = 'summary'");
            PLUMBLINE_ASSIGN(left, infoOfWhatIsLeft(step, elapsedMs));
            writeStatus(left);
            return {};
        });
        PLUMBLINE_TRY(dropped);
        for (Series& series : m_series) {
            series.open.clear();
        }
        return left;
    }

private:
    /// What a flush has written of a series.
    struct Tail {
        std::size_t series = 0;
        std::size_t first = 0;  ///< the open chunks from here on are gone
        OpenChunk chunk;        ///< in their place; empty where all is written for good
    };

    template <class Work>
    Status inTransaction(Work&& work) {
        return guarded(m_database.get(), m_file, [&]() -> Status {
            SQLite::Transaction transaction(*m_database, SQLite::TransactionBehavior::IMMEDIATE);
            PLUMBLINE_TRY(work());
            transaction.commit();
            m_unsynced = !m_full;
            return {};
        });
    }

    void setSynchronous(const std::string& level) {
        m_database->exec("PRAGMA synchronous = " + level);
        m_full = level == "FULL";
    }

    void writeSeries(std::vector<Tail>& tails) {
        for (std::size_t i = 0; i < m_series.size(); ++i) {
            Series& series = m_series[i];
            if (!series.stored) {
                SQLite::Statement insert(
                    *m_database,
                    "INSERT INTO series VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET stride = excluded.stride");
                insert.bind(1, static_cast<std::int64_t>(i) + 1);
                insert.bind(2, series.name);
                insert.bind(3, series.stride);
                insert.exec();
            }
            if (!series.pending.empty()) {
                tails.push_back(writePoints(i, series));
            }
        }
    }

    Tail writePoints(std::size_t index, Series& series) {
        Tail tail;
        tail.series = index;
        tail.first = firstRewritten(series);
        std::vector<StoredPoint> points;
        for (std::size_t i = tail.first; i < series.open.size(); ++i) {
            points.insert(points.end(), series.open[i].points.begin(), series.open[i].points.end());
        }
        points.insert(points.end(), series.pending.begin(), series.pending.end());
        if (tail.first < series.open.size()) {
            removeChunks(index, series.open[tail.first].row);
        }
        std::size_t begin = 0;
        for (;;) {
            const std::size_t count = std::min(kMaxChunkPoints, points.size() - begin);
            const std::int64_t row = writeChunk(0, index, std::span<const StoredPoint>(points).subspan(begin, count));
            if (begin + count == points.size()) {
                if (count < kOpenChunkPoints) {
                    tail.chunk.row = row;
                    tail.chunk.points.assign(points.begin() + static_cast<std::ptrdiff_t>(begin), points.end());
                    series.open.reserve(tail.first + 1);  // so that nothing can fail once the transaction is committed
                }
                return tail;
            }
            begin += count;
        }
    }

    /// Removes the chunks of a series from row `first` on.
    void removeChunks(std::size_t series, std::int64_t first) {
        SQLite::Statement& statement = prepared(m_removeChunks, "DELETE FROM chunks WHERE series = ? AND id >= ?");
        statement.bind(1, static_cast<std::int64_t>(series) + 1);
        statement.bind(2, first);
        statement.exec();
        statement.reset();
    }

    /// Replaces chunk `row`, or adds one when it is 0. The row's number.
    std::int64_t writeChunk(std::int64_t row, std::size_t series, std::span<const StoredPoint> points) {
        const auto [low, high] = std::minmax_element(
            points.begin(), points.end(), [](const StoredPoint& a, const StoredPoint& b) { return a.step < b.step; });
        const std::string blob = packChunk(points);
        SQLite::Statement& statement = row == 0
                                           ? prepared(m_insertChunk, "INSERT INTO chunks VALUES (NULL, ?, ?, ?, ?, ?)")
                                           : prepared(m_updateChunk,
                                                      "UPDATE chunks SET series = ?, min_step = ?, max_step = ?, "
                                                      "count = ?, data = ? WHERE id = ?");
        statement.bind(1, static_cast<std::int64_t>(series) + 1);
        statement.bind(2, low->step);
        statement.bind(3, high->step);
        statement.bind(4, static_cast<std::int64_t>(points.size()));
        statement.bindNoCopy(5, blob.data(), static_cast<int>(blob.size()));
        if (row != 0) {
            statement.bind(6, row);
        }
        statement.exec();
        statement.reset();
        statement.clearBindings();
        return row != 0 ? row : m_database->getLastInsertRowid();
    }

    SQLite::Statement& prepared(std::optional<SQLite::Statement>& slot, const char* sql) {
        if (!slot) {
            slot.emplace(*m_database, sql);
        }
        slot->tryReset();
        return *slot;
    }

    void writeEvents() {
        for (const Json& event : m_events) {
            SQLite::Statement& insert = prepared(m_insertEvent, "INSERT INTO events VALUES (NULL, ?, ?)");
            insert.clearBindings();
            if (const auto step = event.find("step");
                event.is_object() && step != event.end() && step->is_number_integer()) {
                insert.bind(1, step->get<std::int64_t>());
            }
            insert.bind(2, toText(event));
            insert.exec();
        }
    }

    void writeFindings() {
        for (const diagnostics::Finding& finding : m_findings) {
            SQLite::Statement put(
                *m_database,
                "INSERT INTO findings (id, step, cleared_at, json) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO "
                "UPDATE SET step = excluded.step, cleared_at = excluded.cleared_at, json = excluded.json");
            put.bind(1, finding.id);
            put.bind(2, finding.step);
            if (finding.clearedAt) {
                put.bind(3, *finding.clearedAt);
            }
            put.bind(4, toText(diagnostics::toJson(finding)));
            put.exec();
        }
    }

    void writeRecords() {
        for (const auto& [key, value] : m_records) {
            SQLite::Statement put(*m_database, "INSERT OR REPLACE INTO records VALUES (?, ?)");
            put.bind(1, key);
            put.bind(2, toText(value));
            put.exec();
        }
    }

    void writeStatus(const RunInfo& info) {
        SQLite::Statement update(
            *m_database,
            "UPDATE run SET status = ?, seconds = ?, epochs = ?, steps_attempted = ?, steps_applied = ?, "
            "steps_skipped = ?, metrics = ?, stop_reason = ?");
        update.bind(1, info.status);
        update.bind(2, info.seconds);
        update.bind(3, info.epochs);
        update.bind(4, info.stepsAttempted);
        update.bind(5, info.stepsApplied);
        update.bind(6, info.stepsSkipped);
        update.bind(7, toText(info.metrics.is_null() ? Json::object() : info.metrics));
        update.bind(8, toText(info.stopReason));
        update.exec();
    }

    /// For the run's row. How many steps were skipped no series tells: at most as many as were told of so far.
    Result<RunInfo> infoOfWhatIsLeft(std::int64_t step, double elapsedMs) {
        SQLite::Statement query(*m_database, "SELECT steps_applied, steps_skipped FROM run");
        if (!query.executeStep()) {
            return fail(corruptStore(m_file, "it does not say which run it is"));
        }
        PLUMBLINE_ASSIGN(LastValues last, lastValues(*m_database, m_file));
        RunInfo left;
        left.status = "running";
        left.seconds = elapsedMs / 1000;
        left.epochs = last.epochs;
        left.stepsAttempted = std::max<std::int64_t>(0, step);
        left.stepsApplied = std::min<std::int64_t>(left.stepsAttempted, query.getColumn(0).getInt64());
        left.stepsSkipped =
            std::min<std::int64_t>(left.stepsAttempted - left.stepsApplied, query.getColumn(1).getInt64());
        left.metrics = std::move(last.metrics);
        return left;
    }

    Status splitChunks(std::int64_t step, double elapsedMs) {
        struct Split {
            std::int64_t row = 0;
            std::size_t series = 0;
            std::vector<StoredPoint> points;
        };
        std::vector<Split> splits;
        SQLite::Statement query(*m_database,
                                "SELECT id, series, data FROM chunks WHERE min_step <= ? AND max_step >= ?");
        query.bind(1, step);
        query.bind(2, step);
        while (query.executeStep()) {
            Split split;
            split.row = query.getColumn(0).getInt64();
            split.series = static_cast<std::size_t>(query.getColumn(1).getInt64() - 1);
            const SQLite::Column data = query.getColumn(2);
            PLUMBLINE_TRY(unpackChunk(
                {static_cast<const char*>(data.getBlob()), static_cast<std::size_t>(data.getBytes())}, split.points));
            const std::size_t dropped = std::erase_if(split.points, [&](const StoredPoint& point) {
                return point.step > step || (point.step == step && point.elapsedMs > elapsedMs);
            });
            if (dropped > 0) {
                splits.push_back(std::move(split));
            }
        }
        for (const Split& split : splits) {
            if (!split.points.empty()) {
                writeChunk(split.row, split.series, split.points);
                continue;
            }
            SQLite::Statement remove(*m_database, "DELETE FROM chunks WHERE id = ?");
            remove.bind(1, split.row);
            remove.exec();
        }
        return {};
    }

    /// What the step's checkpoint was followed by, as an epoch's end: it comes again, or was never done. Commands come
    /// again because they are on record, and stay.
    void dropEvents(std::int64_t step, double elapsedMs) {
        // Others than commands are not read: they may hold large tables.
        SQLite::Statement remove(*m_database,
                                 R"(DELETE FROM events WHERE step > ? AND instr(json, '"event":"command"') = 0)");
        remove.bind(1, step);
        remove.exec();
        std::vector<std::int64_t> later;
        SQLite::Statement query(*m_database, "SELECT id, json FROM events WHERE step >= ?");
        query.bind(1, step);
        while (query.executeStep()) {
            const Json event = columnJson(query, 1);
            const std::string kind = event.is_object() ? event.value("event", "") : "";
            const bool isPast = !event.is_object() || event.value("step", step) > step;
            if (kind != "command" && (isPast || (kind != "checkpoint" && event.value("t_ms", 0.0) > elapsedMs))) {
                later.push_back(query.getColumn(0).getInt64());
            }
        }
        for (const std::int64_t id : later) {
            SQLite::Statement removeOne(*m_database, "DELETE FROM events WHERE id = ?");
            removeOne.bind(1, id);
            removeOne.exec();
        }
    }

    Status reopenFindings(std::int64_t step) {
        std::vector<diagnostics::Finding> reopened;
        SQLite::Statement query(*m_database, "SELECT json FROM findings WHERE cleared_at > ?");
        query.bind(1, step);
        while (query.executeStep()) {
            PLUMBLINE_ASSIGN(diagnostics::Finding finding, diagnostics::findingFromJson(columnJson(query, 0)));
            finding.clearedAt.reset();
            reopened.push_back(std::move(finding));
        }
        m_findings = std::move(reopened);
        writeFindings();
        m_findings.clear();
        return {};
    }

    /// Folds the log into run.sqlite, so that the file is whole in itself. Not possible while someone reads; then the
    /// log stays beside it and readers use both.
    void closeWhole() {
        m_insertChunk.reset();
        m_updateChunk.reset();
        m_removeChunks.reset();
        m_insertEvent.reset();
        if (!m_database) {
            return;
        }
        try {
            m_database->setBusyTimeout(0);
            m_database->execAndGet("PRAGMA journal_mode = DELETE");
        } catch (const std::exception&) {
        }
        m_database.reset();
    }

    WriterLock m_lock;
    std::filesystem::path m_folder;
    std::filesystem::path m_file;
    std::string m_id;
    DatabasePath m_path;
    std::unique_ptr<SQLite::Database> m_database;
    std::optional<SQLite::Statement> m_insertChunk, m_updateChunk, m_removeChunks, m_insertEvent;
    std::vector<Series> m_series;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::vector<Json> m_events;
    std::vector<diagnostics::Finding> m_findings;
    std::vector<std::pair<std::string, Json>> m_records;
    std::optional<RunInfo> m_status;
    bool m_full = false;      ///< each commit is synced
    bool m_unsynced = false;  ///< there are commits that a power cut could take back
};

}  // namespace

Result<std::unique_ptr<RunWriter>> RunWriter::create(const std::filesystem::path& runsFolder, const std::string& name,
                                                     const Json& definition) {
    PLUMBLINE_TRY(checkRunName(name));
    const Clock::time_point now = Clock::now();
    PLUMBLINE_ASSIGN(const std::filesystem::path folder, makeRunFolder(runsFolder, now));
    const auto giveUp = [&](Error error) {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
        return fail(std::move(error));
    };
    auto lock = WriterLock::take(folder);
    if (!lock) {
        return giveUp(lock.error());
    }
    auto writer = std::make_unique<SqliteRunWriter>(folder, std::move(*lock));
    if (const Status opened = writer->openDatabase(SQLite::OPEN_CREATE); !opened) {
        writer.reset();
        return giveUp(opened.error());
    }
    if (const Status inserted = writer->insertRun(name, isoTime(now), definition); !inserted) {
        writer.reset();
        return giveUp(inserted.error());
    }
    return std::unique_ptr<RunWriter>(std::move(writer));
}

Result<std::unique_ptr<RunWriter>> RunWriter::reopen(const std::filesystem::path& runFolder) {
    const std::filesystem::path file = runFolder / kRunFile;
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
        return fail(ErrorKind::kInvalid, "run-missing", fmt::format("There is no run in {}", runFolder.string()),
                    runFolder.string(), "Look at the list of runs for its id.");
    }
    PLUMBLINE_ASSIGN(WriterLock lock, WriterLock::take(runFolder));
    auto writer = std::make_unique<SqliteRunWriter>(runFolder, std::move(lock));
    PLUMBLINE_TRY(writer->openDatabase(0));
    PLUMBLINE_TRY(writer->loadForReopen());
    return std::unique_ptr<RunWriter>(std::move(writer));
}

}  // namespace plumbline::store
