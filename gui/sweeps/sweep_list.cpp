// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/sweep_list.h"

#include <QCollator>
#include <algorithm>

#include "gui/convert.h"
#include "sweep/sweep_queue.h"

namespace plumbline::gui {

namespace {

Result<SweepEntry> readSweep(const std::filesystem::path& sweepsFolder, const std::string& name) {
    PLUMBLINE_ASSIGN(sweep::SweepFile file, sweep::SweepFile::open(sweepsFolder, name));
    SweepEntry entry;
    entry.running = file.isRunning();
    entry.stop = entry.running ? file.stopRequest() : sweep::StopRequest::kNone;
    PLUMBLINE_ASSIGN(const auto queue, sweep::SweepQueue::make(file));
    entry.planned = queue->trials();
    for (const std::string& over : file.plan().over) {
        PLUMBLINE_ASSIGN(sweep::Parameter parameter, sweep::parseParameter(over));
        entry.parameters.push_back(std::move(parameter));
    }
    entry.plan = file.plan();
    entry.plan.name = name;  // by which it is opened, also where that is a link
    entry.trials = file.trials();
    std::sort(entry.trials.begin(), entry.trials.end(),
              [](const sweep::Trial& a, const sweep::Trial& b) { return a.number < b.number; });
    return entry;
}

}  // namespace

std::int64_t SweepEntry::finished() const {
    return std::count_if(trials.begin(), trials.end(), [](const sweep::Trial& trial) {
        return trial.status == "completed" || trial.status == "failed" || trial.status == "dropped";
    });
}

std::vector<SweepEntry> readSweeps(const std::filesystem::path& sweepsFolder) {
    std::vector<SweepEntry> sweeps;
    for (const std::string& name : sweep::listSweeps(sweepsFolder)) {
        auto entry = readSweep(sweepsFolder, name);
        if (!entry) {
            SweepEntry unreadable;
            unreadable.plan.name = name;
            unreadable.error = entry.error();
            entry = std::move(unreadable);
        }
        sweeps.push_back(std::move(*entry));
    }
    QCollator byNumber;
    byNumber.setNumericMode(true);
    std::sort(sweeps.begin(), sweeps.end(), [&](const SweepEntry& a, const SweepEntry& b) {
        return byNumber.compare(text(a.plan.name), text(b.plan.name)) < 0;
    });
    return sweeps;
}

QHash<QString, TrialOrigin> trialOrigins(const std::vector<SweepEntry>& sweeps) {
    QHash<QString, TrialOrigin> origins;
    for (const SweepEntry& entry : sweeps) {
        for (const sweep::Trial& trial : entry.trials) {
            if (!trial.run.empty() && !origins.contains(text(trial.run))) {
                origins.insert(text(trial.run),
                               {text(entry.plan.name), trial.number, trial.value, text(entry.plan.series)});
            }
        }
    }
    return origins;
}

Result<RunList> readRunList(const std::filesystem::path& projectFolder) {
    RunList list;
    PLUMBLINE_ASSIGN(list.runs, store::listRuns(projectFolder / "runs"));
    const std::vector<SweepEntry> sweeps = readSweeps(projectFolder / "sweeps");
    list.trials = trialOrigins(sweeps);
    // A trial has no run on record before its first end; its run is called so from the beginning.
    for (const SweepEntry& entry : sweeps) {
        for (const sweep::Trial& trial : entry.trials) {
            const std::string name = entry.plan.name + "-" + std::to_string(trial.number);
            const auto run = std::find_if(list.runs.begin(), list.runs.end(),
                                          [&](const store::RunInfo& each) { return each.name == name; });
            if (trial.run.empty() && run != list.runs.end() && !list.trials.contains(text(run->id))) {
                list.trials.insert(text(run->id),
                                   {text(entry.plan.name), trial.number, trial.value, text(entry.plan.series)});
            }
        }
    }
    for (const SweepEntry& entry : sweeps) {
        const QString name = text(entry.plan.name);
        const bool hasRun = std::any_of(list.runs.begin(), list.runs.end(), [&](const store::RunInfo& run) {
            const auto origin = list.trials.constFind(text(run.id));
            return origin != list.trials.cend() && origin->sweep == name;
        });
        if (hasRun) {
            list.sweeps << name;
        }
    }
    return list;
}

}  // namespace plumbline::gui
