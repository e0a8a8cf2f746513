// SPDX-License-Identifier: GPL-3.0-or-later
// Bars for class counts and histograms; small, painted by hand, reachable by keyboard.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace plumbline::widgets {

struct BarSeries {
    QString name;
    std::vector<double> values;  ///< one a label
    int curve = 0;               ///< index into the theme's curves
};

/// Grouped bars with labels below (thinned when there are many), a value axis, a read-out on hover and for the arrow
/// keys, and the content as accessible description. NaN values leave a gap.
class BarChart : public QWidget {
    Q_OBJECT

public:
    explicit BarChart(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setUnit(const QString& unit);
    void setEmptyText(const QString& text);
    void setBars(const QStringList& labels, const std::vector<BarSeries>& series);
    /// Bars without gaps over even bins from lower to upper.
    void setHistogram(double lower, double upper, const std::vector<double>& counts);
    /// The same of several series beside each other in each bin, all of as many counts.
    void setHistogram(double lower, double upper, const std::vector<BarSeries>& series);
    void clear();
    int currentBar() const { return m_current; }
    QString barText(int index) const;
    /// Label and values as TSV.
    QString toTsv() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// Where the names of several series stand, each with its colour: beside the title, or below it where the chart is
    /// narrow, in as many lines as it takes.
    std::vector<QRect> legendPlaces() const;
    QString titleText() const;  ///< with the unit
    /// Of the vertical axis: fewer in a low chart, so that their numbers never overlap.
    std::vector<double> ticks() const;

Q_SIGNALS:
    void barActivated(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int titleHeight() const;
    QRectF plotRect() const;
    int barAt(const QPointF& position) const;
    double topValue() const;
    void setCurrent(int index);
    void describe();

    QString m_title, m_unit, m_emptyText;
    QStringList m_labels;
    std::vector<BarSeries> m_series;
    bool m_histogram = false;
    double m_lower = 0, m_upper = 1;
    int m_current = -1;
};

}  // namespace plumbline::widgets
