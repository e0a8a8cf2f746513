// The first NaN or infinity, and where it arose. docs/detectors/non-finite.md

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.h"
#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

class NonFinite final : public Detector {
public:
    explicit NonFinite(const Json& settings) : m_clearAfter(settings.at("clear_after").get<double>()) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_open = false;
        m_openBlock.clear();
        m_openWhat.clear();
        m_clean = 0;
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (stats.noBatchForMs > 0) {
            return;
        }
        const bool lossBad = stats.phase != Phase::kEpochEnd && !std::isfinite(stats.loss);
        if (!lossBad && stats.gradNonFinite == 0 && stats.nonFinite.empty()) {
            // What a loss does not show is gone only once somebody has looked again.
            const bool looked = m_openWhat == "loss" || stats.gradNormL2.has_value();
            if (m_open && stats.phase == Phase::kTrainStep && static_cast<double>(++m_clean) >= m_clearAfter &&
                looked) {
                m_open = false;
                reporter.clear(m_openBlock);
            }
            return;
        }
        // The scaler saw the infinite gradient and skipped the step: that is what it is for.
        const bool handled = stats.usesScaler && stats.foundInf && !stats.applied;
        const StepStats::NonFinite* first = nullptr;
        for (const StepStats::NonFinite& entry : stats.nonFinite) {
            if (!(handled && entry.what == "gradient")) {
                first = &entry;
                break;
            }
        }
        if (first == nullptr && !lossBad && (handled || stats.gradNonFinite == 0)) {
            return;
        }
        m_clean = 0;
        if (!m_open) {
            report(stats, first, lossBad, reporter);
        }
    }

    Json saveState() const override {
        return {{"open", m_open}, {"block", m_openBlock}, {"what", m_openWhat}, {"clean", m_clean}};
    }
    void loadState(const Json& state) override {
        m_open = state.at("open").get<bool>();
        m_openBlock = state.at("block").get<std::string>();
        m_openWhat = state.value("what", "loss");
        m_clean = state.at("clean").get<std::int64_t>();
    }

