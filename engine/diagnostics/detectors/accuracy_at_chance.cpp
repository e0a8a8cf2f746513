// The loss falls, but the model answers no better than chance. docs/detectors/accuracy-at-chance.md

#include <fmt/format.h>
#include <cmath>
#include <deque>
#include <utility>

#include "diagnostics/project_edit.h"
#include "diagnostics/registry.h"

namespace plumbline::diagnostics {
namespace {

struct Interval {
    double low = 0, high = 1;
};

/// Wilson's score interval for a proportion (E. B. Wilson, "Probable inference, the law of succession, and statistical
/// inference", JASA 22, 1927) at 99 %: z is the 0.995 quantile of the standard normal.
Interval wilson99(double correct, double samples) {
    constexpr double kZ = 2.5758293035489004;
    const double p = correct / samples;
    const double z2n = kZ * kZ / samples;
    const double centre = (p + z2n / 2) / (1 + z2n);
    const double half = kZ / (1 + z2n) * std::sqrt(p * (1 - p) / samples + z2n / (4 * samples));
    return {centre - half, centre + half};
}

class AccuracyAtChance final : public Detector {
public:
    explicit AccuracyAtChance(const Json& settings)
        : m_lossFall(settings.at("loss_fall").get<double>()),
          m_samples(settings.at("samples").get<double>()),
          m_constantSamples(settings.at("constant_samples").get<double>()) {}

    void start(const RunFacts& facts) override {
        m_facts = &facts;
        m_firstLoss.reset();
        m_recent.clear();
        m_firstEpoch.reset();
        m_open = false;
    }

    void observe(const StepStats& stats, Reporter& reporter) override {
        if (stats.phase != Phase::kEpochEnd) {
            return;
        }
        if (!m_firstEpoch && std::isfinite(stats.trainLossEpoch)) {
            m_firstEpoch = stats.epoch;
            m_firstLoss = stats.trainLossEpoch;
        }
        if (m_facts->classes < 2 || stats.evaluatedSamples <= 0 || !std::isfinite(stats.trainLossEpoch) ||
            stats.epoch == *m_firstEpoch) {
            return;
        }
        remember(stats);
        const double fall = (*m_firstLoss - stats.trainLossEpoch) / std::max(std::abs(*m_firstLoss), 1e-12);
        const Verdict verdict = judge(stats);
        if (fall >= m_lossFall && verdict.bad) {
            if (!m_open) {
                report(stats, fall, verdict, reporter);
            }
        } else if (m_open && !verdict.bad && verdict.enough) {
            m_open = false;
            reporter.clear("");
        }
    }

    Json saveState() const override {
        Json recent = Json::array();
        for (const Evaluation& each : m_recent) {
            recent.push_back({each.samples, each.correct, each.constant});
        }
        Json state = {
            {"recent", std::move(recent)}, {"open", m_open}, {"first_loss", nullptr}, {"first_epoch", nullptr}};
        if (m_firstEpoch) {
            state["first_loss"] = *m_firstLoss;
            state["first_epoch"] = *m_firstEpoch;
        }
        return state;
    }
    void loadState(const Json& state) override {
        m_recent.clear();
        for (const Json& each : state.at("recent")) {
            m_recent.push_back({each.at(0).get<double>(), each.at(1).get<double>(), each.at(2).get<bool>()});
        }
        m_open = state.at("open").get<bool>();
        if (!state.at("first_epoch").is_null() && state.at("first_loss").is_number()) {
            m_firstEpoch = state.at("first_epoch").get<std::int64_t>();
            m_firstLoss = state.at("first_loss").get<double>();
        }
    }

private:
    struct Evaluation {
        double samples = 0, correct = 0;
        bool constant = false;
    };
    struct Verdict {
        bool bad = false, enough = false, constant = false;
        double samples = 0, accuracy = 0, chance = 0;
        Interval interval;
    };

    /// Keeps as many of the newest evaluations as it takes to have enough samples.
    void remember(const StepStats& stats) {
        m_recent.push_back({static_cast<double>(stats.evaluatedSamples), static_cast<double>(stats.correctSamples),
                            stats.distinctPredictions == 1});
        const double wanted = std::max(m_samples, m_constantSamples);
        double newer = 0;
        for (std::size_t i = m_recent.size(); i-- > 0;) {
            if (newer >= wanted) {
                m_recent.erase(m_recent.begin(), m_recent.begin() + static_cast<std::ptrdiff_t>(i + 1));
                break;
            }
            newer += m_recent[i].samples;
        }
    }

