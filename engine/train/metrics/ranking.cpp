// sklearn.metrics.roc_auc_score (binary; several classes one against the rest, average="macro") and
// average_precision_score.

#include <fmt/format.h>

#include <algorithm>

#include "train/metrics/class_metrics.h"
#include "train/metrics/registry.h"
#include "train/metrics/score_keeper.h"

namespace plumbline::train {
namespace {

using Question = ScoreKeeper::Question;

/// The share of pairs of a positive and a negative in which the positive is ahead; a tie is half of one.
double areaOf(const Question& question) {
    std::size_t below = 0, notAbove = 0;  // negatives
    double halves = 0;                    // whole numbers under 2^53: exact
    for (const float score : question.positives) {
        while (below < question.negatives.size() && question.negatives[below] < score) {
            ++below;
        }
        notAbove = std::max(notAbove, below);
        while (notAbove < question.negatives.size() && question.negatives[notAbove] <= score) {
            ++notAbove;
        }
        halves += static_cast<double>(below + notAbove);
    }
    return halves / 2 /
           (static_cast<double>(question.positives.size()) * static_cast<double>(question.negatives.size()));
}

/// Σ (recall - recall before) · precision over the thresholds, from the largest; 0 without a positive.
double averagePrecisionOf(const Question& question) {
    std::size_t positive = question.positives.size(), negative = question.negatives.size();
    double sum = 0;
    while (positive > 0) {
        const float threshold = negative > 0
                                    ? std::max(question.positives[positive - 1], question.negatives[negative - 1])
                                    : question.positives[positive - 1];
        const std::size_t before = positive;
        while (positive > 0 && question.positives[positive - 1] == threshold) {
            --positive;
        }
        while (negative > 0 && question.negatives[negative - 1] == threshold) {
            --negative;
        }
        const auto hits = static_cast<double>(question.positives.size() - positive),
                   taken = hits + static_cast<double>(question.negatives.size() - negative);
        sum += static_cast<double>(before - positive) * (hits / taken);
    }
    return question.positives.empty() ? 0.0 : sum / static_cast<double>(question.positives.size());
}

class Ranking : public Metric {
public:
    explicit Ranking(const MetricContext& context) : m_scores(ScoreKeeper::of(context)) {}

    double value() const final {
        if (!whyNone().empty()) {
            return kNoValue;
        }
        double sum = 0;
        for (const Question& question : m_scores->sorted()) {
            sum += of(question);
        }
        return sum / static_cast<double>(m_scores->sorted().size());
    }
    std::string whyNone() const final {
        std::size_t kept = 0;
        for (const Question& question : m_scores->sorted()) {
            kept += question.positives.size() + question.negatives.size();
        }
        return m_scores->notNumbers() > 0 ? "some scores are not numbers"
               : kept == 0                ? "nothing was counted"
                                          : whyNoneOf(m_scores->sorted());
    }

protected:
    virtual double of(const Question& question) const = 0;
    virtual std::string whyNoneOf(const std::vector<Question>& /*questions*/) const { return {}; }

private:
    std::shared_ptr<ScoreKeeper> m_scores;
};

class RocAuc final : public Ranking {
    using Ranking::Ranking;
    double of(const Question& question) const override { return areaOf(question); }
    std::string whyNoneOf(const std::vector<Question>& questions) const override {
        for (std::size_t i = 0; i < questions.size(); ++i) {
            const bool missing = questions[i].positives.empty();
            if (missing || questions[i].negatives.empty()) {
                const std::size_t label = questions.size() > 1 ? i : missing ? 1 : 0;
                return missing || questions.size() == 1 ? fmt::format("class {} has no sample", label)
                                                        : fmt::format("all samples are of class {}", label);
            }
        }
        return {};
    }
};

class AveragePrecision final : public Ranking {
    using Ranking::Ranking;
    double of(const Question& question) const override { return averagePrecisionOf(question); }
};

}  // namespace

MadeMetric makeRocAuc(const MetricContext& context) {
    return std::make_unique<RocAuc>(context);
}
MadeMetric makeAveragePrecision(const MetricContext& context) {
    return std::make_unique<AveragePrecision>(context);
}

}  // namespace plumbline::train
