// iou: sklearn.metrics.jaccard_score; dice: f1_score. Both with average="macro" and zero_division=0, over all elements
// of the split.

#include "train/metrics/class_metrics.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

using Score = double (*)(std::int64_t hit, std::int64_t truth, std::int64_t predicted);

double iouOf(std::int64_t hit, std::int64_t truth, std::int64_t predicted) {
    return ratio(hit, truth + predicted - hit);
}
double diceOf(std::int64_t hit, std::int64_t truth, std::int64_t predicted) {
    return ratio(2 * hit, truth + predicted);
}

class Overlap final : public ClassMetric {
public:
    Overlap(const MetricContext& context, Score score)
        : ClassMetric(context), m_score(score), m_first(context.spec.flag("include_background") ? 0 : 1) {}

protected:
    double of(const ClassCounts& counts) const override { return meanOverClasses(counts, m_first, m_score); }
    std::string whyNoneOf(const ClassCounts& counts) const override {
        for (std::size_t label = m_first; label < counts.hit.size(); ++label) {
            if (occurs(counts, label)) {
                return {};
            }
        }
        return "only the background occurs";
    }

private:
    Score m_score;
    std::size_t m_first;
};

}  // namespace

MadeMetric makeIou(const MetricContext& context) {
    return std::make_unique<Overlap>(context, iouOf);
}
MadeMetric makeDice(const MetricContext& context) {
    return std::make_unique<Overlap>(context, diceOf);
}

}  // namespace plumbline::train
