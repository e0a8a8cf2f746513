// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between two runs, as a table in a window of its own.
#pragma once

#include <QString>

#include "store/compare_runs.h"

class QWidget;

namespace plumbline::gui {

/// Not modal; deletes itself when it is closed.
void showComparison(const store::RunComparison& comparison, const QString& first, const QString& second,
                    QWidget* parent);

}  // namespace plumbline::gui
