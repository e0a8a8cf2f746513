// SPDX-License-Identifier: GPL-3.0-or-later
// A text as one cell of a CSV row (RFC 4180).
#pragma once

#include <QString>
#include <algorithm>

namespace plumbline::widgets {

/// Quoted where a comma, a quote or a line break would break the row.
inline QString csvCell(const QString& text) {
    const bool breaks = std::any_of(text.begin(), text.end(), [](QChar each) {
        return each == QLatin1Char(',') || each == QLatin1Char('"') || each == QLatin1Char('\n') ||
               each == QLatin1Char('\r');
    });
    return breaks ? QLatin1Char('"') + QString(text).replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"')
                  : text;
}

}  // namespace plumbline::widgets
