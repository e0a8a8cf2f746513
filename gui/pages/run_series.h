// SPDX-License-Identifier: GPL-3.0-or-later
// A stored run as plots want it.
#pragma once

#include <QList>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "diagnostics/finding.h"
#include "gui/run_bridge.h"

namespace plumbline::gui {

/// A setting that was changed while a run went on.
struct LiveChange {
    double step = 0;  ///< the first step that had the new value
    QString path;     ///< "training.optimizer.lr"
    QString value;
    bool operator==(const LiveChange&) const = default;
};
LiveChange liveChange(std::int64_t stepsDone, const std::string& path, const Json& value);

struct StoredRun {
    QList<SeriesChunk> series;
    std::vector<diagnostics::Finding> findings;
    QList<LiveChange> changes;
    Json summary;  ///< null until the run has ended
};

/// Reads every series of a run; takes a while for a long one: call it with runInBackground(). `only`: one series.
Result<StoredRun> readStoredRun(const std::filesystem::path& runFolder, const QString& only = {});

}  // namespace plumbline::gui
