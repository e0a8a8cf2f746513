// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/trial_views.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/sweeps/trial_lines.h"
#include "gui/sweeps/trial_plot.h"
#include "widgets/icons.h"
#include "widgets/labels.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

TrialViews::TrialViews(QWidget* parent) : QWidget(parent) {
    auto* caption = new QLabel(tr("&View"), this);
    m_choice = new QComboBox(this);
    m_choice->setObjectName(QStringLiteral("sweep_view"));
    m_choice->setAccessibleName(tr("How trials are drawn"));
    m_choice->addItems({tr("Parallel coordinates"), tr("One parameter")});
    caption->setBuddy(m_choice);
    m_lines = new ParallelPlot(this);
    m_lines->setObjectName(QStringLiteral("sweep_lines"));
    m_lines->setAccessibleName(tr("Parallel coordinates, a line a trial"));
    m_lines->setEmptyText(tr("A line appears here as each trial begins."));
    m_dots = new TrialPlot(this);

    auto* marked = new QWidget(this);
    m_filter = new ElidedLabel({}, marked);
    m_filter->setObjectName(QStringLiteral("sweep_marked"));
    m_filter->setMuted(true);
    m_clear = new QPushButton(tr("Clear ranges"), marked);
    m_clear->setObjectName(QStringLiteral("sweep_clear_ranges"));
    m_clear->setToolTip(tr("Show all trials again (Escape in the plot)"));
    auto* more = new QToolButton(marked);
    more->setObjectName(QStringLiteral("sweep_lines_more"));
    more->setAccessibleName(tr("More about the plot"));
    more->setToolTip(tr("Copy or export the plot"));
    more->setIcon(icon(QStringLiteral("more")));
    more->setAutoRaise(true);
    more->setPopupMode(QToolButton::InstantPopup);
    more->setMenu(m_lines->menu());
    auto* markedRow = new QHBoxLayout(marked);
    markedRow->setContentsMargins(0, 0, 0, 0);
    markedRow->setSpacing(space::kSmall);
    markedRow->addWidget(m_filter, 1);
    markedRow->addWidget(m_clear);
    markedRow->addWidget(more);

    m_choosers = new QStackedWidget(this);
    m_choosers->addWidget(marked);
    m_choosers->addWidget(m_dots->chooser());
    m_choosers->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_views = new QStackedWidget(this);
    m_views->addWidget(m_lines);
    m_views->addWidget(m_dots);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::kSmall);
    row->addWidget(caption);
    row->addWidget(m_choice);
    row->addWidget(m_choosers, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(space::kSmall);
    layout->addLayout(row);
    layout->addWidget(m_views, 1);

    connect(m_choice, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_choosers->setCurrentIndex(index);
        m_views->setCurrentIndex(index);
        Q_EMIT filterChanged();
    });
    connect(m_clear, &QPushButton::clicked, m_lines, &ParallelPlot::clearRanges);
    connect(m_lines, &ParallelPlot::rangesChanged, this, [this] {
        showFilter();
        Q_EMIT filterChanged();
    });
    connect(m_lines, &ParallelPlot::exportFailed, this, &TrialViews::exportFailed);
    connect(m_dots, &TrialPlot::exportFailed, this, &TrialViews::exportFailed);
    showFilter();
}

void TrialViews::setSweep(const SweepEntry& sweep) {
    const QString name = text(sweep.plan.name);
    if (name != m_sweep) {  // two sweeps may go over the same settings
        m_lines->setContent({});
        m_sweep = name;
    }
    m_lines->setTitle(tr("Trials of the sweep %1").arg(name));
    m_lines->setContent(linesOf(sweep));
    m_dots->setSweep(sweep);
    showFilter();
    Q_EMIT filterChanged();
}

TrialViews::View TrialViews::view() const {
    return m_choice->currentIndex() == Dots ? Dots : Lines;
}

void TrialViews::setView(View view) {
    m_choice->setCurrentIndex(view);
}

bool TrialViews::isFiltering() const {
    return view() == Lines && m_lines->hasRanges();
}

bool TrialViews::isKept(int row) const {
    return !isFiltering() || row >= static_cast<int>(m_lines->content().lines.size()) || m_lines->isKept(row);
}

bool TrialViews::isSettled() const {
    return !m_lines->isVisible() || !m_lines->isDrawing();
}

void TrialViews::showFilter() {
    const int all = static_cast<int>(m_lines->content().lines.size());
    m_clear->setVisible(m_lines->hasRanges());
    m_filter->setText(m_lines->hasRanges()
                          ? tr("%1 of %n trial(s) in the marked ranges", nullptr, all).arg(m_lines->keptCount())
                      : all > 0 ? tr("Drag along an axis to mark a range; click a line to select its trial.")
                                : QString());
}

}  // namespace plumbline::gui
