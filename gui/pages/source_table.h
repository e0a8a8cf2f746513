// SPDX-License-Identifier: GPL-3.0-or-later
// Where the data come from: the options of every source, each of which can be changed.
#pragma once

#include <QTableWidget>

#include "core/json.h"

namespace plumbline::gui {

class ProjectDocument;

/// One row an option of data.sources. A changed value is one undo entry; an emptied one takes the option out. What the
/// project would not be readable with is refused and the table stays as it was.
class SourceTable : public QTableWidget {
    Q_OBJECT

public:
    explicit SourceTable(ProjectDocument& document, QWidget* parent = nullptr);
    QSize sizeHint() const override;

private:
    enum Column { Source, Option, Value, Columns };
    void refresh();
    void take(QTableWidgetItem* item);

    ProjectDocument& m_document;
    Json m_shown;  ///< data.sources as the table has it
    bool m_filling = false;
};

}  // namespace plumbline::gui
