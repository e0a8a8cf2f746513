#include "sweep/sweep_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <limits>
#include <random>

#include "core/files.h"
#include "core/text.h"

namespace plumbline::sweep {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kLongestName = 100;
constexpr std::int64_t kMostTrials = 1'000'000;

std::vector<std::string> texts(JsonObject& object, const char* key) {
    std::vector<std::string> list;
    if (!object.has(key)) {
        object.addError({ErrorKind::kInvalid, "missing-key", fmt::format("The sweep has no \"{}\"", key),
                         pointerTo(object.pointer(), key), "Start a new sweep."});
        return list;
    }
    const Json* value = object.find(key);
    if (!value->is_array() ||
        !std::all_of(value->begin(), value->end(), [](const Json& each) { return each.is_string(); })) {
        object.wrongType(key, "a list of texts");
        return list;
    }
    for (const Json& each : *value) {
        list.push_back(each.get<std::string>());
    }
    return list;
}

Result<SweepPlan> planOf(const Json& json, const std::filesystem::path& file) {
    JsonObject object(json, "");
    if (const std::int64_t version = object.integer("version", kVersion); version > kVersion) {
        return fail(
            ErrorKind::kInvalid, "newer-version",
            fmt::format("{} is of version {}, and this program knows version {}.", file.string(), version, kVersion),
            file.string(), "Use a newer Plumbline.");
    }
    SweepPlan plan;
    plan.name = object.requiredString("name");
    plan.method = object.requiredString("method");
    plan.over = texts(object, "over");
    plan.settings = texts(object, "settings");
    plan.trials = object.integer("trials", 0);
    plan.seed = static_cast<std::uint64_t>(object.integer("seed", 0));
    plan.series = object.requiredString("series");
    plan.isMax = object.requiredString("mode") == "max";
    plan.maxSteps = object.integer("max_steps", 0);
    plan.minSteps = object.integer("min_steps", 0);
    plan.eta = std::max<std::int64_t>(2, object.integer("eta", 3));
    plan.definitionHash = object.requiredString("definition_hash");
    PLUMBLINE_TRY(object.finish());
    return plan;
}

std::optional<Trial> trialOf(const Json& json) {
    if (!json.is_object()) {
        return std::nullopt;
    }
    try {
        Trial trial;
        trial.number = json.at("trial").get<std::int64_t>();
        trial.point = json.at("point").get<std::vector<double>>();
        trial.settings = json.at("settings").get<Settings>();
        trial.status = json.at("status").get<std::string>();
        trial.rung = json.value("rung", std::int64_t{0});
        trial.run = json.value("run", std::string());
        trial.error = json.value("error", std::string());
        if (const auto value = json.find("value"); value != json.end() && value->is_number()) {
            trial.value = value->get<double>();
        }
        return trial.number >= 0 && trial.number < kMostTrials ? std::optional(trial) : std::nullopt;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// A lock of the open file, not of the process: it can be asked for without being taken. Whoever runs the trials first
/// takes the byte that keeps others out, then puts the folder in order, and only then takes the one by which others see
/// that it runs: what is asked of it from there on is not cleared away. Earlier versions lock all bytes at once, which
/// excludes both ways.
constexpr off_t kKeepsOut = 0, kShows = 1;

struct flock lockOf(off_t byte) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = byte;
    lock.l_len = 1;
    return lock;
}

bool isStillAt(int descriptor, const std::filesystem::path& file) {
    struct stat held {
    }, there{};
    return ::fstat(descriptor, &held) == 0 && ::stat(file.c_str(), &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

constexpr std::string_view kStop = "stop-", kStopping = "stopping-";

std::filesystem::path requestOf(const std::filesystem::path& folder, std::string_view state,
                                const std::string& ticket) {
    return folder / (std::string(state) + ticket);
}

/// Whose sweep it is; nobody's where it cannot be looked at.
uid_t ownerOf(const std::filesystem::path& folder) {
    struct stat found {};
    return ::stat((folder / "sweep.json").c_str(), &found) == 0 ? found.st_uid : static_cast<uid_t>(-1);
}

/// A plain file of this user, of the sweep's owner or of root; whatever else is called so is no request, and is not
/// followed.
bool isRequest(const std::filesystem::path& file) {
    struct stat found {};
    return ::lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
           (found.st_uid == ::geteuid() || found.st_uid == 0 || found.st_uid == ownerOf(file.parent_path()));
}

/// What is called as a request is, whatever it be.
std::vector<std::filesystem::path> requestsIn(const std::filesystem::path& folder, std::string_view state) {
    std::vector<std::filesystem::path> found;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename().string().starts_with(state)) {
            found.push_back(entry->path());
        }
    }
    return found;
}

void clearRequests(const std::filesystem::path& folder) {
    for (const std::string_view state : {kStop, kStopping}) {
        for (const std::filesystem::path& request : requestsIn(folder, state)) {
            (void)::unlink(request.c_str());
        }
    }
}

std::string newTicket() {
    std::random_device device;
    return fmt::format("{:08x}{:08x}", device(), device());
}

/// Appended as a whole and synced.
Status appendLine(const std::filesystem::path& file, const std::string& line) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return fail(fileError(errno, "write", file));
    }
    std::size_t done = 0;
    int error = 0;
    while (done < line.size() && error == 0) {
        const ssize_t wrote = ::write(descriptor, line.data() + done, line.size() - done);
        if (wrote >= 0) {
            done += static_cast<std::size_t>(wrote);
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (error == 0 && ::fsync(descriptor) != 0) {
        error = errno;
    }
    ::close(descriptor);
    return error == 0 ? Status{} : fail(fileError(error, "write", file));
}

}  // namespace

Json toJson(const SweepPlan& plan) {
    return {{"version", kVersion},
            {"name", plan.name},
            {"method", plan.method},
            {"over", plan.over},
            {"settings", plan.settings},
            {"trials", plan.trials},
            {"seed", plan.seed},
            {"series", plan.series},
            {"mode", plan.isMax ? "max" : "min"},
            {"max_steps", plan.maxSteps},
            {"min_steps", plan.minSteps},
            {"eta", plan.eta},
            {"definition_hash", plan.definitionHash}};
}

Json toJson(const Trial& trial) {
    Json json{{"trial", trial.number},  {"point", trial.point}, {"settings", trial.settings},
              {"status", trial.status}, {"rung", trial.rung},   {"run", trial.run}};
    json["value"] = trial.value ? Json(*trial.value) : Json();
    if (!trial.error.empty()) {
        json["error"] = trial.error;
    }
    return json;
}

Status checkSweepName(const std::string& name) {
    const bool plain = !name.empty() && name.size() <= kLongestName && name != "." && name != ".." &&
                       !name.starts_with('-') && !name.starts_with('.') &&
                       name.find_first_of("/\\ ") == std::string::npos && isUtf8(name) && !hasControlCharacter(name);
    return plain ? Status{}
                 : fail(ErrorKind::kUsage, "bad-sweep-name",
                        fmt::format("A sweep cannot be named \"{}\".", shortened(oneLine(name))), {},
                        "Take up to 100 characters without spaces and slashes, as lr-search.");
}

Result<SweepFile> SweepFile::create(const std::filesystem::path& sweepsFolder, const SweepPlan& plan) {
    PLUMBLINE_TRY(checkSweepName(plan.name));
    const std::filesystem::path folder = sweepsFolder / plan.name;
    std::error_code error;
    if (std::filesystem::exists(folder / "sweep.json", error)) {
        return fail(ErrorKind::kUsage, "sweep-exists", fmt::format("There is a sweep \"{}\" already.", plan.name),
                    folder.string(),
                    fmt::format("Go on with it: plumbline sweep … --resume {}; or choose another --name.", plan.name));
    }
    PLUMBLINE_TRY(makeFolder(folder));
    PLUMBLINE_TRY(writeJsonFile(folder / "sweep.json", toJson(plan)));
    return SweepFile(folder, plan);
}

Result<SweepFile> SweepFile::open(const std::filesystem::path& sweepsFolder, const std::string& name) {
    PLUMBLINE_TRY(checkSweepName(name));
    const std::filesystem::path folder = sweepsFolder / name;
    std::error_code error;
    if (!std::filesystem::exists(folder / "sweep.json", error)) {
        const std::vector<std::string> known = listSweeps(sweepsFolder);
        const std::string near = nearestWord(name, known);
        return fail(ErrorKind::kUsage, "sweep-missing", fmt::format("There is no sweep \"{}\".", shortened(name)),
                    folder.string(),
                    near.empty() ? "plumbline sweeps lists them." : fmt::format("Did you mean \"{}\"?", near));
    }
    PLUMBLINE_ASSIGN(const Json json, readJsonFile(folder / "sweep.json"));
    PLUMBLINE_ASSIGN(SweepPlan plan, planOf(json, folder / "sweep.json"));
    // A link is the sweep that it leads to.
    const std::filesystem::path own = std::filesystem::canonical(folder, error);
    const std::string called = error ? name : own.filename().string();
    std::string begun = std::exchange(plan.name, called);
    SweepFile file(folder, std::move(plan));
    file.m_copiedFrom = begun == called ? std::string() : std::move(begun);
    PLUMBLINE_TRY(file.readTrials());
    return file;
}

SweepLock::~SweepLock() {
    if (m_descriptor >= 0) {
        if (!m_folder.empty()) {
            clearRequests(m_folder);
        }
        ::close(m_descriptor);
    }
}

Result<SweepLock> SweepFile::lock() {
    const std::filesystem::path file = m_folder / "sweep.json";
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        return fail(fileError(errno, "write", file));
    }
    SweepLock taken(descriptor);
    struct flock request = lockOf(kKeepsOut);
    if (::fcntl(descriptor, F_OFD_SETLK, &request) != 0) {
        const int error = errno;
        if (error == EAGAIN || error == EACCES) {
            return fail(ErrorKind::kInvalid, "sweep-busy",
                        fmt::format("Another process runs the trials of the sweep \"{}\".", m_plan.name),
                        m_folder.string(),
                        fmt::format("Stop it with --stop {}, or wait until it has ended.", m_plan.name));
        }
        return fail(fileError(error, "lock", file));
    }
    if (!isStillAt(descriptor, file)) {  // a copy that another process has just made a sweep of its own
        return lock();
    }
    PLUMBLINE_TRY(readTrials());
    if (!m_copiedFrom.empty()) {
        PLUMBLINE_TRY(becomeOwn());  // sweep.json is another file from here on, and so is its lock
        return lock();
    }
    if (m_isCutShort) {  // what is written next must not run into that line
        PLUMBLINE_TRY(appendLine(m_folder / "trials.jsonl", "\n"));
        m_isCutShort = false;
    }
    clearRequests(m_folder);  // of one that was killed
    request = lockOf(kShows);
    if (::fcntl(descriptor, F_OFD_SETLK, &request) != 0) {
        return fail(fileError(errno, "lock", file));
    }
    taken.m_folder = m_folder;
    return taken;
}

