// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fuzzy_match.h"

#include <QStringList>
#include <algorithm>

namespace plumbline::widgets {

namespace {

bool startsWord(const QString& text, qsizetype index) {
    if (index == 0)
        return true;
    const QChar before = text[index - 1];
    return !before.isLetterOrNumber() || (text[index].isUpper() && before.isLower()) ||
           (text[index].isDigit() && !before.isDigit());
}

/// Letters in order; letters at the start of a word and right behind each other count more. 0: not found.
int subsequenceScore(const QString& word, const QString& text) {
    int score = 1;
    qsizetype at = 0;
    qsizetype last = -2;
    for (const QChar letter : word) {
        const qsizetype found = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (found < 0)
            return 0;
        if (found == last + 1)
            score += 3;
        else if (startsWord(text, found))
            score += 4;
        last = found;
        at = found + 1;
    }
    // Scattered letters in a long text are no answer.
    return score >= word.size() ? score : 0;
}

int wordScore(const QString& word, const QString& text) {
    constexpr int kWhole = 1000, kPrefix = 800, kWordStart = 600, kInside = 400, kScatteredMost = 300;
    if (text.compare(word, Qt::CaseInsensitive) == 0)
        return kWhole;
    if (text.startsWith(word, Qt::CaseInsensitive))
        return kPrefix;
    bool inside = false;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
        if (startsWord(text, at))
            return kWordStart;
        inside = true;
    }
    if (inside)
        return kInside;
    return std::min(kScatteredMost, subsequenceScore(word, text));
}

}  // namespace

int fuzzyScore(const QString& query, const QString& text) {
    const QStringList words = query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words.isEmpty())
        return 1;
    int total = 0;
    for (const QString& word : words) {
        const int score = wordScore(word, text);
        if (score == 0)
            return 0;
        total += score;
    }
    // Of equal answers the shorter text is the closer one.
    const int brevity = std::max(0, 60 - static_cast<int>(text.size()));
    return std::max(1, total / static_cast<int>(words.size()) + brevity);
}

}  // namespace plumbline::widgets
