// sklearn.metrics.balanced_accuracy_score: the mean recall over the classes that the truth has.

#include "train/metrics/class_metrics.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

class BalancedAccuracy final : public ClassMetric {
public:
    using ClassMetric::ClassMetric;

protected:
    double of(const ClassCounts& counts) const override {
        double sum = 0;
        std::int64_t classes = 0;
        for (std::size_t label = 0; label < counts.hit.size() && !counts.labels; ++label) {
            if (counts.truth[label] > 0) {
                sum += ratio(counts.hit[label], counts.truth[label]);
                ++classes;
            }
        }
        return classes == 0 ? kNoValue : sum / static_cast<double>(classes);
    }
    std::string whyNoneOf(const ClassCounts& counts) const override {
        return counts.labels ? "it is for classes that exclude each other" : "";
    }
};

}  // namespace

MadeMetric makeBalancedAccuracy(const MetricContext& context) {
    return std::make_unique<BalancedAccuracy>(context);
}

}  // namespace plumbline::train
