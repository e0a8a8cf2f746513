#include <map>

#include "train/optimizers/rules.h"

namespace plumbline::train {

std::unique_ptr<UpdateRule> makeRule(const plan::OptimizerSpec& spec) {
    using Make = std::unique_ptr<UpdateRule> (*)(const plan::OptimizerSpec&);
    static const std::map<std::string_view, Make> rules{
        {"ASGD", makeAsgd},   {"Adadelta", makeAdadelta}, {"Adagrad", makeAdagrad}, {"Adam", makeAdam},
        {"AdamW", makeAdamW}, {"Adamax", makeAdamax},     {"Lion", makeLion},       {"NAdam", makeNAdam},
        {"RAdam", makeRAdam}, {"RMSprop", makeRmsProp},   {"Rprop", makeRprop},     {"SGD", makeSgd},
    };
    const auto found = rules.find(spec.type);
    return found == rules.end() ? nullptr : found->second(spec);
}

}  // namespace plumbline::train
