#include "project/group_fit.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "core/glob.h"
#include "core/text.h"
#include "plan/freezing.h"
#include "plan/parameter_groups.h"
#include "project/model_parameters.h"
#include "project/planned_rates.h"

namespace plumbline::project {
namespace {

class GroupCheck {
public:
    /// `parameters`: those that the optimizer trains.
    GroupCheck(const plan::TrainingPlan& plan, const plan::OptimizerSpec& optimizer, std::string pointer,
               std::vector<ModelParameter> parameters, const plan::ParameterLayers& layers,
               std::vector<plan::PlanProblem>& problems)
        : m_plan(plan),
          m_optimizer(optimizer),
          m_pointer(std::move(pointer)),
          m_parameters(std::move(parameters)),
          m_layers(layers),
          m_problems(problems) {}

    void run() {
        for (std::size_t i = 0; i < m_optimizer.groups.size(); ++i) {
            const plan::OptimizerGroup& group = m_optimizer.groups[i];
            const std::string pointer = fmt::format("{}/{}", m_pointer, i);
            std::vector<const ModelParameter*> matched;
            for (const ModelParameter& parameter : m_parameters) {
                if (matchesGlob(group.match, parameter.name)) {
                    matched.push_back(&parameter);
                }
            }
            if (matched.empty()) {
                add(true, "group-matches-nothing", pointer + "/match",
                    fmt::format("No parameter that the optimizer trains has a name that \"{}\" matches, so the group "
                                "would change nothing.",
                                group.match),
                    patternHint(group.match, m_parameters));
                continue;
            }
            if (std::none_of(matched.begin(), matched.end(), [&](const ModelParameter* each) {
                    return plan::groupOf(m_optimizer, each->name) == &group;
                })) {
                add(false, "group-hidden", pointer + "/match",
                    fmt::format("Every parameter that \"{}\" matches belongs to a group before it, so the group "
                                "changes nothing.",
                                group.match),
                    "Move it in front of them, or remove it.");
                continue;
            }
            checkValues(group, pointer, matched);
        }
    }

private:
    void add(bool critical, const char* code, std::string pointer, std::string message, std::string hint) {
        m_problems.push_back({critical, code, std::move(pointer), std::move(message), std::move(hint)});
    }

    void checkValues(const plan::OptimizerGroup& group, const std::string& pointer,
                     const std::vector<const ModelParameter*>& matched) {
        if (!group.lr && !group.weightDecay && !group.frozen) {
            add(false, "group-sets-nothing", pointer,
                fmt::format("The group \"{}\" states no learning rate, no weight decay and does not freeze, so it "
                            "changes nothing.",
                            group.match),
                "Give it one of them, or remove it.");
            return;
        }
        if (group.frozen && (group.lr || group.weightDecay)) {
            add(false, "setting-without-effect", pointer + (group.lr ? "/lr" : "/weight_decay"),
                fmt::format("The group \"{}\" is frozen, so its learning rate and its weight decay change nothing.",
                            group.match),
                "Remove them, or set frozen to false.");
            return;
        }
        if (!group.frozen && std::all_of(matched.begin(), matched.end(), [&](const ModelParameter* each) {
                return each->frozen || plan::epochsFrozen(m_plan, each->name) == plan::kFrozenForEver;
            })) {
            add(false, "group-of-frozen", pointer + (group.lr ? "/lr" : "/weight_decay"),
                fmt::format("Every parameter that \"{}\" matches is frozen for the whole run, so the group's learning "
                            "rate and weight decay change nothing.",
                            group.match),
                "Remove the group, or let the parameters train: training.freeze, or the block's frozen.");
            return;
        }
        const plan::TypeSpec* kind = m_optimizer.kind();
        if (group.weightDecay && kind != nullptr && !kind->has("weight_decay")) {
            add(false, "setting-without-effect", pointer + "/weight_decay",
                fmt::format("{} has no weight decay, so that of the group \"{}\" changes nothing.", m_optimizer.type,
                            group.match),
                "Remove it, or choose another optimizer.");
        } else if (group.weightDecay.value_or(0) > 0 && !m_optimizer.decayNormsAndBiases &&
                   std::all_of(matched.begin(), matched.end(), [&](const ModelParameter* each) {
                       return plan::isNormOrBias({each->name, each->dimensions}, m_layers);
                   })) {
            add(true, "group-decay-without-effect", pointer + "/weight_decay",
                fmt::format("The group \"{}\" holds norms and biases alone, and decay_norms_and_biases leaves them "
                            "without weight decay, so its {} would change nothing.",
                            group.match, *group.weightDecay),
                "Remove the group's weight_decay, or set decay_norms_and_biases to true and give the other norms and "
                "biases a group with weight_decay 0.");
        }
    }

