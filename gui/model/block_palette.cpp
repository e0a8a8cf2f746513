// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/block_palette.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/engine_text.h"
#include "gui/model/canvas_adapter.h"
#include "gui/model/telling.h"
#include "gui/project_document.h"
#include "widgets/empty_state.h"
#include "widgets/fuzzy_match.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

/// Keeps a type when it answers the query, and a category while one of its types does.
class PaletteFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setQuery(const QString& query) {
        m_query = query;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        if (m_query.isEmpty()) {
            return true;
        }
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        if (sourceModel()->hasChildren(index)) {
            for (int child = 0; child < sourceModel()->rowCount(index); ++child) {
                if (filterAcceptsRow(child, index)) {
                    return true;
                }
            }
            return false;
        }
        return fuzzyScore(m_query, index.data().toString()) > 0 || fuzzyScore(m_query, parent.data().toString()) > 0 ||
               index.data(Qt::ToolTipRole).toString().contains(m_query, Qt::CaseInsensitive);
    }

private:
    QString m_query;
};

}  // namespace

QList<PaletteEntry> paletteEntries(const ProjectDocument& document) {
    QList<PaletteEntry> entries;
    for (const auto& type : ProjectDocument::registry().all()) {
        const graph::BlockSpec& spec = type->spec();
        PaletteEntry entry;
        entry.type = text(spec.type);
        entry.category = text(spec.category);
        entry.blockCategory = categoryOf(spec.category);
        entry.categoryTitle = categoryName(static_cast<BlockCategory>(entry.blockCategory));
        entry.summary = engineText(spec.summary);
        if (entry.type == QLatin1String("Input")) {
            entry.summary = BlockPalette::tr("A value that comes in from outside.");
        } else if (entry.type == QLatin1String("Output")) {
            entry.summary = BlockPalette::tr("A value that goes out.");
        }
        entries << entry;
    }
    if (document.isOpen()) {
        for (const graph::Graph& definition : document.project().model.definitions) {
            entries << PaletteEntry{
                text(definition.name), QStringLiteral("composite"), categoryName(BlockCategory::Composite),
                definition.help.empty() ? BlockPalette::tr("Composite of this project.") : text(definition.help),
                static_cast<int>(BlockCategory::Composite)};
        }
    }
    return entries;
}

QList<SearchEntry> quickAddEntries(const ProjectDocument& document) {
    QList<SearchEntry> all;
    for (const PaletteEntry& entry : paletteEntries(document)) {
        SearchEntry made;
        made.id = entry.type;
        made.title = entry.type;
        made.subtitle = entry.categoryTitle;
        made.keywords = entry.category + QLatin1Char(' ') + entry.summary;
        made.icon = categoryIcon(static_cast<BlockCategory>(entry.blockCategory));
        all << made;
    }
    return all;
}

void PaletteModel::setEntries(const QList<PaletteEntry>& entries) {
    clear();
    QHash<QString, QStandardItem*> categories;
    for (const PaletteEntry& entry : entries) {
        QStandardItem*& category = categories[entry.categoryTitle];
        if (!category) {
            category = new QStandardItem(entry.categoryTitle);
            category->setEditable(false);
            QFont font = Theme::instance().smallFont();
            font.setBold(true);
            category->setFont(font);
            appendRow(category);
        }
        auto* item = new QStandardItem(categoryIcon(static_cast<BlockCategory>(entry.blockCategory)), entry.type);
        item->setEditable(false);
        item->setToolTip(entry.summary);
        item->setData(entry.type, kTypeRole);
        item->setData(entry.summary, Qt::AccessibleDescriptionRole);
        category->appendRow(item);
    }
}

QStringList PaletteModel::mimeTypes() const {
    return {QLatin1String(kBlockMime)};
}

QMimeData* PaletteModel::mimeData(const QModelIndexList& indexes) const {
    const QString type = indexes.isEmpty() ? QString() : indexes.first().data(kTypeRole).toString();
    if (type.isEmpty()) {
        return nullptr;
    }
    auto* data = new QMimeData;
    data->setData(QLatin1String(kBlockMime), type.toUtf8());
    return data;
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const bool isType = !index.data(kTypeRole).toString().isEmpty();
    return isType ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled : Qt::ItemIsEnabled;
}

