#include "session/inbox.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "core/descriptor.h"
#include "core/files.h"
#include "core/text.h"

namespace plumbline::session {
namespace {

constexpr const char* kFolder = "inbox";
constexpr const char* kEnding = ".json";
constexpr auto kPeriod = std::chrono::milliseconds(200);
constexpr std::size_t kLargestMessage = 64 << 10, kMostCommands = 100, kMostAtOnce = 100, kMostNames = 10'000,
                      kMostStuck = 1000;
constexpr std::size_t kLongestPath = 200;
constexpr int kMostRefusalsTold = 20;
constexpr std::time_t kAbandonedSeconds = 60;

/// The folder itself, never what a link in its place leads to.
int openFolder(const std::filesystem::path& folder) {
    return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Names in order; "." and ".." left out.
std::vector<std::string> namesIn(int folder) {
    std::vector<std::string> names;
    const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const listing = again >= 0 ? ::fdopendir(again) : nullptr;
    if (listing == nullptr) {
        if (again >= 0) {
            ::close(again);
        }
        return names;
    }
    while (const dirent* const entry = names.size() < kMostNames ? ::readdir(listing) : nullptr) {
        std::string name = entry->d_name;
        if (name != "." && name != "..") {
            names.push_back(std::move(name));
        }
    }
    ::closedir(listing);
    std::sort(names.begin(), names.end());
    return names;
}

void removeAll(int folder) {
    for (const std::string& name : namesIn(folder)) {
        (void)::unlinkat(folder, name.c_str(), 0);
    }
}

bool isMessageName(const std::string& name) {
    return name.ends_with(kEnding) && name.size() > 5 && name.find_first_not_of("0123456789-") == name.size() - 5;
}

/// Why it is not taken; "" = nothing speaks against it.
std::string objection(const struct stat& found) {
    if (!S_ISREG(found.st_mode)) {
        return "is no regular file";
    }
    if (found.st_uid != ::geteuid()) {
        return "belongs to another user";
    }
    return static_cast<std::size_t>(found.st_size) > kLargestMessage
               ? fmt::format("has more than {} bytes", kLargestMessage)
               : "";
}

/// The text of a file that nothing speaks against; else `why`.
std::string textOf(int folder, const std::string& name, std::string& why) {
    struct stat found {};
    if (::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
        why = "could not be read";
        return {};
    }
    if (why = objection(found); !why.empty()) {
        return {};
    }
    // It may have become something else meanwhile: a pipe would be waited for, a link followed.
    const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.get() < 0 || ::fstat(file.get(), &found) != 0) {
        why = "could not be read";
        return {};
    }
    if (why = objection(found); !why.empty()) {
        return {};
    }
    std::string text(kLargestMessage + 1, '\0');
    std::size_t size = 0;
    ssize_t got = 0;
    while (size < text.size() && (got = ::read(file.get(), text.data() + size, text.size() - size)) > 0) {
        size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    why = got < 0                  ? "could not be read"
          : size > kLargestMessage ? fmt::format("has more than {} bytes", kLargestMessage)
                                   : "";
    return text;
}

/// Empty where it is not what leaveMessage() writes.
std::vector<LiveCommand> commandsOf(const std::string& text, const std::string& id) {
    const auto json = parseJson(text, id);
    const Json list = json && json->is_object() ? json->value("commands", Json()) : Json();
    std::vector<LiveCommand> commands;
    if (!list.is_array() || list.empty() || list.size() > kMostCommands) {
        return commands;
    }
    for (const Json& each : list) {
        const Json path = each.is_object() ? each.value("path", Json()) : Json();
        if (!path.is_string() || path.get_ref<const std::string&>().size() > kLongestPath) {
            return {};
        }
        commands.push_back({path.get<std::string>(), each.value("value", Json()), id});
    }
    return commands;
}

/// What commandsOf() and textOf() would refuse is refused where it is asked for.
Status checkMessage(const std::vector<LiveCommand>& commands, const std::string& text) {
    if (commands.empty() || commands.size() > kMostCommands) {
        return fail(ErrorKind::kUsage, "message-size",
                    fmt::format("A message to a run has 1 to {} commands, not {}.", kMostCommands, commands.size()), {},
                    "Tell the run in several messages.");
    }
    const auto isLong = [](const LiveCommand& command) { return command.path.size() > kLongestPath; };
    if (const auto found = std::find_if(commands.begin(), commands.end(), isLong); found != commands.end()) {
        return fail(ErrorKind::kUsage, "message-size",
                    fmt::format("{} is no setting: its name has more than {} bytes.", shortened(oneLine(found->path)),
                                kLongestPath),
                    {}, "\"plumbline settings\" lists those that there are.");
    }
    if (text.size() > kLargestMessage) {
        return fail(
            ErrorKind::kUsage, "message-size",
            fmt::format("A message to a run has {} bytes at most, and this one {}.", kLargestMessage, text.size()), {},
            "Tell the run in several messages.");
    }
    return {};
}

}  // namespace

Result<std::string> leaveMessage(const std::filesystem::path& runFolder, const std::vector<LiveCommand>& commands) {
    static std::atomic<unsigned> s_count{0};
    const std::filesystem::path folder = runFolder / kFolder;
    const Descriptor there(openFolder(folder));
    if (there.get() < 0) {
        return fail(ErrorKind::kUsage, "not-listening",
                    fmt::format("Run {} hears no other process", runFolder.filename().string()), folder.string(),
                    "Change it where it was started: in its window or terminal.");
    }
    const auto now =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    const std::string id = fmt::format("{:020}-{}-{}", now, ::getpid(), s_count++);
    Json list = Json::array();
    for (const LiveCommand& command : commands) {
        list.push_back({{"path", command.path}, {"value", command.value}});
    }
    const std::string text =
        Json{{"commands", std::move(list)}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    PLUMBLINE_TRY(checkMessage(commands, text));
    PLUMBLINE_TRY(writeFileAtomically(folder / (id + kEnding), text));
    return id;
}

Inbox::Inbox(std::filesystem::path runFolder, Hearing hearing)
    : m_folder(std::move(runFolder) / kFolder), m_hearing(std::move(hearing)) {}

Inbox::~Inbox() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) {
        m_thread.join();
    }
    if (const Descriptor folder(openFolder(m_folder)); folder.get() >= 0) {
        removeAll(folder.get());
        (void)::rmdir(m_folder.c_str());
    }
}

Status Inbox::open() {
    if (::mkdir(m_folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return fail(fileError(errno, "make the folder", m_folder));
    }
    const Descriptor folder(openFolder(m_folder));
    struct stat found {};
    if (folder.get() < 0 || ::fstat(folder.get(), &found) != 0) {
        return fail(fileError(errno, "read", m_folder));
    }
    if (found.st_uid != ::geteuid()) {
        return fail(fileError(EACCES, "read", m_folder));
    }
    removeAll(folder.get());
    return {};
}

Status Inbox::start() {
    try {
        m_thread = std::thread([this] { listen(); });
        return {};
    } catch (const std::system_error& error) {
        return fail(ErrorKind::kMachine, "no-thread",
                    fmt::format("The thread that hears other processes cannot be started: {}", error.what()), {},
                    "Close other programs, or raise the limit on threads.");
    }
}

void Inbox::listen() {
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            if (m_wake.wait_for(lock, kPeriod, [this] { return m_stopping; })) {
                return;
            }
        }
        try {
            look();
        } catch (...) {
            continue;  // no memory now: what is left lies there for the next look
        }
    }
}

