// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project_document.h"

#include <QUndoCommand>
#include <set>
#include <utility>

#include "blocks/register.h"
#include "core/copy_tree.h"
#include "core/files.h"
#include "gui/background.h"
#include "gui/convert.h"
#include "gui/recovery_file.h"
#include "project/data_paths.h"

namespace plumbline::gui {

namespace {

constexpr int kAutosaveMs = 1500;
constexpr std::size_t kMaxLeftBehind = 5;
constexpr int kUndoLimit = 200;
constexpr int kUndoLimitLarge = 40;  // a snapshot of 2,000 blocks takes about 3 MB
constexpr std::size_t kLargeModel = 2000;

std::size_t nodeCount(const graph::Document& document) {
    std::size_t count = document.root.nodes.size();
    for (const graph::Graph& definition : document.definitions) {
        count += definition.nodes.size();
    }
    return count;
}

Parts differingParts(const project::Project& a, const project::Project& b) {
    Parts parts;
    std::set<std::string> keys;
    for (const auto& [key, value] : a.json.items()) {
        keys.insert(key);
    }
    for (const auto& [key, value] : b.json.items()) {
        keys.insert(key);
    }
    for (const std::string& key : keys) {
        if (a.json.value(key, Json()) == b.json.value(key, Json())) {
            continue;
        }
        parts |= key == "model"      ? Part::Model
                 : key == "data"     ? Part::Data
                 : key == "training" ? Part::Training
                 : key == "monitor"  ? Part::Monitor
                                     : Part::Description;
    }
    if (a.layout != b.layout) {
        parts |= Part::Layout;
    }
    return parts;
}

/// The project in another folder, its data found from there.
std::shared_ptr<const project::Project> movedTo(const std::shared_ptr<const project::Project>& project,
                                                const std::filesystem::path& folder) {
    auto moved = std::make_shared<project::Project>(*project);
    moved->folder = folder;
    Json json = project::movedProject(project->json, project->folder, folder);
    if (json != project->json) {
        if (auto read = project::readProject(json, folder)) {
            read->layout = project->layout;
            *moved = std::move(*read);
        }
    }
    return moved;
}

}  // namespace

/// Two snapshots. Nothing else: undo works on the document whatever the window shows.
class ProjectDocument::SnapshotCommand : public QUndoCommand {
public:
    SnapshotCommand(ProjectDocument& document, const QString& text, State before, State after, Parts parts,
                    QString mergeKey)
        : QUndoCommand(text),
          m_document(document),
          m_before(std::move(before)),
          m_after(std::move(after)),
          m_parts(parts),
          m_mergeKey(std::move(mergeKey)) {}

    void redo() override {
        m_document.setState(m_after, m_parts);
        if (std::exchange(m_done, true)) {
            Q_EMIT m_document.rewound();
        }
    }
    void undo() override {
        m_document.setState(m_before, m_parts);
        Q_EMIT m_document.rewound();
    }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const SnapshotCommand*>(other);
        if (next->m_mergeKey != m_mergeKey) {
            return false;
        }
        m_after = next->m_after;
        m_parts |= next->m_parts;
        return true;
    }

private:
    ProjectDocument& m_document;
    State m_before, m_after;
    Parts m_parts;
    QString m_mergeKey;
    bool m_done = false;
};

ProjectDocument::ProjectDocument(QObject* parent) : QObject(parent) {
    m_autosave.setSingleShot(true);
    m_autosave.setInterval(kAutosaveMs);
    connect(&m_autosave, &QTimer::timeout, this, &ProjectDocument::autosaveNow);
    connect(&m_undoStack, &QUndoStack::cleanChanged, this, [this](bool clean) {
        if (isOpen()) {
            Q_EMIT dirtyChanged(!clean);
        }
    });
    // The folder as well: a file that is taken away and comes back is no longer watched itself.
    for (const auto signal : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged}) {
        connect(&m_watcher, signal, this, &ProjectDocument::lookOutside);
    }
}

ProjectDocument::~ProjectDocument() {
    m_undoStack.disconnect(this);
}

const graph::BlockRegistry& ProjectDocument::registry() {
    return blocks::builtinBlocks();
}

std::filesystem::path ProjectDocument::folder() const {
    return m_folder;
}

QString ProjectDocument::name() const {
    return isOpen() ? text(m_state->name) : QString();
}

// ---- File ----

Status ProjectDocument::open(const std::filesystem::path& path) {
    PLUMBLINE_ASSIGN(project::Project opened, project::openProject(path));
    close();
    m_folder = opened.folder;
    m_recovery = std::make_unique<RecoveryFile>(m_folder);
    install(std::make_shared<const project::Project>(std::move(opened)));
    return {};
}

