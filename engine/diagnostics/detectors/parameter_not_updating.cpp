// Parameters that stay bitwise the same although steps are applied, or that nothing but weight decay moves.
// docs/detectors/parameter-not-updating.md

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "core/glob.h"
#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

using Gradient = StepStats::Gradient;
/// A rate below this part of the largest, planned or seen, does not count as a step.
constexpr double kLowRate = 0.05;
/// Nor does any before one was this part of the planned rate: a warm-up begins with steps that rounding swallows.
constexpr double kWarmedUp = 0.5;
/// A gradient norm below this part of the block's largest so far is that of a converged model.
constexpr double kConverged = 1e-3;
/// A loss below this part of the largest so far has come down to nothing: float32 knows no smaller differences (2^-23).
constexpr double kSolved = 1.1920929e-7;
/// More blocks than this that stop in one step for one reason share a finding.
constexpr std::size_t kMostBlocks = 20;
/// So many parameters are named in the evidence of such a finding.
constexpr std::size_t kMostNamed = 20;
constexpr const char* kSwitch = "/training/expert/zero_grad_before_step";

class ParameterNotUpdating final : public Detector {
public:
    explicit ParameterNotUpdating(const Json& settings)
        : m_steps(settings.at("steps").get<double>()), m_zeroSteps(settings.at("zero_gradient_steps").get<double>()) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_applied = m_appliedAtMeasurement = m_inARow = 0;
        m_measured = false;
        m_peakRate = m_peakLoss = 0;
        m_hadLoss = m_whole = false;
        m_stuck = m_exempt = 0;
        m_open.clear();
        m_nextOpen = 0;
        m_groups.clear();
        m_fresh.clear();
        m_learning.clear();
        m_norms.assign(facts.blocks.size(), {});
        m_watched.assign(facts.parameters.size(), {});
        std::unordered_map<std::string_view, std::size_t> groups;
        std::unordered_map<std::string_view, int> blocks;
        for (std::size_t block = 0; block < facts.blocks.size(); ++block) {
            blocks.emplace(facts.blocks[block].path, static_cast<int>(block));
        }
        for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
            const RunFacts::Parameter& parameter = facts.parameters[i];
            m_watched[i].exempt = isExempt(parameter);
            m_exempt += m_watched[i].exempt ? 1 : 0;
            const auto block = blocks.find(parameter.block);
            m_watched[i].block = block == blocks.end() ? -1 : block->second;
            const auto [group, isNew] = groups.emplace(parameter.block, m_groups.size());
            if (isNew) {
                m_groups.emplace_back();
            }
            m_watched[i].group = group->second;
            m_groups[group->second].members.push_back(i);
        }
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (!stats.freezings.empty()) {
            freeze(stats.freezings);
            clearLearning(false, reporter);
        }
        if (stats.phase != Phase::kTrainStep) {
            return;
        }
        for (const StepStats::BlockNorm& norm : stats.blockNorms) {
            Norm& known = m_norms[static_cast<std::size_t>(norm.block)];
            known.last = norm.gradNormL2;
            known.peak = std::max(known.peak, norm.gradNormL2);
        }
        m_peakRate = std::max(m_peakRate, stats.learningRate);
        m_hadLoss = m_hadLoss || stats.loss != 0;
        if (std::isfinite(stats.loss)) {
            m_peakLoss = std::max(m_peakLoss, std::abs(stats.loss));
        }
        // At the end of a schedule a step may be smaller than a parameter's rounding without anything being wrong.
        if (stats.attempted && stats.applied) {
            const double planned = m_facts->learningRate;
            const bool counts =
                m_peakRate >= kWarmedUp * planned && stats.learningRate > kLowRate * std::max(m_peakRate, planned);
            m_applied += counts ? 1 : 0;
            m_inARow = counts ? m_inARow + 1 : 0;
        }
        // What holds a NaN cannot change any more: that is the NaN's finding, not another one.
        if (stats.updates.empty() || !std::isfinite(stats.loss) || stats.gradNonFinite > 0) {
            return;
        }
        const std::int64_t sinceLast = m_measured ? m_applied - m_appliedAtMeasurement : 0;
        bool moved = false;
        for (const StepStats::Update& update : stats.updates) {
            Watched& watched = m_watched[static_cast<std::size_t>(update.parameter)];
            if (watched.exempt) {
                continue;
            }
            const bool withoutGradient = update.changed && update.gradient == Gradient::kZero;
            if (update.changed && !withoutGradient) {
                moved = moved || watched.stuck;
                release(watched);
                continue;
            }
            if (isHealthy(stats, update, watched)) {
                // A good reason to stand still from here on; what was told before is true all the same.
                if (!watched.stuck) {
                    watched.unchanged = 0;
                }
                continue;
            }
            if (withoutGradient) {
                // It moves, and not because of anything that it has learned. No rate makes a gradient zero.
                watched.unchanged = m_inARow > 0 ? update.zeroSteps : 0;
            } else {
                watched.unchanged += update.appliedSteps > 0 ? std::min(update.appliedSteps, m_inARow) : sinceLast;
            }
            watched.gradient = update.gradient;
            if (watched.stuck) {
                m_fresh.push_back(watched.group);  // it may have been told of with the whole model alone
            } else if (static_cast<double>(watched.unchanged) >=
                       (withoutGradient ? m_zeroSteps : m_steps) *
                           static_cast<double>(m_facts->parameters[static_cast<std::size_t>(update.parameter)].every)) {
                watched.drifts = withoutGradient;
                hold(watched);
            }
        }
        m_appliedAtMeasurement = m_applied;
        m_measured = true;
        clearLearning(moved, reporter);
        if (!m_fresh.empty()) {
            report(stats, reporter);
        }
    }

    Json saveState() const override {
        Json unchanged = Json::array();
        Json stuck = Json::array();
        Json drifts = Json::array();
        Json gradients = Json::array();
        for (const Watched& watched : m_watched) {
            unchanged.push_back(watched.unchanged);
            stuck.push_back(watched.stuck);
            drifts.push_back(watched.drifts);
            gradients.push_back(static_cast<int>(watched.gradient));
        }
        Json open = Json::array();
        Json shared = Json::object();
        for (const auto& numbered : m_open) {
            const Open& finding = numbered.second;
            open.push_back(finding.block);
            for (std::size_t i = 0; finding.groups.size() > 1 && i < finding.groups.size(); ++i) {
                shared[finding.block].push_back(pathOf(finding.groups[i]));
            }
        }
        return {{"applied", m_applied},
                {"measured_at", m_appliedAtMeasurement},
                {"measured", m_measured},
                {"peak_rate", m_peakRate},
                {"peak_loss", m_peakLoss},
                {"had_loss", m_hadLoss},
                {"in_a_row", m_inARow},
                {"unchanged", std::move(unchanged)},
                {"stuck", std::move(stuck)},
                {"drifts", std::move(drifts)},
                {"gradients", std::move(gradients)},
                {"open", std::move(open)},
                {"shared", std::move(shared)},
                {"whole", m_whole}};
    }
    void loadState(const Json& state) override {
        m_applied = state.at("applied").get<std::int64_t>();
        m_appliedAtMeasurement = state.at("measured_at").get<std::int64_t>();
        m_measured = state.at("measured").get<bool>();
        m_inARow = state.value("in_a_row", std::int64_t{0});
        m_peakRate = state.at("peak_rate").get<double>();
        m_peakLoss = state.value("peak_loss", 0.0);
        m_hadLoss = state.value("had_loss", true);
        const Json drifts = state.value("drifts", Json::array());
        const Json gradients = state.value("gradients", Json::array());
        for (std::size_t i = 0; i < m_watched.size() && i < state.at("stuck").size(); ++i) {
            Watched& watched = m_watched[i];
            if (watched.exempt) {
                continue;
            }
            watched.unchanged = state.at("unchanged").at(i).get<std::int64_t>();
            watched.drifts = i < drifts.size() && drifts.at(i).get<bool>();
            watched.gradient = i < gradients.size() ? gradientOf(gradients.at(i).get<int>()) : Gradient::kPresent;
            if (state.at("stuck").at(i).get<bool>()) {
                hold(watched);
            }
        }
        m_fresh.clear();
        std::unordered_map<std::string, std::size_t> groups;
        for (std::size_t group = 0; group < m_groups.size(); ++group) {
            groups.emplace(pathOf(group), group);
        }
        const Json shared = state.value("shared", Json::object());
        m_whole = state.value("whole", false);
        for (const std::string& block : state.at("open").get<std::vector<std::string>>()) {
            if (block.empty() && !state.contains("whole")) {
                m_whole = true;
                continue;
            }
            std::vector<std::size_t> covered;
            for (const std::string& path : shared.value(block, std::vector<std::string>{block})) {
                if (const auto group = groups.find(path); group != groups.end()) {
                    covered.push_back(group->second);
                }
            }
            keepOpen(block, std::move(covered));
        }
    }

