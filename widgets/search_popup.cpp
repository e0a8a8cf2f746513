// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search_popup.h"

#include <QAbstractListModel>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QScreen>
#include <QSet>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <QWidgetAction>
#include <algorithm>

#include "widgets/fuzzy_match.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::widgets {

namespace {
constexpr int kPopupWidth = 420;
constexpr int kRowsShown = 10;
constexpr int kRowHeight = 28;
constexpr int kSubtitleRole = Qt::UserRole + 1;
}  // namespace

class SearchPopup::Model : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const SearchEntry& entry = at(index.row());
        switch (role) {
            case Qt::DisplayRole:
                return entry.title;
            case Qt::DecorationRole:
                return entry.icon;
            case Qt::AccessibleTextRole:
                return entry.subtitle.isEmpty() ? entry.title : entry.title + QStringLiteral(", ") + entry.subtitle;
            case Qt::ToolTipRole:
                return entry.enabled ? QString() : entry.reason;
            case kSubtitleRole:
                return entry.subtitle;
            default:
                return {};
        }
    }
    Qt::ItemFlags flags(const QModelIndex& index) const override {
        return at(index.row()).enabled ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemFlags(Qt::NoItemFlags);
    }
    const SearchEntry& at(int row) const { return m_entries[m_shown[row]]; }

    void setEntries(const QList<SearchEntry>& entries) {
        beginResetModel();
        m_entries = entries;
        m_shown.clear();
        endResetModel();
    }

    void filter(const QString& query) {
        QList<std::pair<int, int>> ranked;  // score, index
        for (int i = 0; i < m_entries.size(); ++i) {
            const SearchEntry& entry = m_entries[i];
            // The title counts most; words may be spread over title, subtitle and keywords.
            int score = 2 * fuzzyScore(query, entry.title);
            if (score == 0)
                score = fuzzyScore(query,
                                   entry.title + QLatin1Char(' ') + entry.subtitle + QLatin1Char(' ') + entry.keywords);
            if (score > 0)
                ranked.append({query.trimmed().isEmpty() ? 1 : score, i});
        }
        std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        beginResetModel();
        m_shown.clear();
        for (const auto& [score, index] : ranked)
            m_shown.append(index);
        endResetModel();
    }

private:
    QList<SearchEntry> m_entries;
    QList<int> m_shown;
};

namespace {

/// Icon, title, and the subtitle muted at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {kPopupWidth, kRowHeight}; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const ThemeColors& colors = Theme::instance().colors();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool enabled = option.state.testFlag(QStyle::State_Enabled);
        painter->save();
        if (selected) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(colors.accent);
            painter->drawRoundedRect(option.rect.adjusted(2, 1, -2, -1), 4, 4);
        }
        QRect rect = option.rect.adjusted(space::kSmall, 0, -space::kSmall, 0);
        const QIcon entryIcon = index.data(Qt::DecorationRole).value<QIcon>();
        if (!entryIcon.isNull()) {
            const QRect place(rect.left(), rect.center().y() - kIconSize / 2, kIconSize, kIconSize);
            entryIcon.paint(painter, place, Qt::AlignCenter,
                            !enabled   ? QIcon::Disabled
                            : selected ? QIcon::Selected
                                       : QIcon::Normal);
        }
        rect.setLeft(rect.left() + kIconSize + space::kSmall);
        const QString subtitle = index.data(kSubtitleRole).toString();
        const int right = std::min(option.fontMetrics.horizontalAdvance(subtitle), rect.width() / 2);
        painter->setPen(selected ? colors.onAccent : colors.muted);
        painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(subtitle, Qt::ElideRight, right + 1));
        painter->setPen(selected ? colors.onAccent : enabled ? colors.text : colors.muted);
        const QRect titleRect = rect.adjusted(0, 0, -right - space::kSmall, 0);
        painter->drawText(titleRect, Qt::AlignLeft | Qt::AlignVCenter,
                          option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, titleRect.width()));
        painter->restore();
    }
};

