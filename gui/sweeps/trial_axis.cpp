// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/trial_axis.h"

#include <algorithm>
#include <cmath>

#include "gui/convert.h"

namespace plumbline::gui {

std::optional<double> numberOf(const std::string& value) {
    bool isNumber = false;
    const double parsed = text(value).toDouble(&isNumber);
    return isNumber ? std::optional(parsed) : std::nullopt;
}

bool allNumbers(const sweep::Parameter& parameter) {
    return std::all_of(parameter.choices.begin(), parameter.choices.end(),
                       [](const std::string& choice) { return numberOf(choice).has_value(); });
}

bool isDrawnByLogarithm(const sweep::Parameter& parameter) {
    if (parameter.isRange()) {
        return parameter.logarithmic || (parameter.low > 0 && parameter.high / parameter.low > kDecades);
    }
    double low = HUGE_VAL, high = 0;
    for (const std::string& choice : parameter.choices) {
        low = std::min(low, numberOf(choice).value_or(0));
        high = std::max(high, numberOf(choice).value_or(0));
    }
    return allNumbers(parameter) && low > 0 && high / low > kDecades;
}

std::optional<double> placeOnAxis(const sweep::Parameter& parameter, const sweep::Trial& trial) {
    const auto setting = trial.settings.find(parameter.path);
    if (setting == trial.settings.end()) {
        return std::nullopt;
    }
    if (parameter.isRange() || allNumbers(parameter)) {
        return numberOf(setting->second);
    }
    const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), setting->second);
    return choice == parameter.choices.end()
               ? std::nullopt
               : std::optional(static_cast<double>(choice - parameter.choices.begin() + 1));
}

}  // namespace plumbline::gui
