#include "session/session_sink.h"

#include <cerrno>
#include <fmt/format.h>

#include "core/files.h"

namespace plumbline::session {
namespace {

constexpr std::size_t kChannelCapacity = 200'000;
constexpr auto kWritePeriod = std::chrono::milliseconds(50);
constexpr int kPeriodsAFlush = 8;

}  // namespace

SessionSink::SessionSink(std::unique_ptr<store::RunWriter> writer, Callbacks callbacks)
    : m_writer(std::move(writer)), m_callbacks(std::move(callbacks)), m_channel(kChannelCapacity), m_began(std::chrono::steady_clock::now()) {
    m_pending.reserve(4096);
    m_thread = std::thread([this] { writeLoop(); });
}

SessionSink::~SessionSink() {
    {
        const std::scoped_lock lock(m_wakeMutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    m_thread.join();
    if (m_eventsFile != nullptr) {
        std::fclose(m_eventsFile);
    }
}

Status SessionSink::openEventsFile(const std::filesystem::path& file) {
    m_eventsFile = std::fopen(file.c_str(), "ae");
    if (m_eventsFile == nullptr) {
        return fail(fileError(errno, "write", file));
    }
    return {};
}

SeriesId SessionSink::series(const std::string& name, std::int64_t stride) {
    const std::scoped_lock lock(m_pendingMutex);
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        if (m_series[i].name == name) {
            return static_cast<SeriesId>(i);
        }
    }
    m_series.push_back({name, stride, -1});
    m_channel.declare(name);
    return static_cast<SeriesId>(m_series.size() - 1);
}

void SessionSink::metric(const MetricPoint& point) {
    const std::scoped_lock lock(m_pendingMutex);
    m_pending.push_back(point);
}

void SessionSink::state(RunState state) {
    m_callbacks.onState(state);
    SessionEvent event;
    event.kind = SessionEvent::Kind::kState;
    event.state = state;
    push(std::move(event));
    const Json line{{"t_ms", elapsedMs()}, {"event", "state"}, {"state", std::string(toString(state))}};
    writeEventLine(line);
    const std::scoped_lock lock(m_pendingMutex);
    m_pendingEvents.push_back(line);
}

void SessionSink::event(Event event) {
    const Json line = toJson(event);
    writeEventLine(line);
    {
        const std::scoped_lock lock(m_pendingMutex);
        m_pendingEvents.push_back(line);
    }
    SessionEvent told;
    told.kind = SessionEvent::Kind::kEvent;
    told.event = std::move(event);
    if (told.event.event == "epoch") {
        const std::scoped_lock lock(m_stateMutex);
        m_info.epochs = told.event.data.value("epoch", m_info.epochs);
        m_info.metrics = told.event.data.value("metrics", Json::object());
        m_info.seconds = elapsedMs() / 1000.0;
    }
    push(std::move(told));
}

void SessionSink::finding(const diagnostics::Finding& finding) {
    Json line = diagnostics::toJson(finding);
    line["t_ms"] = elapsedMs();
    line["event"] = "finding";
    writeEventLine(line);
    {
        const std::scoped_lock lock(m_pendingMutex);
        m_pendingFindings.push_back(finding);
        m_pendingEvents.push_back(std::move(line));
    }
    {
        const std::scoped_lock lock(m_stateMutex);
        bool known = false;
        for (diagnostics::Finding& other : m_findings) {
            if (other.id == finding.id) {
                other = finding;
                known = true;
            }
        }
        if (!known) {
            m_findings.push_back(finding);
        }
    }
    SessionEvent told;
    told.kind = SessionEvent::Kind::kFinding;
    told.finding = finding;
    push(std::move(told));
    m_callbacks.onFinding(finding);
}

void SessionSink::record(const Json& choices) { keepFailure(putRecord("choices", choices)); }

void SessionSink::progress(const Progress& progress) {
    const std::scoped_lock lock(m_stateMutex);
    m_progress = progress;
}

void SessionSink::dropAfter(std::int64_t step) {
    const std::scoped_lock lock(m_storeMutex);
    Status status = writePending(false);
    if (status) {
        status = m_writer->dropAfter(step);
    }
    keepFailure(status);
    const std::scoped_lock state(m_stateMutex);
    std::erase_if(m_findings, [step](const diagnostics::Finding& finding) { return finding.step > step; });
}

Status SessionSink::flush() {
    const std::scoped_lock lock(m_storeMutex);
    const Status status = writePending(true);
    keepFailure(status);
    return status;
}

Status SessionSink::putRecord(const std::string& key, const Json& value) {
    const std::scoped_lock lock(m_storeMutex);
    return m_writer->putRecord(key, value);
}

Status SessionSink::finish(const store::RunInfo& info, const Json& summary) {
    const std::scoped_lock lock(m_storeMutex);
    PLUMBLINE_TRY(writePending(false));
    PLUMBLINE_TRY(m_writer->putRecord("summary", summary));
    PLUMBLINE_TRY(m_writer->setStatus(info));
    return m_writer->flushDurably();
}

Status SessionSink::writePending(bool durably) {
    std::vector<MetricPoint> points;
    std::vector<Json> events;
    std::vector<diagnostics::Finding> findings;
    std::vector<int> ids;
    {
        const std::scoped_lock lock(m_pendingMutex);
        points.swap(m_pending);
        m_pending.reserve(points.capacity());
        events.swap(m_pendingEvents);
        findings.swap(m_pendingFindings);
        for (Declared& declared : m_series) {
            if (declared.stored < 0) {
                declared.stored = m_writer->declareSeries(declared.name, declared.stride);
            }
            ids.push_back(declared.stored);
        }
    }
    m_channel.add(points);
    for (const MetricPoint& point : points) {
        m_writer->append(ids[point.series], {point.step, point.epoch, point.elapsedMs, point.value});
    }
    Status status;
    for (const Json& event : events) {
        const Status appended = m_writer->appendEvent(event);
        status = status ? appended : status;
    }
    for (const diagnostics::Finding& finding : findings) {
        const Status put = m_writer->putFinding(finding);
        status = status ? put : status;
    }
    if (durably && status) {
        status = m_writer->flushDurably();
    }
    return status;
}

void SessionSink::writeLoop() {
    int periods = 0;
    bool stopping = false;
    while (!stopping) {
        {
            std::unique_lock lock(m_wakeMutex);
            stopping = m_wake.wait_for(lock, kWritePeriod, [this] { return m_stopping; });
        }
        const std::scoped_lock lock(m_storeMutex);
        Status status = writePending(false);
        if (status && (++periods >= kPeriodsAFlush || stopping)) {
            periods = 0;
            status = m_writer->flush();
        }
        keepFailure(status);
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

void SessionSink::push(SessionEvent event) {
    const std::scoped_lock lock(m_stateMutex);
    m_events.push_back(std::move(event));
}

std::vector<SessionEvent> SessionSink::drainEvents() {
    const std::scoped_lock lock(m_stateMutex);
    return std::exchange(m_events, {});
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

double SessionSink::elapsedMs() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_began).count();
}

void SessionSink::writeEventLine(const Json& line) {
    if (m_eventsFile == nullptr) {
        return;
    }
    const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (std::fwrite(text.data(), 1, text.size(), m_eventsFile) != text.size() || std::fflush(m_eventsFile) != 0) {
        keepFailure(fail(fileError(errno, "write", "the event file")));
    }
}

}  // namespace plumbline::session