    Verdict judge(const StepStats& stats) const {
        Verdict verdict;
        double correct = 0;
        double constantSamples = 0;
        std::size_t constantEpochs = 0;
        bool stillConstant = true;
        for (auto each = m_recent.rbegin(); each != m_recent.rend(); ++each) {
            if (verdict.samples < m_samples) {
                verdict.samples += each->samples;
                correct += each->correct;
            }
            stillConstant = stillConstant && each->constant;
            if (stillConstant) {
                constantSamples += each->samples;
                ++constantEpochs;
            }
        }
        verdict.accuracy = correct / verdict.samples;
        verdict.interval = wilson99(correct, verdict.samples);
        verdict.constant = constantEpochs >= 2 && constantSamples >= m_constantSamples;
        verdict.enough = verdict.samples >= m_samples || stats.distinctPredictions != 1;
        if (verdict.samples >= m_samples) {
            // The newest epoch alone has to agree, so that a model that has just begun to learn is left in peace.
            const Interval newest =
                wilson99(static_cast<double>(stats.correctSamples), static_cast<double>(stats.evaluatedSamples));
            for (const double chance : {1.0 / static_cast<double>(m_facts->classes), m_facts->majorityShare}) {
                if (holds(verdict.interval, chance) && holds(newest, chance)) {
                    verdict.bad = true;
                    verdict.chance = chance;
                }
            }
        }
        verdict.bad = verdict.bad || verdict.constant;
        return verdict;
    }

    static bool holds(const Interval& interval, double value) {
        return interval.low <= value && value <= interval.high;
    }

    void report(const StepStats& stats, double fall, const Verdict& verdict, Reporter& reporter) {
        m_open = true;
        Finding finding;
        finding.severity = Severity::kCritical;
        const std::string loss =
            fmt::format("The training loss has fallen by {:.0f} % since the first epoch", 100 * fall);
        const char* next =
            "Check that targets belong to their samples and the loss to the output, then lower the learning rate.";
        finding.message =
            verdict.constant
                ? fmt::format(
                      "{}, but in epoch {} (step {}) the model gives the same class for every one of {} validation "
                      "samples, as in the "
                      "evaluations before. {}",
                      loss, stats.epoch, stats.step, stats.evaluatedSamples, next)
                : fmt::format(
                      "{}, but in epoch {} (step {}) the accuracy over {:.0f} evaluated samples is {:.3f} (99 % "
                      "interval {:.3f} to "
                      "{:.3f}), no better than {} at {:.3f}. {}",
                      loss, stats.epoch, stats.step, verdict.samples, verdict.accuracy, verdict.interval.low,
                      verdict.interval.high,
                      verdict.chance == m_facts->majorityShare ? "always saying the largest class" : "guessing",
                      verdict.chance, next);
        finding.evidence = {{"loss_fall", fall},
                            {"loss_fall_threshold", m_lossFall},
                            {"samples", verdict.samples},
                            {"accuracy", verdict.accuracy},
                            {"interval_99", {verdict.interval.low, verdict.interval.high}},
                            {"one_over_classes", 1.0 / static_cast<double>(m_facts->classes)},
                            {"majority_share", m_facts->majorityShare},
                            {"constant_predictions", verdict.constant}};
        finding.remedies = remedies(stats);
        reporter.raise(std::move(finding));
    }

    std::vector<Remedy> remedies(const StepStats& stats) const {
        const ProjectEdit edit(m_facts->project, stats.liveLearningRate);
        std::vector<Remedy> all{ProjectEdit::advice("Check on the Data page that labels belong to their samples")};
        for (Remedy& lower : edit.lowerLearningRate(10, stats.learningRate)) {
            all.push_back(std::move(lower));
        }
        return all;
    }

    double m_lossFall;
    double m_samples;
    double m_constantSamples;
    const RunFacts* m_facts = nullptr;
    std::optional<double> m_firstLoss;
    std::optional<std::int64_t> m_firstEpoch;
    std::deque<Evaluation> m_recent;
    bool m_open = false;
};

}  // namespace

DetectorEntry accuracyAtChance() {
    return {
        {"accuracy-at-chance",
         "The loss falls, but accuracy stays at chance",
         Severity::kCritical,
         {{"loss_fall", 0.1, 0, 1, "share", "How far the training loss has to have fallen since the first epoch."},
          {"samples", 2000, 30, 1e9, "samples", "Evaluated samples, over the newest epochs, that it takes to judge."},
          {"constant_samples", 500, 2, 1e9, "samples",
           "Samples in a row with one and the same answer, over at least two epochs."}},
         {"non-finite", "loss-target-shape", "validation-in-train-mode", "train-mode-not-restored", "scaler-frozen",
          "loss-diverged", "parameter-not-updating"}},
        [](const Json& settings) -> std::unique_ptr<Detector> { return std::make_unique<AccuracyAtChance>(settings); }};
}

}  // namespace plumbline::diagnostics
