// SPDX-License-Identifier: GPL-3.0-or-later
// What a short experiment before a run found, as a person looks at it.
#pragma once

#include <QJsonValue>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "core/json.h"
#include "session/probe.h"
#include "widgets/theme.h"

class QWidget;

namespace plumbline::gui {

class Workspace;

/// A setting that the probe found a value for.
struct ProbeChange {
    QString setting;  ///< dotted path
    QJsonValue value;
    std::vector<std::pair<QString, QJsonValue>> others;  ///< settings that are set with it, in the same undo step
    QString button;                                      ///< what the button says: "Set the learning rate to 0.012"
    QString done;                                        ///< what is said once it is set
};

struct ProbeView {
    widgets::Severity severity = widgets::Severity::Info;
    QString sentence;           ///< what was found, in one line or two
    QWidget* widget = nullptr;  ///< plots and tables
    std::optional<ProbeChange> change;
};

/// `report` is what session/probe.h describes for the kind; what it does not have is shown as a dash.
ProbeView makeProbeView(session::ProbeKind kind, const Json& report, Workspace& workspace, QWidget* parent);

}  // namespace plumbline::gui
