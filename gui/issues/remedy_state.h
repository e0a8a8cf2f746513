// SPDX-License-Identifier: GPL-3.0-or-later
// What a remedy would do to the project as it is now.
#pragma once

#include <QList>
#include <QString>

#include "core/json.h"
#include "graph/problem.h"

namespace plumbline::gui {

struct RemedyChange {
    QString path;    ///< "training.optimizer.lr"
    QString before;  ///< empty: not set
    QString after;   ///< empty: removed
};

struct RemedyState {
    enum class Kind {
        Advice,   ///< nothing to press
        Open,     ///< can be applied
        Applied,  ///< the project already is as it would make it
        Refused   ///< the project has moved on
    };
    Kind kind = Kind::Advice;
    QString reason;               ///< why it is refused
    QList<RemedyChange> changes;  ///< while it is open

    /// "training.optimizer.lr: 0.002 → 0.001", a line each.
    QString preview() const;
};

/// Cheap: looks at the values that the remedy sets.
bool isApplied(const Json& project, const graph::Remedy& remedy);
/// Tries the whole remedy on a copy.
RemedyState remedyState(const Json& project, const graph::Remedy& remedy);

}  // namespace plumbline::gui