Status ProjectDocument::openForReading(const std::filesystem::path& path) {
    PLUMBLINE_ASSIGN(project::Project opened, project::openProject(path));
    m_readOnly = true;
    m_folder = opened.folder;
    install(std::make_shared<const project::Project>(std::move(opened)));
    return {};
}

Status ProjectDocument::create(const Json& json, const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / "project.json", ignored)) {
        return fail(ErrorKind::kInvalid, "project-exists", bytes(tr("%1 already holds a project.").arg(text(folder))),
                    folder.string(), bytes(tr("Choose another folder, or open the project that is there.")));
    }
    PLUMBLINE_ASSIGN(project::Project made, project::readProject(json, folder));
    PLUMBLINE_TRY(makeFolder(folder));
    PLUMBLINE_TRY(project::saveProject(made));
    return open(folder);
}

Status ProjectDocument::save() {
    if (!isOpen()) {
        return {};
    }
    PLUMBLINE_TRY(project::saveProject(*m_state));
    m_savedText = readFile(m_folder / "project.json").value_or(std::string());
    watch();
    m_undoStack.setClean();
    removeAutosave();
    Q_EMIT fileAgrees();
    return {};
}

bool ProjectDocument::isOpenElsewhere() const {
    return m_recovery && m_recovery->isElsewhere();
}

std::optional<std::string> ProjectDocument::outsideText() const {
    if (!isOpen()) {
        return std::nullopt;
    }
    auto now = readFile(m_folder / "project.json");
    return now && *now != m_savedText ? std::optional(std::move(*now)) : std::nullopt;
}

void ProjectDocument::lookOutside() {
    if (!isOpen() || m_readOnly) {
        return;
    }
    watch();  // a file that was replaced has to be watched anew
    if (isChangedOutside()) {
        Q_EMIT fileChangedOutside();
    } else {
        Q_EMIT fileAgrees();
    }
}

bool ProjectDocument::isWritable() const {
    return isOpen() && plumbline::isWritable(m_folder) && plumbline::isWritable(m_folder / "project.json");
}

Status ProjectDocument::checkSaveAs(const std::filesystem::path& folder) const {
    std::error_code error;
    if (std::filesystem::exists(folder / "project.json", error) &&
        !std::filesystem::equivalent(folder, m_folder, error)) {
        return fail(ErrorKind::kInvalid, "project-exists", bytes(tr("%1 already holds a project.").arg(text(folder))),
                    folder.string(), bytes(tr("Choose another folder.")));
    }
    return {};
}

Status ProjectDocument::copyData(const std::filesystem::path& from, const std::filesystem::path& to,
                                 RunControl* control) {
    std::error_code error;
    const bool same = std::filesystem::equivalent(from, to, error);
    if ((same && !error) || !std::filesystem::exists(from / "data", error)) {
        return {};
    }
    if (!std::filesystem::exists(to / "data", error)) {
        return copyTree(from / "data", to / "data", control);
    }
    if (sameTree(from / "data", to / "data")) {
        return {};  // copied before
    }
    return fail(ErrorKind::kInvalid, "other-data",
                bytes(tr("%1 holds other data than this project.").arg(text(to / "data"))), to.string(),
                bytes(tr("Choose another folder, so that neither is lost.")));
}

Status ProjectDocument::saveAs(const std::filesystem::path& folder, DataCopy data) {
    if (!isOpen()) {
        return {};
    }
    std::error_code error;
    const bool same = std::filesystem::equivalent(folder, m_folder, error);
    if (same && !error) {
        return save();
    }
    PLUMBLINE_TRY(checkSaveAs(folder));
    PLUMBLINE_TRY(makeFolder(folder));
    if (data == DataCopy::Now) {
        PLUMBLINE_TRY(copyData(m_folder, folder));
    }
    const State copy = movedTo(m_state, folder);
    PLUMBLINE_TRY(project::saveProject(*copy));
    removeAutosave();
    m_leftBehind.clear();
    m_folder = folder;
    m_recovery = std::make_unique<RecoveryFile>(m_folder);
    const Parts parts = differingParts(*m_state, *copy) | Part::Description;
    m_state = copy;
    m_savedText = readFile(m_folder / "project.json").value_or(std::string());
    watch();
    m_undoStack.setClean();
    Q_EMIT changed(parts);
    return {};
}

