// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/issues/issue_panel.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

IssuePanel::IssuePanel(const QString& name, QWidget* parent) : QWidget(parent), m_name(name) {
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
    m_view->horizontalHeader()->setSectionResizeMode(IssueModel::WhereColumn, QHeaderView::ResizeToContents);
    m_view->horizontalHeader()->setHighlightSections(false);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->installEventFilter(this);

    m_empty = new QLabel(this);
    m_empty->setObjectName(name + QStringLiteral("_empty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);

    m_detail = new QWidget(this);
    m_message = new QLabel(m_detail);
    m_message->setObjectName(name + QStringLiteral("_message"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(space::kSmall);
    auto* detailLayout = new QVBoxLayout(m_detail);
    detailLayout->setContentsMargins(space::kMedium, space::kSmall, space::kMedium, space::kSmall);
    detailLayout->setSpacing(space::kSmall);
    detailLayout->addWidget(m_message);
    detailLayout->addLayout(m_buttons);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_detail);

    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        showCurrent();
        Q_EMIT currentChanged();
    });
    connect(m_view, &QTableView::doubleClicked, this, [this] {
        if (const Issue* issue = current()) {
            Q_EMIT activated(Issue(*issue));
        }
    });
    setIssues({});
}

void IssuePanel::setEmptyText(const QString& text) {
    m_empty->setText(text);
}

void IssuePanel::setIssues(const QList<Issue>& issues) {
    m_model->setIssues(issues);
    m_view->setVisible(!issues.isEmpty());
    m_empty->setVisible(issues.isEmpty());
    showCurrent();
}

void IssuePanel::select(int row) {
    m_view->setCurrentIndex(m_model->index(row, 0));
}

const Issue* IssuePanel::current() const {
    const QModelIndex index = m_view->currentIndex();
    return index.isValid() && index.row() < m_model->issues().size() ? &m_model->issues()[index.row()] : nullptr;
}

void IssuePanel::showCurrent() {
    const Issue* issue = current();
    m_detail->setVisible(issue != nullptr);
    // A refresh that changes nothing must not take a button from under the pointer.
    const QString shown = issue ? issueText(*issue) : QString();
    if (shown == m_shownKey) {
        return;
    }
    m_shownKey = shown;
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    if (!issue) {
        return;
    }
    QString message = issue->message;
    QStringList advice;
    if (!issue->evidence.isEmpty()) {
        message += QStringLiteral("  (%1)").arg(QString(issue->evidence).replace(QLatin1Char('\n'), QStringLiteral(", ")));
    }
    int number = 0;
    for (const graph::Remedy& remedy : issue->remedies) {
        if (remedy.patch.empty()) {
            advice << text(remedy.title);
            continue;
        }
        auto* button = new QPushButton(text(remedy.title), m_detail);
        button->setObjectName(QStringLiteral("%1_remedy_%2").arg(m_name).arg(number++));
        button->setToolTip(remedy.applies == "live" ? tr("Takes effect at once, also in the run that is on. Can be undone.")
                                                    : tr("Takes effect in the next run. Can be undone."));
        connect(button, &QPushButton::clicked, this, [this, remedy] { Q_EMIT remedyChosen(remedy); });
        m_buttons->addWidget(button);
    }
    if (!issue->block.isEmpty() || !issue->pointer.isEmpty()) {
        auto* jump = new QPushButton(widgets::icon(QStringLiteral("enter")), tr("Show"), m_detail);
        jump->setObjectName(m_name + QStringLiteral("_jump"));
        jump->setAccessibleName(tr("Show where this is"));
        connect(jump, &QPushButton::clicked, this, [this] {
            if (const Issue* shownIssue = current()) {
                Q_EMIT activated(Issue(*shownIssue));
            }
        });
        m_buttons->addWidget(jump);
    }
    m_buttons->addStretch(1);
    if (!advice.isEmpty()) {
        message += QLatin1Char('\n') + advice.join(QLatin1Char('\n'));
    }
    m_message->setText(message);
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
