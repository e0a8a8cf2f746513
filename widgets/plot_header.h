// SPDX-License-Identifier: GPL-3.0-or-later
// Title line of a plot: name, a chip a series with its newest value, buttons. Internal to the plot.
#pragma once

#include <QAbstractButton>
#include <QHash>
#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/plot_widget.h"

class QMenu;
class QToolButton;

namespace plumbline::widgets {

class ElidedLabel;

/// Line sample, name and newest value; a click hides or shows the series.
class SeriesChip : public QAbstractButton {
    Q_OBJECT

public:
    explicit SeriesChip(const PlotSeriesSpec& spec, QWidget* parent = nullptr);
    void setSpec(const PlotSeriesSpec& spec);
    void setValue(const QString& value);
    const QString& id() const { return m_spec.id; }
    QSize sizeHint() const override;
    /// With a name of so many pixels at most.
    int widthFor(int longestName) const;
    /// The same without its value.
    int nameWidthFor(int longestName) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();
    PlotSeriesSpec m_spec;
    QString m_value;
    int m_valueWidth = 0;  ///< only grows, so that the chips do not jitter
};

class PlotHeader : public QWidget {
    Q_OBJECT

public:
    explicit PlotHeader(QMenu* menu, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    /// The title becomes a button that chooses among several.
    void setTitleChoices(const QStringList& titles, int current);
    void setSeries(const PlotSeriesSpec& spec, bool visible);
    void removeSeries(const QString& id);
    void setChecked(const QString& id, bool visible);
    void setValue(const QString& id, const QString& value);
    void setZoomed(bool zoomed);
    void setPanelButtonsVisible(bool visible);
    /// The title can be dragged to another place; dragMoved() and dropped() say where, in global coordinates.
    void setMovable(bool movable);

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void titleChosen(int index);
    void seriesToggled(const QString& id, bool visible);
    void resetClicked();
    void enlargeClicked();
    void closeClicked();
    void dragMoved(const QPoint& globalPosition);
    void dropped(const QPoint& globalPosition);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    SeriesChip* find(const QString& id) const;
    void arrange();

    ElidedLabel* m_title;
    QToolButton* m_chooser;
    QWidget* m_room;  ///< where the chips lie
    std::vector<SeriesChip*> m_chips;
    QToolButton* m_overflow;
    QMenu* m_overflowMenu;
    QToolButton* m_reset;
    QToolButton* m_more;
    QToolButton* m_enlarge;
    QToolButton* m_close;
    bool m_movable = false;
    bool m_dragging = false;
    std::optional<QPoint> m_pressed;  ///< global, while the button is held
};

}  // namespace plumbline::widgets
