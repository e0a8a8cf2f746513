// SPDX-License-Identifier: GPL-3.0-or-later
// Files and folders that are dragged in from another program.
#pragma once

#include <QMimeData>
#include <QStringList>
#include <QUrl>

namespace plumbline::gui {

/// Paths on this machine; empty when something else is dragged.
inline QStringList droppedFiles(const QMimeData* mime) {
    QStringList paths;
    if (mime) {
        for (const QUrl& url : mime->urls()) {
            if (!url.isLocalFile()) {
                return {};
            }
            paths << url.toLocalFile();
        }
    }
    return paths;
}

}  // namespace plumbline::gui
