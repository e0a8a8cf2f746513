// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/recovery_file.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QStandardPaths>
#include <mutex>

#include "core/files.h"
#include "gui/convert.h"

namespace plumbline::gui {

std::filesystem::path RecoveryFile::folder() {
    return filePath(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)) / "recovery";
}

/// What the owner and all that write share.
struct RecoveryFile::Order {
    std::filesystem::path path;
    std::mutex mutex;
    quint64 newest = 0;  ///< number of the last write or removal that was asked for
};

RecoveryFile::RecoveryFile(const std::filesystem::path& projectFolder) : m_order(std::make_shared<Order>()) {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(projectFolder, ignored);
    const QByteArray name = QByteArray::fromStdString((ignored ? projectFolder : whole).string());
    const QByteArray hash = QCryptographicHash::hash(name, QCryptographicHash::Sha1).toHex().left(16);
    m_order->path = folder() / (hash.toStdString() + ".json");
    QDir().mkpath(text(folder()));
    m_lock = std::make_unique<QLockFile>(text(m_order->path) + QStringLiteral(".lock"));
    m_lock->setStaleLockTime(0);  // whole while its process lives, free when it is gone
    m_ours = m_lock->tryLock(0);
    m_elsewhere = !m_ours && m_lock->error() == QLockFile::LockFailedError;
}

RecoveryFile::~RecoveryFile() {
    if (m_ours) {
        m_lock->unlock();
    }
}

std::optional<RecoveryFile::Content> RecoveryFile::readFileAt(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return std::nullopt;
    }
    auto json = readJsonFile(path);
    if (!json || !json->is_object() || !json->contains("project") || !json->value("folder", Json()).is_string()) {
        return std::nullopt;
    }
    Content content;
    content.folder = (*json)["folder"].get<std::string>();
    content.savedAt =
        json->value("saved_at", Json()).is_string() ? text((*json)["saved_at"].get<std::string>()) : QString();
    content.project = (*json)["project"];
    content.layout = json->value("layout", Json());
    for (const Json& version : json->value("older", Json::array())) {
        if (version.is_object() && version.contains("project")) {
            content.older.push_back({version["project"], version.value("layout", Json())});
        }
    }
    return content;
}

std::optional<RecoveryFile::Content> RecoveryFile::read() const {
    return readFileAt(m_order->path);
}

const std::filesystem::path& RecoveryFile::path() const {
    return m_order->path;
}

void RecoveryFile::remove() {
    const std::scoped_lock lock(m_order->mutex);
    ++m_order->newest;
    std::error_code ignored;
    std::filesystem::remove(m_order->path, ignored);
}

RecoveryFile::Writing RecoveryFile::begin() {
    const std::scoped_lock lock(m_order->mutex);
    Writing writing;
    writing.m_order = m_order;
    writing.m_number = ++m_order->newest;
    return writing;
}

Status RecoveryFile::Writing::write(const std::filesystem::path& projectFolder, const Json& project, const Json& layout,
                                    const std::vector<Version>& older) const {
    PLUMBLINE_TRY(makeFolder(m_order->path.parent_path()));
    Json content = Json::object();
    content["folder"] = projectFolder.string();
    content["saved_at"] = bytes(QDateTime::currentDateTime().toString(Qt::ISODate));
    content["project"] = project;
    content["layout"] = layout;
    for (const Version& version : older) {
        content["older"].push_back({{"project", version.project}, {"layout", version.layout}});
    }
    AtomicFile file(m_order->path);
    PLUMBLINE_TRY(writeJsonFile(file.temporaryPath(), content));
    const std::scoped_lock lock(m_order->mutex);
    return m_number == m_order->newest ? file.commit() : Status();
}

QList<RecoveryFile::Content> RecoveryFile::leftBehind() {
    QList<Content> found;
    const QDir dir(text(folder()));
    for (const QFileInfo& file : dir.entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        QLockFile lock(file.filePath() + QStringLiteral(".lock"));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0)) {
            continue;
        }
        if (auto content = readFileAt(filePath(file.filePath()))) {
            found << *content;
        }
        lock.unlock();
    }
    return found;
}

}  // namespace plumbline::gui
