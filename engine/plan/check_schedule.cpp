// What is wrong with a schedule: by itself, for its optimizer, and for the run it is in.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.h"
#include "plan/plan.h"
#include "plan/schedule.h"
#include "plan/series.h"

namespace plumbline::plan {
namespace {

const std::string kPointer = "/training/scheduler";

bool isOneOf(const std::string& word, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* each) { return word == each; });
}

class ScheduleCheck {
public:
    /// Where the settings of the optimizer stand that is checked.
    struct Pointers {
        std::string groups = "/training/optimizer/groups", layerDecay = "/training/optimizer/layer_decay";
        std::string lr = {};  ///< of a phase that states its own
    };
    ScheduleCheck(const TrainingPlan& plan, std::int64_t stepsPerEpoch, bool hasValidation, Pointers pointers)
        : m_pointers(std::move(pointers)),
          m_plan(plan),
          m_schedule(plan.scheduler),
          m_hasValidation(hasValidation),
          m_countsSteps(m_schedule.unit == Unit::kStep),
          m_unit(m_countsSteps ? "step" : "epoch") {
        // Without the data a run that counts steps ends at stop.steps at the latest.
        m_exact = stepsPerEpoch > 0 || (m_countsSteps ? plan.epochs == 0 : plan.maxSteps == 0);
        m_length = stepsPerEpoch > 0 ? scheduleLength(plan, stepsPerEpoch)
                   : m_countsSteps   ? plan.maxSteps
                                     : plan.epochs;
    }

    std::vector<PlanProblem> run() {
        checkWarmup();
        checkOne(m_schedule, kPointer, std::max<std::int64_t>(0, m_length - m_schedule.warmup), m_schedule.warmup);
        if (isOneOf(m_schedule.type, {"sequence", "chained"})) {
            checkPhases();
        }
        if (Plateau::isMeant(m_schedule)) {
            checkPlateau();
        }
        checkRates();
        if (readsRateOnce(m_plan.optimizer) && (m_schedule.type != "constant" || m_schedule.warmup > 0)) {
            warning("setting-without-effect", kPointer + (m_schedule.type != "constant" ? "/type" : "/warmup"),
                    fmt::format("{} takes the learning rate as the size of a parameter's first step and never looks at "
                                "it again, so after the first step the schedule changes nothing.",
                                m_plan.optimizer.type),
                    "Let scheduler.type be \"constant\" without a warm-up, or choose another optimizer.");
        }
        return std::move(m_problems);
    }

private:
    void critical(std::string code, std::string pointer, std::string message, std::string hint) {
        m_problems.push_back({true, std::move(code), std::move(pointer), std::move(message), std::move(hint)});
    }
    void warning(std::string code, std::string pointer, std::string message, std::string hint) {
        m_problems.push_back({false, std::move(code), std::move(pointer), std::move(message), std::move(hint)});
    }

    /// A rate that no float32 holds, or that is no number, at any of some hundred places over the run.
    void checkRates() {
        constexpr std::int64_t kPlaces = 200;
        if (std::any_of(m_problems.begin(), m_problems.end(),
                        [](const PlanProblem& problem) { return problem.critical; })) {
            return;
        }
        const Schedule schedule(m_schedule, std::max<std::int64_t>(1, m_length));
        for (std::int64_t i = 0; i <= kPlaces; ++i) {
            const std::int64_t position = m_length * i / kPlaces;
            const double rate = schedule.rate(m_plan.optimizer.lr, position);
            if (!(std::abs(rate) <= static_cast<double>(std::numeric_limits<float>::max()))) {
                critical("rate-not-finite", kPointer + "/type",
                         fmt::format("After {} the learning rate is {}, which no training survives.",
                                     counted(position, m_unit), numberText(rate)),
                         "Lower gamma, the factors or the learning rate.");
                return;
            }
        }
    }
    void checkWarmup() {
        const std::int64_t warmup = m_schedule.warmup;
        const bool shares = m_schedule.type != "constant";  // its total is about the factor alone
        if (const std::int64_t total = m_schedule.integer("total"); shares && total > 0 && warmup >= total) {
            critical("warmup-too-long", kPointer + "/warmup",
                     fmt::format("The warm-up takes {} and the schedule is {} long, so it never begins.",
                                 counted(warmup, m_unit), counted(total, m_unit)),
                     "Shorten the warm-up or lengthen total.");
        }
        if (m_length > 0 && warmup > m_length) {
            warning("warmup-longer-than-run", kPointer + "/warmup",
                    fmt::format("The warm-up takes {} and the run {}, so the learning rate never gets to {}.",
                                counted(warmup, m_unit), m_length, m_plan.optimizer.lr),
                    m_countsSteps ? "Shorten the warm-up."
                                  : "Shorten the warm-up, or let scheduler.unit be \"step\" if it was meant in steps.");
        }
        if (warmup == 0 && m_schedule.warmupStart) {
            warning("setting-without-effect", kPointer + "/warmup_start",
                    "There is no warm-up, so warmup_start changes nothing.", "Set warmup, or remove warmup_start.");
        }
    }