Status ProjectDocument::reload() {
    PLUMBLINE_ASSIGN(project::Project opened, project::openProject(m_folder));
    Q_EMIT closing();
    if (isDirty()) {
        m_leftBehind.push_back(m_state);  // it can be restored
    }
    removeAutosave();
    install(std::make_shared<const project::Project>(std::move(opened)));
    return {};
}

void ProjectDocument::close() {
    if (!isOpen()) {
        return;
    }
    Q_EMIT closing();
    removeAutosave();
    m_recovery.reset();
    m_leftBehind.clear();
    m_folder.clear();
    install(nullptr);
}

void ProjectDocument::install(State state) {
    m_autosave.stop();
    m_state = std::move(state);
    ++m_checkStamp;
    m_checking = false;
    m_report = {};
    m_undoStack.clear();
    m_savedText.clear();
    if (m_state) {
        m_undoStack.setUndoLimit(nodeCount(m_state->model) > kLargeModel ? kUndoLimitLarge : kUndoLimit);
        m_savedText = readFile(m_folder / "project.json").value_or(std::string());
        if (m_recovery) {
            findLeftBehind();
        }
        check();
    }
    watch();
    Q_EMIT projectChanged();
    Q_EMIT dirtyChanged(false);
}

void ProjectDocument::watch() {
    const QStringList watched = m_watcher.files();
    const QString file = text(m_folder / "project.json");
    const QString folder = text(m_folder);
    const bool wanted = isOpen() && !m_readOnly;
    if (!watched.isEmpty()) {
        m_watcher.removePaths(watched);
    }
    if (const QStringList folders = m_watcher.directories();
        folders != (wanted ? QStringList{folder} : QStringList{})) {
        if (!folders.isEmpty()) {
            m_watcher.removePaths(folders);
        }
        if (wanted) {
            m_watcher.addPath(folder);
        }
    }
    if (wanted) {
        m_watcher.addPath(file);
    }
}

// ---- Edits ----

QJsonValue ProjectDocument::setting(const QString& dottedPath) const {
    if (!isOpen()) {
        return QJsonValue::Undefined;
    }
    const Json::json_pointer pointer(pointerOfDottedPath(bytes(dottedPath)));
    return m_state->json.contains(pointer) ? toQt(m_state->json.at(pointer)) : QJsonValue(QJsonValue::Undefined);
}

Status ProjectDocument::editModel(const QString& text, const std::function<Status(graph::Document&, Json&)>& edit,
                                  const QString& mergeKey) {
    if (!isOpen()) {
        return {};
    }
    auto after = std::make_shared<project::Project>(*m_state);
    if (const Status done = edit(after->model, after->layout); !done) {
        return refuse(done.error());
    }
    Parts parts;
    if (after->layout != m_state->layout) {
        parts |= Part::Layout;
    }
    if (after->model != m_state->model) {
        parts |= Part::Model;
        after->json["model"] = graph::writeDocument(after->model);
    }
    push(text, std::move(after), parts, mergeKey);
    return {};
}

Status ProjectDocument::setSetting(const QString& dottedPath, const QJsonValue& value) {
    if (!isOpen()) {
        return {};
    }
    const Json::json_pointer pointer(pointerOfDottedPath(bytes(dottedPath)));
    Json json = m_state->json;
    if (value.isUndefined()) {
        if (!json.contains(pointer)) {
            return {};
        }
        Json& parent = json.at(pointer.parent_pointer());
        if (parent.is_array()) {
            parent.erase(static_cast<std::size_t>(std::stoul(pointer.back())));
        } else {
            parent.erase(pointer.back());
        }
    } else {
        // Missing objects on the way are made; a list element has to be there.
        Json::json_pointer parent = pointer.parent_pointer();
        if (!json.contains(parent)) {
            Json::json_pointer built;
            QStringList above = dottedPath.split(QLatin1Char('.'));
            above.removeLast();
            for (const QString& part : std::as_const(above)) {
                built /= bytes(part);
                if (!json.contains(built)) {
                    json[built] = Json::object();
                }
            }
        }
        if (!json.at(parent).is_structured()) {
            return refuse(Error{ErrorKind::kInvalid,
                                "not-an-object",
                                bytes(tr("%1 cannot be set: what holds it is no object.").arg(dottedPath)),
                                pointer.to_string(),
                                {}});
        }
        json[pointer] = fromQt(value);
    }
    return setJson(tr("Set %1").arg(dottedPath.section(QLatin1Char('.'), -1)), json);
}

