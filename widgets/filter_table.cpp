// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/filter_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <optional>

#include "widgets/icons.h"
#include "widgets/search_field.h"
#include "widgets/search_popup.h"
#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {

/// Every word somewhere in the row; what cannot be compared sorts last whatever the direction.
class RowProxy : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setWords(const QStringList& words) {
        m_words = words;
        invalidateFilter();
    }

    void setWanted(std::function<bool(int)> wanted) {
        m_wanted = std::move(wanted);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        if (m_wanted && !m_wanted(row))
            return false;
        if (m_words.isEmpty())
            return true;
        QString text;
        for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
            text += sourceModel()->index(row, column, parent).data().toString() + QLatin1Char('\t');
        return std::all_of(m_words.begin(), m_words.end(),
                           [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }

    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const QVariant a = left.data(sortRole());
        const QVariant b = right.data(sortRole());
        const bool noA = isNothing(a);
        const bool noB = isNothing(b);
        if (noA || noB)
            return sortOrder() == Qt::AscendingOrder ? !noA && noB : noA && !noB;
        return QSortFilterProxyModel::lessThan(left, right);
    }

private:
    static bool isNothing(const QVariant& value) {
        if (value.typeId() == QMetaType::Double)
            return std::isnan(value.toDouble());
        return !value.isValid() || value.toString().isEmpty();
    }

    QStringList m_words;
    std::function<bool(int)> m_wanted;
};

QString cellText(const QModelIndex& index) {
    QString text = index.data().toString();
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

}  // namespace

QString selectionAsTsv(const QTableView& view) {
    if (!view.selectionModel())
        return {};
    const QModelIndexList chosen = view.selectionModel()->selectedIndexes();
    QList<int> rows, columns;
    for (const QModelIndex& index : chosen) {
        if (view.isColumnHidden(index.column()))
            continue;
        if (!rows.contains(index.row()))
            rows.append(index.row());
        if (!columns.contains(index.column()))
            columns.append(index.column());
    }
    std::sort(rows.begin(), rows.end());
    std::sort(columns.begin(), columns.end(), [&view](int a, int b) {
        return view.horizontalHeader()->visualIndex(a) < view.horizontalHeader()->visualIndex(b);
    });
    if (rows.size() == 1 && columns.size() == 1)
        return cellText(view.model()->index(rows[0], columns[0]));
    QStringList lines, cells;
    for (const int column : columns)
        cells.append(view.model()->headerData(column, Qt::Horizontal).toString());
    lines.append(cells.join(QLatin1Char('\t')));
    for (const int row : rows) {
        cells.clear();
        for (const int column : columns) {
            const QModelIndex index = view.model()->index(row, column);
            cells.append(view.selectionModel()->isSelected(index) ? cellText(index) : QString());
        }
        lines.append(cells.join(QLatin1Char('\t')));
    }
    return chosen.isEmpty() ? QString() : lines.join(QLatin1Char('\n'));
}

namespace {

class CopyKey : public QObject {
public:
    explicit CopyKey(QTableView& view) : QObject(&view), m_view(view) { view.installEventFilter(this); }

    void copy() const {
        if (const QString text = selectionAsTsv(m_view); !text.isEmpty())
            QApplication::clipboard()->setText(text);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
            copy();
            return true;
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QTableView& m_view;
};

}  // namespace

void offerCopy(QTableView& view) {
    auto* key = new CopyKey(view);
    auto* copy = new QAction(icon(QStringLiteral("copy")), FilterTable::tr("Copy"), &view);
    copy->setObjectName(QStringLiteral("table_copy"));
    copy->setProperty(CommandPalette::kOfOnePlace, true);
    QObject::connect(copy, &QAction::triggered, key, &CopyKey::copy);
    view.addAction(copy);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

FilterTable::FilterTable(QWidget* parent)
    : QWidget(parent),
      m_filter(new SearchField),
      m_view(new QTableView),
      m_empty(new QLabel(m_view->viewport())),
      m_proxy(new RowProxy(this)) {
    m_filter->setObjectName(QStringLiteral("tableFilter"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_view->setObjectName(QStringLiteral("table"));
    m_view->setAccessibleName(tr("Table"));
    // Before the view listens: its selection changes while rows go.
    for (const auto about : {&QAbstractItemModel::rowsAboutToBeRemoved, &QAbstractItemModel::columnsAboutToBeRemoved})
        connect(m_proxy, about, this, [this] { ++m_changing; });
    for (const auto done : {&QAbstractItemModel::rowsRemoved, &QAbstractItemModel::columnsRemoved})
        connect(m_proxy, done, this, [this] { --m_changing; });
    m_view->setModel(m_proxy);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);  // the model's order until one is asked for
    m_view->setSortingEnabled(true);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + space::kMedium);
    m_view->horizontalHeader()->setSectionsMovable(true);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->installEventFilter(this);
    offerCopy(*m_view);
    m_view->viewport()->installEventFilter(this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_proxy->setSortRole(Qt::EditRole);
    m_proxy->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setDynamicSortFilter(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kSmall);
    m_filters = new QHBoxLayout;
    m_filters->setSpacing(space::kSmall);
    m_filters->addWidget(m_filter, 1);
    layout->addLayout(m_filters);
    layout->addWidget(m_view, 1);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        ++m_changing;
        static_cast<RowProxy*>(m_proxy)->setWords(text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts));
        --m_changing;
        updateEmpty();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        // Who is told may change the model, and a proxy that is removing rows would remove them twice.
        if (m_changing == 0)
            Q_EMIT selectionChanged();
        else
            QMetaObject::invokeMethod(this, &FilterTable::selectionChanged, Qt::QueuedConnection);
    });
    connect(m_view, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        // A cell that a double click edits does not open its row as well.
        const bool edits = m_view->editTriggers().testFlag(QAbstractItemView::DoubleClicked) &&
                           index.flags().testFlag(Qt::ItemIsEditable);
        if (!edits)
            Q_EMIT rowActivated(m_proxy->mapToSource(index).row());
    });
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_proxy, signal, this, &FilterTable::updateEmpty);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &FilterTable::updateEmpty);
    updateEmpty();
}

