// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own SVG icons, drawn in the theme's text colour at any scale.
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>
#include <QStringList>

#include "widgets/theme.h"

class QPainter;

namespace plumbline::widgets {

/// An icon of resources/icons by file name without ".svg". It follows the theme by itself: disabled is muted, selected
/// is drawn in the highlighted-text colour. An unknown name gives a null icon and a warning on the console.
QIcon icon(const QString& name);

/// The same in a fixed colour.
QIcon icon(const QString& name, const QColor& color);

/// Octagon, triangle, circle, check in the severity's colour; null for None.
QIcon severityIcon(Severity severity);
/// In the category's colour.
QIcon categoryIcon(BlockCategory category);

QString severityIconName(Severity severity);
QString categoryIconName(BlockCategory category);

/// Draws the icon straight into a painter (canvas, plots), crisp at the painter's scale; cached by size and colour.
void paintIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& color);

/// All names, sorted.
QStringList iconNames();

}  // namespace plumbline::widgets