/// Both files anew, so that a copy that shares them with the other (hard links) lets go of it.
Status SweepFile::becomeOwn() {
    std::error_code ignored;
    if (std::filesystem::is_symlink(m_folder / "sweep.json", ignored) ||
        std::filesystem::is_symlink(m_folder / "trials.jsonl", ignored)) {
        return fail(ErrorKind::kInvalid, "sweep-is-linked",
                    fmt::format("The files of the sweep \"{}\" are links to those of another.", m_plan.name),
                    m_folder.string(), "Copy the folder with cp -rL, which copies what the links lead to.");
    }
    std::string lines;
    for (Trial& trial : m_trials) {
        if (trial.status == "running" || trial.status == "waiting") {
            trial.run.clear();  // the other sweep's
        }
        lines += toJson(trial).dump() + "\n";
    }
    PLUMBLINE_TRY(writeFileAtomically(m_folder / "trials.jsonl", lines));
    PLUMBLINE_TRY(writeJsonFile(m_folder / "sweep.json", toJson(m_plan)));
    m_copiedFrom.clear();
    return {};
}

bool SweepFile::isRunning() const {
    const SweepLock file(::open((m_folder / "sweep.json").c_str(), O_RDONLY | O_CLOEXEC));
    struct flock question = lockOf(kShows);
    return file.descriptor() >= 0 && ::fcntl(file.descriptor(), F_OFD_GETLK, &question) == 0 &&
           question.l_type != F_UNLCK;
}

