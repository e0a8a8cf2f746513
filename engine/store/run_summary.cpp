#include "store/run_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "store/chunk.h"
#include "store/schema.h"
#include "store/writer_lock.h"

namespace plumbline::store {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

struct Wanted {
    std::string series = "val.loss";
    bool isMax = false;
};

Json recordOf(SQLite::Database& database, const char* key) {
    SQLite::Statement query(database, "SELECT value FROM records WHERE key = ?");
    query.bind(1, key);
    return query.executeStep() ? columnJson(query, 0) : Json();
}

/// A stated mode; else what the run has put down as its settings; before it has, losses are better small and the rest
/// large.
bool isLargerBetter(SQLite::Database& database, const std::string& stated, const char* setting,
                    const std::string& series) {
    std::string mode = stated;
    if (mode != "min" && mode != "max") {
        const Json settings = recordOf(database, "settings");
        const auto found = settings.is_object() ? settings.find(setting) : settings.end();
        mode = settings.is_object() && found != settings.end() && found->is_string() ? found->get<std::string>() : "";
    }
    return mode == "max" || (mode != "min" && series.find("loss") == std::string::npos);
}

std::optional<Wanted> wantedBest(SQLite::Database& database) {
    SQLite::Statement query(database, "SELECT value FROM records WHERE key = 'definition'");
    if (!query.executeStep()) {
        return std::nullopt;
    }
    const auto definition = parseJson(columnText(query, 0), "definition");
    // Early stopping that restores the best chooses it where checkpoints.best does not.
    const Json::json_pointer best("/training/checkpoints/best"), early("/training/early_stopping");
    const auto wanted = [&](const Json::json_pointer& pointer, const char* setting) -> std::optional<Wanted> {
        const Json chosen =
            definition && definition->is_object() && definition->contains(pointer) ? definition->at(pointer) : Json();
        if (!chosen.is_object() || !chosen.contains("series") || !chosen["series"].is_string()) {
            return std::nullopt;
        }
        const auto mode = chosen.find("mode");
        const auto series = chosen["series"].get<std::string>();
        return Wanted{
            series, isLargerBetter(database, mode != chosen.end() && mode->is_string() ? mode->get<std::string>() : "",
                                   setting, series)};
    };
    const auto stated = wanted(best, "training.checkpoints.best.mode");
    const bool restores = definition && definition->is_object() && definition->contains(early) &&
                          definition->at(early).is_object() && definition->at(early).contains("restore_best") &&
                          definition->at(early)["restore_best"] == true;
    return stated || !restores ? stated : wanted(early, "training.early_stopping.mode");
}

/// The event of each epoch's end, in order.
void eachEpoch(SQLite::Database& database, const std::function<void(const Json&)>& each) {
    SQLite::Statement query(database, "SELECT json FROM events WHERE json LIKE '%\"event\":\"epoch\"%' ORDER BY id");
    while (query.executeStep()) {
        const Json event = columnJson(query, 0);
        if (event.value("event", "") == "epoch") {
            each(event);
        }
    }
}

/// "train.loss" has a point a step; what the best checkpoint is chosen by is its mean over an epoch, which the epoch's
/// event tells.
void eachEpochMean(SQLite::Database& database, const std::string& series,
                   const std::function<void(const StoredPoint&)>& each) {
    eachEpoch(database, [&](const Json& event) {
        const Json metrics = event.value("metrics", Json::object());
        if (metrics.contains(series) && metrics[series].is_number()) {
            each({event.value("step", std::int64_t{0}), event.value("epoch", 0), event.value("t_ms", 0.0),
                  metrics[series].get<double>()});
        }
    });
}

void readParent(SQLite::Database& database, RunInfo& info) {
    SQLite::Statement query(database, "SELECT value FROM records WHERE key = 'choices'");
    if (!query.executeStep()) {
        return;
    }
    const Json choices = columnJson(query, 0);
    const auto parent = choices.is_object() ? choices.find("parent") : choices.end();
    if (parent != choices.end() && parent->is_object()) {
        info.parent = parent->value("run", "");
        info.parentStep = parent->value("step", std::int64_t{0});
    }
}

Result<bool> findBest(SQLite::Database& database, const std::filesystem::path& file, const Wanted& wanted,
                      RunInfo& info) {
    std::optional<double> best;
    const auto take = [&](const StoredPoint& point) {
        // What is not finite is never the best: no checkpoint is chosen by it.
        if (std::isfinite(point.value) && (!best || (wanted.isMax ? point.value > *best : point.value < *best))) {
            best = point.value;
        }
    };
    if (wanted.series == "train.loss") {
        eachEpochMean(database, wanted.series, take);
    } else {
        PLUMBLINE_TRY(readPoints(database, file, wanted.series, kFirst, kLast, take));
    }
    if (best) {
        info.bestSeries = wanted.series;
        info.best = best;
        info.bestIsMax = wanted.isMax;
    }
    return best.has_value();
}

void readOpenFindings(SQLite::Database& database, RunInfo& info) {
    constexpr std::array<std::string_view, 3> kRising = {"info", "warning", "critical"};
    std::size_t worst = 0;
    SQLite::Statement query(database, "SELECT json FROM findings WHERE cleared_at IS NULL");
    while (query.executeStep()) {
        ++info.openFindings;
        const Json finding = columnJson(query, 0);
        if (!finding.is_object()) {
            continue;
        }
        const Json severity = finding.value("severity", Json());
        worst = std::max(
            worst, static_cast<std::size_t>(std::find(kRising.begin(), kRising.end(), severity) - kRising.begin()) %
                       kRising.size());
        info.criticalFindings += severity == "critical" && finding.value("cause", Json("")) == "" ? 1 : 0;
    }
    info.worstFinding = info.openFindings > 0 ? kRising[worst] : "";
}

}  // namespace

