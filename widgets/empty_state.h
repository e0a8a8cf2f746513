// SPDX-License-Identifier: GPL-3.0-or-later
// What a page says when it has nothing to show, and how to get something.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace plumbline::widgets {

/// Icon, sentence and up to two buttons in the middle of the page.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);
    EmptyState(const QString& iconName, const QString& text, const QString& buttonText = {}, QWidget* parent = nullptr);

    void setIconName(const QString& name);
    void setText(const QString& text);
    /// Muted second line.
    void setDetail(const QString& text);
    /// Empty text: no button.
    void setButton(const QString& text);
    /// A button that does nothing now says why in its tooltip.
    void setButtonEnabled(bool enabled, const QString& reason = {});
    void setSecondButton(const QString& text);

Q_SIGNALS:
    void buttonClicked();
    void secondButtonClicked();

private:
    void updateIcon();

    QString m_iconName;
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_detail;
    QPushButton* m_button;
    QPushButton* m_second;
};

/// A muted line for a list whose search finds nothing; hidden, and without text.
QLabel* nothingFound(const QString& objectName, QWidget* parent);

}  // namespace plumbline::widgets
