// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/finding_count.h"

#include <QCoreApplication>

#include "gui/convert.h"

namespace plumbline::gui {

FindingCount countFindings(const std::vector<diagnostics::Finding>& findings) {
    FindingCount count;
    for (const diagnostics::Finding& finding : findings) {
        if (finding.clearedAt) {
            continue;
        }
        ++count.open;
        if (const widgets::Severity severity = toWidget(finding.severity); severity > count.worst) {
            count.worst = severity;
            count.first = text(finding.id);
        }
    }
    return count;
}

QString findingsText(int count) {
    return QCoreApplication::translate("Findings", "%n finding(s)", nullptr, count);
}

QString stateWithFindings(const QString& state, int open) {
    return open == 0 ? state : QStringLiteral("%1 · %2").arg(state, findingsText(open));
}

}  // namespace plumbline::gui
