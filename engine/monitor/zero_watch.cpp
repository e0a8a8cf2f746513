#include "monitor/zero_watch.h"

#include <algorithm>
#include <utility>

namespace plumbline::monitor {

using Gradient = diagnostics::StepStats::Gradient;

ZeroWatch::ZeroWatch(std::vector<at::Tensor> parameters, std::int64_t steps) : m_steps(steps) {
    for (at::Tensor& parameter : parameters) {
        watch(m_watched.emplace_back(), std::move(parameter));
    }
}

void ZeroWatch::follow(std::size_t index, at::Tensor parameter) {
    watch(m_watched[index], std::move(parameter));
    std::erase(m_suspects, index);
}

void ZeroWatch::measured(std::int64_t applied, const std::vector<TensorStatistics>& statistics,
                         std::vector<diagnostics::StepStats::Update>& updates) {
    if (applied == m_applied) {
        return;
    }
    m_applied = applied;
    for (std::size_t i = 0; i < m_watched.size() && i < statistics.size(); ++i) {
        if (m_watched[i].tensor.defined()) {
            take(i, statistics[i], updates);
        }
    }
    findSuspects();
}

void ZeroWatch::lookThrough(std::int64_t applied, std::vector<diagnostics::StepStats::Update>& updates) {
    m_applied = applied;
    for (const std::size_t index : m_suspects) {
        m_gradients.push_back(m_watched[index].tensor.grad());
    }
    statisticsOf(m_gradients, m_statistics);
    m_gradients.clear();
    for (std::size_t i = 0; i < m_suspects.size(); ++i) {
        take(m_suspects[i], m_statistics[i], updates);
    }
    findSuspects();
}

void ZeroWatch::take(std::size_t index, const TensorStatistics& gradient,
                     std::vector<diagnostics::StepStats::Update>& updates) {
    Watched& watched = m_watched[index];
    // One that is not there at all moves nothing: ChangeWatch tells of it.
    if (gradient.maxAbs != 0 || gradient.nonFinite != 0 || !watched.tensor.grad().defined()) [[likely]] {
        if (watched.told) {
            updates.push_back({static_cast<int>(index), true, Gradient::kPresent, 1});
        }
        watched.zeroSteps = 0;
        watched.told = false;
        return;
    }
    if (++watched.zeroSteps >= m_steps) {
        watched.told = true;
        updates.push_back({static_cast<int>(index), true, Gradient::kZero, 1, watched.zeroSteps});
    }
}

void ZeroWatch::findSuspects() {
    m_suspects.clear();
    for (std::size_t i = 0; i < m_watched.size(); ++i) {
        if (m_watched[i].zeroSteps > 0 && !m_watched[i].told) {
            m_suspects.push_back(i);
        }
    }
}

Json ZeroWatch::saveState() const {
    Json all = Json::array();
    for (const Watched& watched : m_watched) {
        all.push_back({watched.zeroSteps, watched.told});
    }
    return {{"applied", m_applied}, {"parameters", std::move(all)}};
}

void ZeroWatch::loadState(const Json& state) {
    const Json all = state.is_object() ? state.value("parameters", Json()) : Json();
    if (!all.is_array() || all.size() != m_watched.size()) {
        return;
    }
    m_applied = state.value("applied", std::int64_t{-1});
    for (std::size_t i = 0; i < m_watched.size(); ++i) {
        m_watched[i].zeroSteps = all[i].at(0).get<std::int64_t>();
        m_watched[i].told = all[i].at(1).get<bool>();
    }
    findSuspects();
}

}  // namespace plumbline::monitor
