#include "session/session_sink.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <exception>
#include <fstream>
#include <new>
#include <system_error>
#include <utility>

#include "core/files.h"
#include "store/store_error.h"

namespace plumbline::session {
namespace {

constexpr std::size_t kChannelCapacity = 200'000;
constexpr auto kFlushPeriod = std::chrono::milliseconds(200);
/// Between two tries of a locked store, each of which has waited a while itself.
constexpr auto kLockedPause = std::chrono::milliseconds(20);

bool isFinal(RunState state) {
    return state == RunState::kCompleted || state == RunState::kStopped || state == RunState::kFailed;
}

}  // namespace

EventFile::~EventFile() {
    if (m_file != nullptr) {
        std::fclose(m_file);
    }
}

namespace {

/// Events may take the place of events, not of a project or of data.
Status refuseOtherFile(const std::filesystem::path& file) {
    std::error_code missing;
    if (!std::filesystem::is_regular_file(file, missing)) {
        return {};  // a new one, or a pipe or terminal that takes lines
    }
    std::ifstream before(file, std::ios::binary);
    std::string line(4096, '\0');
    before.read(line.data(), static_cast<std::streamsize>(line.size()));
    line.resize(static_cast<std::size_t>(before.gcount()));
    line = line.substr(0, line.find('\n'));
    const Json event = Json::parse(line, nullptr, false);
    if (line.empty() || (event.is_object() && event.contains("event"))) {
        return {};
    }
    return fail(ErrorKind::kUsage, "not-an-event-file",
                fmt::format("{} holds something else than events, which would be lost", file.string()), file.string(),
                "Name a new file, or remove this one.");
}

}  // namespace

Status EventFile::open(const std::filesystem::path& file) {
    m_path = file;
    PLUMBLINE_TRY(refuseOtherFile(file));
    m_file = std::fopen(file.c_str(), "ae");
    if (m_file == nullptr) {
        return fail(fileError(errno, "write", file));
    }
    return {};
}

Status EventFile::clear() {
    struct stat info {};
    if (m_file == nullptr || ::fstat(::fileno(m_file), &info) != 0 || !S_ISREG(info.st_mode)) {
        return {};
    }
    return ::ftruncate(::fileno(m_file), 0) == 0 ? Status{} : Status(fail(fileError(errno, "write", m_path)));
}

Status EventFile::write(const Json& line) {
    if (m_file == nullptr) {
        return {};
    }
    const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    const std::scoped_lock lock(m_mutex);
    if (std::fwrite(text.data(), 1, text.size(), m_file) != text.size() || std::fflush(m_file) != 0) {
        return fail(fileError(errno, "write", m_path));
    }
    return {};
}

Status withoutExceptions(const std::function<Status()>& work) {
    const auto ended = [](const std::string& how) {
        return fail(ErrorKind::kRunFailed, "store-failed", fmt::format("Storing the run ended with: {}", how), {},
                    "Resume the run, which goes on from its newest checkpoint, or report this with the project.");
    };
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail(store::outOfMemory());
    } catch (const std::exception& error) {
        return ended(error.what());
    } catch (...) {
        return ended("an exception of unknown type");
    }
}

SessionSink::SessionSink(std::unique_ptr<store::RunWriter> writer, std::unique_ptr<EventFile> events,
                         Callbacks callbacks, const store::RunInfo& before, std::vector<diagnostics::Finding> findings,
                         Limits limits)
    : m_callbacks(std::move(callbacks)),
      m_channel(kChannelCapacity),
      m_eventFile(std::move(events)),
      m_writer(std::move(writer)),
      m_limits(limits),
      m_goesOn(before.id.empty()),
      m_findings(std::move(findings)),
      m_info(before) {
    setClock(before.seconds * 1000);
    m_info.status = "running";
    m_info.stopReason = nullptr;
    m_pending.reserve(4096);
    m_moving.reserve(4096);
}

Status SessionSink::start() {
    try {
        m_thread = std::thread([this] { writeLoop(); });
        return {};
    } catch (const std::system_error& error) {
        return fail(ErrorKind::kMachine, "no-thread",
                    fmt::format("The thread that stores the run cannot be started: {}", error.what()), {},
                    "Close other programs, or raise the limit on threads.");
    }
}