void Inbox::look() {
    const Descriptor folder(openFolder(m_folder));
    if (folder.get() < 0) {
        return;
    }
    std::vector<std::string> names = namesIn(folder.get());
    std::erase_if(names, [this](const std::string& name) { return m_stuck.contains(name); });
    names.resize(std::min(names.size(), kMostAtOnce));
    for (const std::string& name : names) {
        take(folder.get(), name);
    }
}

void Inbox::take(int folder, const std::string& name) {
    if (name.ends_with(".tmp")) {
        // Being written; or its writer was killed.
        struct stat found {};
        if (::fstatat(folder, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0 ||
            ::time(nullptr) - found.st_mtime < kAbandonedSeconds) {
            return;
        }
    }
    std::string why = isMessageName(name) ? "" : "is nothing that plumbline tell writes";
    const std::string text = why.empty() ? textOf(folder, name, why) : "";
    if (::unlinkat(folder, name.c_str(), 0) != 0) {
        if (errno == ENOENT) {
            return;
        }
        // It would be carried out with each look.
        why = why.empty() ? "could not be removed" : why;
        if (m_stuck.size() < kMostStuck) {
            m_stuck.insert(name);
        }
    }
    std::vector<LiveCommand> commands;
    if (why.empty()) {
        commands = commandsOf(text, name.substr(0, name.size() - 5));
        why = commands.empty() ? "is nothing that plumbline tell writes" : "";
    }
    if (!why.empty()) {
        refuse(name, why);
        return;
    }
    for (LiveCommand& command : commands) {
        m_hearing.onCommand(std::move(command));
    }
}

void Inbox::refuse(const std::string& name, const std::string& why) {
    if (++m_refused <= kMostRefusalsTold) {
        m_hearing.onTrouble(fmt::format("In the run's inbox {} was not taken: it {}.",
                                        shortened(oneLine(isUtf8(name) ? name : "a file")), why));
    }
}

}  // namespace plumbline::session
