#pragma once
// Which parameters have had a gradient of exactly zero over many applied steps, whether or not their bits move.

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/json.h"
#include "diagnostics/step_stats.h"
#include "monitor/tensor_statistics.h"

namespace plumbline::monitor {

/// A measured step shows for nothing whose whole gradient is zero; only those are looked through after each step that
/// follows, until one shows a gradient or `steps` of them in a row have none. From then on measured steps suffice. A
/// healthy model costs nothing. One thread.
class ZeroWatch {
public:
    /// `parameters` stay alive through their own reference counts; undefined ones are left out. `steps` 0: nobody wants
    /// to know.
    ZeroWatch(std::vector<at::Tensor> parameters, std::int64_t steps);

    /// Between two steps: from here on this parameter's gradients are looked at; an undefined one's no longer are.
    void follow(std::size_t index, at::Tensor parameter);
    /// After a measured step; `statistics` are of all gradients, in order. `applied` counts all steps that were
    /// applied. Appends an Update for each parameter that has gone without long enough, and for each such one that has
    /// a gradient again.
    void measured(std::int64_t applied, const std::vector<TensorStatistics>& statistics,
                  std::vector<diagnostics::StepStats::Update>& updates);
    /// After a step that was not measured.
    void look(std::int64_t applied, std::vector<diagnostics::StepStats::Update>& updates) {
        if (!m_suspects.empty() && applied != m_applied) [[unlikely]] {
            lookThrough(applied, updates);
        }
    }

    Json saveState() const;
    void loadState(const Json& state);

private:
    struct Watched {
        at::Tensor tensor;
        std::int64_t zeroSteps = 0;  ///< applied steps in a row that were looked at and had no gradient
        bool told = false;
    };

    void watch(Watched& watched, at::Tensor parameter) const {
        watched = {};
        watched.tensor =
            m_steps > 0 && parameter.defined() && parameter.numel() > 0 ? std::move(parameter) : at::Tensor();
    }
    void lookThrough(std::int64_t applied, std::vector<diagnostics::StepStats::Update>& updates);
    void take(std::size_t index, const TensorStatistics& gradient,
              std::vector<diagnostics::StepStats::Update>& updates);
    void findSuspects();

    std::vector<Watched> m_watched;
    std::int64_t m_steps;
    std::int64_t m_applied = -1;
    std::vector<std::size_t> m_suspects;  ///< looked through after each step
    std::vector<at::Tensor> m_gradients;
    std::vector<TensorStatistics> m_statistics;
};

}  // namespace plumbline::monitor
