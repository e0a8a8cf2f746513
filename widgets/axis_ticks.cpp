// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/axis_ticks.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace plumbline::widgets {

std::vector<double> roundTicks(double lower, double upper, int count) {
    std::vector<double> ticks;
    if (!(upper > lower) || !std::isfinite(lower) || !std::isfinite(upper) || count < 1)
        return ticks;
    const double rough = (upper - lower) / count;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double mantissa = rough / power;
    const double step = power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
    const double first = std::ceil(lower / step - 1e-9);
    const double last = std::floor(upper / step + 1e-9);
    for (double tick = first; tick <= last; ++tick)
        ticks.push_back(tick * step);
    return ticks;
}

std::vector<double> logTicks(double lower, double upper, int most) {
    if (!(lower > 0) || !(upper > lower) || !std::isfinite(upper) || most < 1)
        return {};
    const int first = static_cast<int>(std::floor(std::log10(lower)));
    const int last = static_cast<int>(std::ceil(std::log10(upper)));
    const auto within = [&](const std::vector<int>& mantissas, int stride) {
        std::vector<double> ticks;
        for (int decade = first; decade <= last; decade += stride) {
            for (const int mantissa : mantissas) {
                const double tick = mantissa * std::pow(10.0, decade);
                if (tick >= lower * (1 - 1e-9) && tick <= upper * (1 + 1e-9))
                    ticks.push_back(tick);
            }
        }
        return ticks;
    };
    std::vector<double> ticks;
    for (const std::vector<int>& mantissas : {std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1, 3}, {1}}) {
        ticks = within(mantissas, 1);
        if (static_cast<int>(ticks.size()) <= most)
            break;
    }
    for (int stride = 2; static_cast<int>(ticks.size()) > most; ++stride)
        ticks = within({1}, stride);
    return ticks.size() < 2 && most > 1 ? roundTicks(lower, upper, most) : ticks;
}

QString shortNumber(double value) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double size = std::fabs(value);
    if (value == std::trunc(value) && size < 1e9)
        return QLocale(QLocale::English, QLocale::UnitedStates).toString(static_cast<qlonglong>(value));
    if (size >= 1e6 || size < 1e-3)
        return QString::number(value, 'g', 4);
    QString text = QLocale(QLocale::C).toString(value, 'f', std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 6));
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text;
}

}  // namespace plumbline::widgets
