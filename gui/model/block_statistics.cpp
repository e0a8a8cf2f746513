// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/block_statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "gui/convert.h"
#include "gui/model/canvas_adapter.h"
#include "gui/run_bridge.h"
#include "widgets/axis_ticks.h"

namespace plumbline::gui {

namespace {
constexpr int kThrottleMs = 100;
constexpr double kDecades = 4;  // of a logarithmic scale below the largest value

using Kind = BlockStatistics::Kind;

/// The statistics of a run, and the series that feeds each.
constexpr std::pair<Kind, const char*> kLive[] = {
    {Kind::GradientNorm, "grad.norm/"}, {Kind::LargestGradient, "grad.max/"}, {Kind::UpdateRatio, "update.ratio/"}};

bool isLive(Kind kind) {
    return std::any_of(std::begin(kLive), std::end(kLive), [kind](const auto& live) { return live.first == kind; });
}
bool isShare(Kind kind) {
    return kind == Kind::Parameters || kind == Kind::Macs;
}
}  // namespace

BlockStatistics::BlockStatistics(CanvasAdapter& adapter, RunBridge& bridge, QObject* parent)
    : QObject(parent), m_adapter(adapter) {
    m_throttle.setSingleShot(true);
    m_throttle.setInterval(kThrottleMs);
    connect(&m_throttle, &QTimer::timeout, this, &BlockStatistics::update);
    connect(&bridge, &RunBridge::metricsArrived, this, &BlockStatistics::take);
    // Another run, or another project whose blocks may have the same names.
    for (const auto starts : {&RunBridge::runStarting, &RunBridge::forgotten}) {
        connect(&bridge, starts, this, [this] {
            m_live.clear();
            update();
        });
    }
    connect(&adapter, &widgets::CanvasModel::levelChanged, this, &BlockStatistics::update);
    connect(&adapter.document(), &ProjectDocument::checked, this, [this] {
        if (m_kind != Kind::None && !isLive(m_kind)) {
            m_throttle.start();
        }
    });
}

void BlockStatistics::setKind(Kind kind) {
    m_kind = kind;
    update();
}

void BlockStatistics::take(const QList<SeriesChunk>& chunks) {
    bool any = false;
    for (const SeriesChunk& chunk : chunks) {
        for (const auto& [kind, name] : kLive) {
            const QLatin1String prefix(name);
            if (chunk.series.startsWith(prefix)) {
                m_live[kind].insert(chunk.series.mid(prefix.size()), chunk.value.back());
                any = any || kind == m_kind;
            }
        }
    }
    if (any && !m_throttle.isActive()) {
        m_throttle.start();
    }
}

QString BlockStatistics::label(double value, bool isComposite) const {
    const QString number = std::isfinite(value) ? QLocale().toString(value, 'g', 3) : widgets::shortNumber(value);
    switch (m_kind) {
        case Kind::GradientNorm:
            return tr("‖grad‖ %1").arg(number);
        case Kind::LargestGradient:
            return tr("max |grad| %1").arg(number);
        case Kind::UpdateRatio:
            return (isComposite ? tr("max ‖Δw‖/‖w‖ %1") : tr("‖Δw‖/‖w‖ %1")).arg(number);
        case Kind::Memory:
            return bytesText(value);
        case Kind::Parameters:
        case Kind::Macs:
        case Kind::None:
            break;
    }
    return {};
}

QString BlockStatistics::caption() const {
    switch (m_kind) {
        case Kind::GradientNorm:
            return tr("Gradient norm (L2), logarithmic");
        case Kind::LargestGradient:
            return tr("Largest gradient (magnitude), logarithmic");
        case Kind::UpdateRatio:
            return tr("Update ratio ‖Δw‖ / ‖w‖ of a step, logarithmic");
        case Kind::Parameters:
            return tr("Share of the parameters shown (%)");
        case Kind::Macs:
            return tr("Share of the MACs shown (%)");
        case Kind::Memory:
            return tr("Memory of parameters and outputs (bytes), batch of %1")
                .arg(m_adapter.document().project().data.loader.batchSize);
        case Kind::None:
            break;
    }
    return {};
}

std::optional<double> BlockStatistics::valueOf(const std::string& name) const {
    if (!isLive(m_kind)) {
        const ResolvedIndex::Cost cost = m_adapter.index().cost(name);
        const double value = m_kind == Kind::Parameters ? static_cast<double>(cost.parameters)
                             : m_kind == Kind::Macs     ? static_cast<double>(cost.macs.value_or(0))
                                                        : static_cast<double>(m_adapter.index().memory(
                                                              name, m_adapter.document().project().data.loader.batchSize));
        return value > 0 ? std::optional(value) : std::nullopt;
    }
    // The norm of a composite is that of all its parameters together; of the others it shows the largest inside.
    const QString path = text(name);
    double squares = 0, largest = 0;
    bool found = false, isInfinite = false, isNan = false;
    const QHash<QString, double> leaves = m_live.value(m_kind);
    for (auto it = leaves.cbegin(); it != leaves.cend(); ++it) {
        if (it.key() == path || it.key().startsWith(path + QLatin1Char('.'))) {
            isNan = isNan || std::isnan(it.value());
            isInfinite = isInfinite || std::isinf(it.value());
            squares += it.value() * it.value();
            largest = std::max(largest, it.value());
            found = true;
        }
    }
    if (!found) {
        return {};
    }
    if (isNan || isInfinite) {
        return isNan ? std::nan("") : HUGE_VAL;
    }
    return m_kind == Kind::GradientNorm ? std::sqrt(squares) : largest;
}

void BlockStatistics::tellScale(const Scale& scale) {
    if (scale != m_scale) {
        m_scale = scale;
        Q_EMIT scaleChanged(scale);
    }
}

void BlockStatistics::update() {
    QHash<QString, CanvasAdapter::Fill> fills;
    const graph::Graph* graph = m_adapter.currentGraph();
    if (m_kind == Kind::None || !graph) {
        m_adapter.setFills({});
        tellScale({});
        return;
    }
    QHash<QString, double> values;
    for (const graph::Node& node : graph->nodes) {
        const std::string path = m_adapter.here().pathOf(node.name);
        if (const auto value = valueOf(path)) {
            values.insert(text(path), *value);
        }
    }
    double largest = 0;
    double total = 0;
    for (const double value : values) {
        largest = std::max(largest, std::isfinite(value) ? value : 0);
        total += value;
    }
    for (auto it = values.cbegin(); it != values.cend(); ++it) {
        const double value = it.value();
        if (isShare(m_kind)) {
            fills.insert(it.key(), {value / total, tr("%1 %").arg(QLocale().toString(100 * value / total, 'f', 1))});
            continue;
        }
        const bool isComposite = m_adapter.index().leaf(bytes(it.key())) == nullptr;
        const double scaled = !std::isfinite(value)        ? 1
                              : value <= 0 || largest <= 0 ? 0
                              : isLive(m_kind)             ? 1 + std::log10(value / largest) / kDecades
                                                           : value / largest;
        fills.insert(it.key(), {std::clamp(scaled, 0.0, 1.0), label(value, isComposite)});
    }
    m_adapter.setFills(fills);
    const auto number = [](double value) { return QLocale().toString(value, 'g', 3); };
    if (fills.isEmpty()) {
        tellScale({});
    } else if (isShare(m_kind)) {
        tellScale({caption(), tr("%1 %").arg(0), tr("%1 %").arg(100)});
    } else if (m_kind == Kind::Memory) {
        tellScale({caption(), QStringLiteral("0"), bytesText(largest)});
    } else {
        tellScale({caption(), number(largest * std::pow(10.0, -kDecades)), number(largest)});
    }
}

}  // namespace plumbline::gui
