// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that a detector saw, as a person reads them.
#pragma once

#include <QList>
#include <QString>

#include "core/json.h"

namespace plumbline::gui {

struct EvidenceRow {
    QString label;  ///< "Steps skipped in a row"
    QString value;  ///< with its unit: "38 %", "12 ms"
};

/// A row for each member; one that no detector of ours writes keeps its own name.
QList<EvidenceRow> evidenceRows(const Json& evidence);
/// Whether the name has a label of its own.
bool isKnownEvidence(const QString& name);

}  // namespace plumbline::gui
