// SPDX-License-Identifier: GPL-3.0-or-later
// A line to search by, which changes nothing: undo and redo are the window's where nothing was typed into it.
#pragma once

#include <QLineEdit>

namespace plumbline::widgets {

class SearchField : public QLineEdit {
    Q_OBJECT

public:
    using QLineEdit::QLineEdit;

    bool event(QEvent* event) override;
};

}  // namespace plumbline::widgets
