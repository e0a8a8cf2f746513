// A loss that is, and stays, far above where it began and above what saying always the same would cost.
// docs/detectors/loss-diverged.md

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/text.h"
#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

constexpr std::size_t kWindow = 50;
/// Losses that have fallen to this part within the window are on their way down again.
constexpr double kFalling = 0.9;

class LossDiverged final : public Detector {
public:
    explicit LossDiverged(const Json& settings) : m_factor(settings.at("factor").get<double>()) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_start = -1;
        m_seen = 0;
        m_losses.fill(0);
        m_open = false;
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (m_facts->lossMayRise || stats.phase != Phase::kTrainStep || !stats.attempted || stats.noBatchForMs > 0 ||
            !std::isfinite(stats.loss)) {
            return;
        }
        if (m_start < 0) {
            // The first loss is that of the weights as they were drawn.
            m_start = std::max(0.0, stats.loss);
        }
        m_losses[m_seen++ % kWindow] = stats.loss;
        const double reference = std::max(m_start, m_facts->constantLoss);
        // Most steps of most runs end here.
        if (m_seen < kWindow || reference <= 0 ||
            (m_open ? stats.loss > reference : stats.loss <= m_factor * reference)) {
            return;
        }
        const double median = medianOf(0, kWindow);
        if (m_open) {
            if (median <= reference) {
                m_open = false;
                reporter.clear("");
            }
        } else if (median > m_factor * reference &&
                   medianOf(kWindow / 2, kWindow) >= kFalling * medianOf(0, kWindow / 2)) {
            report(stats, median, reference, reporter);
        }
    }

    Json saveState() const override {
        return {{"start", m_start}, {"seen", m_seen}, {"losses", m_losses}, {"open", m_open}};
    }
    void loadState(const Json& state) override {
        m_start = state.at("start").get<double>();
        m_seen = state.at("seen").get<std::size_t>();
        m_losses = state.at("losses").get<std::array<double, kWindow>>();
        m_open = state.at("open").get<bool>();
    }

private:
    /// Of the losses from the oldest of the window to the newest.
    double medianOf(std::size_t from, std::size_t to) const {
        std::array<double, kWindow> part{};
        for (std::size_t i = from; i < to; ++i) {
            part[i - from] = m_losses[(m_seen + i) % kWindow];
        }
        const auto middle = part.begin() + static_cast<std::ptrdiff_t>((to - from) / 2);
        std::nth_element(part.begin(), middle, part.begin() + static_cast<std::ptrdiff_t>(to - from));
        return *middle;
    }

    void report(const StepStats& stats, double median, double reference, Reporter& reporter) {
        m_open = true;
        const bool byStart = m_start >= m_facts->constantLoss;
        Finding finding;
        finding.severity = Severity::kCritical;
        const char* than = byStart ? "the first step's loss" : "the loss of saying the same for every sample";
        const bool rateIsKnown = stats.learningRate > 0;
        finding.message = rateIsKnown
                              ? fmt::format(
                                    "Over the {} steps up to step {} the loss is {} (median) and does not fall, {} "
                                    "times {} of {}: training has "
                                    "diverged. Lower the learning rate of {:g}, or clip the gradient.",
                                    kWindow, stats.step, numberText(median, 4), numberText(median / reference, 3), than,
                                    numberText(reference, 4), stats.learningRate)
                              : fmt::format(
                                    "Over the {} steps up to step {} the loss is {} (median) and does not fall, {} "
                                    "times {} of {}: training has "
                                    "diverged. Lower the learning rate, or clip the gradient.",
                                    kWindow, stats.step, numberText(median, 4), numberText(median / reference, 3), than,
                                    numberText(reference, 4));
        finding.evidence = {{"loss", median}, {"threshold", m_factor * reference}, {"window_steps", kWindow}};
        if (rateIsKnown) {
            finding.evidence["learning_rate"] = stats.learningRate;
        }
        finding.remedies = remedies(stats);
        reporter.raise(std::move(finding));
    }

    std::vector<Remedy> remedies(const StepStats& stats) const {
        const ProjectEdit edit(m_facts->project, stats.liveLearningRate);
        std::vector<Remedy> all;
        if (edit.isTrue("/training/optimizer/maximize")) {
            all.push_back(edit.set("Minimise the loss", "/training/optimizer/maximize", false));
        }
        for (Remedy& lower : edit.lowerLearningRate(10, stats.learningRate)) {
            all.push_back(std::move(lower));
        }
        const Json* clip = edit.at("/training/clip/type");
        if (clip == nullptr || *clip == "none") {
            all.push_back(edit.set("Clip the gradient to a norm of 1", "/training/clip",
                                   Json{{"type", "norm"}, {"max_norm", 1.0}}));
        }
        return all;
    }

    double m_factor;
    const RunFacts* m_facts = nullptr;
    double m_start = -1;  ///< the first step's loss; below 0: there was none yet
    std::size_t m_seen = 0;
    std::array<double, kWindow> m_losses{};
    bool m_open = false;
};

}  // namespace

DetectorEntry lossDiverged() {
    return {{"loss-diverged",
             "The loss is and stays far above where it began",
             Severity::kCritical,
             {{"factor", 4, 1.5, 1e6, "",
               "So many times the first loss, and that of saying the same for every sample, is too much."}},
             {"non-finite", "loss-target-shape", "train-mode-not-restored"}},
            [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<LossDiverged>(settings); }};
}

}  // namespace plumbline::diagnostics