    /// `length`: units that are left for it; 0 where they are not known. `before`: those of the warm-up, which `total`
    /// counts too.
    void checkOne(const TypedOptions& one, const std::string& pointer, std::int64_t length, std::int64_t before) {
        const bool cycles = isOneOf(one.type, {"one_cycle", "cyclic"});
        if (cycles && !m_countsSteps) {
            critical(
                "schedule-needs-steps", kPointer + "/unit",
                fmt::format("{} moves the learning rate with every step, and scheduler.unit is \"epoch\".", one.type),
                "Set scheduler.unit to \"step\"; lengths then count steps.");
        }
        const TypeSpec* optimizer = m_plan.optimizer.kind();
        if (cycles && one.flag("cycle_momentum") && optimizer != nullptr && optimizer->option("momentum") == nullptr &&
            optimizer->option("betas") == nullptr) {
            critical("momentum-not-there", pointer + "/cycle_momentum",
                     fmt::format("{} moves the momentum, and {} has none.", one.type, m_plan.optimizer.type),
                     "Set cycle_momentum to false, or take an optimizer with a momentum or betas, as SGD or AdamW.");
        }
        const std::vector<std::int64_t> milestones = one.integers("milestones");
        if (!std::is_sorted(milestones.begin(), milestones.end())) {
            critical("milestones-not-ascending", pointer + "/milestones", "The milestones do not ascend.",
                     "Write them from the first to the last.");
        } else if (one.type == "multi_step" && milestones.empty()) {
            warning("no-milestones", pointer + "/milestones",
                    "multi_step has no milestones, so the learning rate stays as it is.",
                    "Name the units after which it drops.");
        }
        if (const double minLr = one.number("min_lr"); minLr > m_plan.optimizer.lr) {
            critical("min-lr-above-lr", pointer + "/min_lr",
                     fmt::format("min_lr {} is above the learning rate {}.", minLr, m_plan.optimizer.lr),
                     "Lower min_lr.");
        } else {
            checkFloor(minLr, pointer);
        }
        checkSetRates(one);
        checkReach(one, pointer, length);
        const double highest = one.optionalNumber("max_lr").value_or(m_plan.optimizer.lr);
        if (const double lowest = one.number("base_lr"); one.type == "cyclic" && lowest > highest) {
            warning("base-lr-above-max-lr", pointer + "/base_lr",
                    fmt::format("base_lr {} is above max_lr {}, so the learning rate falls where it should rise.",
                                lowest, highest),
                    "Lower base_lr or raise max_lr.");
        } else if (one.type == "cyclic" && !one.optionalNumber("max_lr")) {
            for (const OptimizerGroup& group : m_plan.optimizer.groups) {
                if (group.lr && !group.frozen && lowest > *group.lr) {
                    warning("base-lr-above-max-lr", pointer + "/base_lr",
                            fmt::format("base_lr {} is above the learning rate {} of the group \"{}\", so that falls "
                                        "where it should rise.",
                                        lowest, *group.lr, group.match),
                            "Lower base_lr, or raise the group's rate.");
                    break;
                }
            }
        }
        // It begins far below max_lr by itself, after the warm-up has led up to lr.
        if (one.type == "one_cycle" && before > 0 && pointer == kPointer) {
            warning("one-cycle-after-warmup", kPointer + "/warmup",
                    fmt::format("one_cycle warms up by itself: after the warm-up of {} the learning rate falls from {} "
                                "to {} and rises again.",
                                counted(before, m_unit), numberText(m_plan.optimizer.lr),
                                numberText(highest / one.number("div_factor"))),
                    "Set scheduler.warmup to 0 and let pct_start say how long the rate rises.");
        }
        checkTotal(one, pointer, length, before);
    }