Status readPoints(SQLite::Database& database, const std::filesystem::path& file, const std::string& series,
                  std::int64_t firstStep, std::int64_t lastStep, const std::function<void(const StoredPoint&)>& each) {
    SQLite::Statement query(
        database,
        "SELECT chunks.data FROM chunks JOIN series ON series.id = chunks.series WHERE series.name = ? "
        "AND max_step >= ? AND min_step <= ? ORDER BY chunks.id");
    query.bind(1, series);
    query.bind(2, firstStep);
    query.bind(3, lastStep);
    std::vector<StoredPoint> points;
    while (query.executeStep()) {
        const SQLite::Column data = query.getColumn(0);
        points.clear();
        const std::string_view blob(static_cast<const char*>(data.getBlob()),
                                    static_cast<std::size_t>(data.getBytes()));
        if (const Status unpacked = unpackChunk(blob, points); !unpacked) {
            return fail(corruptStore(file, unpacked.error().message));
        }
        for (const StoredPoint& point : points) {
            if (point.step >= firstStep && point.step <= lastStep) {
                each(point);
            }
        }
    }
    return {};
}

Result<LastValues> lastValues(SQLite::Database& database, const std::filesystem::path& file) {
    LastValues last;
    eachEpoch(database, [&](const Json& event) {
        last.epochs = event.value("epoch", last.epochs);
        // An epoch without a validation keeps the values of an earlier one.
        if (const Json metrics = event.value("metrics", Json()); metrics.is_object()) {
            last.metrics.update(metrics);
        }
    });
    // A validation within an epoch is in its series alone.
    SQLite::Statement query(
        database,
        "SELECT name, (SELECT data FROM chunks WHERE chunks.series = series.id ORDER BY chunks.id DESC LIMIT 1) "
        "FROM series WHERE stride = 0 ORDER BY id");
    std::vector<StoredPoint> points;
    while (query.executeStep()) {
        const SQLite::Column data = query.getColumn(1);
        if (data.isNull()) {
            continue;
        }
        points.clear();
        const std::string_view blob(static_cast<const char*>(data.getBlob()),
                                    static_cast<std::size_t>(data.getBytes()));
        if (const Status unpacked = unpackChunk(blob, points); !unpacked) {
            return fail(corruptStore(file, unpacked.error().message));
        }
        if (!points.empty()) {
            const double value = points.back().value;
            last.metrics[columnText(query, 0)] = std::isfinite(value) ? Json(value) : Json();
        }
    }
    return last;
}

Result<RunInfo> summarise(SQLite::Database& database, const std::filesystem::path& runFolder) {
    const std::filesystem::path file = runFolder / kRunFile;
    RunInfo info;
    info.folder = runFolder;
    {
        SQLite::Statement query(database,
                                "SELECT id, name, started, status, seconds, epochs, steps_attempted, steps_applied, "
                                "steps_skipped, metrics, stop_reason, (SELECT count(*) FROM findings) FROM run");
        if (!query.executeStep()) {
            return fail(corruptStore(file, "it does not say which run it is"));
        }
        info.id = columnText(query, 0);
        info.name = columnText(query, 1);
        info.started = columnText(query, 2);
        info.status = columnText(query, 3);
        info.seconds = query.getColumn(4).getDouble();
        info.epochs = query.getColumn(5).getInt64();
        info.stepsAttempted = query.getColumn(6).getInt64();
        info.stepsApplied = query.getColumn(7).getInt64();
        info.stepsSkipped = query.getColumn(8).getInt64();
        info.metrics = columnJson(query, 9);
        info.stopReason = columnJson(query, 10);
        info.findings = query.getColumn(11).getInt();
    }
    readOpenFindings(database, info);
    readParent(database, info);
    if (info.status == "running" && !WriterLock::isHeld(runFolder)) {
        info.status = "interrupted";
    }
    const auto wanted = wantedBest(database);
    bool found = false;
    if (wanted) {
        PLUMBLINE_ASSIGN(found, findBest(database, file, *wanted, info));
    }
    if (!found) {
        PLUMBLINE_ASSIGN(found, findBest(database, file, Wanted{}, info));
    }
    if (const auto note = readNote(runFolder)) {
        info.name = note->name;
        info.note = note->note;
    }
    return info;
}

