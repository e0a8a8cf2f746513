// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/block_statistics.h"

#include <algorithm>
#include <cmath>

#include "gui/convert.h"
#include "gui/model/canvas_adapter.h"
#include "gui/run_bridge.h"

namespace plumbline::gui {

namespace {
constexpr int kThrottleMs = 100;
constexpr double kDecades = 4;  // of a logarithmic scale below the largest value

/// The series that feeds a live statistic; empty for one that the model itself has.
QString seriesPrefix(BlockStatistics::Kind kind) {
    using Kind = BlockStatistics::Kind;
    return kind == Kind::GradientNorm      ? QStringLiteral("grad.norm/")
           : kind == Kind::LargestGradient ? QStringLiteral("grad.max/")
                                           : QString();
}
}  // namespace

BlockStatistics::BlockStatistics(CanvasAdapter& adapter, RunBridge& bridge, QObject* parent) : QObject(parent), m_adapter(adapter) {
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
        if (m_kind == Kind::Parameters || m_kind == Kind::Macs) {
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
        for (const Kind kind : {Kind::GradientNorm, Kind::LargestGradient}) {
            const QString prefix = seriesPrefix(kind);
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

QString BlockStatistics::label(Kind kind) {
    return kind == Kind::GradientNorm ? tr("‖grad‖ %1") : tr("max |grad| %1");
}

QString BlockStatistics::caption(Kind kind) {
    switch (kind) {
        case Kind::GradientNorm: return tr("Gradient norm (L2), logarithmic");
        case Kind::LargestGradient: return tr("Largest gradient (magnitude), logarithmic");
        case Kind::Parameters: return tr("Share of the parameters shown (%)");
        case Kind::Macs: return tr("Share of the MACs shown (%)");
        case Kind::None: break;
    }
    return {};
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
    const bool live = !seriesPrefix(m_kind).isEmpty();
    const QHash<QString, double> leaves = m_live.value(m_kind);
    QHash<QString, double> values;
    for (const graph::Node& node : graph->nodes) {
        const std::string name = m_adapter.here().pathOf(node.name);
        const QString path = text(name);
        if (live) {
            // A composite's norm is that of all its parameters together; of the others it shows the largest inside.
            double squares = 0, largest = 0;
            bool found = false;
            for (auto it = leaves.cbegin(); it != leaves.cend(); ++it) {
                if (it.key() == path || it.key().startsWith(path + QLatin1Char('.'))) {
                    squares += it.value() * it.value();
                    largest = std::max(largest, it.value());
                    found = true;
                }
            }
            if (found) {
                values.insert(path, m_kind == Kind::GradientNorm ? std::sqrt(squares) : largest);
            }
            continue;
        }
        const ResolvedIndex::Cost cost = m_adapter.index().cost(name);
        const double value = m_kind == Kind::Parameters ? static_cast<double>(cost.parameters) : static_cast<double>(cost.macs.value_or(0));
        if (value > 0) {
            values.insert(path, value);
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
        if (live) {
            const double scaled = !std::isfinite(value) ? 1 : value <= 0 || largest <= 0 ? 0 : 1 + std::log10(value / largest) / kDecades;
            fills.insert(it.key(), {std::clamp(scaled, 0.0, 1.0), label(m_kind).arg(QLocale().toString(value, 'g', 3))});
        } else {
            fills.insert(it.key(), {value / total, tr("%1 %").arg(QLocale().toString(100 * value / total, 'f', 1))});
        }
    }
    m_adapter.setFills(fills);
    if (fills.isEmpty()) {
        tellScale({});
    } else if (live) {
        const auto number = [](double value) { return QLocale().toString(value, 'g', 3); };
        tellScale({caption(m_kind), number(largest * std::pow(10.0, -kDecades)), number(largest)});
    } else {
        tellScale({caption(m_kind), tr("%1 %").arg(0), tr("%1 %").arg(100)});
    }
}

}  // namespace plumbline::gui
