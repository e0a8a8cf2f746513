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
const QString kGradientPrefix = QStringLiteral("grad.norm/");
}  // namespace

BlockStatistics::BlockStatistics(CanvasAdapter& adapter, RunBridge& bridge, QObject* parent) : QObject(parent), m_adapter(adapter) {
    m_throttle.setSingleShot(true);
    m_throttle.setInterval(kThrottleMs);
    connect(&m_throttle, &QTimer::timeout, this, &BlockStatistics::update);
    connect(&bridge, &RunBridge::metricsArrived, this, &BlockStatistics::take);
    connect(&bridge, &RunBridge::runStarting, this, [this] {
        m_gradientNorms.clear();
        update();
    });
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
        if (chunk.series.startsWith(kGradientPrefix)) {
            m_gradientNorms.insert(chunk.series.mid(kGradientPrefix.size()), chunk.value.back());
            any = true;
        }
    }
    if (any && m_kind == Kind::GradientNorm && !m_throttle.isActive()) {
        m_throttle.start();
    }
}

void BlockStatistics::update() {
    QHash<QString, CanvasAdapter::Fill> fills;
    const graph::Graph* graph = m_adapter.currentGraph();
    if (m_kind == Kind::None || !graph) {
        m_adapter.setFills({});
        return;
    }
    QHash<QString, double> values;
    for (const graph::Node& node : graph->nodes) {
        const std::string name = m_adapter.here().pathOf(node.name);
        const QString path = text(name);
        if (m_kind == Kind::GradientNorm) {
            // A composite's norm is that of all its parameters together.
            double squares = 0;
            bool found = false;
            for (auto it = m_gradientNorms.cbegin(); it != m_gradientNorms.cend(); ++it) {
                if (it.key() == path || it.key().startsWith(path + QLatin1Char('.'))) {
                    squares += it.value() * it.value();
                    found = true;
                }
            }
            if (found) {
                values.insert(path, std::sqrt(squares));
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
        if (m_kind == Kind::GradientNorm) {
            const double scaled = !std::isfinite(value) ? 1 : value <= 0 || largest <= 0 ? 0 : 1 + std::log10(value / largest) / kDecades;
            fills.insert(it.key(), {std::clamp(scaled, 0.0, 1.0), tr("‖grad‖ %1").arg(QLocale().toString(value, 'g', 3))});
        } else {
            fills.insert(it.key(), {value / total, tr("%1 %").arg(QLocale().toString(100 * value / total, 'f', 1))});
        }
    }
    m_adapter.setFills(fills);
}

}  // namespace plumbline::gui
