#include "codegen/schedule_source.h"

#include <fmt/format.h>
#include <algorithm>

#include "codegen/module_body.h"

namespace plumbline::codegen {
namespace {

using plan::TypedOptions;

/// A schedule, or one of several, and the warm-up in front of it.
struct Part {
    const TypedOptions& options;
    std::int64_t warmup = 0;
};

/// A level that a rate or a momentum goes to.
std::string levelOf(const TypedOptions& schedule, const char* option) {
    const auto stated = schedule.optionalNumber(option);
    return stated ? cppNumber(*stated) : std::string("base");
}

/// From one level to another by a share of the way.
std::string curve(const TypedOptions& schedule, const std::string& from, const std::string& to,
                  const std::string& share) {
    return schedule.text("anneal_strategy") == "linear"
               ? fmt::format("({1} - {0}) * {2} + {0}", from, to, share)
               : fmt::format("{1} + ({0} - {1}) / 2.0 * (std::cos(M_PI * {2}) + 1.0)", from, to, share);
}

std::string constant(const Part& part) {
    const std::int64_t total = part.options.integer("total");
    const double factor = part.options.number("factor");
    if (factor == 1) {
        return "    return base;\n";
    }
    return total > 0 ? fmt::format("    return t < {} ? base * {} : base;\n", total, cppNumber(factor))
                     : fmt::format("    return base * {};\n", cppNumber(factor));
}

std::string step(const Part& part) {
    return fmt::format("    return base * std::pow({}, static_cast<double>(t / {}));\n",
                       cppNumber(part.options.number("gamma")), part.options.integer("step_size"));
}

std::string multiStep(const Part& part) {
    std::string drops;
    for (const std::int64_t milestone : part.options.integers("milestones")) {
        drops += fmt::format("{}(t >= {} ? 1.0 : 0.0)", drops.empty() ? "" : " + ", milestone);
    }
    return drops.empty()
               ? "    return base;\n"
               : fmt::format("    return base * std::pow({}, {});\n", cppNumber(part.options.number("gamma")), drops);
}

std::string exponential(const Part& part) {
    return fmt::format("    return base * std::pow({}, static_cast<double>(t));\n",
                       cppNumber(part.options.number("gamma")));
}

std::string cosineDown(const Part& part) {
    return fmt::format("    return {0} + (base - {0}) * (1.0 + std::cos(M_PI * done)) / 2.0;\n",
                       cppNumber(part.options.number("min_lr")));
}

constexpr const char* kDone =
    "    const double done = static_cast<double>(std::min(t, total)) / static_cast<double>(total);\n";

/// After its end it rises again, as PyTorch's does.
std::string cosine(const Part& part) {
    return "    const double done = static_cast<double>(t % (2 * total)) / static_cast<double>(total);\n" +
           cosineDown(part);
}

std::string cosineRestarts(const Part& part) {
    const std::int64_t first = part.options.integer("T_0"), growth = part.options.integer("T_mult");
    const std::string place = growth == 1
                                  ? fmt::format("    const double cycle = {0}.0;\n    t %= {0};\n", first)
                                  : fmt::format(
                                        "    double cycle = {}.0;\n    while (static_cast<double>(t) >= cycle) {{\n    "
                                        "    t -= static_cast<int64_t>(cycle);\n        cycle *= {}.0;\n    }}\n",
                                        first, growth);
    return place + "    const double done = static_cast<double>(t) / cycle;\n" + cosineDown(part);
}

std::string linear(const Part& part) {
    return kDone + fmt::format("    return base * ({0} + ({1} - {0}) * done);\n",
                               cppNumber(part.options.number("start_factor")),
                               cppNumber(part.options.number("end_factor")));
}

std::string polynomial(const Part& part) {
    return kDone +
           fmt::format("    return base * std::pow(1.0 - done, {});\n", cppNumber(part.options.number("power")));
}

/// What both curves of a cycle go by: from one level to the next over so many units, the last one held.
std::string oneCycleOf(const Part& part, const std::string& start, const std::string& peak, const std::string& end) {
    const std::string share = cppNumber(part.options.number("pct_start"));
    const bool three = part.options.flag("three_phase");
    std::string text = fmt::format(
        "    const double at = static_cast<double>(std::min(t, total - 1));\n    const double risen = {} * "
        "static_cast<double>(total) - 1.0;\n",
        share);
    if (three) {
        text += "    const double fallen = 2.0 * risen;\n";
    }
    text += "    const double last = static_cast<double>(total) - 1.0;\n";
    text += fmt::format(
        "    if (at <= risen) {{\n        const double done = risen > 0.0 ? at / risen : 1.0;\n        return {};\n    "
        "}}\n",
        curve(part.options, start, peak, "done"));
    const char* from = "risen";
    if (three) {
        text += fmt::format(
            "    if (at <= fallen) {{\n        const double done = (at - risen) / (fallen - risen);\n        return "
            "{};\n    }}\n",
            curve(part.options, peak, start, "done"));
        from = "fallen";
    }
    return text + fmt::format("    const double done = (at - {0}) / (last - {0});\n    return {1};\n", from,
                              curve(part.options, three ? start : peak, end, "done"));
}

std::string oneCycle(const Part& part) {
    return fmt::format("    const double highest = {};\n    const double lowest = highest / {};\n",
                       levelOf(part.options, "max_lr"), cppNumber(part.options.number("div_factor"))) +
           oneCycleOf(part, "lowest", "highest",
                      fmt::format("(lowest / {})", cppNumber(part.options.number("final_div_factor"))));
}

std::string oneCycleMomentum(const Part& part) {
    const std::string highest = cppNumber(part.options.number("max_momentum"));
    return oneCycleOf(part, highest, cppNumber(part.options.number("base_momentum")), highest);
}

/// How far up the cycle that `t` is in, its height included.
std::string cyclicShare(const Part& part) {
    const std::int64_t up = part.options.integer("step_size_up");
    const std::int64_t down =
        part.options.option("step_size_down").is_null() ? up : part.options.integer("step_size_down");
    const std::string mode = part.options.text("mode");
    const std::string height =
        mode == "triangular2" ? fmt::format("share / std::pow(2.0, static_cast<double>(t / {}))", up + down)
        : mode == "exp_range"
            ? fmt::format("share * std::pow({}, static_cast<double>(t))", cppNumber(part.options.number("gamma")))
            : std::string("share");
    return fmt::format(
        "    const double at = static_cast<double>(t % {0});\n    double share = at <= {1}.0 ? at / {1}.0 : ({0}.0 - "
        "at) / {2}.0;\n    share = {3};\n",
        up + down, up, down, height);
}

std::string cyclic(const Part& part) {
    const std::string lowest = cppNumber(part.options.number("base_lr"));
    return cyclicShare(part) +
           fmt::format("    return {0} + ({1} - {0}) * share;\n", lowest, levelOf(part.options, "max_lr"));
}

std::string cyclicMomentum(const Part& part) {
    return cyclicShare(part) + fmt::format("    return {0} - ({0} - {1}) * share;\n",
                                           cppNumber(part.options.number("max_momentum")),
                                           cppNumber(part.options.number("base_momentum")));
}

std::string swa(const Part& part) {
    const std::int64_t units = part.options.integer("anneal_epochs");
    const std::string level = cppNumber(part.options.number("swa_lr"));
    if (units == 0) {
        return fmt::format("    return {};\n", level);
    }
    return fmt::format(
        "    const double done = static_cast<double>(std::min<int64_t>(t, {0})) / {0}.0;\n    return {1};\n", units,
        curve(part.options, "base", level, "done"));
}

std::string inverseSqrt(const Part& part) {
    const plan::TypedOptions& options = part.options;
    const std::int64_t timescale =
        options.option("timescale").is_null() ? std::max<std::int64_t>(1, part.warmup) : options.integer("timescale");
    return fmt::format("    return base * std::sqrt({0}.0 / static_cast<double>(std::max<int64_t>({0}, t + {1})));\n",
                       timescale, part.warmup + 1);
}

struct Form {
    const char* type;
    std::string (*rate)(const Part& part);                ///< of base, t, total
    std::string (*momentum)(const Part& part) = nullptr;  ///< of t, total
};

constexpr Form kForms[] = {
    {"constant", constant},
    {"step", step},
    {"multi_step", multiStep},
    {"exponential", exponential},
    {"cosine", cosine},
    {"cosine_restarts", cosineRestarts},
    {"one_cycle", oneCycle, oneCycleMomentum},
    {"linear", linear},
    {"polynomial", polynomial},
    {"cyclic", cyclic, cyclicMomentum},
    {"inverse_sqrt", inverseSqrt},
    {"swa", swa},
};

std::string functionOf(const std::string& name, const std::string& lines) {
    return fmt::format(
        "inline double {}([[maybe_unused]] double base, [[maybe_unused]] int64_t t, [[maybe_unused]] int64_t total) "
        "{{\n{}}}\n\n",
        name, lines);
}

/// The parts of a schedule as functions, and the function that chooses between them. What is meant is what
/// plan/schedules/ has.
class Composer {
public:
    explicit Composer(const plan::SchedulerSpec& schedule)
        : m_schedule(schedule), m_isSequence(schedule.type == "sequence") {
        if (!m_isSequence && schedule.type != "chained") {
            m_phases.push_back({schedule, 0, 0, schedule.warmup});
            return;
        }
        std::int64_t begin = 0;
        for (const plan::SchedulePhase& phase : schedule.phases) {
            m_phases.push_back({phase, m_isSequence ? begin : 0, phase.length, 0});
            if (m_isSequence && phase.length == 0) {
                break;
            }
            begin += phase.length;
        }
    }

