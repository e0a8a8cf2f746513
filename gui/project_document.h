// SPDX-License-Identifier: GPL-3.0-or-later
// The project that is open: a value with undo, a file, a recovery file and a check that follows every edit.
#pragma once

#include <QFileSystemWatcher>
#include <QFlags>
#include <QJsonValue>
#include <QObject>
#include <QPointF>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/run_control.h"
#include "graph/block_type.h"
#include "graph/document.h"
#include "gui/recovery_file.h"
#include "project/project.h"

namespace plumbline::gui {

/// Which parts of the project an edit touched.
enum class Part {
    Model = 1,
    Layout = 2,  ///< where blocks stand
    Data = 4,
    Training = 8,
    Monitor = 16,
    Description = 32,  ///< name, description
    All = 63
};
Q_DECLARE_FLAGS(Parts, Part)

/// Holds the project as immutable snapshots: an edit makes the next one, an undo entry keeps the two and nothing else,
/// so no command ever refers to a widget. Every edit is one undo entry; one that would make the project unreadable is
/// refused: nothing changes, the error is returned and refused() tells it. Window thread only.
class ProjectDocument : public QObject {
    Q_OBJECT

public:
    explicit ProjectDocument(QObject* parent = nullptr);
    ~ProjectDocument() override;

    /// All leaf block types.
    static const graph::BlockRegistry& registry();

    // ---- File ----
    bool isOpen() const { return m_state != nullptr; }
    /// A folder or its project.json. The project that was open is closed first, whatever its state.
    Status open(const std::filesystem::path& path);
    /// Only to look at: no recovery file, no watching of the file.
    Status openForReading(const std::filesystem::path& path);
    /// Writes a new project into a folder (made if missing; must hold no project.json) and opens it.
    Status create(const Json& json, const std::filesystem::path& folder);
    Status save();
    /// Another window had this project open first: it keeps the recovery file, and this one none.
    bool isOpenElsewhere() const;
    /// Whether project.json holds something else than what was read or saved here: saving would overwrite it.
    bool isChangedOutside() const { return outsideText().has_value(); }
    /// What another program wrote there.
    std::optional<std::string> outsideText() const;
    /// Looks now, whatever the watcher heard (it hears nothing of some network drives): fileChangedOutside() or
    /// fileAgrees().
    void lookOutside();
    enum class DataCopy { Now, Done };
    /// Writes into another folder, with the data that travels with the project, and goes on there. Data elsewhere that
    /// the project names from its folder is named so that it is found from there. `data`: whether copyData() was
    /// called.
    Status saveAs(const std::filesystem::path& folder, DataCopy data = DataCopy::Now);
    /// Whether saveAs() would take this folder; its data aside.
    Status checkSaveAs(const std::filesystem::path& folder) const;
    /// The part of saveAs() that takes long, for another thread: copies the data that travels with a project. A folder
    /// that holds other data already is refused.
    static Status copyData(const std::filesystem::path& from, const std::filesystem::path& to,
                           RunControl* control = nullptr);
    /// Whether the project can be saved and trained where it is; looked at anew each time.
    bool isWritable() const;
    /// Reads the file again after another program changed it; undo history is lost. Changes that were not saved become
    /// recoverable().
    Status reload();
    void close();
    bool isDirty() const { return isOpen() && !m_undoStack.isClean(); }
    std::filesystem::path folder() const;
    std::filesystem::path runsFolder() const { return folder() / "runs"; }
    QString name() const;

    // ---- Content ----
    /// Only while isOpen().
    const project::Project& project() const { return *m_state; }
    /// Keeps the value as it is now, for another thread.
    std::shared_ptr<const project::Project> snapshot() const { return m_state; }
    /// Value at a dotted path of project.json; Undefined when not stated.
    QJsonValue setting(const QString& dottedPath) const;
    /// Shapes, costs and problems of the newest snapshot. Above kAsynchronousNodes it may lag: see isChecking().
    const project::CheckReport& report() const { return m_report; }
    bool isChecking() const { return m_checking; }

    // ---- Edits: each is one undo entry ----
    /// `edit` changes copies of the graph document and of layout.json; an error of its own refuses the edit. Edits with
    /// the same non-empty `mergeKey` in a row become one entry (nudging with the keyboard).
    Status editModel(const QString& text, const std::function<Status(graph::Document&, Json& layout)>& edit,
                     const QString& mergeKey = {});
    /// Sets (or with Undefined removes) the value at a dotted path of project.json: "training.optimizer.lr".
    Status setSetting(const QString& dottedPath, const QJsonValue& value);
    /// An RFC 6902 patch on project.json.
    Status applyPatch(const QString& text, const Json& patch);
    /// The whole project.json.
    Status setJson(const QString& text, const Json& json);
    QUndoStack* undoStack() { return &m_undoStack; }

    // ---- Recovery ----
    /// What a crash left behind for this folder and is not in the project; null when there is none. Of several, the
    /// newest.
    std::shared_ptr<const project::Project> recoverable() const {
        return m_leftBehind.empty() ? nullptr : m_leftBehind.back();
    }
    /// Goes on with it, as an undoable edit.
    Status recover();
    /// Until this or recover() it is kept, also over closing and opening again.
    void discardRecovery();
    /// Writes the recovery file now (it is written in the background soon after each edit).
    void autosaveNow();

    /// Nodes from which on the check runs beside the window.
    static constexpr std::size_t kAsynchronousNodes = 5000;

Q_SIGNALS:
    /// The project that is open is about to go: closed, or read again.
    void closing();
    /// Another project, or none: everything is to be read again.
    void projectChanged();
    /// After an edit, undo or redo; report() is up to date unless isChecking().
    void changed(plumbline::gui::Parts parts);
    /// report() is new.
    void checked();
    void dirtyChanged(bool dirty);
    /// project.json was changed by another program.
    void fileChangedOutside();
    /// project.json holds what was read or saved here (again).
    void fileAgrees();
    /// An entry of the undo history was taken back or done again; after changed().
    void rewound();
    void refused(const plumbline::Error& error);

private:
    class SnapshotCommand;
    using State = std::shared_ptr<const project::Project>;
    void install(State state);
    void push(const QString& text, State after, Parts parts, const QString& mergeKey);
    void setState(State state, Parts parts);
    void check();
    void watch();
    Status refuse(Error error);
    void findLeftBehind();
    /// Of m_leftBehind, without the last `newest`.
    std::vector<RecoveryFile::Version> versionsLeft(std::size_t newest) const;
    void removeAutosave();

    State m_state;
    project::CheckReport m_report;
    std::filesystem::path m_folder;
    QUndoStack m_undoStack;
    std::unique_ptr<RecoveryFile> m_recovery;
    std::vector<State> m_leftBehind;  ///< by crashes, oldest first; each until restored or discarded
    QTimer m_autosave;
    QFileSystemWatcher m_watcher;
    std::string m_savedText;  ///< what project.json holds as far as we know
    quint64 m_checkStamp = 0;
    bool m_checking = false;
    bool m_readOnly = false;
};

}  // namespace plumbline::gui

Q_DECLARE_OPERATORS_FOR_FLAGS(plumbline::gui::Parts)