void FilterTable::setModel(QAbstractItemModel* model) {
    m_proxy->setSourceModel(model);
    updateEmpty();
}

void FilterTable::setSortRole(int role) {
    m_proxy->setSortRole(role);
}
void FilterTable::setFilterPlaceholder(const QString& text) {
    m_filter->setPlaceholderText(text);
}
void FilterTable::setFilterVisible(bool visible) {
    m_filter->setVisible(visible);
}

void FilterTable::setRowFilter(std::function<bool(int)> wanted) {
    ++m_changing;
    static_cast<RowProxy*>(m_proxy)->setWanted(std::move(wanted));
    --m_changing;
    updateEmpty();
}

void FilterTable::addBesideFilter(QWidget* widget) {
    m_filters->insertWidget(m_filters->count() - 1, widget);
}

void FilterTable::setEmptyText(const QString& text) {
    m_empty->setProperty("emptyText", text);
    updateEmpty();
}

void FilterTable::updateEmpty() {
    const bool nothingPasses =
        m_proxy->sourceModel() && m_proxy->sourceModel()->rowCount() > 0 && !m_filter->text().isEmpty();
    m_empty->setText(nothingPasses ? tr("No row contains \"%1\".").arg(m_filter->text())
                                   : m_empty->property("emptyText").toString());
    m_empty->setVisible(m_proxy->rowCount() == 0 && !m_empty->text().isEmpty());
    m_empty->setGeometry(m_view->viewport()->rect().adjusted(space::kLarge, 0, -space::kLarge, 0));
}

QList<int> FilterTable::selectedRows() const {
    QModelIndexList chosen = m_view->selectionModel()->selectedRows();
    std::sort(chosen.begin(), chosen.end());
    QList<int> rows;
    for (const QModelIndex& index : chosen)
        rows.append(m_proxy->mapToSource(index).row());
    return rows;
}

int FilterTable::currentRow() const {
    return m_proxy->mapToSource(m_view->currentIndex()).row();
}

void FilterTable::selectRow(int sourceRow) {
    if (!m_proxy->sourceModel())
        return;
    const QModelIndex index = m_proxy->mapFromSource(m_proxy->sourceModel()->index(sourceRow, 0));
    if (index.isValid()) {
        m_view->selectRow(index.row());
        m_view->scrollTo(index);
    }
}

void FilterTable::copySelection() const {
    const QString text = selectionAsTsv(*m_view);
    if (!text.isEmpty())
        QApplication::clipboard()->setText(text);
}

QByteArray FilterTable::saveColumns() const {
    return m_view->horizontalHeader()->saveState();
}

void FilterTable::restoreColumns(const QByteArray& state) {
    if (!state.isEmpty())
        m_view->horizontalHeader()->restoreState(state);
}

bool FilterTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view->viewport() && event->type() == QEvent::Resize)
        updateEmpty();
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex current = m_view->currentIndex();
        if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) &&
            current.isValid()) {
            m_view->sortByColumn(current.column(), key->key() == Qt::Key_Up ? Qt::AscendingOrder : Qt::DescendingOrder);
            return true;
        }
        // Return that commits a cell's editor reaches the view too, and means the editor alone.
        const QWidget* focus = QApplication::focusWidget();
        const bool editing = focus && m_view->viewport()->isAncestorOf(focus);
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && currentRow() >= 0 && !editing) {
            Q_EMIT rowActivated(currentRow());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumbline::widgets
