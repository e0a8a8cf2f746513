// SPDX-License-Identifier: GPL-3.0-or-later
// Order of search results where a person types a few letters.
#pragma once

#include <QString>

namespace plumbline::widgets {

/// How well `text` answers `query`: 0 = not at all, more is better. Every word of the query has to be found: as a
/// prefix of the text, of a word or of a camelCase hump, inside, or as letters in order ("cv2" finds "Conv2d"). An
/// empty query matches everything equally.
int fuzzyScore(const QString& query, const QString& text);

}  // namespace plumbline::widgets
