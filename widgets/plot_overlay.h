// SPDX-License-Identifier: GPL-3.0-or-later
// Cursor, read-out and rubber band above a plot, so that moving the pointer repaints no curve. Internal to the plot.
#pragma once

#include <QWidget>

namespace plumbline::widgets {

class PlotView;

class PlotOverlay : public QWidget {
public:
    explicit PlotOverlay(PlotView* view);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintReadOut(QPainter& painter, double pixel);

    PlotView* m_view;
};

}  // namespace plumbline::widgets
