#include <fmt/format.h>
#include <limits>

#include "store/run_store.h"
#include "store/run_summary.h"
#include "store/schema.h"

namespace plumbline::store {
namespace {

/// As JSON in memory an event takes several times as much.
constexpr int kMostEventBytes = 64'000'000;

class SqliteRunReader final : public RunReader {
public:
    SqliteRunReader(std::filesystem::path folder, std::unique_ptr<ReadConnection> connection)
        : m_folder(std::move(folder)), m_file(m_folder / kRunFile), m_connection(std::move(connection)) {}

    Result<RunInfo> info() const override {
        return read([&]() -> Result<RunInfo> { return summarise(database(), m_folder); });
    }

    Result<std::vector<StoredSeries>> series() const override {
        return read([&]() -> Result<std::vector<StoredSeries>> {
            std::vector<StoredSeries> all;
            SQLite::Statement query(
                database(),
                "SELECT name, stride, coalesce((SELECT sum(count) FROM chunks WHERE chunks.series = "
                "series.id), 0) FROM series ORDER BY id");
            while (query.executeStep()) {
                all.push_back({columnText(query, 0), query.getColumn(1).getInt64(), query.getColumn(2).getInt64()});
            }
            return all;
        });
    }

    Status points(const std::string& series, const std::function<void(const StoredPoint&)>& each) const override {
        return pointsBetween(series, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
                             each);
    }

    Status pointsBetween(const std::string& series, std::int64_t firstStep, std::int64_t lastStep,
                         const std::function<void(const StoredPoint&)>& each) const override {
        return read([&]() -> Status { return readPoints(database(), m_file, series, firstStep, lastStep, each); });
    }

    Result<std::vector<diagnostics::Finding>> findings() const override {
        return read([&]() -> Result<std::vector<diagnostics::Finding>> {
            std::vector<diagnostics::Finding> all;
            SQLite::Statement query(database(), "SELECT json FROM findings ORDER BY ordinal");
            while (query.executeStep()) {
                auto finding = diagnostics::findingFromJson(columnJson(query, 0));
                if (!finding) {
                    return fail(corruptStore(m_file, finding.error().message));
                }
                all.push_back(std::move(*finding));
            }
            return all;
        });
    }

    Result<std::vector<Json>> events() const override {
        return read([&]() -> Result<std::vector<Json>> {
            SQLite::Statement query(database(), "SELECT json FROM events ORDER BY id");
            return allOf(query);
        });
    }

    Result<std::int64_t> newestEventNumber() const override {
        return read([&]() -> Result<std::int64_t> {
            SQLite::Statement query(database(), "SELECT coalesce(max(id), 0) FROM events");
            query.executeStep();
            return query.getColumn(0).getInt64();
        });
    }

    Result<std::vector<Json>> eventsOfKind(const std::string& kind, std::int64_t after,
                                           std::int64_t last) const override {
        return read([&]() -> Result<std::vector<Json>> {
            SQLite::Statement query(
                database(), "SELECT json FROM events WHERE id > ? AND id <= ? AND instr(json, ?) > 0 ORDER BY id");
            query.bind(1, after);
            query.bind(2, last);
            query.bind(3, memberOf(kind));
            PLUMBLINE_ASSIGN(std::vector<Json> all, allOf(query));
            std::erase_if(all, [&](const Json& event) { return !isOfKind(event, kind); });
            return all;
        });
    }

    Result<Json> newestEvent(const std::string& kind) const override {
        return read([&]() -> Result<Json> {
            SQLite::Statement query(database(), "SELECT json FROM events WHERE instr(json, ?) > 0 ORDER BY id DESC");
            query.bind(1, memberOf(kind));
            while (query.executeStep()) {
                if (Json event = columnJson(query, 0); isOfKind(event, kind)) {
                    return event;
                }
            }
            return Json(nullptr);
        });
    }

    Result<Json> record(const std::string& key) const override {
        return read([&]() -> Result<Json> {
            SQLite::Statement query(database(), "SELECT value FROM records WHERE key = ?");
            query.bind(1, key);
            return query.executeStep() ? columnJson(query, 0) : Json(nullptr);
        });
    }

private:
    Result<std::vector<Json>> allOf(SQLite::Statement& query) const {
        std::vector<Json> all;
        while (query.executeStep()) {
            if (const int bytes = query.getColumn(0).getBytes(); bytes > kMostEventBytes) {
                return fail(ErrorKind::kInvalid, "event-too-large",
                            fmt::format("An event of the run takes {} MB, and at most {} MB of one are read",
                                        bytes / 1'000'000, kMostEventBytes / 1'000'000),
                            m_file.string(), "Measure tables of fewer classes, as confusion_matrix.");
            }
            all.push_back(columnJson(query, 0));
        }
        return all;
    }
    /// As it stands in the text of an event: quotes within a text are escaped there. Another member may have the same
    /// text.
    static std::string memberOf(const std::string& kind) { return fmt::format("\"event\":\"{}\"", kind); }
    static bool isOfKind(const Json& event, const std::string& kind) {
        return event.is_object() && event.value("event", Json()) == Json(kind);
    }
    SQLite::Database& database() const { return m_connection->database(); }

    template <class Work>
    auto read(Work&& work) const -> decltype(work()) {
        return guarded(&database(), m_file, std::forward<Work>(work));
    }

    std::filesystem::path m_folder;
    std::filesystem::path m_file;
    std::unique_ptr<ReadConnection> m_connection;
};

}  // namespace

Result<std::unique_ptr<RunReader>> RunReader::open(const std::filesystem::path& runFolder) {
    const std::filesystem::path file = runFolder / kRunFile;
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
        return fail(ErrorKind::kInvalid, "run-missing", fmt::format("There is no run in {}", runFolder.string()),
                    runFolder.string(), "Look at the list of runs for its id.");
    }
    PLUMBLINE_ASSIGN(auto connection, ReadConnection::open(file));
    PLUMBLINE_TRY(guarded(nullptr, file, [&] { return checkVersion(connection->database(), file); }));
    return std::unique_ptr<RunReader>(std::make_unique<SqliteRunReader>(runFolder, std::move(connection)));
}

}  // namespace plumbline::store