private:
    struct Watched {
        std::int64_t unchanged =
            0;  ///< applied steps over which it is known to have stood still, or to have had no gradient
        int block = -1;
        std::size_t group = 0;  ///< of m_groups
        bool stuck = false;
        bool drifts = false;  ///< its bits move all the same
        bool exempt = false;
        Gradient gradient = Gradient::kPresent;
    };
    struct Norm {
        double last = 0, peak = 0;
    };
    /// The parameters of one block.
    struct Group {
        std::vector<std::size_t> members;
        std::size_t stuck = 0;  ///< of them
        int finding = -1;       ///< the open finding that tells of it, in m_open
    };
    /// A finding that is open, on one block or on many.
    struct Open {
        std::string block;
        std::vector<std::size_t> groups;
        std::size_t stuck = 0;  ///< groups of which a parameter still is
    };

    static Gradient gradientOf(int saved) {
        return saved == static_cast<int>(Gradient::kUndefined) ? Gradient::kUndefined
               : saved == static_cast<int>(Gradient::kZero)    ? Gradient::kZero
                                                               : Gradient::kPresent;
    }

    const std::string& pathOf(std::size_t group) const {
        return m_facts->parameters[m_groups[group].members.front()].block;
    }

    bool isExempt(const RunFacts::Parameter& parameter) const {
        return parameter.frozen || parameter.elements == 0 || hasZeroRate(parameter.name);
    }

    /// It stands still, or goes without a gradient.
    void hold(Watched& watched) {
        watched.stuck = true;
        ++m_stuck;
        Group& group = m_groups[watched.group];
        if (group.finding < 0) {
            m_fresh.push_back(watched.group);
        } else if (group.stuck == 0) {
            ++m_open.at(group.finding).stuck;
        }
        ++group.stuck;
    }

    /// It learns, or need not.
    void release(Watched& watched) {
        watched.unchanged = 0;
        watched.drifts = false;
        if (!watched.stuck) {
            return;
        }
        watched.stuck = false;
        --m_stuck;
        Group& group = m_groups[watched.group];
        if (--group.stuck == 0 && group.finding >= 0 && --m_open.at(group.finding).stuck == 0) {
            m_learning.push_back(group.finding);
        }
    }

    void freeze(const std::vector<StepStats::Freezing>& freezings) {
        for (const StepStats::Freezing& freezing : freezings) {
            const auto index = static_cast<std::size_t>(freezing.parameter);
            Watched& watched = m_watched[index];
            release(watched);
            m_exempt -= watched.exempt ? 1 : 0;
            watched.exempt = isExempt(m_facts->parameters[index]);
            m_exempt += watched.exempt ? 1 : 0;
        }
    }

    /// Notes that a finding on `block` tells of these groups.
    void keepOpen(const std::string& block, std::vector<std::size_t> groups) {
        const int number = m_nextOpen++;
        Open& finding = m_open[number];
        finding.block = block;
        for (const std::size_t group : groups) {
            m_groups[group].finding = number;
            finding.stuck += m_groups[group].stuck > 0 ? 1 : 0;
        }
        finding.groups = std::move(groups);
        if (finding.stuck == 0) {
            m_learning.push_back(number);
        }
    }

    /// Standing still for a good reason: an embedding none of whose rows were looked up, a loss that has come down to
    /// nothing, or a gradient that has shrunk so far below its largest that the model has simply converged.
    bool isHealthy(const StepStats& stats, const StepStats::Update& update, const Watched& watched) const {
        if (update.gradient == Gradient::kZero) {
            const bool solved = (stats.loss == 0 && m_hadLoss) || std::abs(stats.loss) < kSolved * m_peakLoss;
            return solved || m_facts->parameters[static_cast<std::size_t>(update.parameter)].sparseRows;
        }
        if (update.gradient == Gradient::kPresent && watched.block >= 0) {
            const Norm& norm = m_norms[static_cast<std::size_t>(watched.block)];
            return norm.last < kConverged * norm.peak;
        }
        return false;
    }

    /// An optimizer group that matches first and has a learning rate of 0 keeps its parameters still on purpose.
    bool hasZeroRate(const std::string& name) const {
        const Json* groups = ProjectEdit(m_facts->project).at("/training/optimizer/groups");
        if (groups == nullptr || !groups->is_array()) {
            return false;
        }
        for (const Json& group : *groups) {
            if (group.is_object() && group.contains("match") && group["match"].is_string() &&
                matchesGlob(group["match"].get<std::string>(), name)) {
                return group.contains("lr") && group["lr"].is_number() && group["lr"].get<double>() == 0;
            }
        }
        return false;
    }

    /// Clears the findings nothing of which is stuck any more. `moved`: something that was stuck has learned in this
    /// step.
    void clearLearning(bool moved, Reporter& reporter) {
        for (const int number : m_learning) {
            const auto found = m_open.find(number);
            if (found == m_open.end() || found->second.stuck > 0) {
                continue;
            }
            for (const std::size_t group : found->second.groups) {
                m_groups[group].finding = -1;
            }
            reporter.clear(found->second.block);
            m_open.erase(found);
        }
        m_learning.clear();
        // A finding about the whole model clears as soon as any part of it learns again. What is seen to stand still
        // after that is told of by itself.
        if (m_whole && (moved || m_stuck == 0)) {
            m_whole = false;
            reporter.clear("");
        }
    }

    std::vector<std::size_t> stuckOf(const std::vector<std::size_t>& groups) const {
        std::vector<std::size_t> stuck;
        for (const std::size_t group : groups) {
            const std::vector<std::size_t>& members = m_groups[group].members;
            std::copy_if(members.begin(), members.end(), std::back_inserter(stuck),
                         [&](std::size_t index) { return m_watched[index].stuck; });
        }
        return stuck;
    }

    /// The reason that a group's first stuck parameter has: one of kReasons.
    std::size_t reasonOf(std::size_t group) const {
        const std::vector<std::size_t>& members = m_groups[group].members;
        const Watched& watched = m_watched[*std::find_if(members.begin(), members.end(),
                                                         [&](std::size_t index) { return m_watched[index].stuck; })];
        return watched.drifts ? kReasons - 1 : static_cast<std::size_t>(watched.gradient);
    }

    /// Tells of the groups that were seen to be stuck and that no finding tells of.
    void report(const StepStats& stats, Reporter& reporter) {
        std::vector<std::size_t> groups;
        groups.swap(m_fresh);
        std::erase_if(groups, [&](std::size_t group) {
            return m_whole || m_groups[group].stuck == 0 || m_groups[group].finding >= 0;
        });
        std::sort(groups.begin(), groups.end());
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
        if (groups.empty()) {
            return;
        }
        // A module without a name, the outermost one, may have parameters of its own.
        if (m_stuck + m_exempt == m_watched.size() && !reporter.isOpen("")) {
            std::vector<std::size_t> all(m_groups.size());
            std::iota(all.begin(), all.end(), std::size_t{0});
            m_whole = true;
            raise("", all, stats, reporter);
            return;
        }
        std::array<std::vector<std::size_t>, kReasons> byReason;
        for (const std::size_t group : groups) {
            byReason[reasonOf(group)].push_back(group);
        }
        for (const std::size_t group : groups) {
            const std::vector<std::size_t>& alike = byReason[reasonOf(group)];
            const bool shares = alike.size() > kMostBlocks;
            if (!shares || alike.front() == group) {
                const std::vector<std::size_t> told = shares ? alike : std::vector<std::size_t>{group};
                keepOpen(pathOf(group), told);
                raise(pathOf(group), told, stats, reporter);
            }
        }
    }

    /// Raises the finding on these groups; the one about the whole model when it is that which has just become open.
    void raise(const std::string& block, const std::vector<std::size_t>& groups, const StepStats& stats,
               Reporter& reporter) const {
        if (reporter.isOpen(block)) {
            return;
        }
        const std::vector<std::size_t> members = stuckOf(groups);
        const Gradient gradient = m_watched[members.front()].gradient;
        const std::int64_t steps = m_watched[members.front()].unchanged;
        const bool shared = !m_whole && groups.size() > 1;
        std::vector<std::string> names;
        Json parameters = Json::array();
        for (const std::size_t index : members) {
            if (shared && parameters.size() == kMostNamed) {
                break;
            }
            names.push_back(m_facts->parameters[index].name);
            parameters.push_back(
                {{"name", m_facts->parameters[index].name}, {"gradient", word(m_watched[index].gradient)}});
        }
        std::vector<std::string> paths;
        for (std::size_t i = 0; shared && i < groups.size(); ++i) {
            paths.push_back(pathOf(groups[i]));
        }
        Finding finding;
        finding.severity = Severity::kCritical;
        finding.block = block;
        const std::string who =
            m_whole  ? fmt::format("All {} trainable parameters", members.size())
            : shared ? fmt::format("{} parameters of {} blocks ({})", members.size(), paths.size(), listed(paths))
                     : listed(names);
        const char* have = members.size() == 1 && !m_whole ? "has" : "have";
        const bool drifts = m_watched[members.front()].drifts;
        finding.message = drifts ? fmt::format(
                                       "{} {} had a gradient of exactly zero in each of the {} applied steps up to "
                                       "step {}, at a learning rate of {:g}: "
                                       "weight decay or leftover momentum alone still moves the values. {}",
                                       who, have, steps, stats.step, stats.learningRate, kDead)
                                 : fmt::format(
                                       "{} {} not changed by a single bit over the {} applied steps up to step {}, at "
                                       "a learning rate of {:g}. {}",
                                       who, have, steps, stats.step, stats.learningRate, explanation(gradient));
        finding.evidence = {{"parameters", std::move(parameters)},
                            {"applied_steps", steps},
                            {"threshold", drifts ? m_zeroSteps : m_steps},
                            {"learning_rate", stats.learningRate},
                            {"gradient", word(gradient)}};
        if (shared) {
            finding.evidence["blocks"] = paths.size();
        }
        finding.remedies = remedies(gradient);
        reporter.raise(std::move(finding));
    }

    /// Gradients of each kind, and a parameter that only weight decay moves.
    static constexpr std::size_t kReasons = 4;

    static const char* word(Gradient gradient) {
        return gradient == Gradient::kUndefined ? "undefined" : gradient == Gradient::kZero ? "zero" : "present";
    }

    static constexpr const char* kDead =
        "Look for a dead activation or a dropout of everything behind it, or for a loss that weighs nothing.";

    static const char* explanation(Gradient gradient) {
        switch (gradient) {
            case Gradient::kUndefined:
                return "No gradient arrives: the loss does not depend on the block, or a detach stands in between. "
                       "Connect the "
                       "block to an output that a loss reads, or freeze it.";
            case Gradient::kZero:
                return "The gradient is exactly zero: look for a dead activation behind the block, or for gradients "
                       "that are "
                       "thrown away before the step.";
            case Gradient::kPresent:
                return "A gradient is there, so the optimizer was not given the parameter, or the step is smaller than "
                       "the "
                       "value's rounding. Hand all parameters to the optimizer, or raise the learning rate.";
        }
        return "";
    }

    std::vector<Remedy> remedies(Gradient gradient) const {
        const ProjectEdit edit(m_facts->project);
        if (gradient != Gradient::kPresent && edit.isTrue(kSwitch)) {
            return {edit.set("Keep the gradients until the step is done", kSwitch, false)};
        }
        switch (gradient) {
            case Gradient::kUndefined:
                return {ProjectEdit::advice("Connect the block to an output that a loss reads, or freeze it")};
            case Gradient::kZero:
                return {ProjectEdit::advice("Use an activation that cannot die after it, as LeakyReLU or GELU")};
            case Gradient::kPresent:
                break;
        }
        return {ProjectEdit::advice("Hand all parameters to the optimizer")};
    }

    double m_steps;
    double m_zeroSteps;
    const RunFacts* m_facts = nullptr;
    std::int64_t m_applied = 0;               ///< steps applied with a learning rate that counts
    std::int64_t m_appliedAtMeasurement = 0;  ///< of these, before the last measurement
    std::int64_t m_inARow = 0;                ///< of these, the newest ones without another in between
    bool m_measured = false;                  ///< parameters have been looked at before
    bool m_hadLoss = false;                   ///< the loss was not 0 from the start
    double m_peakRate = 0;
    double m_peakLoss = 0;
    std::vector<Watched> m_watched;
    std::vector<Norm> m_norms;    ///< by block
    std::vector<Group> m_groups;  ///< in the order of their first parameters
    std::map<int, Open> m_open;   ///< by a number of its own; without the one about the whole model
    int m_nextOpen = 0;
    bool m_whole = false;                   ///< the finding about the whole model is open
    std::size_t m_stuck = 0, m_exempt = 0;  ///< parameters
    std::vector<std::size_t> m_fresh;       ///< groups that are stuck and not told of yet
    std::vector<int> m_learning;            ///< findings nothing of which may be stuck any more
};

}  // namespace

DetectorEntry parameterNotUpdating() {
    return {{"parameter-not-updating",
             "A parameter stays the same although steps are applied",
             Severity::kCritical,
             {{"steps", 3, 1, 1e6, "steps", "Unchanged over this many applied steps."},
              {"zero_gradient_steps", 20, 1, 1e6, "steps",
               "Without any gradient over this many applied steps, though weight decay moves it."}},
             {"scaler-frozen", "non-finite", "loss-diverged"}},
            [](const Json& settings) -> std::unique_ptr<Detector> {
                return std::make_unique<ParameterNotUpdating>(settings);
            }};
}

}  // namespace plumbline::diagnostics
