// SPDX-License-Identifier: GPL-3.0-or-later
// The phases of a step (training.phases) as rows of a form, each under a heading of its own, and as small edits of
// project.json.
#pragma once

#include <optional>

#include "gui/pages/list_setting.h"
#include "project/project.h"

namespace plumbline::gui {

/// "training.phases".
extern const char* const kPhases;

/// The button that adds a phase, then of each phase its name, parameters, losses, how often it is taken, and all rows
/// of training.optimizer with what it takes over from there as their defaults.
QList<widgets::FieldSpec> phaseRows(const plan::SettingSpec& spec, const Json& project, const ListChoices& choices);

/// "training.phases.0.minimises.1": whether the first phase minimises the second loss, which stands with the loss.
struct PhaseLoss {
    std::size_t phase, loss;
};
std::optional<PhaseLoss> phaseLoss(const QString& path);
bool minimises(const Json& project, const PhaseLoss& which);

// RFC 6902 patches on project.json.

/// One for a block that no phase trains yet. The first takes all losses, a later one those that name none.
Json addPhasePatch(const project::Project& project, const graph::ResolvedModel& model);
/// Losses do not name it any more.
Json removePhasePatch(const Json& project, std::size_t phase);
/// What names it goes along: losses, and the series of a validation that stops, schedules and the best checkpoint go
/// by.
Json renamePhasePatch(const Json& project, std::size_t phase, const std::string& name);
Json minimisePatch(const Json& project, const PhaseLoss& which, bool on);

}  // namespace plumbline::gui