SessionSink::~SessionSink() {
    {
        const std::scoped_lock lock(m_wakeMutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

// ---- From the training thread --------------------------------------------------------------------------------------

SeriesId SessionSink::series(const std::string& name, std::int64_t stride) {
    const std::scoped_lock lock(m_pendingMutex);
    const auto [known, isNew] = m_seriesByName.try_emplace(name, static_cast<SeriesId>(m_series.size()));
    if (isNew) {
        m_series.push_back({name, stride});
        m_channel.declare(name);
    } else if (std::exchange(m_series[known->second].stride, stride) == stride) {
        return known->second;
    }
    m_newSeries.push_back(known->second);
    return known->second;
}

void SessionSink::metric(const MetricPoint& point) {
    {
        const std::scoped_lock lock(m_pendingMutex);
        if (m_pending.size() < m_limits.backlog) {
            m_pending.push_back(point);
            return;
        }
    }
    countDropped(1);
}

void SessionSink::state(RunState state) {
    {
        const std::scoped_lock lock(m_stateMutex);
        if (isFinal(state) || state == m_state) {
            return;
        }
        m_state = state;
    }
    m_callbacks.onState(state);
    pushLine({{"t_ms", elapsedMs()}, {"event", "state"}, {"state", std::string(toString(state))}});
    pushState(state);
}

void SessionSink::pushState(RunState state) {
    const std::scoped_lock lock(m_stateMutex);
    SessionEvent& told = m_events.emplace_back();
    told.kind = SessionEvent::Kind::kState;
    told.state = state;
}

void SessionSink::event(Event event) {
    pushLine(toJson(event));
    if (event.event == "epoch") {
        const std::scoped_lock lock(m_stateMutex);
        m_info.epochs = event.data.value("epoch", m_info.epochs);
        // Last values: an epoch without a validation keeps those of an earlier one.
        if (!m_info.metrics.is_object()) {
            m_info.metrics = Json::object();
        }
        m_info.metrics.update(event.data.value("metrics", Json::object()));
        m_infoIsNew = true;
    }
    const std::scoped_lock lock(m_stateMutex);
    SessionEvent& told = m_events.emplace_back();
    told.kind = SessionEvent::Kind::kEvent;
    told.event = std::move(event);
}

void SessionSink::finding(const diagnostics::Finding& finding) {
    Json line = {{"t_ms", elapsedMs()}, {"event", "finding"}};
    line.update(diagnostics::toJson(finding));
    pushLine(line);
    {
        const std::scoped_lock lock(m_pendingMutex);
        m_pendingFindings.push_back(finding);
    }
    {
        const std::scoped_lock lock(m_stateMutex);
        const auto known = std::find_if(m_findings.begin(), m_findings.end(),
                                        [&](const auto& other) { return other.id == finding.id; });
        if (known != m_findings.end()) {
            *known = finding;
        } else {
            m_findings.push_back(finding);
        }
    }
    {
        const std::scoped_lock lock(m_stateMutex);
        SessionEvent& told = m_events.emplace_back();
        told.kind = SessionEvent::Kind::kFinding;
        told.finding = finding;
    }
    m_callbacks.onFinding(finding);
}

void SessionSink::record(const Json& choices) {
    putRecord("choices", choices);
}

void SessionSink::putRecord(const std::string& key, const Json& value) {
    const std::scoped_lock lock(m_pendingMutex);
    m_pendingRecords.emplace_back(key, value);
}

void SessionSink::progress(const Progress& progress) {
    const std::scoped_lock lock(m_stateMutex);
    m_progress = progress;
    m_info.stepsAttempted = progress.step;
    m_info.stepsApplied = progress.applied;
    m_info.stepsSkipped = progress.skipped;
    m_info.seconds = elapsedMs() / 1000;
    m_infoIsNew = true;
}

void SessionSink::dropAfter(std::int64_t step, double elapsedMs) {
    {
        const std::scoped_lock lock(m_storeMutex);
        handToStore();
        if (!m_writer || !failure()) {
            return;  // the run ends as it was
        }
        store::RunInfo left;
        const Status dropped = patiently([&]() -> Status {
            PLUMBLINE_ASSIGN(left, m_writer->dropAfter(step, elapsedMs));
            return {};
        });
        keepFailure(dropped);
        if (!dropped) {
            return;
        }
        {
            const std::scoped_lock numbers(m_stateMutex);
            m_info = std::move(left);
        }
        m_goesOn = true;
        handToStore();
        keepFailure(patiently([this] { return m_writer->flush(); }));
    }
    setClock(elapsedMs);
    const std::scoped_lock lock(m_stateMutex);
    std::erase_if(m_findings, [step](const diagnostics::Finding& finding) { return finding.step > step; });
    for (diagnostics::Finding& finding : m_findings) {
        if (finding.clearedAt && *finding.clearedAt > step) {
            finding.clearedAt.reset();
        }
    }
    m_events.emplace_back().kind = SessionEvent::Kind::kResumed;
}

Status SessionSink::flush() {
    const std::scoped_lock lock(m_storeMutex);
    handToStore();
    writeLines();
    if (!m_writer) {
        return failure();
    }
    const Status status = patiently([this] { return m_writer->flushDurably(); });
    keepFailure(status);
    return status;
}

Status SessionSink::finish(RunState state, const store::RunInfo& info, const Json& summary) {
    putRecord("summary", summary);
    m_goesOn = true;
    return close(state, [&info](store::RunWriter& writer) { return writer.setStatus(info); });
}

Status SessionSink::leave(RunState state) {
    return close(state, [](store::RunWriter&) { return Status{}; });
}

Status SessionSink::close(RunState state, const std::function<Status(store::RunWriter&)>& last) {
    {
        const std::scoped_lock lock(m_stateMutex);
        m_state = state;
    }
    pushLine({{"t_ms", elapsedMs()}, {"event", "state"}, {"state", std::string(toString(state))}});
    const std::scoped_lock lock(m_storeMutex);
    tellOfDropped();
    handToStore();
    writeLines();
    if (!m_writer) {
        return failure();
    }
    Status status = last(*m_writer);
    if (status) {
        // After a failure the store has been waited for already.
        status = failure() ? patiently([this] { return m_writer->flushDurably(); }) : m_writer->flushDurably();
    }
    m_writer.reset();
    return status ? failure() : status;
}

// ---- From the reader -----------------------------------------------------------------------------------------------

MetricDrain SessionSink::drainMetrics() {
    distribute();
    return m_channel.drain();
}

std::vector<SessionEvent> SessionSink::drainEvents() {
    const std::scoped_lock lock(m_stateMutex);
    return std::exchange(m_events, {});
}

void SessionSink::pushFinished(RunState state, const Result<RunSummary>& result) {
    pushState(state);
    const std::scoped_lock lock(m_stateMutex);
    SessionEvent& told = m_events.emplace_back();
    told.kind = SessionEvent::Kind::kFinished;
    told.state = state;
    if (result) {
        told.summary = *result;
    } else {
        told.error = result.error();
    }
}

RunSink::Progress SessionSink::lastProgress() const {
    const std::scoped_lock lock(m_stateMutex);
    return m_progress;
}

std::vector<diagnostics::Finding> SessionSink::findings() const {
    const std::scoped_lock lock(m_stateMutex);
    return m_findings;
}

Status SessionSink::failure() const {
    const std::scoped_lock lock(m_stateMutex);
    return m_failure;
}

store::RunInfo SessionSink::runningInfo() const {
    const std::scoped_lock lock(m_stateMutex);
    return m_info;
}

// ---- On the way to the store ---------------------------------------------------------------------------------------

void SessionSink::distribute() {
    const std::scoped_lock lock(m_distributeMutex);
    m_moving.clear();
    {
        const std::scoped_lock pending(m_pendingMutex);
        m_moving.swap(m_pending);
    }
    m_channel.add(m_moving);
    const std::size_t kept = std::min(m_moving.size(), m_limits.backlog - m_backlog.size());
    m_backlog.insert(m_backlog.end(), m_moving.begin(), m_moving.begin() + static_cast<std::ptrdiff_t>(kept));
    countDropped(m_moving.size() - kept);
}

void SessionSink::countDropped(std::size_t count) {
    if (count > 0 && m_dropped.fetch_add(count) == 0) {
        log("warning", "The disk does not keep up: from here on values of the run are shown and not stored.");
    }
}

void SessionSink::tellOfDropped() {
    if (const std::uint64_t count = m_dropped.exchange(0); count > 0) {
        log("warning", fmt::format("The disk did not keep up: {} values of the run are not stored.", count));
    }
}

void SessionSink::log(const std::string& level, const std::string& message) {
    event({"log", elapsedMs(), {{"level", level}, {"message", message}}});
}

bool SessionSink::mayWait(const Status& status) {
    if (status || status.error().code != "store-locked") {
        m_lockedSince.reset();
        return false;
    }
    const auto now = std::chrono::steady_clock::now();
    if (!m_lockedSince) {
        m_lockedSince = now;
        log("warning", "The run's store is locked by another program; what is to be stored waits in memory.");
    }
    return now - *m_lockedSince < m_limits.patience;
}

Status SessionSink::patiently(const std::function<Status()>& work) {
    for (;;) {
        const Status status = work();
        if (!mayWait(status)) {
            return status;
        }
        std::this_thread::sleep_for(kLockedPause);
    }
}

void SessionSink::writeLines() {
    std::vector<Json> lines;
    {
        const std::scoped_lock lock(m_pendingMutex);
        lines.swap(m_pendingLines);
    }
    for (const Json& line : lines) {
        keepFailure(m_eventFile->write(line));
    }
}

void SessionSink::handToStore() {
    distribute();
    // What a resumed run was is left alone for as long as it may still never go on.
    const bool goesOn = m_goesOn;
    std::vector<MetricPoint> points;
    if (goesOn) {
        const std::scoped_lock lock(m_distributeMutex);
        points.swap(m_backlog);
    }
    std::vector<Json> events;
    std::vector<diagnostics::Finding> findings;
    std::vector<std::pair<std::string, Json>> records;
    std::vector<std::pair<SeriesId, Declared>> declared;
    {
        const std::scoped_lock lock(m_pendingMutex);
        events.swap(m_pendingEvents);
        if (goesOn) {
            findings.swap(m_pendingFindings);
            records.swap(m_pendingRecords);
            for (const SeriesId id : std::exchange(m_newSeries, {})) {
                declared.emplace_back(id, m_series[id]);
            }
        }
    }
    // After a failure of the store the run is stopping; keeping more than the store has already would only fill memory.
    if (!m_writer || !failure()) {
        return;
    }
    for (const auto& [id, series] : declared) {
        m_storedSeries.resize(std::max<std::size_t>(m_storedSeries.size(), id + 1));
        m_storedSeries[id] = m_writer->declareSeries(series.name, series.stride);
    }
    for (const MetricPoint& point : points) {
        m_writer->append(m_storedSeries[point.series], {point.step, point.epoch, point.elapsedMs, point.value});
    }
    for (const Json& event : events) {
        keepFailure(m_writer->appendEvent(event));
    }
    for (const diagnostics::Finding& finding : findings) {
        keepFailure(m_writer->putFinding(finding));
    }
    for (const auto& [key, value] : records) {
        keepFailure(m_writer->putRecord(key, value));
    }
    std::optional<store::RunInfo> info;
    if (goesOn) {
        const std::scoped_lock lock(m_stateMutex);
        if (std::exchange(m_infoIsNew, false)) {
            info = m_info;
        }
    }
    if (info) {
        keepFailure(m_writer->setStatus(*info));
    }
}

void SessionSink::writeLoop() {
    bool stopping = false;
    while (!stopping) {
        {
            std::unique_lock lock(m_wakeMutex);
            stopping = m_wake.wait_for(lock, kFlushPeriod, [this] { return m_stopping; });
        }
        const std::scoped_lock lock(m_storeMutex);
        keepFailure(withoutExceptions([this]() -> Status {
            writeWaiting();
            return {};
        }));
    }
}

void SessionSink::writeWaiting() {
    writeLines();
    if (m_lockedSince) {
        distribute();  // the store has enough to hold already
    } else {
        handToStore();
    }
    if (m_writer && failure()) {
        const Status flushed = m_writer->flush();
        if (!mayWait(flushed)) {
            keepFailure(flushed);
            tellOfDropped();
        }
    }
}

void SessionSink::pushLine(const Json& line) {
    const std::scoped_lock lock(m_pendingMutex);
    m_pendingEvents.push_back(line);
    if (m_eventFile->isOpen()) {
        m_pendingLines.push_back(line);
    }
}

void SessionSink::keepFailure(const Status& status) {
    if (status) {
        return;
    }
    {
        const std::scoped_lock lock(m_stateMutex);
        if (!m_failure) {
            return;
        }
        m_failure = status;
    }
    m_callbacks.onFailure();
}

void SessionSink::setClock(double elapsedMs) {
    using Clock = std::chrono::steady_clock;
    m_began = Clock::now() -
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(elapsedMs));
}

double SessionSink::elapsedMs() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_began.load()).count();
}

}  // namespace plumbline::session