    std::string rate() const {
        std::string text;
        for (std::size_t i = 0; i < m_phases.size(); ++i) {
            text += functionOf(nameOf("curve", i), linesOf(i, &Form::rate));
        }
        return text +
               "/// Learning rate at a position of the schedule, for a base rate. `length`: the whole run in the "
               "schedule's unit.\n"
               "inline double learningRate(double base, int64_t position, [[maybe_unused]] int64_t length) {\n" +
               warmup() + (m_isSequence ? sequence() : chained()) + "}\n";
    }

    /// Where a part of a sequence has none, what the last one that had has left; before any, where the last one that
    /// will begins.
    std::string momentum() const {
        std::vector<std::size_t> moving;
        for (std::size_t i = 0; i < m_phases.size() && (m_isSequence || m_phases.size() == 1); ++i) {
            const Form* form = formOf(i);
            if (form != nullptr && form->momentum != nullptr && m_phases[i].options.flag("cycle_momentum")) {
                moving.push_back(i);
            }
        }
        if (moving.empty()) {
            return {};
        }
        std::string text;
        for (const std::size_t i : moving) {
            text += functionOf(nameOf("momentum", i), linesOf(i, &Form::momentum));
        }
        text +=
            "/// Momentum, or the first of betas, at a position of the schedule.\n"
            "inline double momentumAt([[maybe_unused]] int64_t position, [[maybe_unused]] int64_t length) {\n" +
            fmt::format("    [[maybe_unused]] const int64_t t = std::max<int64_t>(0, position - {});\n",
                        m_schedule.warmup);
        for (std::size_t i = 0; i < m_phases.size(); ++i) {
            const auto after = std::upper_bound(moving.begin(), moving.end(), i);
            const std::size_t from = after == moving.begin() ? moving.back() : *(after - 1);
            const std::string at = from == i ? sinceBegin(i) : std::to_string(from < i ? m_phases[from].length - 1 : 0);
            text += untilEnd(i, fmt::format("{}(0.0, {}, {})", nameOf("momentum", from), at, total(from)));
        }
        return text + "}\n";
    }

private:
    struct Phase {
        const TypedOptions& options;
        std::int64_t begin, length;  ///< units after the warm-up; a length of 0 is what is left
        std::int64_t warmup;         ///< in front of it
    };

