// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/engine_sentence.h"

#include <QXmlStreamReader>
#include <algorithm>
#include <utility>

#include "gui/convert.h"

namespace plumbline::gui {

namespace {

constexpr int kDeepest = 4;
constexpr qsizetype kMostKnown = 2000;

bool endsSentence(const QString& text) {
    return text.endsWith(QChar(0x3002)) || text.endsWith(QChar(0xff1f)) || text.endsWith(QChar(0xff01));
}

/// "a, b and c" of plain names.
QString listed(const QString& english) {
    static const QRegularExpression names(QStringLiteral("^[^\\s,]+(, [^\\s,]+)* and [^\\s,]+$"));
    if (!names.match(english).hasMatch()) {
        return english;
    }
    return QString(english)
        .replace(QStringLiteral(", "), QString(QChar(0x3001)))
        .replace(QStringLiteral(" and "), QStringLiteral(" 和 "));
}

SentenceTable& installed() {
    static SentenceTable table;
    return table;
}

}  // namespace

SentenceTable::Sentence SentenceTable::sentenceOf(const QString& source, const QString& translation) {
    // A value: {}, {:.1f}, {0}; {{0}} and {{{}}} become one when the engine fills them in a second time.
    static const QRegularExpression value(QStringLiteral("\\{\\{\\{\\}\\}\\}|\\{\\{\\d+\\}\\}|\\{\\d*(:[^{}]*)?\\}"));
    Sentence made;
    made.source = source;
    made.translation = translation;
    QString plain = source.trimmed();
    const bool goesOn = source.endsWith(QLatin1Char(' '));
    if (plain.endsWith(QLatin1Char('.')) && !goesOn) {
        plain.chop(1);
    }
    QString pattern = QStringLiteral("^");
    const QChar first = source.isEmpty() ? QChar() : source.front();
    if (first.isSpace() || first == QLatin1Char(',') || first == QLatin1Char(';')) {
        pattern += QStringLiteral("(.*?)\\s*");
        made.firstValue = 2;
    } else if (first.isLower()) {
        pattern += QStringLiteral("(?:([^\\s]+) )?");
        made.firstValue = 2;
    }
    qsizetype at = 0;
    int values = 0;
    const auto addPlain = [&](qsizetype end) {
        const QString piece = plain.mid(at, end - at)
                                  .replace(QStringLiteral("{{"), QStringLiteral("{"))
                                  .replace(QStringLiteral("}}"), QStringLiteral("}"));
        pattern += QRegularExpression::escape(piece);
        made.weight +=
            static_cast<int>(std::count_if(piece.begin(), piece.end(), [](QChar each) { return each.isLetter(); }));
        if (piece.size() > made.longest.size()) {
            made.longest = piece;
        }
    };
    for (auto found = value.globalMatch(plain); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        addPlain(match.capturedStart());
        pattern += QStringLiteral("(.*?)");
        at = match.capturedEnd();
        ++values;
        if (plain.mid(match.capturedStart() - 1, 1) == QLatin1String("\"") && plain.mid(at, 1) == QLatin1String("\"")) {
            made.verbatim << made.firstValue + values - 1;
        }
    }
    addPlain(plain.size());
    if (goesOn) {
        pattern += QStringLiteral(" (.*?)");
    }
    pattern += QLatin1Char('$');
    made.pattern = QRegularExpression(pattern, QRegularExpression::DotMatchesEverythingOption);
    if (values > 1) {
        made.other = QRegularExpression(
            pattern, QRegularExpression::DotMatchesEverythingOption | QRegularExpression::InvertedGreedinessOption);
    }
    return made;
}

void SentenceTable::load(QIODevice& ts) {
    m_sentences.clear();
    m_known.clear();
    QXmlStreamReader xml(&ts);
    QString source;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("source")) {
            source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            m_sentences.append(sentenceOf(source, xml.readElementText()));
        }
    }
}

QString SentenceTable::translate(const QString& english) const {
    if (m_sentences.isEmpty() || english.isEmpty()) {
        return english;
    }
    const Reading reading = read(english, 0);
    return reading.score > 0 ? reading.text : english;
}

SentenceTable::Reading SentenceTable::read(const QString& english, int depth) const {
    if (const auto known = m_known.constFind(english); known != m_known.cend()) {
        return *known;
    }
    if (depth > kDeepest || english.isEmpty()) {
        return {english, 0};
    }
    const Reading whole = readWhole(english, depth);
    const Reading parts = readParts(english, depth);
    // A value does not swallow a sentence that stands on its own.
    Reading best = parts.score >= whole.score ? parts : whole;
    if (best.score == 0 && listed(english) != english) {
        best = {listed(english), 1};
    }
    if (m_known.size() > kMostKnown) {
        m_known.clear();
    }
    m_known.insert(english, best);
    return best;
}

