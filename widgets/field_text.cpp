// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a form as text, and back.
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QVariant>
#include <cmath>

#include "widgets/form_widget.h"

namespace plumbline::widgets {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(FieldText)
};

QString nameOf(const FieldSpec& spec) {
    return spec.label.isEmpty() ? spec.path.section(QLatin1Char('.'), -1) : spec.label;
}

QString compact(const QJsonValue& value) {
    if (value.isObject())
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    if (value.isArray())
        return QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact));
    const QByteArray wrapped = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(wrapped.mid(1, wrapped.size() - 2));
}

QString numberText(const QJsonValue& value) {
    const QVariant exact = value.toVariant();
    if (exact.typeId() == QMetaType::LongLong)  // beyond 2^53 a double would lose digits
        return QString::number(exact.toLongLong());
    const double number = value.toDouble();
    if (number == std::trunc(number) && std::fabs(number) < 1e15)
        return QString::number(value.toInteger());
    return plainNumber(number);
}

/// More digits than a person reads: shortened where nobody edits it.
bool isLong(const QJsonValue& value) {
    return value.isDouble() && plainNumber(value.toDouble(), kReadDigits) != numberText(value) &&
           value.toDouble() != std::trunc(value.toDouble());
}

QString scalarText(const QJsonValue& value) {
    switch (value.type()) {
        case QJsonValue::Null:
            return QStringLiteral("None");
        case QJsonValue::Bool:
            return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
        case QJsonValue::Double:
            return numberText(value);
        case QJsonValue::String:
            return value.toString();
        default:
            return value.isUndefined() ? QString() : compact(value);
    }
}

/// Undefined when the text is not JSON.
QJsonValue fromJsonText(const QString& text, QString* why) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson("[" + text.toUtf8() + "]", &error);
    if (error.error != QJsonParseError::NoError || document.array().size() != 1) {
        if (why)
            *why = error.error != QJsonParseError::NoError ? error.errorString() : QString();
        return QJsonValue::Undefined;
    }
    return document.array().first();
}

QJsonValue refuse(QString* problem, const QString& sentence) {
    if (problem)
        *problem = sentence;
    return QJsonValue::Undefined;
}

bool isInRange(const FieldSpec& spec, double number, QString* problem) {
    const QString unit = spec.unit.isEmpty() ? QString() : QLatin1Char(' ') + spec.unit;
    if (spec.minimum && number < *spec.minimum) {
        refuse(problem, Text::tr("%1 has to be at least %2%4, and is %3.")
                            .arg(nameOf(spec), numberText(*spec.minimum), numberText(number), unit));
        return false;
    }
    if (spec.maximum && number > *spec.maximum) {
        refuse(problem, Text::tr("%1 can be at most %2%4, and is %3.")
                            .arg(nameOf(spec), numberText(*spec.maximum), numberText(number), unit));
        return false;
    }
    return true;
}

QJsonValue parseInteger(const FieldSpec& spec, const QString& text, QString* problem) {
    bool ok = false;
    const qlonglong number = QLocale::c().toLongLong(text, &ok);
    if (!ok)
        return refuse(problem, Text::tr("%1 takes a whole number, not \"%2\".").arg(nameOf(spec), text));
    return isInRange(spec, static_cast<double>(number), problem) ? QJsonValue(number)
                                                                 : QJsonValue(QJsonValue::Undefined);
}

QJsonValue parseReal(const FieldSpec& spec, const QString& text, QString* problem) {
    bool ok = false;
    const double number = text.toDouble(&ok);
    if (!ok || !std::isfinite(number))
        return refuse(problem,
                      Text::tr("%1 takes a number such as 0.001 or 1e-3, not \"%2\".").arg(nameOf(spec), text));
    if (!isInRange(spec, number, problem))
        return QJsonValue::Undefined;
    if (number == std::trunc(number) && std::fabs(number) < 1e15)
        return QJsonValue(static_cast<qint64>(number));
    return number;
}

/// One element of a list: a number, or a word as it stands.
QJsonValue parseElement(const FieldSpec& spec, const QString& text, QString* problem) {
    bool ok = false;
    const double number = text.toDouble(&ok);
    if (ok && std::isfinite(number))
        return parseReal(spec, text, problem);
    if (text == QLatin1String("true") || text == QLatin1String("false"))
        return text == QLatin1String("true");
    if (text.startsWith(QLatin1Char('=')) && !spec.allowsExpression)
        return refuse(problem, Text::tr("%1 takes no expression here.").arg(nameOf(spec)));
    return text;
}