    const Form* formOf(std::size_t i) const {
        const auto* found = std::find_if(std::begin(kForms), std::end(kForms),
                                         [&](const Form& form) { return form.type == m_phases[i].options.type; });
        return found == std::end(kForms) ? nullptr : found;
    }
    std::string linesOf(std::size_t i, std::string (*Form::*lines)(const Part&)) const {
        const Form* form = formOf(i);
        return form == nullptr ? "    return base;\n" : (form->*lines)({m_phases[i].options, m_phases[i].warmup});
    }
    std::string nameOf(const char* what, std::size_t i) const {
        return m_phases.size() == 1 ? std::string(what) : fmt::format("{}{}", what, i);
    }
    std::string sinceBegin(std::size_t i) const {
        return m_phases[i].begin == 0 ? std::string("t") : fmt::format("t - {}", m_phases[i].begin);
    }

    /// The units that a part is made for: its own total, or its length, or what is left of the run.
    std::string total(std::size_t i) const {
        const Phase& phase = m_phases[i];
        if (const std::int64_t stated = phase.options.integer("total"); stated > 0) {
            return std::to_string(std::max<std::int64_t>(1, stated - phase.warmup));
        }
        if (m_isSequence && phase.length > 0) {
            return std::to_string(phase.length);
        }
        const std::int64_t before = m_schedule.warmup + phase.begin;
        return fmt::format("std::max<int64_t>(1, length{})", before > 0 ? fmt::format(" - {}", before) : "");
    }

