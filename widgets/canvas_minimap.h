// SPDX-License-Identifier: GPL-3.0-or-later
// The whole level in a corner of the canvas, with the part in view. Internal to the canvas.
#pragma once

#include <QPixmap>
#include <QWidget>

namespace plumbline::widgets {

class CanvasScene;
class CanvasView;

/// Hidden while the whole level is in view. Click or drag goes there.
class CanvasMinimap : public QWidget {
public:
    CanvasMinimap(CanvasView* view, CanvasScene* scene);
    void setWanted(bool wanted);
    /// Blocks moved, came or went.
    void invalidate();
    /// The view scrolled or zoomed.
    void follow();
    /// Into the lower right corner of the viewport.
    void place();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    QTransform toMap() const;
    void goTo(const QPointF& position);

    CanvasView* m_view;
    CanvasScene* m_scene;
    QPixmap m_picture;
    QRectF m_content;
    bool m_wanted = true;
    bool m_dirty = true;
};

}  // namespace plumbline::widgets
