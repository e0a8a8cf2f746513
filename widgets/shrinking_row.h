// SPDX-License-Identifier: GPL-3.0-or-later
// A row that gives up its lesser parts where there is no room for all of them.
#pragma once

#include <QHBoxLayout>
#include <QList>
#include <QString>
#include <QWidget>

class QAbstractButton;

namespace plumbline::widgets {

class ShrinkingRow : public QWidget {
    Q_OBJECT

public:
    explicit ShrinkingRow(QWidget* parent = nullptr);

    QHBoxLayout* row() const { return m_row; }
    /// Hidden where the row is narrow; what is named first goes first.
    void giveUp(QWidget* widget);
    /// The button keeps its icon where the row is narrow; its text becomes its name and tool tip.
    void giveUpText(QAbstractButton* button);

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;

private:
    struct Part {
        QWidget* widget = nullptr;
        QAbstractButton* button = nullptr;  ///< loses its text only
        QString text;
        int full = 0;
        int bare = 0;
    };
    int neededWidth(qsizetype given) const;
    void fit();

    QHBoxLayout* m_row;
    QList<Part> m_parts;
};

}  // namespace plumbline::widgets
