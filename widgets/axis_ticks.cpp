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

std::vector<double> logTicks(double lower, double upper, int most, double leastShare) {
    if (!(lower > 0) || !(upper > lower) || !std::isfinite(upper) || most < 1)
        return {};
    const int first = static_cast<int>(std::floor(std::log10(lower)));
    const int last = static_cast<int>(std::ceil(std::log10(upper)));
    const auto within = [&](const std::vector<int>& mantissas) {
        std::vector<double> ticks;
        for (int decade = first; decade <= last; ++decade) {
            for (const int mantissa : mantissas) {
                const double tick = mantissa * std::pow(10.0, decade);
                if (tick >= lower * (1 - 1e-9) && tick <= upper * (1 + 1e-9))
                    ticks.push_back(tick);
            }
        }
        return ticks;
    };
    const double leastRatio = std::pow(upper / lower, leastShare) * (1 - 1e-9);
    const auto fits = [&](const std::vector<double>& ticks) {
        const auto close = [&](double a, double b) { return b < a * leastRatio; };
        return static_cast<int>(ticks.size()) <= most &&
               std::adjacent_find(ticks.begin(), ticks.end(), close) == ticks.end();
    };
    std::vector<double> ticks;
    for (const std::vector<int>& mantissas : {std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1, 3}, {1}}) {
        ticks = within(mantissas);
        if (fits(ticks))
            break;
    }
    const std::vector<double> decades = ticks;
    for (std::size_t stride = 2; !fits(ticks); ++stride) {
        ticks.clear();
        for (std::size_t i = 0; i < decades.size(); i += stride)
            ticks.push_back(decades[i]);
    }
    if (ticks.size() >= 2 || most < 2)
        return ticks;
    // One power of ten at most: the ends of what there is, else round numbers.
    const std::vector<double> fine = within({1, 2, 3, 4, 5, 6, 7, 8, 9});
    if (fine.size() >= 2 && fits({fine.front(), fine.back()}))
        return {fine.front(), fine.back()};
    ticks = roundTicks(lower, upper, most);
    std::vector<double> apart;
    for (const double tick : ticks)
        if (apart.empty() || tick >= apart.back() * leastRatio)
            apart.push_back(tick);
    return apart;
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
    QString text =
        QLocale(QLocale::C).toString(value, 'f', std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 6));
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text;
}

}  // namespace plumbline::widgets