BlockPalette::BlockPalette(ProjectDocument& document, QWidget* parent) : QWidget(parent), m_document(document) {
    setObjectName(QStringLiteral("palette"));
    m_search = new QLineEdit(this);
    m_search->setObjectName(QStringLiteral("palette_search"));
    m_search->setAccessibleName(tr("Search blocks"));
    m_search->setPlaceholderText(tr("Search blocks"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_model = new PaletteModel(this);
    auto* filter = new PaletteFilter(this);
    m_proxy = filter;
    m_proxy->setSourceModel(m_model);
    m_view = new QTreeView(this);
    m_view->setObjectName(QStringLiteral("palette_tree"));
    m_view->setAccessibleName(tr("Block types"));
    m_view->setModel(m_proxy);
    m_view->setHeaderHidden(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setIndentation(space::kMedium);
    m_view->setRootIsDecorated(false);
    m_view->setDragEnabled(true);
    m_view->setDragDropMode(QAbstractItemView::DragOnly);
    m_view->setUniformRowHeights(true);
    m_view->setItemsExpandable(true);
    m_view->setExpandsOnDoubleClick(true);
    m_view->installEventFilter(this);
    m_search->installEventFilter(this);
    m_none = widgets::nothingFound(QStringLiteral("palette_none"), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, 0);
    layout->setSpacing(space::kSmall);
    layout->addWidget(m_search);
    layout->addWidget(m_none);
    layout->addWidget(m_view, 1);
    setMinimumWidth(150);

    connect(m_search, &QLineEdit::textChanged, this, [this, filter](const QString& query) {
        filter->setQuery(query.trimmed());
        m_view->expandAll();
        m_none->setText(tr("No block matches \"%1\".").arg(query.trimmed()));
        m_none->setVisible(m_proxy->rowCount() == 0);
        if (!query.isEmpty() && m_proxy->rowCount() > 0) {
            m_view->setCurrentIndex(m_proxy->index(0, 0, m_proxy->index(0, 0)));
        }
    });
    connect(m_view, &QTreeView::doubleClicked, this, [this] {
        if (!currentType().isEmpty()) {
            Q_EMIT chosen(currentType());
        }
    });
    connect(&document, &ProjectDocument::projectChanged, this, &BlockPalette::reload);
    connect(&document, &ProjectDocument::changed, this, [this](Parts parts) {
        if (parts & Part::Model) {
            reload();
        }
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_definitions = {QString()};  // icons follow the colours
        reload();
    });
    m_definitions = {QString()};
    reload();
}

void BlockPalette::reload() {
    QStringList definitions;
    if (m_document.isOpen()) {
        for (const graph::Graph& definition : m_document.project().model.definitions) {
            definitions << text(definition.name) + QLatin1Char('\n') + text(definition.help);
        }
    }
    if (definitions == m_definitions) {
        return;
    }
    m_definitions = definitions;
    m_model->setEntries(paletteEntries(m_document));
    m_view->expandAll();
}

QString BlockPalette::currentType() const {
    return m_view->currentIndex().data(PaletteModel::kTypeRole).toString();
}

bool BlockPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && !currentType().isEmpty()) {
            Q_EMIT chosen(currentType());
            return true;
        }
        if (watched == m_search && (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up)) {
            m_view->setFocus();
            return false;
        }
    }
    if (watched == m_view && event->type() == QEvent::ContextMenu) {
        const QString type = currentType();
        if (m_document.isOpen() && m_document.project().model.definition(bytes(type))) {
            auto* menu = new QMenu(this);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            QAction* open = menu->addAction(icon(QStringLiteral("enter")), tr("Open %1").arg(type));
            connect(open, &QAction::triggered, this, [this, type] { Q_EMIT definitionWanted(type); });
            menu->popup(static_cast<QContextMenuEvent*>(event)->globalPos());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumbline::gui
