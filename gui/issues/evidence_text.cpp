// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/issues/evidence_text.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>
#include <QStringList>

#include "gui/convert.h"

namespace plumbline::gui {

namespace {

constexpr qsizetype kMostListed = 6;

enum class Unit { None, Share, Milliseconds };

struct Label {
    const char* text;
    Unit unit = Unit::None;
};

const QHash<QString, Label>& labels() {
    static const QHash<QString, Label> all{
        {QStringLiteral("accuracy"), {QT_TRANSLATE_NOOP("Evidence", "Accuracy"), Unit::Share}},
        {QStringLiteral("allowed"), {QT_TRANSLATE_NOOP("Evidence", "Allowed")}},
        {QStringLiteral("applied_steps"), {QT_TRANSLATE_NOOP("Evidence", "Steps applied")}},
        {QStringLiteral("batch"), {QT_TRANSLATE_NOOP("Evidence", "Batch")}},
        {QStringLiteral("batch_norms_moved"), {QT_TRANSLATE_NOOP("Evidence", "BatchNorm statistics moved")}},
        {QStringLiteral("block_type"), {QT_TRANSLATE_NOOP("Evidence", "Block type")}},
        {QStringLiteral("blocks"), {QT_TRANSLATE_NOOP("Evidence", "Blocks")}},
        {QStringLiteral("blocks_in_eval"), {QT_TRANSLATE_NOOP("Evidence", "Blocks in eval mode")}},
        {QStringLiteral("blocks_in_training"), {QT_TRANSLATE_NOOP("Evidence", "Blocks in training mode")}},
        {QStringLiteral("consecutive_skips"), {QT_TRANSLATE_NOOP("Evidence", "Steps skipped in a row")}},
        {QStringLiteral("consecutive_skips_limit"), {QT_TRANSLATE_NOOP("Evidence", "Allowed in a row")}},
        {QStringLiteral("constant_predictions"), {QT_TRANSLATE_NOOP("Evidence", "One class for every sample")}},
        {QStringLiteral("count"), {QT_TRANSLATE_NOOP("Evidence", "Values that are NaN or infinite")}},
        {QStringLiteral("dtype"), {QT_TRANSLATE_NOOP("Evidence", "Element type")}},
        {QStringLiteral("expected"), {QT_TRANSLATE_NOOP("Evidence", "Expected")}},
        {QStringLiteral("gradient"), {QT_TRANSLATE_NOOP("Evidence", "Gradient")}},
        {QStringLiteral("interval_99"), {QT_TRANSLATE_NOOP("Evidence", "99 % interval of the accuracy"), Unit::Share}},
        {QStringLiteral("learning_rate"), {QT_TRANSLATE_NOOP("Evidence", "Learning rate")}},
        {QStringLiteral("loss"), {QT_TRANSLATE_NOOP("Evidence", "Loss")}},
        {QStringLiteral("loss_fall"), {QT_TRANSLATE_NOOP("Evidence", "Fall of the loss"), Unit::Share}},
        {QStringLiteral("loss_fall_threshold"),
         {QT_TRANSLATE_NOOP("Evidence", "Looked at from a fall of"), Unit::Share}},
        {QStringLiteral("majority_share"), {QT_TRANSLATE_NOOP("Evidence", "Share of the largest class"), Unit::Share}},
        {QStringLiteral("median_wait_share"), {QT_TRANSLATE_NOOP("Evidence", "Median share of waiting"), Unit::Share}},
        {QStringLiteral("min_scale"), {QT_TRANSLATE_NOOP("Evidence", "Smallest loss scale allowed")}},
        {QStringLiteral("no_batch_for_ms"), {QT_TRANSLATE_NOOP("Evidence", "No batch for"), Unit::Milliseconds}},
        {QStringLiteral("one_over_classes"), {QT_TRANSLATE_NOOP("Evidence", "Accuracy of guessing"), Unit::Share}},
        {QStringLiteral("output"), {QT_TRANSLATE_NOOP("Evidence", "Output")}},
        {QStringLiteral("parameters"), {QT_TRANSLATE_NOOP("Evidence", "Parameters")}},
        {QStringLiteral("parameters_frozen"), {QT_TRANSLATE_NOOP("Evidence", "Parameters frozen")}},
        {QStringLiteral("prediction_shape"), {QT_TRANSLATE_NOOP("Evidence", "Shape of the prediction")}},
        {QStringLiteral("samples"), {QT_TRANSLATE_NOOP("Evidence", "Samples")}},
        {QStringLiteral("scale"), {QT_TRANSLATE_NOOP("Evidence", "Loss scale")}},
        {QStringLiteral("statistics_moved"), {QT_TRANSLATE_NOOP("Evidence", "Running statistics moved")}},
        {QStringLiteral("step_ms"), {QT_TRANSLATE_NOOP("Evidence", "This step"), Unit::Milliseconds}},
        {QStringLiteral("target"), {QT_TRANSLATE_NOOP("Evidence", "Target")}},
        {QStringLiteral("target_shape"), {QT_TRANSLATE_NOOP("Evidence", "Shape of the target")}},
        {QStringLiteral("tensor"), {QT_TRANSLATE_NOOP("Evidence", "Tensor")}},
        {QStringLiteral("threshold"), {QT_TRANSLATE_NOOP("Evidence", "Threshold")}},
        {QStringLiteral("threshold_ms"), {QT_TRANSLATE_NOOP("Evidence", "Allowed"), Unit::Milliseconds}},
        {QStringLiteral("update_called"), {QT_TRANSLATE_NOOP("Evidence", "Scaler updated")}},
        {QStringLiteral("wait_ms"), {QT_TRANSLATE_NOOP("Evidence", "Waited for the batch"), Unit::Milliseconds}},
        {QStringLiteral("what"), {QT_TRANSLATE_NOOP("Evidence", "Found in")}},
        {QStringLiteral("window_steps"), {QT_TRANSLATE_NOOP("Evidence", "Steps looked at")}},
    };
    return all;
}

QString numberText(double value, Unit unit) {
    switch (unit) {
        case Unit::Share:
            return QCoreApplication::translate("Evidence", "%1 %").arg(QString::number(100 * value, 'g', 3));
        case Unit::Milliseconds:
            return value >= 1000
                       ? QCoreApplication::translate("Evidence", "%1 s").arg(QString::number(value / 1000, 'g', 3))
                       : QCoreApplication::translate("Evidence", "%1 ms").arg(QString::number(value, 'g', 3));
        case Unit::None:
            break;
    }
    return QString::number(value, 'g', 6);
}

QString valueText(const Json& value, Unit unit) {
    if (value.is_boolean()) {
        return value.get<bool>() ? QCoreApplication::translate("Evidence", "yes")
                                 : QCoreApplication::translate("Evidence", "no");
    }
    if (value.is_number()) {
        return numberText(value.get<double>(), unit);
    }
    if (value.is_string()) {
        return text(value.get<std::string>());
    }
    if (!value.is_array()) {
        return text(value.dump());
    }
    QStringList parts;
    for (const Json& member : value) {
        if (parts.size() == kMostListed && static_cast<qsizetype>(value.size()) > kMostListed + 1) {
            parts << QCoreApplication::translate("Evidence", "and %1 more")
                         .arg(static_cast<qsizetype>(value.size()) - kMostListed);
            break;
        }
        parts << valueText(member, unit);
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace

bool isKnownEvidence(const QString& name) {
    return labels().contains(name);
}

QList<EvidenceRow> evidenceRows(const Json& evidence) {
    QList<EvidenceRow> rows;
    if (!evidence.is_object()) {
        return rows;
    }
    for (const auto& [key, value] : evidence.items()) {
        const QString name = text(key);
        const auto known = labels().constFind(name);
        Unit unit = known == labels().constEnd() ? Unit::None : known->unit;
        if (key == "threshold" && evidence.contains("median_wait_share")) {
            unit = Unit::Share;  // the threshold of a share
        }
        const QString shown = valueText(value, unit);
        if (shown.isEmpty()) {
            continue;
        }
        rows.append({known == labels().constEnd() ? QString(name).replace(QLatin1Char('_'), QLatin1Char(' '))
                                                  : QCoreApplication::translate("Evidence", known->text),
                     shown});
    }
    return rows;
}

}  // namespace plumbline::gui
