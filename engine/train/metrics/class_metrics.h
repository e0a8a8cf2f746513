#pragma once
// What a metric over class counts has in common: when it has no value, and means over classes.

#include <cstdint>
#include <limits>

#include "train/metrics/class_counter.h"

namespace plumbline::train {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// 0 where the denominator is 0: scikit-learn's zero_division=0.
inline double ratio(std::int64_t numerator, std::int64_t denominator) {
    return denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

class ClassMetric : public Metric {
public:
    explicit ClassMetric(const MetricContext& context) : m_counter(ClassCounter::of(context)) {}
    double value() const final {
        const ClassCounts& counts = m_counter->counts();
        return counts.samples == 0 ? kNoValue : of(counts);
    }
    std::string whyNone() const final {
        const ClassCounts& counts = m_counter->counts();
        return counts.samples == 0 ? "nothing was counted" : whyNoneOf(counts);
    }
    const ClassCounts& counts() const { return m_counter->counts(); }

protected:
    /// Of counts that hold a sample.
    virtual double of(const ClassCounts& counts) const = 0;
    virtual std::string whyNoneOf(const ClassCounts& /*counts*/) const { return {}; }
    ClassCounter& counter() { return *m_counter; }

private:
    std::shared_ptr<ClassCounter> m_counter;
};

/// Whether a class has a place in a mean over classes: scikit-learn's labels, those that occur in the truth or the
/// predictions; of labels, all.
inline bool occurs(const ClassCounts& counts, std::size_t label) {
    return counts.labels || counts.truth[label] + counts.predicted[label] > 0;
}

/// The mean of `score` over the classes that occur, from `first` on; NaN where there is none.
template <class Score>
double meanOverClasses(const ClassCounts& counts, std::size_t first, const Score& score) {
    double sum = 0;
    std::int64_t classes = 0;
    for (std::size_t label = first; label < counts.hit.size(); ++label) {
        if (occurs(counts, label)) {
            sum += score(counts.hit[label], counts.truth[label], counts.predicted[label]);
            ++classes;
        }
    }
    return classes == 0 ? kNoValue : sum / static_cast<double>(classes);
}

}  // namespace plumbline::train
