// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/source_table.h"

#include <QHeaderView>

#include "gui/convert.h"
#include "gui/project_document.h"
#include "widgets/filter_table.h"

namespace plumbline::gui {

namespace {

constexpr int kShownRows = 5;
const Json::json_pointer kSources("/data/sources");

QString shown(const Json& value) {
    return value.is_string() ? text(value.get<std::string>())
                             : text(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// What was typed, as the kind of value that stood there: a name stays text, even "1".
Json typed(const QString& entry, const Json& before) {
    if (before.is_string()) {
        return bytes(entry);
    }
    const Json parsed = Json::parse(bytes(entry), nullptr, false);
    return parsed.is_discarded() ? Json(bytes(entry)) : parsed;
}

}  // namespace

SourceTable::SourceTable(ProjectDocument& document, QWidget* parent)
    : QTableWidget(0, Columns, parent), m_document(document) {
    setObjectName(QStringLiteral("data_sources"));
    setTabKeyNavigation(false);
    setAccessibleName(tr("Sources of the data"));
    setHorizontalHeaderLabels({tr("Source"), tr("Option"), tr("Value")});
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    verticalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);
    widgets::offerCopy(*this);
    connect(this, &QTableWidget::itemChanged, this, &SourceTable::take);
    connect(&document, &ProjectDocument::projectChanged, this, &SourceTable::refresh);
    connect(&document, &ProjectDocument::changed, this, &SourceTable::refresh);
    refresh();
}

QSize SourceTable::sizeHint() const {
    return {QTableWidget::sizeHint().width(),
            horizontalHeader()->sizeHint().height() + kShownRows * verticalHeader()->defaultSectionSize()};
}

void SourceTable::refresh() {
    const Json sources = m_document.isOpen() && m_document.project().json.contains(kSources)
                             ? m_document.project().json.at(kSources)
                             : Json::object();
    if (sources == m_shown && rowCount() > 0) {
        return;
    }
    m_shown = sources;
    m_filling = true;
    setRowCount(0);
    if (sources.is_object()) {
        for (const auto& [name, options] : sources.items()) {
            for (const auto& [key, value] : options.items()) {
                const int row = rowCount();
                insertRow(row);
                const QString cells[] = {text(name), text(key), shown(value)};
                for (int column = 0; column < Columns; ++column) {
                    auto* item = new QTableWidgetItem(cells[column]);
                    item->setToolTip(cells[column]);
                    item->setFlags(column == Value ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable
                                                   : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
                    setItem(row, column, item);
                }
            }
        }
    }
    resizeColumnToContents(Source);
    resizeColumnToContents(Option);
    m_filling = false;
}

void SourceTable::take(QTableWidgetItem* item) {
    if (m_filling || item->column() != Value || !m_document.isOpen()) {
        return;
    }
    const QString option = this->item(item->row(), Option)->text();
    const Json::json_pointer pointer = kSources / bytes(this->item(item->row(), Source)->text()) / bytes(option);
    Json json = m_document.project().json;
    const QString entry = item->text().trimmed();
    if (entry.isEmpty()) {
        json.at(pointer.parent_pointer()).erase(pointer.back());
    } else {
        json.at(pointer) = typed(entry, json.at(pointer));
    }
    // Not from inside the table's own signal: the answer fills the table anew.
    QMetaObject::invokeMethod(
        this,
        [this, option, json] {
            m_shown = Json();
            if (!m_document.setJson(tr("Set %1").arg(option), json) || m_shown.is_null()) {
                refresh();  // refused, or nothing new: what stands in the project is shown again
            }
        },
        Qt::QueuedConnection);
}

}  // namespace plumbline::gui
