#include "monitor/change_watch.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/hash.h"
#include "monitor/tensor_statistics.h"

namespace plumbline::monitor {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLongestWait = std::int64_t{1} << 40;

diagnostics::StepStats::Gradient gradientOf(const at::Tensor& parameter) {
    using Gradient = diagnostics::StepStats::Gradient;
    const at::Tensor& gradient = parameter.grad();
    return !gradient.defined() ? Gradient::kUndefined : isAllZero(gradient) ? Gradient::kZero : Gradient::kPresent;
}

std::uint64_t hashOf(const at::Tensor& tensor) {
    const at::Tensor here =
        tensor.is_cpu() && tensor.is_non_overlapping_and_dense() ? tensor : tensor.detach().cpu().contiguous();
    return hash64(here.const_data_ptr(), here.nbytes());
}

}  // namespace

ChangeWatch::ChangeWatch(std::vector<at::Tensor> parameters, std::int64_t steps)
    : m_steps(std::max<std::int64_t>(1, steps)), m_due(kNever) {
    for (at::Tensor& parameter : parameters) {
        // What holds nothing cannot move.
        m_watched.emplace_back().tensor =
            parameter.defined() && parameter.numel() > 0 ? std::move(parameter) : at::Tensor();
    }
}

std::uint64_t ChangeWatch::valueAt(const Watched& watched, std::size_t place) {
    const at::Tensor& tensor = watched.tensor;
    const auto count = static_cast<std::uint64_t>(tensor.numel());
    if (count == 0) {
        return 0;
    }
    const std::uint64_t element = (place * count / std::min<std::uint64_t>(kSamples, count) + watched.phase) % count;
    std::uint64_t value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(tensor.const_data_ptr()) + element * tensor.element_size(),
                std::min<std::size_t>(tensor.element_size(), sizeof value));
    return value;
}

void ChangeWatch::sampleAll(Watched& watched) {
    for (std::size_t place = 0; place < kSamples; ++place) {
        watched.sample[place] = valueAt(watched, place);
    }
    watched.fresh = true;
}

bool ChangeWatch::hasMoved(Watched& watched) {
    if (const std::uint64_t now = valueAt(watched, watched.moving); now != watched.sample[watched.moving]) {
        watched.sample[watched.moving] = now;
        watched.fresh = false;
        return true;
    }
    if (!watched.fresh) {
        // The others are of some earlier look: from here on they count.
        sampleAll(watched);
        return true;
    }
    for (std::size_t place = 0; place < kSamples; ++place) {
        if (const std::uint64_t now = valueAt(watched, place); now != watched.sample[place]) {
            watched.sample[place] = now;
            watched.moving = place;
            watched.fresh = false;
            return true;
        }
    }
    return false;
}

void ChangeWatch::begin(std::int64_t applied) {
    const bool goesOn = m_applied == applied;
    m_applied = applied;
    for (Watched& watched : m_watched) {
        if (!watched.tensor.defined()) {
            continue;
        }
        if (isAtHand(watched.tensor)) {
            const bool fresh = watched.fresh || !goesOn;
            sampleAll(watched);
            watched.fresh = fresh;
        }
        if (!goesOn) {
            watched.hash = hashOf(watched.tensor);
            watched.hashedAt = watched.stillSince = applied;
        }
    }
    findDue();
}

void ChangeWatch::follow(std::size_t index, at::Tensor parameter) {
    Watched& watched = m_watched[index];
    watched = {};
    if (!parameter.defined() || parameter.numel() == 0) {
        return;
    }
    watched.tensor = std::move(parameter);
    if (isAtHand(watched.tensor)) {
        sampleAll(watched);
    }
    watched.hash = hashOf(watched.tensor);
    watched.hashedAt = watched.stillSince = m_applied;
    m_due = std::min(m_due, m_applied + m_steps);
}

void ChangeWatch::look(std::int64_t applied, bool closely, std::vector<diagnostics::StepStats::Update>& updates) {
    if (applied == m_applied) {
        return;
    }
    m_applied = applied;
    m_due = kNever;
    for (std::size_t i = 0; i < m_watched.size(); ++i) {
        if (m_watched[i].tensor.defined()) {
            lookAt(i, applied, closely, updates);
        }
    }
    findDue();
}

