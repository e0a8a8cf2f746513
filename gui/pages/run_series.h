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

struct StoredRun {
    QList<SeriesChunk> series;
    std::vector<diagnostics::Finding> findings;
    Json summary;  ///< null until the run has ended
};

/// Reads every series of a run; takes a while for a long one: call it with runInBackground(). `only`: one series.
Result<StoredRun> readStoredRun(const std::filesystem::path& runFolder, const QString& only = {});

}  // namespace plumbline::gui
