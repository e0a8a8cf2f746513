// SPDX-License-Identifier: GPL-3.0-or-later
// Icons on buttons in the accent's colour.
#pragma once

#include <QString>

class QAbstractButton;

namespace plumbline::widgets {

/// For a button in the accent's colour (the default one): the icon is drawn in what can be read on it, in light and
/// dark.
void setAccentIcon(QAbstractButton& button, const QString& name);

}  // namespace plumbline::widgets
