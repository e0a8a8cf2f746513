#pragma once
// A second set of weights that is averaged over the run, as torch.optim.swa_utils.AveragedModel: an exponential moving
// average or the mean (stochastic weight averaging, Izmailov et al. 2018).

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "model/model.h"
#include "plan/plan.h"
#include "train/optimizer.h"

namespace plumbline::train {

/// One thread: the one that trains.
class WeightAverage {
public:
    /// nullptr where the plan wants none. `model` outlives it. Allocates nothing before the first update.
    static std::unique_ptr<WeightAverage> make(const plan::AveragingSpec& spec, model::Model& model);

    /// Whether the set is to be updated once so many units are done: every `every` of them after `start`.
    bool isDue(plan::Unit unit, std::int64_t done) const {
        return unit == m_spec.unit && done > m_spec.start && (done - m_spec.start) % m_spec.every == 0;
    }
    /// Takes the model's weights in. The first time they are copied; after that the mean, or the moving average, goes
    /// on. Buffers are averaged with use_buffers and copied else; counters are kept whole numbers as PyTorch's are, and
    /// in the mean the newest.
    void update();
    /// How often that has been; 0: there are no averaged weights yet.
    std::int64_t count() const { return m_count; }

    /// Exchanges the averaged weights and the model's, so that whoever holds the model's tensors sees the others.
    /// Copies nothing.
    void swap() noexcept;

    /// Whether BatchNorm's statistics are to be taken anew before the set is used: since the last update they have not
    /// been.
    bool wantsRecalibration() const { return m_count > 0 && recalibrates() && !m_recalibrated; }
    /// Whether the plan asks for it at all.
    bool recalibrates() const { return m_spec.type == "swa" && m_spec.recalibrateBatchNorm; }
    void setRecalibrated() { m_recalibrated = true; }

    /// The averaged tensors in state_dict order under the model's names, shared ones under each; empty before the first
    /// update.
    NamedTensors state() const;
    Json saveState() const;  ///< {"count", "recalibrated"}
    /// Tensors by name and what saveState() gave. Those that are missing or do not fit are an error.
    Status loadState(const std::map<std::string, at::Tensor>& tensors, const Json& state);
    std::int64_t bytes() const;

private:
    struct Entry {
        at::Tensor live;  ///< the model's
        at::Tensor average;
        bool buffer = false;
    };
    WeightAverage(const plan::AveragingSpec& spec, model::Model& model) : m_spec(spec), m_model(model) {}
    void allocate();
    void average(const std::vector<at::Tensor>& averages, const std::vector<at::Tensor>& live) const;
    void averageCounter(at::Tensor average, const at::Tensor& live) const;

    plan::AveragingSpec m_spec;
    model::Model& m_model;
    std::vector<Entry> m_entries;  ///< of every parameter and buffer, shared ones once
    std::int64_t m_count = 0;
    bool m_recalibrated = false;
};

/// What whoever uses averaged weights is to know whose statistics were not taken anew for them (readModelState), though
/// the plan asks for it; "" where it does not, or the model has none.
std::string remarkOnStatistics(const plan::AveragingSpec& spec, const model::Model& model, bool notRecalibrated);

/// While it lives the model has the averaged weights, where there are any; however the scope ends, it has its own
/// again.
class AveragedWeights {
public:
    /// `average` may be nullptr.
    explicit AveragedWeights(WeightAverage* average)
        : m_average(average != nullptr && average->count() > 0 ? average : nullptr) {
        if (m_average != nullptr) {
            m_average->swap();
        }
    }
    ~AveragedWeights() {
        if (m_average != nullptr) {
            m_average->swap();
        }
    }
    AveragedWeights(const AveragedWeights&) = delete;
    AveragedWeights& operator=(const AveragedWeights&) = delete;

private:
    WeightAverage* m_average;
};

}  // namespace plumbline::train
