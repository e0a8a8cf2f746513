// SPDX-License-Identifier: GPL-3.0-or-later
// A sentence over the content, with what to do about it. Never modal, and nothing moves when it comes or goes.
#pragma once

#include <QFrame>

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

    /// Lies over the lower edge of `host`, a child of the banner's parent, and follows its size.
    void floatOver(QWidget* host);

    /// `hint` is the next step, shown muted. An empty action text shows no button.
    void showMessage(Severity severity, const QString& sentence, const QString& hint = {},
                     const QString& actionText = {});
    void dismiss();
    QString message() const;

Q_SIGNALS:
    void actionTriggered();
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateIcon();
    void place();

    QWidget* m_host = nullptr;

    Severity m_severity = Severity::Info;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_close;
};

}  // namespace plumbline::widgets
