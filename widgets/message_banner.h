// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence over the content, with what to do about it. Never modal, and nothing moves when it comes or goes. What is
// merely told leaves once it had time to be read; an error, a warning and what offers something stay.
#pragma once

#include <QFrame>
#include <QTimer>

#include "widgets/theme.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace plumbline::widgets {

/// Hidden until showMessage(). Announced to assistive technology when it appears.
class MessageBanner : public QFrame {
    Q_OBJECT

public:
    explicit MessageBanner(QWidget* parent = nullptr);

    /// Lies in the lower (or upper) right corner of `host`, a child of the banner's parent, and follows its size.
    void floatOver(QWidget* host, Qt::Edge edge = Qt::BottomEdge);

    /// `hint` is the next step, shown muted. An empty action text shows no button.
    void showMessage(Severity severity, const QString& sentence, const QString& hint = {},
                     const QString& actionText = {});
    /// Another button, until the next showMessage(); empty: none.
    void setSecondAction(const QString& text);
    void dismiss();
    QString message() const;
    /// How long a sentence that is merely told stays: long enough to be read slowly, and while the pointer or the
    /// keyboard is in it.
    int readingMs() const;
    /// For all sentences alike; 0: as their length asks.
    void setReadingMs(int ms) { m_readingMs = ms; }

Q_SIGNALS:
    void actionTriggered();
    void secondTriggered();
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateIcon();
    void place();
    void leaveWhenRead();

    QWidget* m_host = nullptr;
    Qt::Edge m_edge = Qt::BottomEdge;
    QTimer m_reading;
    int m_readingMs = 0;
    Severity m_severity = Severity::Info;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QPushButton* m_second;
    QToolButton* m_close;
};

}  // namespace plumbline::widgets
