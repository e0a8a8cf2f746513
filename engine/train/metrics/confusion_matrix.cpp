// sklearn.metrics.confusion_matrix: rows are true classes, columns predicted ones.

#include "train/metrics/class_metrics.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

class ConfusionMatrix final : public ClassMetric {
public:
    explicit ConfusionMatrix(const MetricContext& context) : ClassMetric(context) { counter().keepMatrix(); }

    std::optional<ConfusionCounts> matrix() const override {
        const ClassCounts& all = counts();
        return ConfusionCounts{all.matrix.empty() ? 0 : all.classes(), all.matrix};
    }

protected:
    double of(const ClassCounts& /*counts*/) const override { return kNoValue; }
    std::string whyNoneOf(const ClassCounts& counts) const override {
        return counts.labels ? "it is for classes that exclude each other" : "";
    }
};

}  // namespace

MadeMetric makeConfusionMatrix(const MetricContext& context) {
    return std::make_unique<ConfusionMatrix>(context);
}

}  // namespace plumbline::train