/// "&Open…" as people read it.
QString plainText(const QAction& action) {
    QString text = action.text();
    text.remove(QLatin1Char('&'));
    return text;
}

/// "Appearance: " for what stands in a submenu or in a group of docks, where its text alone says too little.
QString groupOf(const QAction& action) {
    for (const QObject* owner : action.associatedObjects()) {
        const auto* menu = qobject_cast<const QMenu*>(owner);
        if (menu && qobject_cast<const QMenu*>(menu->parentWidget()))
            return QString(menu->title()).remove(QLatin1Char('&')) + QStringLiteral(": ");
    }
    return {};
}

}  // namespace

SearchPopup::SearchPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_search(new QLineEdit),
      m_list(new QListView),
      m_none(new QLabel(tr("Nothing found. Try fewer letters."))),
      m_model(new Model(this)) {
    setObjectName(QStringLiteral("searchPopup"));
    setFrameShape(QFrame::StyledPanel);
    m_search->setObjectName(QStringLiteral("searchPopupField"));
    m_search->setAccessibleName(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("searchPopupList"));
    m_list->setAccessibleName(tr("Results"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->setMargin(space::kSmall);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    layout->addWidget(m_search);
    layout->addWidget(m_none);
    layout->addWidget(m_list, 1);

    connect(m_search, &QLineEdit::textChanged, this, &SearchPopup::refilter);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { choose(index.row()); });
    connect(m_list, &QListView::entered, this, [this](const QModelIndex& index) {
        if (index.flags().testFlag(Qt::ItemIsEnabled))
            m_list->setCurrentIndex(index);
    });
    setFixedWidth(kPopupWidth);
    setFocusProxy(m_search);
}

void SearchPopup::setPlaceholder(const QString& text) {
    m_search->setPlaceholderText(text);
}

void SearchPopup::setEntries(const QList<SearchEntry>& entries) {
    m_model->setEntries(entries);
    refilter();
}

void SearchPopup::setQuery(const QString& text) {
    m_search->setText(text);
}

QStringList SearchPopup::shownIds() const {
    QStringList ids;
    for (int row = 0; row < m_model->rowCount(); ++row)
        ids.append(m_model->at(row).id);
    return ids;
}

void SearchPopup::refilter() {
    m_model->filter(m_search->text());
    const int rows = m_model->rowCount();
    m_none->setVisible(rows == 0);
    m_list->setVisible(rows > 0);
    m_list->setFixedHeight(std::clamp(rows, 1, kRowsShown) * kRowHeight + 2);
    for (int row = 0; row < rows; ++row) {
        if (m_model->at(row).enabled) {
            m_list->setCurrentIndex(m_model->index(row));
            break;
        }
    }
    layout()->activate();
    adjustSize();
}

void SearchPopup::open() {
    m_chose = false;
    m_search->clear();
    refilter();
}

void SearchPopup::popupAt(const QPoint& globalPosition) {
    open();
    QPoint place = globalPosition;
    if (const QScreen* screen = QGuiApplication::screenAt(globalPosition)) {
        const QRect available = screen->availableGeometry();
        const int tallest = kRowsShown * kRowHeight + 3 * kRowHeight;
        place.setX(
            std::clamp(place.x(), available.left(), std::max(available.left(), available.right() - kPopupWidth)));
        place.setY(std::clamp(place.y(), available.top(), std::max(available.top(), available.bottom() - tallest)));
    }
    move(place);
    show();
    raise();
    m_search->setFocus(Qt::PopupFocusReason);
}

void SearchPopup::popupOver(QWidget* window) {
    const QPoint top = window->mapToGlobal(QPoint((window->width() - kPopupWidth) / 2, window->height() / 8));
    popupAt(top);
}

void SearchPopup::choose(int row) {
    if (row < 0 || row >= m_model->rowCount() || !m_model->at(row).enabled)
        return;
    const QString id = m_model->at(row).id;
    m_chose = true;
    hide();
    Q_EMIT chosen(id);
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const int row = m_list->currentIndex().row();
        const int last = m_model->rowCount() - 1;
        const auto go = [this, last](int from, int step) {
            for (int to = from + step; to >= 0 && to <= last; to += step) {
                if (m_model->at(to).enabled) {
                    m_list->setCurrentIndex(m_model->index(to));
                    return;
                }
            }
        };
        switch (key->key()) {
            case Qt::Key_Down:
                go(row, 1);
                return true;
            case Qt::Key_Up:
                go(row, -1);
                return true;
            case Qt::Key_PageDown:
                go(std::min(last, row + kRowsShown) - 1, 1);
                return true;
            case Qt::Key_PageUp:
                go(std::max(0, row - kRowsShown) + 1, -1);
                return true;
            case Qt::Key_Return:
            case Qt::Key_Enter:
                choose(row);
                return true;
            case Qt::Key_Escape:
                hide();
                return true;
            default:
                break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void SearchPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    if (!m_chose)
        Q_EMIT cancelled();
}

QuickSearchPopup::QuickSearchPopup(QWidget* parent) : SearchPopup(parent) {
    setObjectName(QStringLiteral("quickSearchPopup"));
    setAccessibleName(tr("Add a block"));
    setPlaceholder(tr("Add a block: type its name"));
    connect(this, &SearchPopup::chosen, this, [this](const QString& id) {
        constexpr int kRemembered = 5;
        m_recent.removeAll(id);
        m_recent.prepend(id);
        while (m_recent.size() > kRemembered)
            m_recent.removeLast();
    });
}

void QuickSearchPopup::setBlocks(const QList<SearchEntry>& entries) {
    QList<SearchEntry> ordered = entries;
    const auto rank = [this](const SearchEntry& entry) {
        const qsizetype place = m_recent.indexOf(entry.id);
        return place < 0 ? m_recent.size() : place;
    };
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&rank](const SearchEntry& a, const SearchEntry& b) { return rank(a) < rank(b); });
    setEntries(ordered);
}

