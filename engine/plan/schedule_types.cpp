// The schedules that there are and what each of them can be told, in the words of torch.optim.lr_scheduler. A new one
// is an entry here and a file in plan/schedules/.

#include <limits>

#include "plan/plan.h"

namespace plumbline::plan {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();

OptionSpec total(std::string help) {
    return integerOption("total", 0, 0, "units", std::move(help));
}
OptionSpec minLr() {
    return numberOption("min_lr", 0, 0, kLargest, "Where the rate ends, or may not fall below.");
}
OptionSpec gamma(double value) {
    return numberOption("gamma", value, 0, 1e6, "Factor at each drop, or of each unit.");
}
OptionSpec factor(double value) {
    return numberOption("factor", value, 0, 1,
                        "Factor of the rate: constant for its first units, reduce_on_plateau at each reduction.");
}
OptionSpec maxLr() {
    return numberOption("max_lr", nullptr, 0, kLargest, "Highest rate; the optimizer's own where it is left out.");
}
OptionSpec anneal() {
    return choiceOption("anneal_strategy", "cos", {"cos", "linear"}, "How the rate goes from one level to the next.");
}
std::vector<OptionSpec> momentumCycle(std::vector<OptionSpec> options, double lowest, double highest) {
    options.push_back(flagOption("cycle_momentum", true, "Moves momentum, or the first of betas, against the rate."));
    options.push_back(numberOption("base_momentum", lowest, 0, 1, "Momentum where the rate is highest."));
    options.push_back(numberOption("max_momentum", highest, 0, 1, "Momentum where the rate is lowest."));
    return options;
}

std::vector<TypeSpec> makeTypes() {
    const OptionSpec power = numberOption("power", 1.0, 0, 1e6, "Power of what is left of the schedule.");
    return {
        {"constant",
         {factor(1.0), total("constant: units that factor holds for; elsewhere the length of the schedule, warm-up "
                             "included. 0 is the whole run.")},
         {},
         {}},
        {"step",
         {integerOption("step_size", 1, 1, "units", "The rate is multiplied by gamma every so many units."),
          gamma(0.1)},
         {},
         {}},
        {"multi_step",
         {integersOption("milestones", Json::array(), 0,
                         "Units after which the rate is multiplied by gamma; one that stands twice counts twice."),
          gamma(0.1)},
         {},
         {}},
        {"exponential", {gamma(0.95)}, {}, {}},
        {"cosine", {minLr(), total("")}, {}, {}},
        {"cosine_restarts",
         {integerOption("T_0", 10, 1, "units", "Length of the first cosine."),
          integerOption("T_mult", 1, 1, "", "Each cosine is so many times as long as the one before."), minLr()},
         {},
         {}},
        {"one_cycle",
         momentumCycle(
             {maxLr(), total(""), numberOption("pct_start", 0.3, 0, 1, "Share of the cycle in which the rate rises."),
              anneal(), aboveOption("div_factor", 25.0, 0, kLargest, "The cycle starts at max_lr divided by this."),
              aboveOption("final_div_factor", 1e4, 0, kLargest, "It ends at the starting rate divided by this."),
              flagOption("three_phase", false,
                         "Falls back to the starting rate as fast as it rose, and to the final one after that.")},
             0.85, 0.95),
         {},
         {}},
        {"linear",
         {aboveOption("start_factor", 1.0 / 3, 0, 1, "Factor of the first unit."),
          numberOption("end_factor", 1.0, 0, 1, "Factor at the end."), total("")},
         {},
         {}},
        {"polynomial", {power, total("")}, {}, {}},
        {"cyclic",
         momentumCycle({numberOption("base_lr", 0.0, 0, kLargest, "Lowest rate of a cycle."), maxLr(),
                        integerOption("step_size_up", 2000, 1, "units", "Units in which the rate rises."),
                        integerOption("step_size_down", nullptr, 1, "units",
                                      "Units in which it falls; as step_size_up where it is left out."),
                        choiceOption("mode", "triangular", {"triangular", "triangular2", "exp_range"},
                                     "cyclic: how the height of the cycles goes on (as it is, halved each time, gamma "
                                     "to the power of the units); reduce_on_plateau: whether a smaller "
                                     "or a larger value is better."),
                        gamma(1.0)},
                       0.8, 0.9),
         {},
         {}},
        {"inverse_sqrt",
         {integerOption("timescale", nullptr, 1, "units",
                        "The rate falls with the root of timescale / units; the warm-up's length, or else 1, where it "
                        "is left out.")},
         {},
         {}},
        {"swa",
         {numberOption("swa_lr", 0.05, 0, kLargest, "Rate that weights are averaged at."),
          integerOption("anneal_epochs", 10, 0, "units", "Units in which the rate gets there."), anneal()},
         {},
         {}},
        {"reduce_on_plateau",
         {textOption("series", "val.loss",
                     "What has to get better: a series of the validation, as val.loss or val.accuracy."),
          choiceOption("mode", "min", {"min", "max"},
                       "cyclic: how the height of the cycles goes on (as it is, halved each time, gamma to the power "
                       "of the units); reduce_on_plateau: whether a smaller or a larger "
                       "value is better."),
          factor(0.1),
          integerOption("patience", 10, 0, "validations", "Validations without a gain before the rate is reduced."),
          numberOption("threshold", 1e-4, 0, kLargest, "Smallest gain that counts."),
          choiceOption("threshold_mode", "rel", {"rel", "abs"},
                       "Whether threshold is a share of the best value or a difference."),
          integerOption("cooldown", 0, 0, "validations", "Validations after a reduction that do not count."), minLr(),
          numberOption("eps", 1e-8, 0, kLargest, "A reduction smaller than this is left out.")},
         {},
         {}},
        {"sequence", {}, {}, {}},
        {"chained", {}, {}, {}},
    };
}

}  // namespace

const std::vector<TypeSpec>& scheduleTypes() {
    static const std::vector<TypeSpec> types = makeTypes();
    return types;
}

}  // namespace plumbline::plan