private:
    void report(const StepStats& stats, const StepStats::NonFinite* first, bool lossBad, Reporter& reporter) {
        const std::string what = first != nullptr ? first->what : lossBad ? "loss" : "gradient";
        const std::string tensor = first != nullptr ? first->tensor : "";
        const std::int64_t count = first != nullptr ? first->count : lossBad ? 1 : stats.gradNonFinite;
        m_open = true;
        m_openBlock = first != nullptr ? first->block : "";
        m_openWhat = what;
        m_clean = 0;
        Finding finding;
        finding.severity = Severity::kCritical;
        finding.block = m_openBlock;
        const std::string where =
            what == "loss" ? fmt::format("the loss is {}", numberText(stats.loss))
                           : fmt::format("{} {} of {} {} NaN or infinite", count, count == 1 ? "value" : "values",
                                         subject(what, tensor), count == 1 ? "is" : "are");
        // Of the mean over a validation, no batch is known.
        const bool ofSplit = stats.phase == Phase::kValidation && what == "loss";
        finding.message = ofSplit ? fmt::format(
                                        "At step {} (epoch {}, in validation) the loss is {}. Check the values of the "
                                        "validation split, lower "
                                        "the learning rate, or clip the gradient.",
                                        stats.step, stats.epoch, numberText(stats.loss))
                                  : fmt::format("At step {} (epoch {}, batch {}) {}{} {}", stats.step, stats.epoch,
                                                stats.batch, where, origin(stats, what), advice(what));
        finding.evidence = {
            {"what", what}, {"tensor", tensor}, {"count", count}, {"loss", evidenceNumber(stats.loss)}, {"allowed", 0}};
        if (!ofSplit) {
            finding.evidence["batch"] = stats.batch;
        }
        if (stats.learningRate > 0) {
            finding.evidence["learning_rate"] = evidenceNumber(stats.learningRate);
        }
        if (const auto [from, until] = updatesBefore(stats); what == "parameter" && until > 0) {
            finding.evidence["first_update"] = from;
            finding.evidence["last_update"] = until;
        }
        finding.remedies = what == "input"
                               ? std::vector{ProjectEdit::advice("Drop the samples with these values, or impute them")}
                               : remedies(stats);
        reporter.raise(std::move(finding));
    }

    std::string subject(const std::string& what, const std::string& tensor) const {
        if (what == "input") {
            return "the input " + tensor;
        }
        const std::string name = tensor.empty() ? "" : " " + tensor;
        const std::string block = m_openBlock.empty() ? "" : fmt::format("{}'s ", m_openBlock);
        return fmt::format("{}{}{}", block.empty() ? "the " : block, what, name);
    }

    /// The steps whose update can have left a parameter as it is: after the last one that was looked through. 0 and 0:
    /// none.
    static std::pair<std::int64_t, std::int64_t> updatesBefore(const StepStats& stats) {
        const std::int64_t last = stats.previous.step;
        return {std::min(last, std::max<std::int64_t>(stats.lastClean.step, 1)), last};
    }

    /// Whether it is the first place: a parameter was spoilt by an update before this step.
    static std::string origin(const StepStats& stats, const std::string& what) {
        const auto place = [](const StepStats::Place& at) {
            return fmt::format("step {} (epoch {}, batch {})", at.step, at.epoch, at.batch);
        };
        if (what != "parameter") {
            return ", and it is the first place where that is so.";
        }
        const auto [first, last] = updatesBefore(stats);
        if (last == 0) {
            return stats.step <= 1 ? " before anything was trained." : " before its forward pass.";
        }
        if (first == last) {
            return fmt::format(": the update of {} left it so.", place(stats.previous));
        }
        return stats.lastClean.step > 0
                   ? fmt::format(": an update from {} to {}, between which gradients were not looked at, left it so.",
                                 place(stats.lastClean), place(stats.previous))
                   : fmt::format(": an update up to {} left it so.", place(stats.previous));
    }

    static const char* advice(const std::string& what) {
        if (what == "input") {
            return "Find these samples in the data and drop them or impute the values; the model cannot do anything "
                   "with them.";
        }
        if (what == "activation") {
            return "Check that batch's input values, then lower the learning rate or normalise before this block.";
        }
        if (what == "parameter") {
            return "Everything that block computes from here on is lost: go back to a checkpoint before it and lower "
                   "the learning rate.";
        }
        return "Check that batch's values, lower the learning rate, or clip the gradient.";
    }

    std::vector<Remedy> remedies(const StepStats& stats) const {
        const ProjectEdit edit(m_facts->project, stats.liveLearningRate);
        std::vector<Remedy> all;
        for (Remedy& lower : edit.lowerLearningRate(2, stats.learningRate)) {
            all.push_back(std::move(lower));
        }
        const Json* clip = edit.at("/training/clip/type");
        if (clip == nullptr || *clip == "none") {
            all.push_back(edit.set("Clip the gradient to a norm of 1", "/training/clip",
                                   Json{{"type", "norm"}, {"max_norm", 1.0}}));
        }
        if (const Json* precision = edit.at("/training/precision"); precision != nullptr && *precision == "fp16") {
            all.push_back(edit.set("Train in bf16", "/training/precision", "bf16"));
        }
        return all;
    }

    double m_clearAfter;
    const RunFacts* m_facts = nullptr;
    bool m_open = false;
    std::string m_openBlock;
    std::string m_openWhat;  ///< of StepStats::NonFinite
    std::int64_t m_clean = 0;
};

}  // namespace

DetectorEntry nonFinite() {
    return {{"non-finite",
             "A loss, activation, gradient or parameter is NaN or infinite",
             Severity::kCritical,
             {{"clear_after", 100, 1, 1e9, "steps",
               "The finding clears after this many training steps without another one."}},
             {}},
            [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<NonFinite>(settings); }};
}

}  // namespace plumbline::diagnostics
