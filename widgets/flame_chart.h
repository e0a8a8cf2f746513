// SPDX-License-Identifier: GPL-3.0-or-later
// Where time goes: spans on lanes below each other, a span's parts under it.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace plumbline::widgets {

struct FlameSpan {
    QString name;      ///< shown where there is room
    QString detail;    ///< read out, with its unit: "conv, forward: 1.2 ms, 8 %"
    int lane = 0;      ///< 0 on top
    double start = 0;  ///< all in one unit, from 0 on
    double length = 0;
    int curve = 0;    ///< index into the theme's curves
    QString id = {};  ///< told by spanActivated(); empty: nothing to open
};

/// Painted by hand. Left and Right go along a lane, Up and Down between lanes; Return and a click open a span; a
/// read-out on hover and for the keys; the content is the accessible description. What is shorter than a pixel is not
/// drawn, but read out.
class FlameChart : public QWidget {
    Q_OBJECT

public:
    explicit FlameChart(QWidget* parent = nullptr);

    /// In the order in which they are read out; `total` is as wide as the chart.
    void setSpans(std::vector<FlameSpan> spans, double total);
    const std::vector<FlameSpan>& spans() const { return m_spans; }
    void setEmptyText(const QString& text);
    int currentSpan() const { return m_current; }
    QRectF spanRect(int index) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void spanActivated(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int laneCount() const;
    int laneHeight() const;
    int spanAt(const QPointF& position) const;
    /// The next one of this lane in a direction, or the nearest of another lane; `index` where there is none.
    int neighbour(int index, int along, int lanes) const;
    void setCurrent(int index, bool tell);
    void activate(int index);
    void describe();

    std::vector<FlameSpan> m_spans;
    double m_total = 1;
    int m_current = -1;
    QString m_emptyText;
};

}  // namespace plumbline::widgets