    /// The same for each group that has a rate of its own.
    void checkFloor(double minLr, const std::string& pointer) {
        for (const OptimizerGroup& group : m_plan.optimizer.groups) {
            if (group.lr && !group.frozen && minLr > *group.lr) {
                critical("min-lr-above-lr", pointer + "/min_lr",
                         fmt::format("min_lr {} is above the learning rate {} of the group \"{}\".", minLr, *group.lr,
                                     group.match),
                         "Lower min_lr.");
                return;
            }
        }
    }

    /// A schedule that states the rates itself leaves nothing of those of groups and layers.
    void checkSetRates(const TypedOptions& one) {
        const std::optional<double> maxLr = one.optionalNumber("max_lr");
        if (!maxLr) {
            return;
        }
        const std::string hint = "Leave max_lr out, so that the highest rate is each one's own, or remove it.";
        for (std::size_t i = 0; i < m_plan.optimizer.groups.size(); ++i) {
            const OptimizerGroup& group = m_plan.optimizer.groups[i];
            if (group.lr && !group.frozen) {
                warning("rate-overridden", fmt::format("{}/{}/lr", m_pointers.groups, i),
                        fmt::format("{} takes every parameter up to max_lr {}, so the learning rate {} of the group "
                                    "\"{}\" changes nothing.",
                                    one.type, *maxLr, *group.lr, group.match),
                        hint);
            }
        }
        if (m_plan.optimizer.layerDecay != 1) {
            warning("rate-overridden", m_pointers.layerDecay,
                    fmt::format("{} takes every parameter up to max_lr {}, so layer_decay {} changes nothing.",
                                one.type, *maxLr, m_plan.optimizer.layerDecay),
                    hint);
        }
        if (!m_pointers.lr.empty()) {
            warning("rate-overridden", m_pointers.lr,
                    fmt::format(
                        "{} takes every parameter up to max_lr {}, so the phase's learning rate {} changes nothing.",
                        one.type, *maxLr, m_plan.optimizer.lr),
                    hint);
        }
    }

    /// What lies past the end of the run, which is at most `length` long for it.
    void checkReach(const TypedOptions& one, const std::string& pointer, std::int64_t length) {
        if (length <= 0) {
            return;
        }
        const std::string run = counted(length, m_unit);
        const std::vector<std::int64_t> milestones = one.integers("milestones");
        if (const std::int64_t up = one.integer("step_size_up"); one.type == "cyclic" && m_countsSteps && up > length) {
            warning("schedule-outlasts-run", pointer + "/step_size_up",
                    fmt::format(
                        "cyclic rises for {} and the run leaves it {}, so the learning rate never gets to its highest.",
                        counted(up, m_unit), run),
                    "Lower step_size_up.");
        } else if (const std::int64_t size = one.integer("step_size");
                   one.type == "step" && size >= length && length > 1) {
            warning("schedule-outlasts-run", pointer + "/step_size",
                    fmt::format("step waits {} and the run leaves it {}, so the learning rate stays as it is.",
                                counted(size, m_unit), run),
                    "Lower step_size, or choose the schedule constant.");
        } else if (!milestones.empty() && milestones.front() >= length) {
            warning("schedule-outlasts-run", pointer + "/milestones",
                    fmt::format("The first milestone of multi_step is after {} and the run leaves it {}, so the "
                                "learning rate stays as it is.",
                                counted(milestones.front(), m_unit), run),
                    "Lower the milestones, or choose the schedule constant.");
        }
    }