CommandPalette::CommandPalette(QWidget* parent) : SearchPopup(parent) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Commands"));
    setPlaceholder(tr("Type a command"));
    connect(this, &SearchPopup::chosen, this, [this](const QString& id) {
        const QPointer<QAction> action = m_actions.value(id.toInt());
        if (action)
            action->trigger();
    });
}

void CommandPalette::setActions(const QList<QAction*>& actions) {
    m_actions.clear();
    QList<SearchEntry> entries;
    QSet<QAction*> seen;
    for (QAction* action : actions) {
        // A command has a name for scripts; what a plot's legend or a text field keeps for itself has none.
        if (!action || seen.contains(action) || action->isSeparator() || action->menu() || !action->isVisible() ||
            action->text().isEmpty() || action->objectName().isEmpty() ||
            action->objectName().startsWith(QLatin1String("_q_")) || qobject_cast<QWidgetAction*>(action) ||
            action->property(kOfOnePlace).toBool())
            continue;
        seen.insert(action);
        SearchEntry entry;
        entry.id = QString::number(m_actions.size());
        entry.title = groupOf(*action) + plainText(*action);
        entry.subtitle = action->shortcut().toString(QKeySequence::NativeText);
        entry.keywords = action->toolTip() + QLatin1Char(' ') + action->objectName();
        entry.icon = action->icon();
        entry.enabled = action->isEnabled();
        entry.reason = action->statusTip();
        entries.append(entry);
        m_actions.append(action);
    }
    setEntries(entries);
}

void CommandPalette::popupFor(QWidget* window) {
    setActions(window->findChildren<QAction*>());
    popupOver(window);
}

}  // namespace plumbline::widgets
