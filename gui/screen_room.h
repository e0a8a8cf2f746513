// SPDX-License-Identifier: GPL-3.0-or-later
// How large a window may be at first.
#pragma once

#include <QGuiApplication>
#include <QScreen>
#include <QSize>

namespace plumbline::gui {

/// What a desktop's frame and title take around a window.
inline constexpr QSize kFrame(16, 48);

/// As wanted, where the screen has room for it and its frame.
inline QSize withinScreen(const QSize& wanted) {
    const QScreen* screen = QGuiApplication::primaryScreen();
    return screen ? wanted.boundedTo(screen->availableSize() - kFrame) : wanted;
}

}  // namespace plumbline::gui
