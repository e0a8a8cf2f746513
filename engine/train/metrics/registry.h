#pragma once
// The metrics that there are, one function each.

#include "train/metrics.h"

namespace plumbline::train {

using MadeMetric = std::unique_ptr<Metric>;

MadeMetric makeAccuracy(const MetricContext& context);
MadeMetric makeAveragePrecision(const MetricContext& context);
MadeMetric makeBalancedAccuracy(const MetricContext& context);
MadeMetric makeConfusionMatrix(const MetricContext& context);
MadeMetric makeDice(const MetricContext& context);
MadeMetric makeF1(const MetricContext& context);
MadeMetric makeIou(const MetricContext& context);
MadeMetric makeMae(const MetricContext& context);
MadeMetric makeMse(const MetricContext& context);
MadeMetric makePerplexity(const MetricContext& context);
MadeMetric makePrecision(const MetricContext& context);
MadeMetric makeR2(const MetricContext& context);
MadeMetric makeRecall(const MetricContext& context);
MadeMetric makeRmse(const MetricContext& context);
MadeMetric makeRocAuc(const MetricContext& context);
MadeMetric makeTopKAccuracy(const MetricContext& context);

}  // namespace plumbline::train
