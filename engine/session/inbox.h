#pragma once
// What other processes ask of a running run: files that they put into its folder's inbox/, and that the run's process
// takes out.

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "session/live_commands.h"

namespace plumbline::session {

/// Puts commands, in order, into the inbox of a run that is on; from another process than the run's. The id that each
/// of its answers has (answerTo, an event "answer" of the run). Error "message-size": more than a run takes at once,
/// 100 commands of 64 KiB.
Result<std::string> leaveMessage(const std::filesystem::path& runFolder, const std::vector<LiveCommand>& commands);

/// The inbox of a run that this process writes, looked into several times a second by a thread of its own. A file is
/// taken in the order of its name, removed, and only then believed. What is no small regular file of this user, written
/// as leaveMessage() writes it, is refused with a sentence and never followed. The folder is there for as long as the
/// inbox lives.
class Inbox {
public:
    /// Called from the inbox's thread.
    struct Hearing {
        std::function<void(LiveCommand)> onCommand;
        std::function<void(const std::string& sentence)> onTrouble;
    };
    Inbox(std::filesystem::path runFolder, Hearing hearing);
    ~Inbox();  ///< stops listening and removes the folder
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;

    /// Makes the folder; messages to a process that is gone are removed. Once, before start().
    Status open();
    Status start();

private:
    void listen();
    void look();
    void take(int folder, const std::string& name);
    void refuse(const std::string& name, const std::string& why);

    std::filesystem::path m_folder;
    Hearing m_hearing;
    std::set<std::string> m_stuck;  ///< names of what could not be removed: told once
    int m_refused = 0;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false;
    std::thread m_thread;
};

}  // namespace plumbline::session
