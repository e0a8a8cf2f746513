// SPDX-License-Identifier: GPL-3.0-or-later
// The sweeps of a project as they lie on disk, read without touching them.
#pragma once

#include <QHash>
#include <QString>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/error.h"
#include "store/run_store.h"
#include "sweep/sweep_file.h"

namespace plumbline::gui {

struct SweepEntry {
    sweep::SweepPlan plan;
    std::vector<sweep::Trial> trials;
    std::vector<sweep::Parameter> parameters;
    std::int64_t planned = 0;                             ///< trials that there will be
    bool running = false;                                 ///< some process runs its trials
    sweep::StopRequest stop = sweep::StopRequest::kNone;  ///< what that process has been asked
    std::optional<Error> error;                           ///< it cannot be read; the rest but the name is empty then

    std::int64_t finished() const;
    /// All trials have ended: nothing is left to resume.
    bool isDone() const { return !error && planned > 0 && finished() >= planned; }
};

/// Sorted by name, "sweep2" before "sweep10". Takes a while: call it with runInBackground().
std::vector<SweepEntry> readSweeps(const std::filesystem::path& sweepsFolder);

/// What the run of a trial is to its sweep.
struct TrialOrigin {
    QString sweep;
    qint64 number = 0;
    std::optional<double> value;  ///< of the series that the sweep judges by
    QString series;
    bool operator==(const TrialOrigin&) const = default;
};

/// By the run's id; of sweeps that name the same run, the first one has it.
QHash<QString, TrialOrigin> trialOrigins(const std::vector<SweepEntry>& sweeps);

/// Runs and sweeps of a project.
struct RunList {
    std::vector<store::RunInfo> runs;
    QHash<QString, TrialOrigin> trials;
    QStringList sweeps;  ///< names of those that have a run
};

Result<RunList> readRunList(const std::filesystem::path& projectFolder);

}  // namespace plumbline::gui
