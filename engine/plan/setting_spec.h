#pragma once
// One setting as forms, `plumbline settings`, the JSON Schema and the docs show it.

#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace plumbline::plan {

struct SettingSpec {
    std::string path;  ///< "training.optimizer.lr"
    std::string type;  ///< int, float, bool, text, choice, list, object, auto_int ("auto" or an integer), float_or_inf
                       ///< (a number or "inf")
    Json defaultValue;
    std::optional<double> min, max;
    std::vector<std::string> choices;
    std::string unit;
    std::string help;
    std::string applies;  ///< "live" or "next_run"
    std::string group;    ///< heading in a form: "Optimizer", "Schedule", …
    std::string when;  ///< "training.scheduler.type == step", "… in step, cosine": when the setting means something; ""
                       ///< = always
    /// Another default where another setting has a certain value, as AdamW's own weight decay.
    struct OtherDefault {
        std::string setting, value;
        Json defaultValue;
    };
    std::vector<OtherDefault> otherDefaults = {};
    bool optional = false;                    ///< of an output or a target: need not be there
    bool aboveMin = false, belowMax = false;  ///< min, or max, is no value of it itself
};

}  // namespace plumbline::plan