/// As one sentence of the table.
SentenceTable::Reading SentenceTable::readWhole(const QString& english, int depth) const {
    const bool full = english.endsWith(QLatin1Char('.')) && !english.endsWith(QLatin1String(".."));
    const QString bare = full ? english.chopped(1) : english;
    Reading best{english, 0};
    int weight = 0;
    for (const Sentence& sentence : m_sentences) {
        if (sentence.weight == 0 || !bare.contains(sentence.longest)) {
            continue;
        }
        for (const QRegularExpression* pattern : {&sentence.pattern, &sentence.other}) {
            const QRegularExpressionMatch match =
                pattern->pattern().isEmpty() ? QRegularExpressionMatch() : pattern->match(bare);
            if (!match.hasMatch()) {
                continue;
            }
            const Reading reading = fillIn(sentence, match, depth);
            // Of two that say as much, the one that says more by itself.
            if (reading.score > best.score || (reading.score == best.score && sentence.weight > weight)) {
                best = reading;
                weight = sentence.weight;
            }
        }
    }
    if (best.score > 0 && full && !endsSentence(best.text)) {
        best.text += QChar(0x3002);
    } else if (!full && best.text.endsWith(QChar(0x3002))) {
        best.text.chop(1);
    }
    return best;
}

/// The translation with the values in it.
SentenceTable::Reading SentenceTable::fillIn(const Sentence& sentence, const QRegularExpressionMatch& match,
                                             int depth) const {
    Reading reading{sentence.translation, sentence.weight};
    // From the last, so that %1 does not stand for the beginning of %10.
    for (int i = sentence.pattern.captureCount(); i >= sentence.firstValue; --i) {
        const Reading value =
            sentence.verbatim.contains(i) ? Reading{match.captured(i), 0} : read(match.captured(i), depth + 1);
        const QString place = QStringLiteral("%%1").arg(i - sentence.firstValue + 1);
        reading.text.replace(place, QString(value.text).replace(QLatin1Char('%'), QChar(0xe000)));
        reading.score += value.score;
    }
    reading.text.replace(QChar(0xe000), QLatin1Char('%'));
    if (sentence.firstValue == 2 && !match.captured(1).isEmpty()) {
        const Reading before = read(match.captured(1), depth + 1);
        const bool close = before.score > 0 || !sentence.source.front().isLower();
        reading.text = before.text + (close ? QString() : QStringLiteral(" ")) + reading.text;
        reading.score += before.score;
    }
    return reading;
}

/// As several: one after the other, "place: sentence", "sentence (place)".
SentenceTable::Reading SentenceTable::readParts(const QString& english, int depth) const {
    static const QRegularExpression border(QStringLiteral("[.?] (?=[^a-z])"));
    static const QRegularExpression bracket(QStringLiteral("^(.*) \\(([^()]*)\\)(\\.?)$"),
                                            QRegularExpression::DotMatchesEverythingOption);
    Reading best{english, 0};
    const auto consider = [&](const Reading& left, const Reading& right, const QString& between) {
        if (left.score + right.score > best.score) {
            best = {left.text + between + right.text, left.score + right.score};
        }
    };
    for (auto found = border.globalMatch(english); found.hasNext();) {
        const qsizetype end = found.next().capturedStart() + 1;
        const Reading left = read(english.left(end), depth + 1);
        consider(left, read(english.mid(end + 1), depth + 1), left.score > 0 ? QString() : QStringLiteral(" "));
    }
    if (const qsizetype colon = english.indexOf(QLatin1String(": ")); colon > 0) {
        const Reading right = read(english.mid(colon + 2), depth + 1);
        if (right.score > 0) {
            consider(read(english.left(colon), depth + 1), right, QString(QChar(0xff1a)));
        }
    }
    if (const QRegularExpressionMatch match = bracket.match(english); match.hasMatch()) {
        const Reading inside = read(match.captured(2), depth + 1);
        Reading right{QChar(0xff08) + inside.text + QChar(0xff09) +
                          (match.captured(3).isEmpty() ? QString() : QString(QChar(0x3002))),
                      inside.score};
        consider(read(match.captured(1), depth + 1), right, QString());
    }
    return best;
}

void installSentences(SentenceTable table) {
    installed() = std::move(table);
}

QString engineSentence(const std::string& english) {
    return installed().translate(text(english));
}

bool isPlaceInProject(const std::string& where) {
    // Not just "/data/": a folder of the machine can be called so.
    static const QRegularExpression place(
        QStringLiteral("^/(training|monitor|model|data/(sources|inputs|targets|splits|loader))(/.*)?$"));
    return place.match(text(where)).hasMatch();
}

QString errorSentence(Error error) {
    if (isPlaceInProject(error.where)) {
        error.where.clear();
    }
    return engineSentence(toSentence(error));
}

}  // namespace plumbline::gui
