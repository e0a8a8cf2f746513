// SPDX-License-Identifier: GPL-3.0-or-later
// What is painted into a plot: bands below, curves, marks above. Internal to the plot.
#pragma once

#include "widgets/plot_view.h"

namespace plumbline::widgets {

/// Everything below the axes' grid: epoch bands, and the empty text.
class PlotBackdrop : public QCPLayerable {
public:
    PlotBackdrop(PlotView* view, QCPAxisRect* area);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return m_area->rect(); }
    void draw(QCPPainter* painter) override;

private:
    PlotView* m_view;
    QCPAxisRect* m_area;
};

/// All curves: raw ones behind their smoothed ones, each at most a few lines a pixel column.
class PlotCurves : public QCPLayerable {
public:
    PlotCurves(PlotView* view, QCPAxisRect* area);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    QRect clipRect() const override { return m_area->rect(); }
    void draw(QCPPainter* painter) override;

private:
    struct Look;
    void drawColumn(QCPPainter* painter, const PlotSeries& series, const PlotColumn& column, const Look& look) const;

    PlotView* m_view;
    QCPAxisRect* m_area;
};

/// Not-finite values and skipped steps on the axis, events as lines with their severity's icon.
class PlotMarks : public QCPLayerable {
public:
    PlotMarks(PlotView* view, QCPAxisRect* area);

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    PlotView* m_view;
    QCPAxisRect* m_area;
};

inline constexpr int kMarkSize = 14;
/// Where the icon of a mark at pixel x stands.
QRectF markRect(const QRect& area, double x);

}  // namespace plumbline::widgets
