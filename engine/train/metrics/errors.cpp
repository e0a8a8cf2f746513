// sklearn.metrics.mean_absolute_error, mean_squared_error and r2_score; rmse is the root of the mean over all elements.

#include <cmath>

#include "train/metrics/class_metrics.h"
#include "train/metrics/error_sums.h"
#include "train/metrics/registry.h"

namespace plumbline::train {
namespace {

class ErrorMetric : public Metric {
public:
    explicit ErrorMetric(const MetricContext& context) : m_sums(ErrorSums::of(context)) {}
    double value() const final {
        return m_sums->elements() == 0 || m_sums->samples() < leastSamples() ? kNoValue : of(*m_sums);
    }
    std::string whyNone() const final {
        return m_sums->elements() == 0              ? "nothing was counted"
               : m_sums->samples() < leastSamples() ? "it takes two samples"
                                                    : "";
    }

protected:
    virtual double of(const ErrorSums& sums) const = 0;
    virtual std::int64_t leastSamples() const { return 0; }
    ErrorSums& sums() { return *m_sums; }

private:
    std::shared_ptr<ErrorSums> m_sums;
};

class Mae final : public ErrorMetric {
    using ErrorMetric::ErrorMetric;
    double of(const ErrorSums& sums) const override { return sums.absolute() / static_cast<double>(sums.elements()); }
};

class Mse final : public ErrorMetric {
    using ErrorMetric::ErrorMetric;
    double of(const ErrorSums& sums) const override { return sums.squared() / static_cast<double>(sums.elements()); }
};

class Rmse final : public ErrorMetric {
    using ErrorMetric::ErrorMetric;
    double of(const ErrorSums& sums) const override {
        return std::sqrt(sums.squared() / static_cast<double>(sums.elements()));
    }
};

/// The mean over an output's numbers of 1 - Σ(t - p)² / Σ(t - mean)². One that never changes counts 1 where it was met
/// exactly, else 0.
class R2 final : public ErrorMetric {
public:
    explicit R2(const MetricContext& context) : ErrorMetric(context) { sums().keepColumns(); }

protected:
    double of(const ErrorSums& sums) const override {
        double sum = 0;
        const std::vector<ErrorSums::Column> columns = sums.columns();
        for (const ErrorSums::Column& column : columns) {
            // A residual that is no number has to stay one.
            sum += column.total != 0      ? 1 - column.residual / column.total
                   : column.residual == 0 ? 1
                   : column.residual > 0  ? 0
                                          : column.residual;
        }
        return sum / static_cast<double>(columns.size());
    }
    std::int64_t leastSamples() const override { return 2; }
};

}  // namespace

MadeMetric makeMae(const MetricContext& context) {
    return std::make_unique<Mae>(context);
}
MadeMetric makeMse(const MetricContext& context) {
    return std::make_unique<Mse>(context);
}
MadeMetric makeRmse(const MetricContext& context) {
    return std::make_unique<Rmse>(context);
}
MadeMetric makeR2(const MetricContext& context) {
    return std::make_unique<R2>(context);
}

}  // namespace plumbline::train
