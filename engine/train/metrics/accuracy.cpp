// sklearn.metrics.accuracy_score; of labels the share of all answers that are right (1 - hamming_loss).

#include "train/metrics/class_metrics.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

class Accuracy final : public ClassMetric {
public:
    using ClassMetric::ClassMetric;

protected:
    double of(const ClassCounts& counts) const override { return ratio(counts.correct, counts.samples); }
};

}  // namespace

MadeMetric makeAccuracy(const MetricContext& context) {
    return std::make_unique<Accuracy>(context);
}

}  // namespace plumbline::train
