// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers about a project, beside it and never in it: colours of runs, where the canvas was.
#pragma once

#include <QString>
#include <QVariant>
#include <filesystem>

namespace plumbline::gui {

/// Kept in the settings, by the project's folder, for the projects that were used last.
class ProjectMemory {
public:
    explicit ProjectMemory(const std::filesystem::path& folder);
    QVariant value(const QString& name) const;
    void setValue(const QString& name, const QVariant& value);

    static constexpr int kProjects = 50;

private:
    QString m_key;
};

}  // namespace plumbline::gui
