// SPDX-License-Identifier: GPL-3.0-or-later
// Where unsaved work is kept, beside the user's settings and never in the project.
#pragma once

#include <QList>
#include <QLockFile>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::gui {

/// One file a project folder: {"folder", "saved_at", "project", "layout"}. It is locked while a window has the project
/// open; a file whose lock is free was left behind by a crash. Safe to write from a worker thread.
class RecoveryFile {
public:
    explicit RecoveryFile(const std::filesystem::path& projectFolder);
    ~RecoveryFile();

    /// False: another window has this project open; nothing is written then.
    bool isOurs() const { return m_ours; }
    const std::filesystem::path& path() const { return m_path; }

    struct Content { std::filesystem::path folder; QString savedAt; Json project; Json layout; };
    /// What the file holds; nothing when there is none or it cannot be read.
    std::optional<Content> read() const;
    void remove();

    static Status write(const std::filesystem::path& path, const std::filesystem::path& projectFolder,
                        const Json& project, const Json& layout);
    /// All that crashes left behind, newest first.
    static QList<Content> leftBehind();
    static std::filesystem::path folder();

private:
    static std::optional<Content> readFileAt(const std::filesystem::path& path);

    std::filesystem::path m_path;
    std::unique_ptr<QLockFile> m_lock;
    bool m_ours = false;
};

}  // namespace plumbline::gui
