// SPDX-License-Identifier: GPL-3.0-or-later
// The keys and gestures, in one list a person can read.
#pragma once

class QWidget;

namespace plumbline::gui {

/// Opens it over the window.
void showShortcuts(QWidget* window);

}  // namespace plumbline::gui
