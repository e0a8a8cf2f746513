// sklearn.metrics.f1_score, precision_score and recall_score with zero_division=0.

#include "train/metrics/class_metrics.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

using Score = double (*)(std::int64_t hit, std::int64_t truth, std::int64_t predicted);

double precisionOf(std::int64_t hit, std::int64_t /*truth*/, std::int64_t predicted) {
    return ratio(hit, predicted);
}
double recallOf(std::int64_t hit, std::int64_t truth, std::int64_t /*predicted*/) {
    return ratio(hit, truth);
}
double f1Of(std::int64_t hit, std::int64_t truth, std::int64_t predicted) {
    return ratio(2 * hit, truth + predicted);
}

class FScore final : public ClassMetric {
public:
    FScore(const MetricContext& context, Score score)
        : ClassMetric(context), m_score(score), m_average(context.spec.text("average")) {}

protected:
    double of(const ClassCounts& counts) const override {
        const bool ofClassOne = m_average == "binary" && !counts.labels;
        if (ofClassOne) {
            return counts.classes() == 2 ? m_score(counts.hit[1], counts.truth[1], counts.predicted[1]) : kNoValue;
        }
        if (m_average == "macro") {
            return meanOverClasses(counts, 0, m_score);
        }
        if (m_average == "weighted") {
            return weighted(counts);
        }
        std::int64_t hit = 0, truth = 0, predicted = 0;
        for (std::size_t label = 0; label < counts.hit.size(); ++label) {
            hit += counts.hit[label];
            truth += counts.truth[label];
            predicted += counts.predicted[label];
        }
        return m_score(hit, truth, predicted);
    }
    std::string whyNoneOf(const ClassCounts& counts) const override {
        return m_average == "binary" && !counts.labels && counts.classes() != 2
                   ? "average \"binary\" is for two classes"
                   : "";
    }

private:
    double weighted(const ClassCounts& counts) const {
        double sum = 0;
        std::int64_t samples = 0;
        for (std::size_t label = 0; label < counts.hit.size(); ++label) {
            sum += static_cast<double>(counts.truth[label]) *
                   m_score(counts.hit[label], counts.truth[label], counts.predicted[label]);
            samples += counts.truth[label];
        }
        return samples == 0 ? 0.0 : sum / static_cast<double>(samples);
    }

    Score m_score;
    std::string m_average;
};

}  // namespace

MadeMetric makeF1(const MetricContext& context) {
    return std::make_unique<FScore>(context, f1Of);
}
MadeMetric makePrecision(const MetricContext& context) {
    return std::make_unique<FScore>(context, precisionOf);
}
MadeMetric makeRecall(const MetricContext& context) {
    return std::make_unique<FScore>(context, recallOf);
}

}  // namespace plumbline::train