    const plan::TrainingPlan& m_plan;
    const plan::OptimizerSpec& m_optimizer;
    std::string m_pointer;
    std::vector<ModelParameter> m_parameters;
    const plan::ParameterLayers& m_layers;
    std::vector<plan::PlanProblem>& m_problems;
};

bool areSame(const std::vector<plan::OptimizerGroup>& a, const std::vector<plan::OptimizerGroup>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const plan::OptimizerGroup& one, const plan::OptimizerGroup& other) {
                          return one.match == other.match && one.lr == other.lr &&
                                 one.weightDecay == other.weightDecay && one.frozen == other.frozen;
                      });
}

/// The highest floor of a schedule: what a cosine ends at, or a reduction stops at.
double lowestRate(const plan::SchedulerSpec& scheduler) {
    double lowest = scheduler.number("min_lr");
    for (const plan::SchedulePhase& phase : scheduler.phases) {
        lowest = std::max(lowest, phase.number("min_lr"));
    }
    return lowest;
}

}  // namespace

namespace {

/// layer_decay where all parameters that the optimizer trains are in one layer, which has the whole rate.
void checkLayerDecay(const plan::TrainingPlan& plan, const plan::ParameterLayers& layers,
                     std::vector<plan::PlanProblem>& problems) {
    const auto isOneLayer = [&](const plan::PhaseSpec* phase) {
        std::set<std::size_t> used;
        for (const auto& [parameter, layer] : layers.ofParameter) {
            if (phase == nullptr || plan::phaseOf(plan, parameter) == phase) {
                used.insert(layer);
            }
        }
        return used.size() <= 1;
    };
    const auto warn = [&](const plan::OptimizerSpec& optimizer, const std::string& pointer) {
        problems.push_back({false, "setting-without-effect", pointer + "/layer_decay",
                            fmt::format("layer_decay {} lowers the learning rate from each block of the model to the "
                                        "one before it, and the parameters that it is about are all in one block, so "
                                        "it changes nothing.",
                                        optimizer.layerDecay),
                            "Remove layer_decay, or build the model of several blocks at the top."});
    };
    if (plan.phases.empty()) {
        if (plan.optimizer.layerDecay != 1 && isOneLayer(nullptr)) {
            warn(plan.optimizer, "/training/optimizer");
        }
        return;
    }
    const bool takesOver = plan.optimizer.layerDecay != 1;
    const auto isTold = [&](const plan::PhaseSpec& phase) {
        return phase.optimizer.layerDecay != 1 && isOneLayer(&phase);
    };
    if (takesOver && std::all_of(plan.phases.begin(), plan.phases.end(), [&](const plan::PhaseSpec& phase) {
            return phase.optimizer.layerDecay == plan.optimizer.layerDecay && isTold(phase);
        })) {
        warn(plan.optimizer, "/training/optimizer");
        return;
    }
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        if (plan.phases[i].optimizer.layerDecay != plan.optimizer.layerDecay && isTold(plan.phases[i])) {
            warn(plan.phases[i].optimizer, fmt::format("/training/phases/{}/optimizer", i));
        }
    }
}

}  // namespace

std::vector<plan::PlanProblem> checkGroups(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    std::vector<plan::PlanProblem> problems;
    const std::vector<ModelParameter> all = parametersOf(model);
    const plan::ParameterLayers layers = layersOf(model);
    // What phases take over is about all of them together.
    const bool takesOver =
        plan.phases.empty() || std::any_of(plan.phases.begin(), plan.phases.end(), [&](const plan::PhaseSpec& phase) {
            return areSame(phase.optimizer.groups, plan.optimizer.groups);
        });
    if (takesOver) {
        GroupCheck(plan, plan.optimizer, "/training/optimizer/groups", all, layers, problems).run();
    }
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        const plan::PhaseSpec& phase = plan.phases[i];
        if (areSame(phase.optimizer.groups, plan.optimizer.groups)) {
            continue;
        }
        std::vector<ModelParameter> own;
        std::copy_if(all.begin(), all.end(), std::back_inserter(own),
                     [&](const ModelParameter& parameter) { return plan::phaseOf(plan, parameter.name) == &phase; });
        GroupCheck(plan, phase.optimizer, fmt::format("/training/phases/{}/optimizer/groups", i), std::move(own),
                   layers, problems)
            .run();
    }
    checkLayerDecay(plan, layers, problems);
    return problems;
}

std::vector<plan::PlanProblem> checkLowestRates(const plan::TrainingPlan& plan, const graph::ResolvedModel& model) {
    const double lowest = lowestRate(plan.scheduler);
    for (const plan::RateSeries& series : lowest > 0 ? rateSeriesOf(plan, model) : std::vector<plan::RateSeries>{}) {
        if (series.base < lowest) {
            return {{true, "min-lr-above-lr", "/training/scheduler",
                     fmt::format("The schedule's min_lr {} is above {}, where \"{}\" begins, so that rate would rise.",
                                 lowest, series.base, series.name),
                     "Lower min_lr, or raise layer_decay or the group's rate."}};
        }
    }
    return {};
}

}  // namespace plumbline::project