Result<std::string> SweepFile::requestStop() const {
    if (!isRunning()) {
        return fail(ErrorKind::kUsage, "sweep-not-running",
                    fmt::format("No process runs the trials of the sweep \"{}\".", m_plan.name), m_folder.string(),
                    "There is nothing to stop; --resume goes on with it.");
    }
    if (const uid_t owner = ownerOf(m_folder); ::geteuid() != 0 && ::geteuid() != owner) {
        return fail(
            ErrorKind::kUsage, "sweep-of-another-user",
            fmt::format("The sweep \"{}\" is of another user (number {}), and hears nobody else.", m_plan.name, owner),
            m_folder.string(), "Stop it as that user, or press Ctrl-C where it was started.");
    }
    const std::string ticket = newTicket();
    const std::filesystem::path file = requestOf(m_folder, kStop, ticket);
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return fail(fileError(errno, "write", file));
    }
    ::close(descriptor);
    return ticket;
}

bool SweepFile::withdrawStop(const std::string& ticket) const {
    return ::unlink(requestOf(m_folder, kStop, ticket).c_str()) == 0;
}

StopRequest SweepFile::stopRequest() const {
    const auto isAny = [this](std::string_view state) {
        const auto requests = requestsIn(m_folder, state);
        return std::any_of(requests.begin(), requests.end(), isRequest);
    };
    return isAny(kStopping) ? StopRequest::kHeard : isAny(kStop) ? StopRequest::kAsked : StopRequest::kNone;
}

