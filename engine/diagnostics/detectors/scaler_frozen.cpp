// GradScaler that no longer lets steps through, or whose scale cannot adapt. docs/detectors/scaler-frozen.md

#include <fmt/format.h>

#include "core/text.h"
#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

constexpr const char* kSwitch = "/training/expert/skip_scaler_update";

class ScalerFrozen final : public Detector {
public:
    explicit ScalerFrozen(const Json& settings)
        : m_skipLimit(settings.at("consecutive_skips").get<double>()),
          m_minScale(settings.at("min_scale").get<double>()) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_skipped = m_applied = 0;
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (stats.phase != Phase::kTrainStep || !stats.usesScaler || !stats.attempted) {
            return;
        }
        m_skipped = stats.applied ? 0 : m_skipped + 1;
        m_applied = stats.applied ? m_applied + 1 : 0;
        const bool frozen = static_cast<double>(m_skipped) >= m_skipLimit;
        const bool underflown = stats.scale < m_minScale;
        if (!frozen && !underflown && stats.updateCalled) {
            // One step that goes through now and then is no recovery.
            if (static_cast<double>(m_applied) >= m_skipLimit) {
                reporter.clear("");
            }
            return;
        }
        if (!reporter.isOpen("")) {
            report(stats, frozen, reporter);
        }
    }

    Json saveState() const override { return {{"skipped", m_skipped}, {"applied", m_applied}}; }
    void loadState(const Json& state) override {
        m_skipped = state.at("skipped").get<std::int64_t>();
        m_applied = state.at("applied").get<std::int64_t>();
    }

private:
    void report(const StepStats& stats, bool frozen, Reporter& reporter) const {
        Finding finding;
        finding.severity = Severity::kCritical;
        if (!stats.updateCalled) {
            finding.message = fmt::format(
                "At step {} the loss scale was not updated after the optimizer step, so it stays at {} whatever "
                "happens: one infinite "
                "gradient and every later step may be skipped. Call update() once after each step().",
                stats.step, numberText(stats.scale, 10));
        } else if (frozen) {
            finding.message = fmt::format(
                "The last {} optimizer steps up to step {} were all skipped because gradients were infinite, at a loss "
                "scale of {}: the "
                "model is not learning. Look for what overflows, or train in bf16, which needs no loss scale.",
                m_skipped, stats.step, numberText(stats.scale, 10));
        } else {
            finding.message = fmt::format(
                "At step {} the loss scale has fallen to {}, below {}: gradients overflow even when the loss is scaled "
                "down, so the "
                "overflow lies in the model. Look for what overflows, or train in bf16, which needs no loss scale.",
                stats.step, numberText(stats.scale, 10), m_minScale);
        }
        finding.evidence = {{"consecutive_skips", m_skipped},
                            {"consecutive_skips_limit", m_skipLimit},
                            {"scale", evidenceNumber(stats.scale)},
                            {"min_scale", m_minScale},
                            {"update_called", stats.updateCalled}};
        finding.remedies = remedies(stats);
        reporter.raise(std::move(finding));
    }

    std::vector<Remedy> remedies(const StepStats& stats) const {
        const ProjectEdit edit(m_facts->project);
        std::vector<Remedy> all;
        if (edit.isTrue(kSwitch)) {
            all.push_back(edit.set("Let the scaler update after each step", kSwitch, false));
        } else if (!stats.updateCalled) {
            all.push_back(ProjectEdit::advice("Call the scaler's update() after each step()"));
        }
        if (const Json* precision = edit.at("/training/precision"); precision != nullptr && *precision == "fp16") {
            all.push_back(edit.set("Train in bf16", "/training/precision", "bf16"));
        }
        constexpr double kLowScale = 1024;
        if (stats.updateCalled && stats.scale >= m_minScale &&
            edit.number("/training/grad_scaler/init_scale", 65536) > kLowScale) {
            all.push_back(edit.set("Start with a loss scale of 1024", "/training/grad_scaler/init_scale", kLowScale));
        }
        return all;
    }

    double m_skipLimit;
    double m_minScale;
    const RunFacts* m_facts = nullptr;
    std::int64_t m_skipped = 0;
    std::int64_t m_applied = 0;
};

}  // namespace

DetectorEntry scalerFrozen() {
    return {{"scaler-frozen",
             "The GradScaler skips every step, or its scale cannot adapt",
             Severity::kCritical,
             {{"consecutive_skips", 8, 2, 1e6, "steps", "This many skipped steps in a row are too many."},
              {"min_scale", 1, 0, 1e9, "", "A loss scale below this is too low."}},
             {"non-finite"}},
            [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<ScalerFrozen>(settings); }};
}

}  // namespace plumbline::diagnostics
