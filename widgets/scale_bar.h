// SPDX-License-Identifier: GPL-3.0-or-later
// What the colours or fills beside it mean: a ramp with its two ends and what is measured, with its unit.
#pragma once

#include <QString>
#include <QWidget>

namespace plumbline::widgets {

/// Lies over the lower left corner of its parent and keeps there; the mouse goes through it. Hidden without a caption.
class ScaleBar : public QWidget {
    Q_OBJECT

public:
    /// Colours of rampColor(), or a part filled with the accent as blocks of the canvas are.
    enum class Look { Ramp, Share };

    explicit ScaleBar(QWidget* parent);

    /// `caption` says what is measured and in which unit; `low` and `high` are the ends as text.
    void setScale(const QString& caption, const QString& low, const QString& high);
    void setLook(Look look);
    Look look() const { return m_look; }
    const QString& caption() const { return m_caption; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QString m_caption, m_low, m_high;
    Look m_look = Look::Share;
};

}  // namespace plumbline::widgets
