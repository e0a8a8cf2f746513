// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/recent_projects.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include "core/json.h"
#include "gui/convert.h"

namespace plumbline::gui {

namespace {
constexpr int kMaximum = 10;
const QString kKey = QStringLiteral("recent_projects");
}  // namespace

QStringList RecentProjects::folders() {
    QStringList found;
    for (const QString& folder : QSettings().value(kKey).toStringList()) {
        if (QFileInfo::exists(folder + QStringLiteral("/project.json"))) {
            found << folder;
        }
    }
    return found;
}

void RecentProjects::add(const QString& folder) {
    const QString whole = QFileInfo(folder).absoluteFilePath();
    QStringList all = QSettings().value(kKey).toStringList();
    all.removeAll(whole);
    all.prepend(whole);
    while (all.size() > kMaximum) {
        all.removeLast();
    }
    QSettings().setValue(kKey, all);
}

void RecentProjects::remove(const QString& folder) {
    QStringList all = QSettings().value(kKey).toStringList();
    all.removeAll(QFileInfo(folder).absoluteFilePath());
    QSettings().setValue(kKey, all);
}

void RecentProjects::clear() {
    QSettings().remove(kKey);
}

std::filesystem::path samplesFolder() {
    const QString program = QCoreApplication::applicationDirPath();
    const QStringList candidates{qEnvironmentVariable("PLUMBLINE_SAMPLES"),
                                 program + QStringLiteral("/../share/plumbline/projects"),
                                 QStringLiteral(PLUMBLINE_SOURCE_DIR "/projects")};
    for (const QString& candidate : candidates) {
        if (!candidate.isEmpty() && QFileInfo(candidate).isDir()) {
            return filePath(QDir::cleanPath(candidate));
        }
    }
    return {};
}

bool samplesAreOwn() {
    return samplesFolder() == filePath(QDir::cleanPath(QStringLiteral(PLUMBLINE_SOURCE_DIR "/projects")));
}

QList<Sample> samples() {
    QList<Sample> found;
    const std::filesystem::path folder = samplesFolder();
    if (folder.empty()) {
        return found;
    }
    for (const QFileInfo& entry : QDir(text(folder)).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const auto json = readJsonFile(filePath(entry.filePath()) / "project.json");
        if (!json || !json->is_object()) {
            continue;
        }
        const auto word = [&json](const char* key) {
            const auto it = json->find(key);
            return it != json->end() && it->is_string() ? text(it->get<std::string>()) : QString();
        };
        found << Sample{entry.fileName(), word("name").isEmpty() ? entry.fileName() : word("name"), word("description"),
                        filePath(entry.filePath())};
    }
    return found;
}

}  // namespace plumbline::gui
