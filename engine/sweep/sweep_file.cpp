#include "sweep/sweep_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <unistd.h>

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
        object.addError({ErrorKind::kInvalid, "missing-key", fmt::format("The sweep has no \"{}\"", key), pointerTo(object.pointer(), key), "Start a new sweep."});
        return list;
    }
    const Json* value = object.find(key);
    if (!value->is_array() || !std::all_of(value->begin(), value->end(), [](const Json& each) { return each.is_string(); })) {
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
        return fail(ErrorKind::kInvalid, "newer-version", fmt::format("{} is of version {}, and this program knows version {}.", file.string(), version, kVersion), file.string(),
                    "Use a newer Plumbline.");
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

/// A lock of the open file, not of the process: it can be asked for without being taken.
struct flock wholeFile() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
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
    return {{"version", kVersion},      {"name", plan.name},          {"method", plan.method},     {"over", plan.over},
            {"settings", plan.settings}, {"trials", plan.trials},      {"seed", plan.seed},         {"series", plan.series},
            {"mode", plan.isMax ? "max" : "min"}, {"max_steps", plan.maxSteps}, {"min_steps", plan.minSteps}, {"eta", plan.eta},
            {"definition_hash", plan.definitionHash}};
}

Json toJson(const Trial& trial) {
    Json json{{"trial", trial.number}, {"point", trial.point}, {"settings", trial.settings}, {"status", trial.status}, {"rung", trial.rung}, {"run", trial.run}};
    json["value"] = trial.value ? Json(*trial.value) : Json();
    if (!trial.error.empty()) {
        json["error"] = trial.error;
    }
    return json;
}

Status checkSweepName(const std::string& name) {
    const bool plain = !name.empty() && name.size() <= kLongestName && name != "." && name != ".." && !name.starts_with('-') && !name.starts_with('.') &&
                       name.find_first_of("/\\ ") == std::string::npos && isUtf8(name) && !hasControlCharacter(name);
    return plain ? Status{}
                 : fail(ErrorKind::kUsage, "bad-sweep-name", fmt::format("A sweep cannot be named \"{}\".", shortened(oneLine(name))), {},
                        "Take up to 100 characters without spaces and slashes, as lr-search.");
}

Result<SweepFile> SweepFile::create(const std::filesystem::path& sweepsFolder, const SweepPlan& plan) {
    PLUMBLINE_TRY(checkSweepName(plan.name));
    const std::filesystem::path folder = sweepsFolder / plan.name;
    std::error_code error;
    if (std::filesystem::exists(folder / "sweep.json", error)) {
        return fail(ErrorKind::kUsage, "sweep-exists", fmt::format("There is a sweep \"{}\" already.", plan.name), folder.string(),
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
        return fail(ErrorKind::kUsage, "sweep-missing", fmt::format("There is no sweep \"{}\".", shortened(name)), folder.string(),
                    near.empty() ? "plumbline sweeps lists them." : fmt::format("Did you mean \"{}\"?", near));
    }
    PLUMBLINE_ASSIGN(const Json json, readJsonFile(folder / "sweep.json"));
    PLUMBLINE_ASSIGN(SweepPlan plan, planOf(json, folder / "sweep.json"));
    SweepFile file(folder, std::move(plan));
    PLUMBLINE_TRY(file.readTrials());
    return file;
}

SweepLock::~SweepLock() {
    if (m_descriptor >= 0) {
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
    struct flock request = wholeFile();
    if (::fcntl(descriptor, F_OFD_SETLK, &request) != 0) {
        const int error = errno;
        if (error == EAGAIN || error == EACCES) {
            return fail(ErrorKind::kInvalid, "sweep-busy", fmt::format("Another process runs the trials of the sweep \"{}\".", m_plan.name), m_folder.string(),
                        "Stop that process first, or wait until it has ended.");
        }
        return fail(fileError(error, "lock", file));
    }
    PLUMBLINE_TRY(readTrials());
    if (m_isCutShort) {  // what is written next must not run into that line
        PLUMBLINE_TRY(appendLine(m_folder / "trials.jsonl", "\n"));
        m_isCutShort = false;
    }
    return taken;
}

bool SweepFile::isRunning() const {
    const SweepLock file(::open((m_folder / "sweep.json").c_str(), O_RDONLY | O_CLOEXEC));
    struct flock question = wholeFile();
    return file.descriptor() >= 0 && ::fcntl(file.descriptor(), F_OFD_GETLK, &question) == 0 && question.l_type != F_UNLCK;
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
        const auto found = std::find_if(m_trials.begin(), m_trials.end(), [&](const Trial& each) { return each.number == trial->number; });
        found == m_trials.end() ? m_trials.push_back(*trial) : void(*found = *trial);
    }
    m_isCutShort = !content.empty() && content.back() != '\n';
    return {};
}

Status SweepFile::put(const Trial& trial) {
    const auto found = std::find_if(m_trials.begin(), m_trials.end(), [&](const Trial& each) { return each.number == trial.number; });
    found == m_trials.end() ? m_trials.push_back(trial) : void(*found = trial);
    return appendLine(m_folder / "trials.jsonl", toJson(trial).dump() + "\n");
}

std::string SweepFile::runName(std::int64_t trial) const { return fmt::format("{}-{}", m_plan.name, trial); }

std::vector<std::string> listSweeps(const std::filesystem::path& sweepsFolder) {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(sweepsFolder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (std::filesystem::exists(entry->path() / "sweep.json", ignored)) {
            names.push_back(entry->path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace plumbline::sweep