    void checkTotal(const TypedOptions& one, const std::string& pointer, std::int64_t length, std::int64_t before) {
        const std::int64_t total = one.integer("total");
        const std::int64_t own = total - before;
        if (one.type == "one_cycle" && length > 0 && own > length) {
            warning(
                "schedule-outlasts-run", pointer + "/total",
                fmt::format(
                    "one_cycle lasts {} and the run leaves it {}, so its learning rate never comes down to the end.",
                    counted(own, m_unit), counted(length, m_unit)),
                fmt::format("Set total to {}, or to 0 for all of it.", length + before));
        }
        if (total == 0 || !m_exact || own <= 0 || own >= length) {
            return;
        }
        const std::string took = counted(own, m_unit), left = counted(length, m_unit);
        const std::string hint = fmt::format("Set total to {}, or to 0 for all of it.", length + before);
        if (one.type == "one_cycle") {
            critical("one-cycle-too-short", pointer + "/total",
                     fmt::format("one_cycle is over after {} and goes on for {}.", took, left), hint);
        } else if (one.type == "cosine" && m_schedule.type != "chained") {
            warning("schedule-shorter-than-run", pointer + "/total",
                    fmt::format("The cosine is over after {} and goes on for {}: it rises again, as in PyTorch.", took,
                                left),
                    hint);
        } else if (one.type == "polynomial") {
            warning("schedule-shorter-than-run", pointer + "/total",
                    fmt::format("The polynomial is over after {} and goes on for {}, with a learning rate of 0.", took,
                                left),
                    hint);
        }
    }

    void checkPhases() {
        const std::vector<SchedulePhase>& phases = m_schedule.phases;
        const bool follows = m_schedule.type == "sequence";
        if (phases.empty()) {
            critical("no-phases", kPointer + "/phases",
                     fmt::format("The schedule is a {} of nothing.", follows ? "sequence" : "chain"),
                     "Add phases, as {\"type\": \"linear\", \"length\": 100} and {\"type\": \"cosine\"}.");
        }
        const std::int64_t whole = std::max<std::int64_t>(0, m_length - m_schedule.warmup);
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < phases.size(); ++i) {
            const SchedulePhase& phase = phases[i];
            const std::string pointer = fmt::format("{}/phases/{}", kPointer, i);
            const bool last = i + 1 == phases.size();
            if (follows) {
                if (phase.length == 0 && !last) {
                    critical(
                        "phase-without-length", pointer + "/length",
                        fmt::format("Phase {} of the sequence has no length, so the ones after it never begin.", i + 1),
                        "Give it a length; only the last one takes what is left.");
                    return;
                }
                if (whole > 0 && begin >= whole && i > 0) {
                    warning("phase-never-begins", pointer,
                            fmt::format("Phase {} of the sequence would begin after {}, and the run is {} long.", i + 1,
                                        counted(begin, m_unit), counted(m_length, m_unit)),
                            "Shorten the phases before it, or let the run be longer.");
                }
            } else {
                checkChained(phase, pointer);
            }
            const std::int64_t left = std::max<std::int64_t>(0, whole - begin);
            checkOne(phase, pointer, follows && !last ? std::min(phase.length, left) : left, 0);
            begin += follows ? std::min(phase.length, std::int64_t{1} << 60) : 0;
            if (begin >= std::int64_t{1} << 61) {
                return;
            }
        }
    }

    /// Those that set the rate instead of multiplying it, as PyTorch's do, have no place in a chain.
    void checkChained(const SchedulePhase& phase, const std::string& pointer) {
        const bool sets = isOneOf(phase.type, {"one_cycle", "cyclic", "cosine_restarts", "swa"});
        if (sets || (phase.type == "cosine" && phase.number("min_lr") > 0)) {
            critical("not-chainable", pointer + (sets ? "/type" : "/min_lr"),
                     fmt::format("{} sets the learning rate instead of multiplying it, so it cannot be chained.",
                                 sets ? phase.type : "cosine with a min_lr"),
                     sets ? "Take it for the whole schedule, or let the schedules follow each other in a sequence."
                          : "Set min_lr to 0.");
        }
        const std::int64_t whole = m_length - m_schedule.warmup, total = phase.integer("total");
        if (phase.type == "cosine" && m_exact && total > 0 && total < whole) {
            critical("not-chainable", pointer + "/total",
                     fmt::format("The cosine is over after {} and would rise again from 0, so it cannot be chained.",
                                 counted(total, m_unit)),
                     "Set total to 0 for all of the run.");
        }
        if (phase.length > 0) {
            warning("setting-without-effect", pointer + "/length",
                    "The schedules of a chain all go on for the whole run, so a length changes nothing.", "Remove it.");
        }
    }

    void checkPlateau() {
        const std::string series = m_schedule.text("series");
        if (!m_hasValidation || m_plan.validationEvery == 0) {
            critical("plateau-without-validation", kPointer + "/type",
                     "reduce_on_plateau waits for what validations give, but nothing is validated.",
                     "Give data.splits.validation a share and set validation.every to 1, or choose another schedule.");
        }
        if (!isValidationSeries(m_plan, series)) {
            const bool isTable = isValidationTable(m_plan, series);
            critical("plateau-series-unknown", kPointer + "/series",
                     isTable ? fmt::format("reduce_on_plateau goes by {}, which is a table and no number.", series)
                             : fmt::format("reduce_on_plateau goes by {}, which no validation measures.", series),
                     isTable ? "Take val.loss, or a metric such as val.accuracy."
                             : "Add the metric to training.metrics, or go by val.loss.");
        }
        if (m_schedule.number("factor") >= 1) {
            critical("plateau-factor", kPointer + "/factor",
                     fmt::format("A factor of {} does not reduce the learning rate.", m_schedule.number("factor")),
                     "Set factor below 1; usual is 0.1.");
        }
    }

    Pointers m_pointers;
    const TrainingPlan& m_plan;
    const SchedulerSpec& m_schedule;
    bool m_hasValidation, m_countsSteps;
    const char* m_unit;
    std::int64_t m_length = 0;  ///< of the run, in units, or at most that; 0: not known
    bool m_exact = false;
    std::vector<PlanProblem> m_problems;
};

