// Parameters that stay bitwise the same although steps are applied, or that nothing but weight decay moves.
// docs/detectors/parameter-not-updating.md

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
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
        m_hadLoss = false;
        m_openBlocks.clear();
        m_norms.assign(facts.blocks.size(), {});
        m_watched.assign(facts.parameters.size(), {});
        std::unordered_map<std::string_view, int> blocks;
        for (std::size_t block = 0; block < facts.blocks.size(); ++block) {
            blocks.emplace(facts.blocks[block].path, static_cast<int>(block));
        }
        for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
            const RunFacts::Parameter& parameter = facts.parameters[i];
            m_watched[i].exempt = parameter.frozen || parameter.elements == 0 || hasZeroRate(parameter.name);
            const auto block = blocks.find(parameter.block);
            m_watched[i].block = block == blocks.end() ? -1 : block->second;
        }
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
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
            const bool counts = m_peakRate >= kWarmedUp * planned && stats.learningRate > kLowRate * std::max(m_peakRate, planned);
            m_applied += counts ? 1 : 0;
            m_inARow = counts ? m_inARow + 1 : 0;
        }
        // What holds a NaN cannot change any more: that is the NaN's finding, not another one.
        if (stats.updates.empty() || !std::isfinite(stats.loss) || stats.gradNonFinite > 0) {
            return;
        }
        const std::int64_t sinceLast = m_measured ? m_applied - m_appliedAtMeasurement : 0;
        bool stuck = false;
        bool moved = false;
        for (const StepStats::Update& update : stats.updates) {
            Watched& watched = m_watched[static_cast<std::size_t>(update.parameter)];
            if (watched.exempt) {
                continue;
            }
            const bool withoutGradient = update.changed && update.gradient == Gradient::kZero;
            if ((update.changed && !withoutGradient) || isHealthy(stats, update, watched)) {
                moved = moved || watched.stuck;
                watched.unchanged = 0;
                watched.stuck = watched.drifts = false;
                continue;
            }
            if (withoutGradient) {
                // It moves, and not because of anything that it has learned. No rate makes a gradient zero.
                watched.unchanged = m_inARow > 0 ? update.zeroSteps : 0;
            } else {
                watched.unchanged += update.appliedSteps > 0 ? std::min(update.appliedSteps, m_inARow) : sinceLast;
            }
            watched.gradient = update.gradient;
            if (static_cast<double>(watched.unchanged) >= (withoutGradient ? m_zeroSteps : m_steps) && !watched.stuck) {
                watched.drifts = withoutGradient;
                watched.stuck = true;
                stuck = true;
            }
        }
        m_appliedAtMeasurement = m_applied;
        m_measured = true;
        if (moved) {
            clearMoved(reporter);
        }
        if (stuck) {
            report(stats, reporter);
        }
    }

    Json saveState() const override {
        Json unchanged = Json::array();
        Json stuck = Json::array();
        Json drifts = Json::array();
        for (const Watched& watched : m_watched) {
            unchanged.push_back(watched.unchanged);
            stuck.push_back(watched.stuck);
            drifts.push_back(watched.drifts);
        }
        return {{"applied", m_applied},     {"measured_at", m_appliedAtMeasurement}, {"measured", m_measured},
                {"peak_rate", m_peakRate},  {"peak_loss", m_peakLoss},               {"had_loss", m_hadLoss},
                {"in_a_row", m_inARow},     {"unchanged", std::move(unchanged)},     {"stuck", std::move(stuck)},
                {"drifts", std::move(drifts)}, {"open", m_openBlocks}};
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
        m_openBlocks = state.at("open").get<std::vector<std::string>>();
        for (std::size_t i = 0; i < m_watched.size() && i < state.at("stuck").size(); ++i) {
            m_watched[i].unchanged = state.at("unchanged").at(i).get<std::int64_t>();
            m_watched[i].stuck = state.at("stuck").at(i).get<bool>();
            m_watched[i].drifts = i < drifts.size() && drifts.at(i).get<bool>();
        }
    }

