// SPDX-License-Identifier: GPL-3.0-or-later
// What two pages of the documentation have to share when one is the other in another language.
#pragma once

#include <QRegularExpression>
#include <QStringList>

namespace plumbline::gui::test {

inline const QRegularExpression kHan("[\\x{4e00}-\\x{9fff}]");

/// All first groups (else whole matches), sorted; white space is one blank, since a line may break anywhere.
inline QStringList sortedMatches(const QString& text, const QString& pattern) {
    QStringList all;
    for (const auto& match : QRegularExpression(pattern).globalMatch(text)) {
        all << match.captured(match.lastCapturedIndex()).simplified();
    }
    all.sort();
    return all;
}

inline QStringList linksOf(const QString& text) {
    return sortedMatches(text, QStringLiteral("\\]\\(([^)]+)\\)"));
}

/// A piece of a page, a row of a table or all the prose under a heading: its code, links and numbers.
struct Shared {
    explicit Shared(const QString& text)
        : code(sortedMatches(text, QStringLiteral("`([^`]+)`"))), links(linksOf(text)) {
        QString prose = text;
        prose.remove(QRegularExpression("`[^`]+`")).remove(QRegularExpression("\\]\\([^)]+\\)"));
        numbers = sortedMatches(prose, QStringLiteral("\\d+(?:[.,]\\d+)*"));
        links.replaceInStrings(QRegularExpression("^\\.\\./"),
                               QString());  // what has no Chinese twin lies one folder up
        links.sort();
    }
    QStringList code, links, numbers;
};

struct Section {
    QString heading;  ///< with its #s
    QString prose;
    QStringList rows, fenced;
    int items = 0;  ///< of lists
    int level() const { return static_cast<int>(heading.indexOf(QLatin1Char(' '))); }
};

inline QList<Section> sectionsOf(const QString& page) {
    QList<Section> all;
    bool fence = false;
    for (const QString& line : page.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("```"))) {
            fence = !fence;
        }
        if (!fence && line.startsWith(QLatin1Char('#'))) {
            all << Section{line, {}, {}, {}, 0};
        } else if (all.isEmpty()) {
            continue;
        } else if (fence || line.startsWith(QLatin1String("```"))) {
            all.last().fenced << line;
        } else if (line.startsWith(QLatin1Char('|'))) {
            all.last().rows << line;
        } else {
            all.last().items += line.startsWith(QLatin1String("- "));
            all.last().prose += line + QLatin1Char('\n');
        }
    }
    return all;
}

/// What the second page lacks or has more than the first; empty when it says the same as far as that can be compared.
inline QStringList drift(const QString& english, const QString& chinese) {
    const QList<Section> first = sectionsOf(english), second = sectionsOf(chinese);
    QStringList told;
    if (first.size() != second.size()) {
        return {QStringLiteral("%1 headings, in Chinese %2").arg(first.size()).arg(second.size())};
    }
    for (qsizetype i = 0; i < first.size(); ++i) {
        const Section &a = first[i], &b = second[i];
        const auto compare = [&](const QString& what, const QStringList& is, const QStringList& inChinese) {
            if (is != inChinese) {
                told << QStringLiteral("%1: %2: %3\n    in Chinese: %4")
                            .arg(a.heading, what, is.join(QLatin1String(" | ")), inChinese.join(QLatin1String(" | ")));
            }
        };
        const auto shared = [&](const QString& what, const QString& text, const QString& inChinese) {
            const Shared is(text), other(inChinese);
            compare(what + QLatin1String(", numbers"), is.numbers, other.numbers);
            compare(what + QLatin1String(", code"), is.code, other.code);
            compare(what + QLatin1String(", links"), is.links, other.links);
        };
        const auto counts = [](const Section& section) {
            return QStringList{QString::number(section.level()), QString::number(section.items),
                               QString::number(section.rows.size()), QString::number(section.fenced.size())};
        };
        compare(QStringLiteral("level, list items, rows, lines of code"), counts(a), counts(b));
        shared(QStringLiteral("text"), a.heading + QLatin1Char('\n') + a.prose,
               b.heading + QLatin1Char('\n') + b.prose);
        for (qsizetype row = 0; row < std::min(a.rows.size(), b.rows.size()); ++row) {
            shared(a.rows[row], a.rows[row], b.rows[row]);
        }
        for (qsizetype line = 0; line < std::min(a.fenced.size(), b.fenced.size()); ++line) {
            if (b.fenced[line].contains(kHan)) {  // remarks in code are translated
                compare(a.fenced[line], Shared(a.fenced[line]).numbers, Shared(b.fenced[line]).numbers);
            } else {
                compare(QStringLiteral("code"), {a.fenced[line]}, {b.fenced[line]});
            }
        }
        if (!b.prose.trimmed().isEmpty() && !b.prose.contains(kHan) && !Shared(b.prose).links.size()) {
            told << QStringLiteral("%1: not in Chinese").arg(a.heading);
        }
    }
    return told;
}

}  // namespace plumbline::gui::test
