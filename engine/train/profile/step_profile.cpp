#include "train/profile/step_profile.h"

#include <ATen/core/grad_mode.h>

#include <c10/core/impl/VirtualGuardImpl.h>
#include <algorithm>
#include <array>
#include <string_view>

#include "model/memory.h"
#include "train/device_memory.h"

namespace plumbline::train {
namespace {

constexpr std::array<std::string_view, 8> kNames{"other", "loader_wait", "to_device", "forward",
                                                 "loss",  "backward",    "optimizer", "monitor"};
constexpr std::size_t kLongestTimeline = 100'000;

double milliseconds(std::chrono::steady_clock::duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

std::string_view nameOf(Phase phase) {
    return kNames[static_cast<std::size_t>(phase)];
}

}  // namespace

StepProfile::StepProfile(const model::Model& model, at::Device device)
    : m_model(model), m_device(device), m_blocks(model.graph().nodes.size()) {}

void StepProfile::synchronize() const {
    if (!m_device.is_cpu()) {
        c10::impl::VirtualGuardImpl(m_device.type()).synchronizeDevice(m_device.index());
    }
}

std::int64_t StepProfile::heldBytes() const {
    return m_device.is_cpu() ? model::tensorMemory().current : deviceMemory(m_device).allocated;
}

void StepProfile::remember(Clock::time_point now, int leaf) {
    if (m_timeline.size() < kLongestTimeline) {
        m_timeline.push_back({milliseconds(now - m_stepBegan), heldBytes(), m_phase, leaf});
    }
}

void StepProfile::beginStep() {
    m_timeline.clear();
    m_phase = Phase::kNone;
    m_backwardLeaf = -1;
    m_stepBegan = m_phaseBegan = Clock::now();
    model::setMemoryOwner(0);
}

void StepProfile::enter(Phase phase) {
    synchronize();
    const Clock::time_point now = Clock::now();
    m_phaseMs[static_cast<std::size_t>(m_phase)] += milliseconds(now - m_phaseBegan);
    if (m_phase == Phase::kBackward) {
        closeBackward(now);
        m_backwardLeaf = -1;
    }
    m_phase = phase;
    m_phaseBegan = now;
    model::setMemoryOwner(0);
    remember(now, -1);
}

void StepProfile::endStep() {
    enter(Phase::kNone);
    model::setMemoryOwner(model::kNoMemoryOwner);
    m_totalMs += milliseconds(m_phaseBegan - m_stepBegan);
    m_heldLast = heldBytes();
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        m_blocks[i].liveLast = model::memoryOf(ownerOf(static_cast<int>(i)));
        if (m_steps == 0) {
            m_blocks[i].liveFirst = m_blocks[i].liveLast;
        }
    }
    if (m_steps == 0) {
        m_heldFirst = m_heldLast;
    }
    ++m_steps;
}

void StepProfile::leaveOut(Clock::duration pause) {
    m_stepBegan += pause;
    m_phaseBegan += pause;
}

void StepProfile::beforeLeaf(int leaf) {
    synchronize();
    m_leafBefore = heldBytes();
    model::setMemoryOwner(ownerOf(leaf));
    m_leafBegan = Clock::now();
}

void StepProfile::afterLeaf(int leaf, const std::vector<at::Tensor>& outputs) {
    synchronize();
    const Clock::time_point now = Clock::now();
    Block& block = m_blocks[static_cast<std::size_t>(leaf)];
    block.ran = true;
    block.forwardMs += milliseconds(now - m_leafBegan);
    block.kept = std::max(block.kept, heldBytes() - m_leafBefore);
    model::setMemoryOwner(0);
    remember(now, leaf);
    if (m_next != nullptr) {
        m_next->afterLeaf(leaf, outputs);
    }
    if (m_phase != Phase::kForward || !at::GradMode::is_enabled()) {
        return;
    }
    watchGradients(leaf, outputs);
}

void StepProfile::watchGradients(int leaf, const std::vector<at::Tensor>& outputs) {
    for (const at::Tensor& output : outputs) {
        if (output.defined() && output.requires_grad()) {
            output.register_hook([this, leaf](const at::Tensor&) { sawGradient(leaf); });
        }
    }
}

void StepProfile::beforeLeafAgain(int leaf) {
    sawGradient(leaf);
}
void StepProfile::afterLeafAgain(int leaf, const std::vector<at::Tensor>& outputs) {
    if (m_phase == Phase::kBackward) {
        watchGradients(leaf, outputs);
    }
}

void StepProfile::sawGradient(int leaf) {
    // The graph may outlive the step that it was profiled in.
    if (m_phase != Phase::kBackward) {
        return;
    }
    synchronize();
    const Clock::time_point now = Clock::now();
    closeBackward(now);
    m_backwardLeaf = leaf;
    m_gradientAt = now;
    model::setMemoryOwner(ownerOf(leaf));
    remember(now, leaf);
}

void StepProfile::closeBackward(Clock::time_point now) {
    if (m_backwardLeaf >= 0) {
        m_blocks[static_cast<std::size_t>(m_backwardLeaf)].backwardMs += milliseconds(now - m_gradientAt);
    }
}

Json StepProfile::report() const {
    const double steps = static_cast<double>(std::max<std::int64_t>(1, m_steps));
    Json phases = Json::object(), blocks = Json::array(), timeline = Json::array();
    for (std::size_t i = 0; i < kPhases; ++i) {
        phases[std::string(kNames[i]) + "_ms"] = m_phaseMs[i] / steps;
    }
    phases["total_ms"] = m_totalMs / steps;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const Block& block = m_blocks[i];
        if (block.ran) {
            const graph::ResolvedNode& node = m_model.graph().nodes[i];
            blocks.push_back({{"block", node.path},
                              {"type", node.type},
                              {"forward_ms", block.forwardMs / steps},
                              {"backward_ms", block.backwardMs / steps},
                              {"kept_bytes", block.kept},
                              {"live_bytes", block.liveLast},
                              {"growth_bytes", block.liveLast - block.liveFirst}});
        }
    }
    for (const Moment& moment : m_timeline) {
        timeline.push_back(
            {moment.ms, moment.bytes, nameOf(moment.phase),
             moment.leaf < 0 ? std::string() : m_model.graph().nodes[static_cast<std::size_t>(moment.leaf)].path});
    }
    Json memory{{"timeline", std::move(timeline)}, {"growth_bytes", m_heldLast - m_heldFirst}};
    if (!m_device.is_cpu()) {
        const DeviceMemory held = deviceMemory(m_device);
        memory.update({{"allocated", held.allocated},
                       {"reserved", held.reserved},
                       {"active", held.active},
                       {"inactive", held.inactive}});
    }
    return Json{{"steps", m_steps}, {"phases", phases}, {"blocks", blocks}, {"memory", memory}};
}

}  // namespace plumbline::train
