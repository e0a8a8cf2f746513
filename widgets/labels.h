// SPDX-License-Identifier: GPL-3.0-or-later
// Small text widgets: a label that elides, and a chip with a severity's icon.
#pragma once

#include <QWidget>

#include "widgets/theme.h"

namespace plumbline::widgets {

/// One line that ends in "…" when there is no room; the whole text is tooltip and accessible name.
class ElidedLabel : public QWidget {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    void setText(const QString& text);
    QString text() const { return m_text; }
    void setElideMode(Qt::TextElideMode mode);
    void setMuted(bool muted);
    bool isElided() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
    Qt::TextElideMode m_mode = Qt::ElideRight;
    bool m_muted = false;
};

/// Icon of the severity and a short text ("2 critical"); clickable when told so, then a button to the keyboard too.
class StatusChip : public QWidget {
    Q_OBJECT

public:
    explicit StatusChip(QWidget* parent = nullptr);
    void setStatus(Severity severity, const QString& text);
    Severity severity() const { return m_severity; }
    QString text() const { return m_text; }
    void setClickable(bool clickable);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Severity m_severity = Severity::None;
    QString m_text;
    bool m_clickable = false;
};

}  // namespace plumbline::widgets
