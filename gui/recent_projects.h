// SPDX-License-Identifier: GPL-3.0-or-later
// The projects a person opened, and the samples that come with the program.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <filesystem>

namespace plumbline::gui {

/// Newest first, at most ten, kept in the user's settings; folders that are gone drop out of the list when it is read.
class RecentProjects {
public:
    static QStringList folders();
    static void add(const QString& folder);
    static void remove(const QString& folder);
    static void clear();
};

struct Sample {
    QString id;  ///< folder name
    QString title;
    QString description;
    std::filesystem::path folder;
};

/// Where sample projects lie: PLUMBLINE_SAMPLES, beside an installed program, or the source tree it was built from.
std::filesystem::path samplesFolder();
/// Whether those are of the source tree, and so the developer's own to train and change in place.
bool samplesAreOwn();
QList<Sample> samples();

}  // namespace plumbline::gui
