// SPDX-License-Identifier: GPL-3.0-or-later
// Between the engine's values and Qt's.
#pragma once

#include <QJsonValue>
#include <QString>
#include <filesystem>

#include "core/json.h"
#include "graph/problem.h"
#include "graph/tensor_type.h"
#include "session/run_sink.h"
#include "widgets/theme.h"

namespace plumbline::gui {

inline QString text(const std::string& utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}
inline QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}
inline std::string bytes(const QString& string) {
    return string.toUtf8().toStdString();
}
QString text(const std::filesystem::path& path);
std::filesystem::path filePath(const QString& path);

QJsonValue toQt(const Json& value);
/// Undefined becomes null.
Json fromQt(const QJsonValue& value);

widgets::Severity toWidget(graph::Severity severity);
/// "B×16×8×8", "scalar" for no dimension.
QString shapeText(const graph::TensorType& type);

/// "12.3 k", "1.2 M"; exact below 10,000.
QString countText(double value);
/// For tr()'s plural of a count that is written with countText().
int pluralOf(double count);
/// A loss or metric, as plots and tables write it: four figures.
QString metricText(double value);
/// A value of the data or one that a model predicts: six figures.
QString sampleValueText(double value);
/// "214 MB"
QString bytesText(double value);
/// "0:42", "1:02:03"
QString durationText(double seconds);
/// The state as a word for a person.
QString stateText(session::RunState state);

}  // namespace plumbline::gui