StopRequest SweepFile::stopRequest(const std::string& ticket) const {
    // In the order that it goes from one to the other.
    return isRequest(requestOf(m_folder, kStop, ticket))       ? StopRequest::kAsked
           : isRequest(requestOf(m_folder, kStopping, ticket)) ? StopRequest::kHeard
                                                               : StopRequest::kNone;
}

bool SweepFile::hearStop() const {
    bool heard = false;
    for (const std::filesystem::path& request : requestsIn(m_folder, kStop)) {
        if (!isRequest(request)) {
            continue;
        }
        // Either it is renamed or taken back, never both. Where it cannot be renamed it is obeyed all the same.
        const std::string ticket = request.filename().string().substr(kStop.size());
        heard =
            ::rename(request.c_str(), requestOf(m_folder, kStopping, ticket).c_str()) == 0 || errno != ENOENT || heard;
    }
    return heard;
}

Status SweepFile::readTrials() {
    const std::filesystem::path path = m_folder / "trials.jsonl";
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return {};
    }
    PLUMBLINE_ASSIGN(const std::string content, readFile(path, std::uintmax_t{1} << 30));
    std::size_t start = 0;
    while (start < content.size()) {
        const std::size_t end = std::min(content.find('\n', start), content.size());
        const auto json = parseJson(std::string_view(content).substr(start, end - start), path.string());
        start = end + 1;
        const std::optional<Trial> trial = json ? trialOf(*json) : std::nullopt;
        if (!trial) {
            continue;
        }
        remember(*trial);
    }
    m_isCutShort = !content.empty() && content.back() != '\n';
    return {};
}

void SweepFile::remember(const Trial& trial) {
    const auto [at, isNew] = m_places.try_emplace(trial.number, m_trials.size());
    isNew ? m_trials.push_back(trial) : void(m_trials[at->second] = trial);
}

Status SweepFile::put(const Trial& trial) {
    remember(trial);
    return appendLine(m_folder / "trials.jsonl", toJson(trial).dump() + "\n");
}

std::string SweepFile::runName(std::int64_t trial) const {
    return fmt::format("{}-{}", m_plan.name, trial);
}

std::vector<std::string> listSweeps(const std::filesystem::path& sweepsFolder) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(sweepsFolder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (std::filesystem::exists(entry->path() / "sweep.json", ignored)) {
            names.push_back(entry->path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace plumbline::sweep
