// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's findings add to its state: "completed" alone says nothing of a model that learnt nothing.
#pragma once

#include <QString>
#include <vector>

#include "diagnostics/finding.h"
#include "widgets/theme.h"

namespace plumbline::gui {

/// The findings that were not cleared.
struct FindingCount {
    int open = 0;
    widgets::Severity worst = widgets::Severity::None;
    QString first;  ///< id of the first of the worst
};
FindingCount countFindings(const std::vector<diagnostics::Finding>& findings);

/// "2 findings".
QString findingsText(int count);
/// "completed · 2 findings"; the state alone when there are none.
QString stateWithFindings(const QString& state, int open);

}  // namespace plumbline::gui
