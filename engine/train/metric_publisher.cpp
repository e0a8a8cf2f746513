#include "train/metric_publisher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "model/memory.h"
#include "train/device_memory.h"

namespace plumbline::train {

ResidentMemory::ResidentMemory() : m_file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}

ResidentMemory::~ResidentMemory() {
    if (m_file >= 0) {
        ::close(m_file);
    }
}

std::int64_t ResidentMemory::bytes() {
    const Clock::time_point now = Clock::now();
    if (now - m_readAt < kOldest) {
        return m_bytes;
    }
    m_readAt = now;
    char text[64] = {};
    const ssize_t got = m_file >= 0 ? ::pread(m_file, text, sizeof text - 1, 0) : 0;
    const char* second = got > 0 ? std::strchr(text, ' ') : nullptr;
    m_bytes = second == nullptr ? 0 : std::strtoll(second, nullptr, 10) * ::sysconf(_SC_PAGESIZE);
    return m_bytes;
}

MetricPublisher::MetricPublisher(session::RunSink& sink, const OptimizerSet& optimizer, bool usesScaler,
                                 const monitor::Monitor* monitor, at::Device device)
    : m_sink(sink),
      m_monitor(monitor),
      m_device(device),
      m_loss(sink.series("train.loss", 1)),
      m_lr(sink.series("lr", 1)),
      m_stepMs(sink.series("step.ms", 1)),
      m_wait(sink.series("loader.wait_ms", 1)),
      m_throughput(sink.series("throughput.samples_per_second", kSlowStride)),
      m_tensors(sink.series("memory.tensors_bytes", kSlowStride)),
      m_rss(sink.series("memory.rss_bytes", kSlowStride)) {
    for (const char* part : {"gradients", "optimizer_state", "prefetch", "activations_peak"}) {
        if (device.is_cpu() || std::strcmp(part, "activations_peak") != 0) {
            m_parts.push_back(sink.series(fmt::format("memory.{}_bytes", part), kSlowStride));
        }
    }
    for (const char* kind : {"allocated", "reserved", "active", "inactive"}) {
        if (!device.is_cpu()) {
            m_deviceBytes.push_back(sink.series(fmt::format("memory.cuda_{}_bytes", kind), kSlowStride));
        }
    }
    if (usesScaler) {
        m_scale = sink.series("scaler.scale", 1);
        m_skipped = sink.series("scaler.skipped", 1);
    }
    for (const std::string& phase : optimizer.phases()) {
        m_phaseLosses.push_back(sink.series("train.loss." + phase, 1));
    }
    for (std::size_t group = 0; group < optimizer.groupCount(); ++group) {
        const std::string name = optimizer.groupName(group);
        m_hasRest = m_hasRest || name.empty();
        m_groupRates.push_back(name.empty() ? m_lr : sink.series("lr/" + name, 1));
    }
    if (monitor != nullptr) {
        declareMeasured(monitor->governor().stride());
    }
}

void MetricPublisher::declareMeasured(std::int64_t stride) {
    m_stride = stride;
    m_gradNorm = m_sink.series("grad.norm", stride);
    m_gradMax = m_sink.series("grad.max", stride);
    for (auto* ids : {&m_blockNorms, &m_blockLargest, &m_blockUpdates}) {
        ids->assign(m_monitor->facts().blocks.size(), 0);
    }
}

void MetricPublisher::putOfBlock(std::vector<session::SeriesId>& ids, const char* name, int block,
                                 const StepPoint& point, double value) {
    session::SeriesId& id = ids[static_cast<std::size_t>(block)];
    if (id == 0) {
        id = m_sink.series(fmt::format("{}/{}", name, m_monitor->facts().blocks[static_cast<std::size_t>(block)].path),
                           m_stride);
    }
    put(id, point, value);
}

void MetricPublisher::step(const StepPoint& point, const OptimizerSet& optimizer) {
    if (point.hasLoss) {
        put(m_loss, point, point.loss);
    }
    for (std::size_t phase = 0; phase < m_phaseLosses.size() && phase < point.phaseLosses.size(); ++phase) {
        if (!std::isnan(point.phaseLosses[phase])) {
            put(m_phaseLosses[phase], point, point.phaseLosses[phase]);
        }
    }
    if (!m_hasRest) {
        put(m_lr, point, optimizer.largestLearningRate());
    }
    put(m_stepMs, point, point.stepMs);
    put(m_wait, point, point.loaderWaitMs);
    for (std::size_t group = 0; group < m_groupRates.size(); ++group) {
        put(m_groupRates[group], point, optimizer.learningRate(group));
    }
    if (point.usesScaler) {
        put(m_scale, point, point.scale);
        put(m_skipped, point, static_cast<double>(point.skipped));
    }
}

void MetricPublisher::measured(const StepPoint& point) {
    const diagnostics::StepStats& stats = m_monitor->lastStep();
    if (!stats.gradNormL2) {
        return;
    }
    if (m_stride != m_monitor->governor().stride()) {
        declareMeasured(m_monitor->governor().stride());
    }
    put(m_gradNorm, point, *stats.gradNormL2);
    put(m_gradMax, point, stats.gradMaxAbs.value_or(0));
    for (const diagnostics::StepStats::BlockNorm& norm : stats.blockNorms) {
        putOfBlock(m_blockNorms, "grad.norm", norm.block, point, norm.gradNormL2);
        putOfBlock(m_blockLargest, "grad.max", norm.block, point, norm.gradMaxAbs);
    }
    for (const monitor::BlockUpdate& update : m_monitor->blockUpdates()) {
        putOfBlock(m_blockUpdates, "update.ratio", update.block, point, update.ratio);
    }
}

void MetricPublisher::slow(const StepPoint& point, double samplesPerSecond, const MemoryParts& parts) {
    put(m_throughput, point, samplesPerSecond);
    put(m_tensors, point, static_cast<double>(model::tensorMemory().current));
    put(m_rss, point, static_cast<double>(m_resident.bytes()));
    const std::int64_t ofParts[] = {parts.gradients, parts.optimizerState, parts.prefetch, parts.activationsPeak};
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        put(m_parts[i], point, static_cast<double>(ofParts[i]));
    }
    if (!m_deviceBytes.empty()) {
        const DeviceMemory memory = deviceMemory(m_device);
        const std::int64_t bytes[] = {memory.allocated, memory.reserved, memory.active, memory.inactive};
        for (std::size_t i = 0; i < m_deviceBytes.size(); ++i) {
            put(m_deviceBytes[i], point, static_cast<double>(bytes[i]));
        }
    }
}

void MetricPublisher::epochValue(const StepPoint& point, const std::string& name, double value) {
    auto found = m_epochSeries.find(name);
    if (found == m_epochSeries.end()) {
        found = m_epochSeries.emplace(name, m_sink.series(name, 0)).first;
    }
    put(found->second, point, value);
}

}  // namespace plumbline::train