void ChangeWatch::lookAt(std::size_t index, std::int64_t applied, bool closely,
                         std::vector<diagnostics::StepStats::Update>& updates) {
    Watched& watched = m_watched[index];
    if (isAtHand(watched.tensor) && hasMoved(watched)) [[likely]] {
        watched.hashedAt = -1;
        if (watched.wait > 0 && ++watched.movedInARow > watched.wait) {
            watched.wait = watched.notBefore = watched.movedInARow = 0;
        }
        if (watched.told) {
            watched.told = false;
            updates.push_back({static_cast<int>(index), true, gradientOf(watched.tensor), 1});
        }
        return;
    }
    watched.movedInARow = 0;
    if (!closely && applied < watched.notBefore) {
        return;
    }
    if (watched.hashedAt < 0) {
        watched.hash = hashOf(watched.tensor);
        watched.hashedAt = watched.stillSince = applied;
    } else if (applied - watched.hashedAt >= m_steps) {
        compare(index, applied, updates);
    }
}

void ChangeWatch::compare(std::size_t index, std::int64_t applied,
                          std::vector<diagnostics::StepStats::Update>& updates) {
    Watched& watched = m_watched[index];
    const std::uint64_t hash = hashOf(watched.tensor);
    const bool changed = hash != watched.hash;
    if (!changed || watched.told) {
        updates.push_back({static_cast<int>(index), changed, gradientOf(watched.tensor), applied - watched.hashedAt});
    }
    watched.told = !changed;
    watched.hash = hash;
    watched.hashedAt = applied;
    // One that moves unseen is left alone for twice as long as before; one that stands still, for half as long as it
    // does.
    watched.wait =
        std::max(m_steps, changed ? std::min(kLongestWait, 2 * watched.wait) : (applied - watched.stillSince) / 2);
    watched.stillSince = changed ? applied : watched.stillSince;
    watched.notBefore = applied + watched.wait;
    if (changed && isAtHand(watched.tensor)) {
        // It moves where the sample does not look.
        watched.phase += 1 + static_cast<std::uint64_t>(watched.tensor.numel()) / (2 * kSamples);
        sampleAll(watched);
    }
}

void ChangeWatch::findDue() {
    m_due = kNever;
    for (const Watched& watched : m_watched) {
        if (watched.tensor.defined() && watched.hashedAt >= 0) {
            m_due = std::min(m_due, std::max(watched.hashedAt + m_steps, watched.notBefore));
        }
    }
}

Json ChangeWatch::saveState() const {
    Json all = Json::array();
    for (const Watched& watched : m_watched) {
        all.push_back({{"phase", watched.phase},
                       {"moving", watched.moving},
                       {"fresh", watched.fresh},
                       {"hash", watched.hash},
                       {"hashed_at", watched.hashedAt},
                       {"still_since", watched.stillSince},
                       {"wait", watched.wait},
                       {"not_before", watched.notBefore},
                       {"moved_in_a_row", watched.movedInARow},
                       {"told", watched.told}});
    }
    return {{"applied", m_applied}, {"parameters", std::move(all)}};
}

void ChangeWatch::loadState(const Json& state) {
    const auto all = state.is_object() ? state.find("parameters") : state.end();
    if (!state.is_object() || all == state.end() || !all->is_array() || all->size() != m_watched.size()) {
        return;
    }
    m_applied = state.value("applied", std::int64_t{-1});
    for (std::size_t i = 0; i < m_watched.size(); ++i) {
        const Json& saved = (*all)[i];
        Watched& watched = m_watched[i];
        watched.phase = saved.value("phase", std::uint64_t{0});
        watched.moving = std::min<std::uint64_t>(kSamples - 1, saved.value("moving", std::uint64_t{0}));
        watched.fresh = saved.value("fresh", false);
        watched.hash = saved.value("hash", std::uint64_t{0});
        watched.hashedAt = saved.value("hashed_at", std::int64_t{-1});
        watched.stillSince = saved.value("still_since", std::int64_t{0});
        watched.wait = saved.value("wait", std::int64_t{0});
        watched.notBefore = saved.value("not_before", std::int64_t{0});
        watched.movedInARow = saved.value("moved_in_a_row", std::int64_t{0});
        watched.told = saved.value("told", false);
    }
}

}  // namespace plumbline::monitor
