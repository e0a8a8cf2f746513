// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing surface of PlotWidget: curves, bands, marks, cursor and mouse. Internal.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/plot_library.h"
#include "widgets/plot_series.h"
#include "widgets/plot_widget.h"

namespace plumbline::widgets {

class PlotOverlay;

/// What the curves layer and the decorations read.
struct PlotContent {
    std::vector<std::unique_ptr<PlotSeries>> series;
    std::vector<double> skippedSteps;
    std::vector<double> epochStarts;
    std::vector<PlotMark> marks;
    PlotXAxis axis = PlotXAxis::Step;
    QString xName;  ///< what the steps are, where they are none
    double smoothing = 0;
    QString emptyText;
    std::optional<double> lowerLimit, upperLimit;

    PlotSeries* find(const QString& id) const;
    bool hasData() const;
    /// A step on the axis of the moment, by the longest series that knows both; NaN when none does.
    double mapStep(double step) const;
};

QColor seriesColor(const PlotSeriesSpec& spec);
/// On and off lengths in pixels of a series' line; empty for a solid one. A colour that comes round again has another
/// pattern, so that no two curves of a plot look alike.
std::vector<double> seriesDashes(const PlotSeriesSpec& spec);
/// Pen of a sample of the line in a legend.
QPen samplePen(const PlotSeriesSpec& spec, const QColor& color);

class PlotView : public QCustomPlot {
public:
    PlotView(PlotContent& content, QWidget* parent);

    /// What the widget around it is told.
    std::function<void()> onZoomChanged;
    std::function<void(double)> onCursorMoved;  ///< NaN: left
    std::function<void(const QString&)> onMarkActivated;
    std::function<void()> onReplotted;

    void scheduleReplot();
    void replotNow();

    bool isZoomed() const { return !m_followX || !m_followY; }
    bool isXZoomed() const { return !m_followX; }
    void resetZoom();
    void resetXZoom();
    void setX(double lower, double upper);
    void setY(double lower, double upper);
    void panBy(double xPixels, double yPixels);
    void zoomAt(const QPointF& at, double factor, bool horizontal, bool vertical);
    void setLog(QCPAxis* axis, bool on);
    void setSpaceHeld(bool held);
    void moveCursor(double x, bool tell);
    void stepCursor(int direction);
    double cursor() const { return m_cursor; }
    void applyTheme();
    /// Axes' ticks and labels for the axis of the moment.
    void refreshAxes();
    void setAxisLabel(QCPAxis* axis, const QString& label);

    QRect axisArea() const { return axisRect()->rect(); }
    /// Pixel ends of a drawn read-out row: newest text for a series at x.
    QString valueAt(const PlotSeries& series, double x) const;
    QString xText(double x) const;
    PlotContent& content() { return m_content; }
    std::optional<std::size_t> markAt(const QPointF& position) const;
    std::optional<QRectF> rubberBand() const { return m_band; }

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void followData();
    void autoScaleX();
    void autoScaleY(QCPAxis* axis, PlotSide side);
    void finishBand();
    /// Fewer ticks and no labels where there is no room for them.
    void fitAxes();

    PlotContent& m_content;
    PlotOverlay* m_overlay;
    QHash<QCPAxis*, QString> m_labels;
    QTimer m_timer;
    QElapsedTimer m_sinceReplot;
    bool m_followX = true, m_followY = true;
    bool m_spaceHeld = false, m_panning = false;
    QPointF m_pressed, m_last;
    std::optional<QRectF> m_band;
    double m_cursor = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace plumbline::widgets
