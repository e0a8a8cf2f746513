// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/issues/issue_panel.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/issues/issue_card.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {
constexpr int kLeastHeight = 72;  ///< a heading and two rows
}

IssuePanel::IssuePanel(const QString& name, QWidget* parent) : QWidget(parent) {
    setObjectName(name + QStringLiteral("_panel"));
    m_model = new IssueModel(this);
    m_view = new QTableView(this);
    m_view->setObjectName(name + QStringLiteral("_table"));
    m_view->setAccessibleName(name == QLatin1String("problems") ? tr("Problems") : tr("Findings"));
    m_view->setModel(m_model);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setShowGrid(false);
    m_view->setWordWrap(false);
    m_view->setTabKeyNavigation(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + space::kSmall);
    m_view->horizontalHeader()->setSectionResizeMode(IssueModel::SeverityColumn, QHeaderView::ResizeToContents);
    m_view->horizontalHeader()->setSectionResizeMode(IssueModel::BlockColumn, QHeaderView::ResizeToContents);
    m_view->horizontalHeader()->setSectionResizeMode(IssueModel::MessageColumn, QHeaderView::Stretch);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->setColumnHidden(IssueModel::WhereColumn, true);  // the card says it
    m_view->installEventFilter(this);

    m_empty = new QLabel(this);
    m_empty->setObjectName(name + QStringLiteral("_empty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setForegroundRole(QPalette::PlaceholderText);

    m_card = new IssueCard(name);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(name + QStringLiteral("_card"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_card);

    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setObjectName(name + QStringLiteral("_splitter"));
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_view);
    m_splitter->addWidget(scroll);
    resetLayout();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_empty, 1);

    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        m_card->showIssue(current());
        Q_EMIT currentChanged();
    });
    const auto activate = [this] {
        if (const Issue* issue = current()) {
            Q_EMIT activated(Issue(*issue));
        }
    };
    connect(m_view, &QTableView::doubleClicked, this, activate);
    connect(m_card, &IssueCard::placeWanted, this, activate);
    connect(m_card, &IssueCard::remedyChosen, this, &IssuePanel::remedyChosen);
    connect(m_card, &IssueCard::explanationWanted, this, &IssuePanel::explanationWanted);
    setIssues({});
}

void IssuePanel::setEmptyText(const QString& text) {
    m_empty->setText(text);
}

void IssuePanel::setRemedyProbe(std::function<RemedyState(const graph::Remedy&)> probe) {
    m_card->setRemedyProbe(std::move(probe));
}

void IssuePanel::setIssues(const QList<Issue>& issues) {
    const QString before = current() ? current()->key : QString();
    m_model->setIssues(issues);
    m_splitter->setVisible(!issues.isEmpty());
    m_empty->setVisible(issues.isEmpty());
    // What has nothing to say takes a line.
    setMinimumHeight(issues.isEmpty() ? fontMetrics().height() + space::kMedium : kLeastHeight);
    if (!issues.isEmpty() && !selectKey(before)) {
        select(0);
    }
    m_card->showIssue(current());
}

bool IssuePanel::isEmpty() const {
    return m_model->issues().isEmpty();
}

void IssuePanel::select(int row) {
    if (m_view->currentIndex().row() != row) {
        m_view->setCurrentIndex(m_model->index(row, 0));
    }
}

bool IssuePanel::selectKey(const QString& key) {
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->issues()[row].key == key) {
            select(row);
            return true;
        }
    }
    return false;
}

const Issue* IssuePanel::current() const {
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() && index.row() < m_model->issues().size() ? &m_model->issues()[index.row()] : nullptr;
}

QByteArray IssuePanel::saveLayout() const {
    return m_splitter->saveState();
}

void IssuePanel::restoreLayout(const QByteArray& state) {
    m_splitter->restoreState(state);
}

void IssuePanel::resetLayout() {
    m_splitter->setSizes({500, 500});
}

bool IssuePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const Issue* issue = current();
        if (issue && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            Q_EMIT activated(Issue(*issue));
            return true;
        }
        if (issue && key->matches(QKeySequence::Copy)) {
            QGuiApplication::clipboard()->setText(issueText(*issue));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumbline::gui
