#include "cli/told_rates.h"

#include <fmt/format.h>

#include "core/text.h"

namespace plumbline::cli {

std::string scheduledRates(const Json& told) {
    if (told.value("path", "") != "training.optimizer.lr") {
        return {};
    }
    const Json rates = told.value("rates", Json::array());
    if (rates.empty()) {
        return told.value("after", "").empty() ? "" : " The step's rate is what the schedule then makes of it.";
    }
    const Json value = told.value("value", Json());
    std::string listed;
    bool differs = false;
    for (const Json& rate : rates) {
        const std::string group = rate.value("group", "");
        const double lr = numberFromJson(rate.value("lr", Json()));
        differs = differs || !value.is_number() || lr != value.get<double>();
        listed += fmt::format("{}{}{}", listed.empty() ? "" : ", ", group.empty() ? "" : group + " ", numberText(lr));
    }
    return !differs ? ""
           : rates.size() == 1
               ? fmt::format(" After its schedule the rate of that step is {}.", listed)
               : fmt::format(" After layers' factors and the schedule the rates of that step are: {}.", listed);
}

}  // namespace plumbline::cli
