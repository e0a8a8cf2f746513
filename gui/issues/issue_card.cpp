// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/issues/issue_card.h"

#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

IssueCard::IssueCard(const QString& name, QWidget* parent) : QWidget(parent), m_name(name) {
    m_title = new QLabel(this);
    m_title->setObjectName(name + QStringLiteral("_title"));
    m_title->setWordWrap(true);
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_message = new QLabel(this);
    m_message->setObjectName(name + QStringLiteral("_message"));
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_jump = button(name + QStringLiteral("_jump"), tr("Show"));
    m_jump->setIcon(icon(QStringLiteral("enter")));
    m_jump->setAccessibleName(tr("Show where this is"));
    m_explain = button(name + QStringLiteral("_explain"), tr("How this is detected"));
    m_explain->setIcon(icon(QStringLiteral("help")));
    connect(m_jump, &QPushButton::clicked, this, &IssueCard::placeWanted);
    connect(m_explain, &QPushButton::clicked, this, [this] { Q_EMIT explanationWanted(m_code); });
    auto* row = new QHBoxLayout;
    row->setSpacing(space::kSmall);
    row->addWidget(m_jump);
    row->addWidget(m_explain);
    row->addStretch(1);
    m_column = new QVBoxLayout(this);
    m_column->setContentsMargins(space::kMedium, space::kSmall, space::kMedium, space::kSmall);
    m_column->setSpacing(space::kSmall);
    m_column->addWidget(m_title);
    m_column->addWidget(m_message);
    m_column->addLayout(row);
    m_column->addStretch(1);
}

QPushButton* IssueCard::button(const QString& name, const QString& label) {
    auto* made = new QPushButton(QString(label).replace(QLatin1Char('&'), QStringLiteral("&&")), this);
    made->setObjectName(name);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

void IssueCard::clear() {
    for (QWidget** part : {&m_evidence, &m_remedies}) {
        if (!*part) {
            continue;
        }
        // The keyboard must not fall to whatever field comes next.
        if (QWidget* focus = QApplication::focusWidget(); focus && (*part)->isAncestorOf(focus)) {
            m_jump->isVisible() ? m_jump->setFocus() : m_explain->setFocus();
        }
        m_column->removeWidget(*part);
        (*part)->hide();
        (*part)->deleteLater();
        *part = nullptr;
    }
}

void IssueCard::showIssue(const Issue* issue) {
    QList<RemedyState> states;
    QString shown =
        issue ? issue->key + issueText(*issue) + (issue->isOn ? QStringLiteral("on") : QString()) : QString();
    if (issue) {
        for (const graph::Remedy& remedy : issue->remedies) {
            RemedyState state;
            state.kind = remedy.patch.empty() ? RemedyState::Kind::Advice : RemedyState::Kind::Open;
            states << (m_probe ? m_probe(remedy) : state);
            shown +=
                QString::number(static_cast<int>(states.last().kind)) + states.last().reason + states.last().preview();
        }
    }
    // A refresh that changes nothing must not take a button from under the pointer.
    if (shown == m_shown) {
        return;
    }
    m_shown = shown;
    clear();
    m_title->setVisible(issue != nullptr);
    m_message->setVisible(issue != nullptr);
    m_jump->setVisible(issue && (!issue->block.isEmpty() || !issue->pointer.isEmpty()));
    m_explain->setVisible(issue && issue->fromDetector);
    if (!issue) {
        return;
    }
    m_code = issue->code;
    QStringList title{severityName(issue->cleared ? Severity::Good : toWidget(issue->severity)), issue->code};
    for (const QString& part : {issue->block, issue->where}) {
        if (!part.isEmpty()) {
            title << part;
        }
    }
    m_title->setText(title.join(QStringLiteral(" · ")));
    m_message->setText(issue->message);
    fillRemedies(*issue, states);
    fillEvidence(*issue);
}

void IssueCard::fillEvidence(const Issue& issue) {
    if (issue.evidence.isEmpty()) {
        return;
    }
    m_evidence = new QWidget(this);
    m_evidence->setObjectName(m_name + QStringLiteral("_evidence"));
    auto* grid = new QGridLayout(m_evidence);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(space::kMedium);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const EvidenceRow& each : issue.evidence) {
        auto* label = new QLabel(each.label, m_evidence);
        label->setForegroundRole(QPalette::PlaceholderText);
        auto* value = new QLabel(each.value, m_evidence);
        value->setTextFormat(Qt::PlainText);
        value->setWordWrap(true);
        value->setFont(Theme::instance().numberFont());
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(label, row, 0, Qt::AlignTop);
        grid->addWidget(value, row++, 1, Qt::AlignTop);
    }
    m_column->insertWidget(m_column->indexOf(m_message) + (m_remedies ? 2 : 1), m_evidence);
}

void IssueCard::fillRemedies(const Issue& issue, const QList<RemedyState>& states) {
    if (issue.remedies.empty()) {
        return;
    }
    m_remedies = new QWidget(this);
    m_remedies->setObjectName(m_name + QStringLiteral("_remedies"));
    auto* grid = new QGridLayout(m_remedies);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(space::kSmall);
    grid->setColumnStretch(1, 1);
    int row = 0;
    int number = 0;
    for (std::size_t i = 0; i < issue.remedies.size(); ++i, ++row) {
        const graph::Remedy& remedy = issue.remedies[i];
        const RemedyState& state = states[static_cast<qsizetype>(i)];
        auto* note = new QLabel(m_remedies);
        note->setObjectName(QStringLiteral("%1_note_%2").arg(m_name).arg(row));
        note->setWordWrap(true);
        note->setTextFormat(Qt::PlainText);
        if (state.kind == RemedyState::Kind::Advice) {
            note->setText(engineSentence(remedy.title));
            grid->addWidget(note, row, 0, 1, 2);
            continue;
        }
        note->setForegroundRole(QPalette::PlaceholderText);
        QPushButton* press =
            button(QStringLiteral("%1_remedy_%2").arg(m_name).arg(number++), engineSentence(remedy.title));
        press->setEnabled(state.kind == RemedyState::Kind::Open);
        press->setToolTip(remedy.applies == "live"
                              ? tr("Takes effect at once, also in the run that is on. Can be undone.")
                              : tr("Takes effect in the next run. Can be undone."));
        switch (state.kind) {
            case RemedyState::Kind::Applied:
                note->setText(remedy.applies == "live" && issue.isOn ? tr("Applied.") : tr("Applied, run again."));
                break;
            case RemedyState::Kind::Refused:
                note->setText(tr("Does not fit any more: %1").arg(state.reason));
                break;
            default:
                note->setText(state.preview());
                break;
        }
        connect(press, &QPushButton::clicked, this, [this, remedy] { Q_EMIT remedyChosen(remedy); });
        grid->addWidget(press, row, 0, Qt::AlignTop);
        grid->addWidget(note, row, 1, Qt::AlignVCenter);
    }
    m_column->insertWidget(m_column->indexOf(m_message) + 1, m_remedies);
}

}  // namespace plumbline::gui
