// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/convert.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "widgets/axis_ticks.h"

namespace plumbline::gui {

QString text(const std::filesystem::path& path) {
    return text(path.string());
}

std::filesystem::path filePath(const QString& path) {
    return std::filesystem::path(bytes(path));
}

QJsonValue toQt(const Json& value) {
    switch (value.type()) {
        case Json::value_t::object: {
            QJsonObject object;
            for (const auto& [key, member] : value.items()) {
                object.insert(text(key), toQt(member));
            }
            return object;
        }
        case Json::value_t::array: {
            QJsonArray array;
            for (const Json& member : value) {
                array.append(toQt(member));
            }
            return array;
        }
        case Json::value_t::string:
            return text(value.get_ref<const std::string&>());
        case Json::value_t::boolean:
            return value.get<bool>();
        case Json::value_t::number_integer:
            return QJsonValue(static_cast<qint64>(value.get<std::int64_t>()));
        case Json::value_t::number_unsigned:
            return QJsonValue(static_cast<qint64>(value.get<std::uint64_t>()));
        case Json::value_t::number_float:
            return value.get<double>();
        default:
            return QJsonValue::Null;
    }
}

Json fromQt(const QJsonValue& value) {
    switch (value.type()) {
        case QJsonValue::Bool:
            return value.toBool();
        case QJsonValue::Double: {
            const double number = value.toDouble();
            const qint64 whole = value.toInteger(std::numeric_limits<qint64>::min());
            // QJsonValue keeps whole numbers exactly, but says "Double" for both kinds.
            if (whole != std::numeric_limits<qint64>::min() && static_cast<double>(whole) == number) {
                return whole;
            }
            return number;
        }
        case QJsonValue::String:
            return bytes(value.toString());
        case QJsonValue::Array: {
            Json array = Json::array();
            for (const QJsonValue member : value.toArray()) {
                array.push_back(fromQt(member));
            }
            return array;
        }
        case QJsonValue::Object: {
            Json object = Json::object();
            const QJsonObject members = value.toObject();
            for (auto it = members.begin(); it != members.end(); ++it) {
                object[bytes(it.key())] = fromQt(it.value());
            }
            return object;
        }
        default:
            return nullptr;
    }
}

widgets::Severity toWidget(graph::Severity severity) {
    switch (severity) {
        case graph::Severity::kCritical:
            return widgets::Severity::Critical;
        case graph::Severity::kWarning:
            return widgets::Severity::Warning;
        default:
            return widgets::Severity::Info;
    }
}

QString shapeText(const graph::TensorType& type) {
    if (type.dims.empty()) {
        return QCoreApplication::translate("Units", "scalar");
    }
    QStringList dims;
    for (const graph::Dim& dim : type.dims) {
        dims << text(dim.toString());
    }
    return dims.join(QChar(0x00d7));
}

QString countText(double value) {
    const QLocale locale;
    if (std::abs(value) < 10'000) {
        constexpr double kWhole = 100;  // a decimal says nothing there
        return locale.toString(value, 'f', value == std::floor(value) || std::abs(value) >= kWhole ? 0 : 1);
    }
    const char* units[] = {"", "k", "M", "G", "T", "P"};
    int unit = 0;
    while (std::abs(value) >= 1000 && unit < 5) {
        value /= 1000;
        ++unit;
    }
    return QStringLiteral("%1 %2").arg(locale.toString(value, 'g', 3), QLatin1String(units[unit]));
}

int pluralOf(double count) {
    return static_cast<int>(std::clamp(count, 0.0, 1e9));
}

QString metricText(double value) {
    return widgets::shortNumber(value);
}

QString sampleValueText(double value) {
    return QString::number(value, 'g', 6);
}

QString bytesText(double value) {
    return QLocale().formattedDataSize(static_cast<qint64>(value), 1, QLocale::DataSizeSIFormat);
}

QString durationText(double seconds) {
    const qint64 whole = std::max<qint64>(0, std::llround(seconds));
    const qint64 hours = whole / 3600;
    const QString minutes = QString::number(whole / 60 % 60);
    const QString rest = QString::number(whole % 60).rightJustified(2, QLatin1Char('0'));
    return hours > 0 ? QStringLiteral("%1:%2:%3").arg(hours).arg(minutes.rightJustified(2, QLatin1Char('0')), rest)
                     : QStringLiteral("%1:%2").arg(minutes, rest);
}

QString stateText(session::RunState state) {
    using session::RunState;
    switch (state) {
        case RunState::kIdle:
            return QCoreApplication::translate("RunState", "idle");
        case RunState::kPreparing:
            return QCoreApplication::translate("RunState", "preparing");
        case RunState::kRunning:
            return QCoreApplication::translate("RunState", "running");
        case RunState::kPaused:
            return QCoreApplication::translate("RunState", "paused");
        case RunState::kStopping:
            return QCoreApplication::translate("RunState", "stopping");
        case RunState::kCompleted:
            return QCoreApplication::translate("RunState", "completed");
        case RunState::kStopped:
            return QCoreApplication::translate("RunState", "stopped");
        case RunState::kFailed:
            return QCoreApplication::translate("RunState", "failed");
    }
    return {};
}

}  // namespace plumbline::gui