private:
    struct Watched {
        std::int64_t unchanged = 0;  ///< applied steps over which it is known to have stood still, or to have had no gradient
        int block = -1;
        bool stuck = false;
        bool drifts = false;         ///< its bits move all the same
        bool exempt = false;
        Gradient gradient = Gradient::kPresent;
    };
    struct Norm { double last = 0, peak = 0; };

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

    bool anyStuck(const std::string& block) const {
        for (std::size_t i = 0; i < m_watched.size(); ++i) {
            if (m_watched[i].stuck && (block.empty() || m_facts->parameters[i].block == block)) {
                return true;
            }
        }
        return false;
    }

    void clearMoved(Reporter& reporter) {
        std::erase_if(m_openBlocks, [&](const std::string& block) {
            // A finding about the whole model clears as soon as any part of it learns again.
            if (!block.empty() && anyStuck(block)) {
                return false;
            }
            reporter.clear(block);
            return true;
        });
    }

    void report(const StepStats& stats, Reporter& reporter) {
        std::vector<std::size_t> all;
        bool every = true;
        for (std::size_t i = 0; i < m_watched.size(); ++i) {
            if (m_watched[i].stuck) {
                all.push_back(i);
            } else if (!m_watched[i].exempt) {
                every = false;
            }
        }
        if (every) {
            reportBlock("", all, stats, reporter);
            return;
        }
        std::vector<std::string> blocks;
        for (const std::size_t index : all) {
            const std::string& block = m_facts->parameters[index].block;
            if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) {
                blocks.push_back(block);
            }
        }
        for (const std::string& block : blocks) {
            std::vector<std::size_t> members;
            std::copy_if(all.begin(), all.end(), std::back_inserter(members),
                         [&](std::size_t index) { return m_facts->parameters[index].block == block; });
            reportBlock(block, members, stats, reporter);
        }
    }

    void reportBlock(const std::string& block, const std::vector<std::size_t>& members, const StepStats& stats, Reporter& reporter) {
        if (reporter.isOpen(block)) {
            return;
        }
        m_openBlocks.push_back(block);
        const Gradient gradient = m_watched[members.front()].gradient;
        const std::int64_t steps = m_watched[members.front()].unchanged;
        std::vector<std::string> names;
        Json parameters = Json::array();
        for (const std::size_t index : members) {
            names.push_back(m_facts->parameters[index].name);
            parameters.push_back({{"name", m_facts->parameters[index].name}, {"gradient", word(m_watched[index].gradient)}});
        }
        Finding finding;
        finding.severity = Severity::kCritical;
        finding.block = block;
        const std::string who = block.empty() ? fmt::format("All {} trainable parameters", names.size()) : listed(names);
        const char* have = names.size() == 1 && !block.empty() ? "has" : "have";
        const bool drifts = m_watched[members.front()].drifts;
        finding.message =
            drifts ? fmt::format("{} {} had a gradient of exactly zero in each of the {} applied steps up to step {}, at a learning rate of {:g}: "
                                 "weight decay or leftover momentum alone still moves the values. {}",
                                 who, have, steps, stats.step, stats.learningRate, kDead)
                   : fmt::format("{} {} not changed by a single bit over the {} applied steps up to step {}, at a learning rate of {:g}. {}", who,
                                 have, steps, stats.step, stats.learningRate, explanation(gradient));
        finding.evidence = {{"parameters", std::move(parameters)},
                            {"applied_steps", steps},
                            {"threshold", drifts ? m_zeroSteps : m_steps},
                            {"learning_rate", stats.learningRate},
                            {"gradient", word(gradient)}};
        finding.remedies = remedies(gradient);
        reporter.raise(std::move(finding));
    }

    static const char* word(Gradient gradient) {
        return gradient == Gradient::kUndefined ? "undefined" : gradient == Gradient::kZero ? "zero" : "present";
    }

    static constexpr const char* kDead =
        "Look for a dead activation or a dropout of everything behind it, or for a loss that weighs nothing.";

    static const char* explanation(Gradient gradient) {
        switch (gradient) {
            case Gradient::kUndefined:
                return "No gradient reaches it: the loss does not depend on it, or it was detached on the way. Connect its block to an "
                       "output that a loss reads, or freeze it.";
            case Gradient::kZero:
                return "Its gradient is exactly zero: look for a dead activation after it, or for gradients that are thrown away before the "
                       "step.";
            case Gradient::kPresent:
                return "Its gradient is there, so the optimizer does not hold it, or the step is smaller than the parameter's rounding. "
                       "Hand all parameters to the optimizer, or raise the learning rate.";
        }
        return "";
    }

    std::vector<Remedy> remedies(Gradient gradient) const {
        const ProjectEdit edit(m_facts->project);
        if (gradient != Gradient::kPresent && edit.isTrue(kSwitch)) {
            return {edit.set("Keep the gradients until the step is done", kSwitch, false)};
        }
        switch (gradient) {
            case Gradient::kUndefined: return {ProjectEdit::advice("Connect the block to an output that a loss reads, or freeze it")};
            case Gradient::kZero: return {ProjectEdit::advice("Use an activation that cannot die after it, as LeakyReLU or GELU")};
            case Gradient::kPresent: break;
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
    bool m_hadLoss = false;  ///< the loss was not 0 from the start
    double m_peakRate = 0;
    double m_peakLoss = 0;
    std::vector<Watched> m_watched;
    std::vector<Norm> m_norms;                ///< by block
    std::vector<std::string> m_openBlocks;
};

}  // namespace

DetectorEntry parameterNotUpdating() {
    return {{"parameter-not-updating",
             "A parameter stays the same although steps are applied",
             Severity::kCritical,
             {{"steps", 3, 1, 1e6, "steps", "Unchanged over this many applied steps."},
              {"zero_gradient_steps", 20, 1, 1e6, "steps", "Without any gradient over this many applied steps, though weight decay moves it."}},
             {"scaler-frozen", "non-finite", "loss-diverged"}},
            [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<ParameterNotUpdating>(settings); }};
}

}  // namespace plumbline::diagnostics