    std::string warmup() const {
        const std::int64_t units = m_schedule.warmup;
        if (units == 0) {
            return "    [[maybe_unused]] const int64_t t = position;\n";
        }
        const std::string share = m_schedule.warmupStart
                                      ? fmt::format("({0} + (1.0 - {0}) * static_cast<double>(position) / {1}.0)",
                                                    cppNumber(*m_schedule.warmupStart), units)
                                      : fmt::format("static_cast<double>(position + 1) / {}.0", units);
        return fmt::format(
            "    if (position < {0}) {{\n        return base * {1};\n    }}\n    [[maybe_unused]] const int64_t t = "
            "position - {0};\n",
            units, share);
    }

    /// A line that returns the value, for as long as the part goes.
    std::string untilEnd(std::size_t i, const std::string& value) const {
        return i + 1 == m_phases.size() ? fmt::format("    return {};\n", value)
                                        : fmt::format("    if (t < {}) {{\n        return {};\n    }}\n",
                                                      m_phases[i].begin + m_phases[i].length, value);
    }

    /// SWALR goes on from the rate that it finds, the others start from the group's.
    std::string sequence() const {
        std::string text, left = "base";
        for (std::size_t i = 0; i < m_phases.size(); ++i) {
            const std::string base = m_phases[i].options.type == "swa" ? left : std::string("base");
            text += untilEnd(i, fmt::format("{}({}, {}, {})", nameOf("curve", i), base, sinceBegin(i), total(i)));
            left = fmt::format("{}({}, {}, {})", nameOf("curve", i), base,
                               std::max<std::int64_t>(1, m_phases[i].length) - 1, total(i));
        }
        return m_phases.empty() ? "    return base;\n" : text;
    }

    /// Each makes its own of what the ones before it gave.
    std::string chained() const {
        std::string value = "base";
        for (std::size_t i = 0; i < m_phases.size(); ++i) {
            value = fmt::format("{}({}, t, {})", nameOf("curve", i), value, total(i));
        }
        return fmt::format("    return {};\n", value);
    }

    const plan::SchedulerSpec& m_schedule;
    bool m_isSequence;
    std::vector<Phase> m_phases;
};

/// As torch.optim.lr_scheduler.ReduceLROnPlateau: members and add().
std::string plateauOf(const plan::SchedulerSpec& schedule) {
    const bool larger = schedule.text("mode") == "max";
    const bool relative = schedule.text("threshold_mode") == "rel";
    const double threshold = schedule.number("threshold");
    const std::string than = relative ? fmt::format("m_best * {}", cppNumber(larger ? 1 + threshold : 1 - threshold))
                                      : fmt::format("m_best {} {}", larger ? "+" : "-", cppNumber(threshold));
    return fmt::format(
        "    /// One validation: lowers the rates where what is watched has not got better for too long.\n"
        "    void add(double value, const std::vector<double*>& rates) {{\n"
        "        const bool better = value {0} {1};\n"
        "        m_best = better ? value : m_best;\n"
        "        m_without = better ? 0 : m_without + 1;\n"
        "        if (m_rest > 0) {{\n            --m_rest;\n            m_without = 0;\n        }}\n"
        "        if (m_without <= {2}) {{\n            return;\n        }}\n"
        "        m_rest = {3};\n        m_without = 0;\n"
        "        for (double* rate : rates) {{\n"
        "            const double lower = std::max(*rate * {4}, {5});\n"
        "            *rate = *rate - lower > {6} ? lower : *rate;\n        }}\n    }}\n\n"
        "private:\n    double m_best = {7}std::numeric_limits<double>::infinity();\n    int64_t m_without = 0;\n    "
        "int64_t m_rest = 0;\n",
        larger ? ">" : "<", than, schedule.integer("patience"), schedule.integer("cooldown"),
        cppNumber(schedule.number("factor")), cppNumber(schedule.number("min_lr")), cppNumber(schedule.number("eps")),
        larger ? "-" : "");
}

}  // namespace

ScheduleSource scheduleSource(const plan::SchedulerSpec& schedule) {
    const Composer composer(schedule);
    return {composer.rate(), composer.momentum(),
            schedule.type == "reduce_on_plateau" ? plateauOf(schedule) : std::string()};
}

}  // namespace plumbline::codegen