/// What a phase takes over stands where training.optimizer does.
ScheduleCheck::Pointers pointersOf(const TrainingPlan& plan, std::size_t phase) {
    const OptimizerSpec& own = plan.phases[phase].optimizer;
    const std::string pointer = fmt::format("/training/phases/{}/optimizer", phase);
    const auto same = [](const OptimizerGroup& a, const OptimizerGroup& b) {
        return a.match == b.match && a.lr == b.lr && a.weightDecay == b.weightDecay && a.frozen == b.frozen;
    };
    ScheduleCheck::Pointers pointers;
    if (!std::equal(own.groups.begin(), own.groups.end(), plan.optimizer.groups.begin(), plan.optimizer.groups.end(),
                    same)) {
        pointers.groups = pointer + "/groups";
    }
    if (own.layerDecay != plan.optimizer.layerDecay) {
        pointers.layerDecay = pointer + "/layer_decay";
    }
    pointers.lr = plan.phases[phase].ownLr ? pointer + "/lr" : "";
    return pointers;
}

}  // namespace

std::vector<PlanProblem> checkSchedule(const TrainingPlan& plan, std::int64_t stepsPerEpoch, bool hasValidation) {
    if (plan.phases.empty()) {
        return ScheduleCheck(plan, stepsPerEpoch, hasValidation, {}).run();
    }
    // It goes on alike for each phase's optimizer.
    std::vector<PlanProblem> all;
    TrainingPlan one = plan;
    for (std::size_t i = 0; i < plan.phases.size(); ++i) {
        const PhaseSpec& phase = plan.phases[i];
        one.optimizer = phase.optimizer;
        for (PlanProblem& problem : ScheduleCheck(one, stepsPerEpoch, hasValidation, pointersOf(plan, i)).run()) {
            const auto same = [&](const PlanProblem& other) {
                return other.code == problem.code && other.pointer == problem.pointer;
            };
            if (std::none_of(all.begin(), all.end(), same)) {
                all.push_back(std::move(problem));
            }
        }
    }
    return all;
}

}  // namespace plumbline::plan
