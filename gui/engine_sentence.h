// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine says (problems, findings, remedies, errors) in the person's language.
#pragma once

#include <QHash>
#include <QList>
#include <QRegularExpression>
#include <QString>
#include <string>

#include "core/error.h"

class QIODevice;

namespace plumbline::gui {

/// The engine writes English sentences with values in them, also into the store of a run, and knows no other language.
/// This finds the sentence that a text was made from ("{} expects {} and gets [{}] from {{0}}", as it stands in the
/// engine's source) and gives its translation with the values put in. Values that are phrases are translated as well;
/// several sentences in a row, "place: sentence" and "sentence (place)" are taken apart. What is not known stays
/// English.
///
/// The table is a TS file: {} marks a value in the source, %1 the first value in the translation. A source that ends
/// with a space goes on with a value; one that begins with a space, comma or small letter may follow something else.
class SentenceTable {
public:
    void load(QIODevice& ts);
    bool isEmpty() const { return m_sentences.isEmpty(); }
    QString translate(const QString& english) const;

    struct Sentence {
        QString source, translation;
        QRegularExpression pattern;
        QRegularExpression
            other;        ///< the same with the first values as long as can be: "a and b" "have", not "a" "and b have"
        QString longest;  ///< piece of the source that has to be in the text
        int weight = 0;   ///< letters of the source that are no values
        int firstValue = 1;   ///< capture of the first value; those before are what it follows
        QList<int> verbatim;  ///< captures in quotes: what the person wrote, never a phrase
    };
    const QList<Sentence>& sentences() const { return m_sentences; }
    static Sentence sentenceOf(const QString& source, const QString& translation);

private:
    struct Reading {
        QString text;
        int score = 0;  ///< letters of the engine's that were found
    };
    Reading read(const QString& english, int depth) const;
    Reading readWhole(const QString& english, int depth) const;
    Reading fillIn(const Sentence& sentence, const QRegularExpressionMatch& match, int depth) const;
    Reading readParts(const QString& english, int depth) const;

    QList<Sentence> m_sentences;
    mutable QHash<QString, Reading> m_known;
};

/// In use from now on; empty: English.
void installSentences(SentenceTable table);
QString engineSentence(const std::string& english);
/// A JSON pointer into project.json: a person is led there instead of reading it.
bool isPlaceInProject(const std::string& where);
/// An error with its next step; where it is, unless that is a place in project.json.
QString errorSentence(Error error);

}  // namespace plumbline::gui
