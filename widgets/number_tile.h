// SPDX-License-Identifier: GPL-3.0-or-later
// Small live numbers: a sparkline, and a tile with caption, value, unit and sparkline.
#pragma once

#include <QString>
#include <QWidget>
#include <deque>
#include <span>

#include "widgets/theme.h"

namespace plumbline::widgets {

/// The last `capacity` values as a line, without axes. NaN leaves a gap.
class SparkLine : public QWidget {
    Q_OBJECT

public:
    explicit SparkLine(QWidget* parent = nullptr);
    void setCapacity(int capacity);
    void setCurve(int curve);
    void append(double value);
    void setValues(std::span<const double> values);
    void clear();
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::deque<double> m_values;
    int m_capacity = 120;
    int m_curve = 0;
};

class NumberTile : public QWidget {
    Q_OBJECT

public:
    explicit NumberTile(const QString& caption = {}, QWidget* parent = nullptr);
    void setCaption(const QString& caption);
    /// The text is shown as given ("1,234"); its unit stands small beside it. Empty text shows a dash.
    void setValue(const QString& text, const QString& unit = {});
    /// Line below the value: "of 512 MB".
    void setNote(const QString& note);
    void setSeverity(Severity severity);
    /// Appends to the sparkline, which appears with the first value.
    void appendHistory(double value);
    void clear();
    QString valueText() const { return m_value; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void describe();
    void placeSpark();

    QString m_caption, m_value, m_unit, m_note;
    Severity m_severity = Severity::None;
    SparkLine* m_spark;
};

}  // namespace plumbline::widgets