QJsonValue parseList(const FieldSpec& spec, const QString& text, QString* problem) {
    if (text.startsWith(QLatin1Char('['))) {
        QString why;
        const QJsonValue value = fromJsonText(text, &why);
        return value.isArray()
                   ? value
                   : refuse(problem, Text::tr("%1 is not a list: %2. Write values with commas, such as 3, 3.")
                                         .arg(nameOf(spec), why));
    }
    const QStringList parts = text.split(QLatin1Char(','));
    QJsonArray values;
    for (const QString& part : parts) {
        const QString word = part.trimmed();
        if (word.isEmpty())
            return refuse(problem, Text::tr("%1 has an empty place between commas.").arg(nameOf(spec)));
        const QJsonValue value = parseElement(spec, word, problem);
        if (value.isUndefined())
            return value;
        values.append(value);
    }
    if (values.size() == 1 && spec.scalarAllowed)
        return values.first();
    return values;
}

}  // namespace

QString plainNumber(double number, int digits) {
    if (!std::isfinite(number))
        return QString::number(number);
    const bool shortest = digits <= 0;
    const double size = std::fabs(number);
    // From where Python and the project's file write an exponent.
    if (size != 0 && (size < 1e-4 || size >= 1e16))
        return QString::number(number, 'g', shortest ? QLocale::FloatingPointShortest : digits);
    if (shortest)
        return QString::number(number, 'f', QLocale::FloatingPointShortest);
    return QString::number(QString::number(number, 'e', digits - 1).toDouble(), 'f', QLocale::FloatingPointShortest);
}

QString readText(const FieldSpec& spec, const QJsonValue& value) {
    return spec.type == FieldType::Real && isLong(value) ? plainNumber(value.toDouble(), kReadDigits)
                                                         : fieldText(spec, value);
}

QString fieldText(const FieldSpec& spec, const QJsonValue& value) {
    if (value.isUndefined())
        return {};
    if (spec.type == FieldType::Choice || spec.type == FieldType::Add) {
        for (const FieldChoice& choice : spec.choices)
            if (choice.value == value)
                return choice.label.isEmpty() ? scalarText(choice.value) : choice.label;
    }
    if (spec.type == FieldType::Json)
        return compact(value);
    if (value.isArray()) {
        QStringList parts;
        for (const QJsonValue& element : value.toArray()) {
            if (element.isArray() || element.isObject() ||
                (element.isString() &&
                 (element.toString().contains(QLatin1Char(',')) || element.toString().startsWith(QLatin1Char('=')))))
                return compact(value);
            parts.append(scalarText(element));
        }
        // An empty list and, where a plain value means something else, a list of one keep their brackets.
        if (parts.isEmpty() || (parts.size() == 1 && spec.scalarAllowed))
            return compact(value);
        return parts.join(QStringLiteral(", "));
    }
    return scalarText(value);
}

QJsonValue parseField(const FieldSpec& spec, const QString& rawText, QString* problem) {
    if (problem)
        problem->clear();
    const bool verbatim = spec.type == FieldType::Text || spec.type == FieldType::Path;
    const QString text = verbatim ? rawText : rawText.trimmed();
    if (text.isEmpty()) {
        if (spec.optional || !spec.defaultValue.isUndefined() || !spec.placeholder.isEmpty())
            return QJsonValue::Undefined;
        if (spec.type == FieldType::Text)
            return QString();
        return refuse(problem, Text::tr("%1 needs a value.").arg(nameOf(spec)));
    }
    if (spec.nullable && text == QLatin1String("None"))
        return QJsonValue::Null;
    if (spec.words.contains(text))
        return text;
    if (spec.allowsExpression && text.startsWith(QLatin1Char('=')) && spec.type != FieldType::Json)
        return text;
    switch (spec.type) {
        case FieldType::Integer:
            return parseInteger(spec, text, problem);
        case FieldType::Real:
            return parseReal(spec, text, problem);
        case FieldType::Boolean:
            if (text == QLatin1String("true") || text == QLatin1String("false"))
                return text == QLatin1String("true");
            return refuse(problem, Text::tr("%1 is true or false, not \"%2\".").arg(nameOf(spec), text));
        case FieldType::Choice:
            for (const FieldChoice& choice : spec.choices)
                if (text == choice.label || text == scalarText(choice.value))
                    return choice.value;
            return refuse(problem, Text::tr("%1 has no choice \"%2\".").arg(nameOf(spec), text));
        case FieldType::List:
            return parseList(spec, text, problem);
        case FieldType::Json: {
            QString why;
            const QJsonValue value = fromJsonText(text, &why);
            return value.isUndefined() ? refuse(problem, Text::tr("%1 is not JSON: %2.").arg(nameOf(spec), why))
                                       : value;
        }
        case FieldType::Expression: {
            if (text.startsWith(QLatin1Char('=')))
                return text;
            bool ok = false;
            text.toDouble(&ok);
            if (ok)
                return parseReal(spec, text, problem);
            return refuse(
                problem,
                Text::tr("%1 takes a number, or an expression that starts with \"=\": =%2.").arg(nameOf(spec), text));
        }
        case FieldType::Text:
        case FieldType::Path:
        case FieldType::Add:
            break;
    }
    return text;
}

}  // namespace plumbline::widgets