RunInfo unreadableRun(const std::filesystem::path& runFolder, const Error& why) {
    RunInfo info;
    info.id = runFolder.filename().string();
    info.folder = runFolder;
    info.status = "unreadable";
    info.metrics = Json::object();
    info.stopReason = {{"code", why.code}, {"message", why.message}};
    // The id says when it began: "20261129-193200-k3f2".
    if (info.id.size() >= 15 && info.id[8] == '-') {
        info.started = info.id.substr(0, 4) + "-" + info.id.substr(4, 2) + "-" + info.id.substr(6, 2) + "T" +
                       info.id.substr(9, 2) + ":" + info.id.substr(11, 2) + ":" + info.id.substr(13, 2) + ".000Z";
    }
    if (const auto note = readNote(runFolder)) {
        info.name = note->name;
        info.note = note->note;
    }
    return info;
}

std::optional<RunNote> readNote(const std::filesystem::path& runFolder) {
    std::error_code error;
    if (!std::filesystem::exists(runFolder / kNoteFile, error)) {
        return std::nullopt;
    }
    const auto json = readJsonFile(runFolder / kNoteFile);
    if (!json || !json->is_object()) {
        return std::nullopt;
    }
    const auto text = [&](const char* key) {
        return json->contains(key) && (*json)[key].is_string() ? (*json)[key].get<std::string>() : std::string();
    };
    return RunNote{text("name"), text("note")};
}

Json toJson(const RunInfo& info) {
    Json json = {{"id", info.id},
                 {"name", info.name},
                 {"note", info.note},
                 {"status", info.status},
                 {"started", info.started},
                 {"seconds", info.seconds},
                 {"epochs", info.epochs},
                 {"attempted", info.stepsAttempted},
                 {"applied", info.stepsApplied},
                 {"skipped", info.stepsSkipped},
                 {"metrics", info.metrics},
                 {"stop_reason", info.stopReason},
                 {"findings", info.findings},
                 {"critical_findings", info.criticalFindings},
                 {"open_findings", info.openFindings},
                 {"worst_finding", info.worstFinding},
                 {"best_series", info.bestSeries},
                 {"best_is_max", info.bestIsMax},
                 {"parent", info.parent},
                 {"parent_step", info.parentStep},
                 {"best", nullptr}};
    if (info.best) {
        json["best"] = *info.best;
    }
    return json;
}

RunInfo runInfoFromJson(const Json& json) {
    RunInfo info;
    info.id = json.at("id").get<std::string>();
    info.name = json.at("name").get<std::string>();
    info.note = json.at("note").get<std::string>();
    info.status = json.at("status").get<std::string>();
    info.started = json.at("started").get<std::string>();
    info.seconds = json.at("seconds").get<double>();
    info.epochs = json.at("epochs").get<std::int64_t>();
    info.stepsAttempted = json.at("attempted").get<std::int64_t>();
    info.stepsApplied = json.at("applied").get<std::int64_t>();
    info.stepsSkipped = json.at("skipped").get<std::int64_t>();
    info.metrics = json.at("metrics");
    info.stopReason = json.at("stop_reason");
    info.findings = json.at("findings").get<int>();
    info.criticalFindings = json.at("critical_findings").get<int>();
    info.openFindings = json.at("open_findings").get<int>();
    info.worstFinding = json.at("worst_finding").get<std::string>();
    info.bestSeries = json.at("best_series").get<std::string>();
    info.bestIsMax = json.at("best_is_max").get<bool>();
    info.parent = json.at("parent").get<std::string>();
    info.parentStep = json.at("parent_step").get<std::int64_t>();
    if (!json.at("best").is_null()) {
        info.best = json.at("best").get<double>();
    }
    return info;
}

}  // namespace plumbline::store
