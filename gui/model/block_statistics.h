// SPDX-License-Identifier: GPL-3.0-or-later
// The statistic that fills the blocks of the canvas: live from a run, or a share of the model.
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>
#include <optional>
#include <string>

namespace plumbline::gui {

class CanvasAdapter;
class RunBridge;
struct SeriesChunk;

/// Fills change at most ten times a second.
class BlockStatistics : public QObject {
    Q_OBJECT

public:
    enum class Kind { None, GradientNorm, LargestGradient, UpdateRatio, Parameters, Macs, Memory };

    BlockStatistics(CanvasAdapter& adapter, RunBridge& bridge, QObject* parent = nullptr);
    void setKind(Kind kind);
    Kind kind() const { return m_kind; }

    /// What the fills mean: what is measured with its unit, and its two ends. Empty while nothing is filled.
    struct Scale {
        QString caption, low, high;
        bool operator==(const Scale&) const = default;
    };

Q_SIGNALS:
    void scaleChanged(const plumbline::gui::BlockStatistics::Scale& scale);

private:
    void take(const QList<SeriesChunk>& chunks);
    void update();
    /// Of a block at this level, from the leaves inside it or from the model; nothing where it has none.
    std::optional<double> valueOf(const std::string& path) const;
    QString label(double value, bool isComposite) const;
    QString caption() const;
    void tellScale(const Scale& scale);

    CanvasAdapter& m_adapter;
    Kind m_kind = Kind::GradientNorm;
    Scale m_scale;
    /// Newest value of each leaf of the model by path, of each live statistic.
    QHash<Kind, QHash<QString, double>> m_live;
    QTimer m_throttle;
};

}  // namespace plumbline::gui