Status ProjectDocument::applyPatch(const QString& text, const Json& patch) {
    if (!isOpen()) {
        return {};
    }
    auto patched = applyJsonPatch(m_state->json, patch);
    if (!patched) {
        return refuse(patched.error());
    }
    return setJson(text, *patched);
}

Status ProjectDocument::setJson(const QString& text, const Json& json) {
    if (!isOpen()) {
        return {};
    }
    auto read = project::readProject(json, m_folder);
    if (!read) {
        return refuse(read.error());
    }
    read->layout = m_state->layout;
    auto after = std::make_shared<const project::Project>(std::move(*read));
    const Parts parts = differingParts(*m_state, *after);
    push(text, std::move(after), parts, {});
    return {};
}

void ProjectDocument::push(const QString& text, State after, Parts parts, const QString& mergeKey) {
    if (parts) {
        m_undoStack.push(new SnapshotCommand(*this, text, m_state, std::move(after), parts, mergeKey));
    }
}

void ProjectDocument::setState(State state, Parts parts) {
    if (state->folder != m_folder) {  // saved elsewhere since this snapshot was made
        state = movedTo(state, m_folder);
    }
    m_state = std::move(state);
    if (!m_autosave.isActive()) {
        m_autosave.start();  // steady editing does not put it off
    }
    if (parts & ~Parts(Part::Layout)) {
        check();
    }
    Q_EMIT changed(parts);
    if (!m_checking) {
        Q_EMIT checked();
    }
}

void ProjectDocument::check() {
    const quint64 stamp = ++m_checkStamp;
    if (nodeCount(m_state->model) < kAsynchronousNodes) {
        m_checking = false;
        m_report = project::checkProject(*m_state, registry());
        return;
    }
    m_checking = true;
    runInBackground(
        this, [state = m_state] { return project::checkProject(*state, registry()); },
        [this, stamp](project::CheckReport report) {
            if (stamp == m_checkStamp) {
                m_checking = false;
                m_report = std::move(report);
                Q_EMIT checked();
            }
        });
}

Status ProjectDocument::refuse(Error error) {
    Q_EMIT refused(error);
    return fail(std::move(error));
}

// ---- Recovery ----

void ProjectDocument::findLeftBehind() {
    const auto content = m_recovery->isOurs() ? m_recovery->read() : std::nullopt;
    if (!content) {
        return;
    }
    m_leftBehind.clear();
    std::vector<RecoveryFile::Version> versions = content->older;
    versions.push_back({content->project, content->layout});
    for (const RecoveryFile::Version& version : versions) {
        if (version.project == m_state->json && version.layout == m_state->layout) {
            continue;
        }
        if (auto read = project::readProject(version.project, m_folder)) {
            read->layout = version.layout;
            m_leftBehind.push_back(std::make_shared<const project::Project>(std::move(*read)));
        }
    }
    while (m_leftBehind.size() > kMaxLeftBehind) {
        m_leftBehind.erase(m_leftBehind.begin());
    }
}

std::vector<RecoveryFile::Version> ProjectDocument::versionsLeft(std::size_t newest) const {
    std::vector<RecoveryFile::Version> versions;
    for (std::size_t i = 0; i + newest < m_leftBehind.size(); ++i) {
        versions.push_back({m_leftBehind[i]->json, m_leftBehind[i]->layout});
    }
    return versions;
}

Status ProjectDocument::recover() {
    if (m_leftBehind.empty()) {
        return {};
    }
    const State after = m_leftBehind.back();
    m_leftBehind.pop_back();
    push(tr("Restore unsaved changes"), after, differingParts(*m_state, *after), {});
    return {};
}

void ProjectDocument::discardRecovery() {
    m_leftBehind.clear();
    removeAutosave();
}

void ProjectDocument::removeAutosave() {
    m_autosave.stop();
    if (!m_recovery || !m_recovery->isOurs()) {
        return;
    }
    if (const State newest = recoverable()) {
        // Not decided yet: what the crash left stays for the next start.
        if (!m_recovery->begin().write(m_folder, newest->json, newest->layout, versionsLeft(1))) {
            qWarning("The recovery file could not be written.");
        }
        return;
    }
    m_recovery->remove();
}

void ProjectDocument::autosaveNow() {
    m_autosave.stop();
    if (!isOpen() || !m_recovery || !m_recovery->isOurs()) {
        return;
    }
    if (!isDirty()) {
        removeAutosave();
        return;
    }
    runInBackground(
        this,
        [writing = m_recovery->begin(), state = m_state, older = versionsLeft(0)] {
            return writing.write(state->folder, state->json, state->layout, older);
        },
        [](const Status&) {});
}

}  // namespace plumbline::gui
