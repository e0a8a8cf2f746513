// SPDX-License-Identifier: GPL-3.0-or-later
// Where unsaved work is kept, beside the user's settings and never in the project.
#pragma once

#include <QList>
#include <QLockFile>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/json.h"

namespace plumbline::gui {

/// One file a project folder: {"folder", "saved_at", "project", "layout", "older": [{"project", "layout"}]}. It is
/// locked while a window has the project open; a file whose lock is free was left behind by a crash.
class RecoveryFile {
    struct Order;

public:
    struct Version {
        Json project;
        Json layout;
    };
    /// A write in its place in the order of all writes and removals. For another thread; may outlive the file's owner.
    class Writing {
    public:
        /// Nothing is left of it when another one was begun, or the file removed, in the meantime.
        /// `older`: what earlier crashes left and nobody has decided about, oldest first.
        Status write(const std::filesystem::path& projectFolder, const Json& project, const Json& layout,
                     const std::vector<Version>& older = {}) const;

    private:
        friend class RecoveryFile;
        std::shared_ptr<Order> m_order;
        quint64 m_number = 0;
    };

    explicit RecoveryFile(const std::filesystem::path& projectFolder);
    ~RecoveryFile();

    /// False: nothing is written, since another window has this project open or the folder of these files takes none.
    bool isOurs() const { return m_ours; }
    bool isElsewhere() const { return m_elsewhere; }
    const std::filesystem::path& path() const;

    struct Content {
        std::filesystem::path folder;
        QString savedAt;
        Json project;
        Json layout;
        std::vector<Version> older;
    };
    /// What the file holds; nothing when there is none or it cannot be read.
    std::optional<Content> read() const;
    /// Ends what is being written, too.
    void remove();
    Writing begin();

    /// All that crashes left behind, newest first.
    static QList<Content> leftBehind();
    static std::filesystem::path folder();

private:
    static std::optional<Content> readFileAt(const std::filesystem::path& path);

    std::shared_ptr<Order> m_order;
    std::unique_ptr<QLockFile> m_lock;
    bool m_ours = false, m_elsewhere = false;
};

}  // namespace plumbline::gui
