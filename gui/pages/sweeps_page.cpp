// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/sweeps_page.h"

#include <QAction>
#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/sweeps/sweep_dialog.h"
#include "gui/sweeps/trial_model.h"
#include "gui/sweeps/trial_plot.h"
#include "gui/workspace.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/labels.h"
#include "widgets/shrinking_row.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kLookMs = 1000;
constexpr int kLetters = 14;

}  // namespace

SweepsPage::SweepsPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
    m_new = new QAction(icon(QStringLiteral("sweeps")), tr("New sweep…"), this);
    m_new->setObjectName(QStringLiteral("action_new_sweep"));
    m_new->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F9));
    connect(m_new, &QAction::triggered, this, &SweepsPage::ask);
    m_model = new TrialModel(this);
    m_table = new FilterTable(this);
    m_table->setObjectName(QStringLiteral("sweep_trials"));
    m_table->setAccessibleName(tr("Trials"));
    m_table->setModel(m_model);
    m_table->setFilterPlaceholder(tr("Filter trials"));
    m_table->setEmptyText(tr("No trial has begun yet."));
    m_table->view()->setAccessibleName(tr("Trials"));
    m_table->view()->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_find = makeFindAction(tr("Find a trial…"), m_table->filterField());
    m_plot = new TrialPlot(this);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setObjectName(QStringLiteral("sweep_splitter"));
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_plot);
    m_splitter->setChildrenCollapsible(false);
    m_summary = new ElidedLabel({}, this);
    m_summary->setObjectName(QStringLiteral("sweep_summary"));
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    column->setSpacing(space::kSmall);
    column->addWidget(makeStrip());
    column->addWidget(m_summary);
    column->addWidget(m_splitter, 1);
    m_empty = new EmptyState(QStringLiteral("sweeps"), tr("No sweeps yet. A sweep trains this model with many settings and tells which did best."), tr("New sweep…"), this);
    m_empty->setObjectName(QStringLiteral("sweeps_empty"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_content, 1);
    layout->addWidget(m_empty, 1);
    m_content->hide();
    resetLayout();

    connect(m_empty, &EmptyState::buttonClicked, this, &SweepsPage::ask);
    connect(m_table, &FilterTable::selectionChanged, this, &SweepsPage::updateActions);
    connect(m_table, &FilterTable::rowActivated, this, [this](int row) {
        if (const std::string& run = m_model->trial(row).run; !run.empty()) {
            this->workspace().showRun(text(run));
        }
    });
    connect(m_plot, &TrialPlot::exportFailed, this, [this](const QString& sentence) { this->workspace().tell(Severity::Critical, sentence); });
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        m_sweeps.clear();
        m_awaited = false;
        m_model->setSweep({});
        reload();
    });
    connect(&m_process, &SweepProcess::activeChanged, this, &SweepsPage::updateActions);
    connect(&m_process, &SweepProcess::failed, this, [this](const Error& error) { this->workspace().tell(error); });
    connect(&m_process, &SweepProcess::ended, this, [this] {
        m_awaited = false;
        reload();
        if (m_afterEnd) {
            QMetaObject::invokeMethod(this, [then = std::exchange(m_afterEnd, {})] { then(); }, Qt::QueuedConnection);
        }
    });
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, [this] {
        if (!m_loading) {
            reload();
        }
    });
    reload();
}

QWidget* SweepsPage::makeStrip() {
    auto* strip = new ShrinkingRow(this);
    QHBoxLayout* row = strip->row();
    row->setSpacing(space::kSmall);
    m_choice = new QComboBox(strip);
    m_choice->setObjectName(QStringLiteral("sweep_choice"));
    m_choice->setAccessibleName(tr("Sweep"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(kLetters);
    row->addWidget(m_choice, 1);
    const auto add = [&](const char* name, const char* iconName, const QString& label) {
        auto* button = new QPushButton(icon(QLatin1String(iconName)), label, strip);
        button->setObjectName(QLatin1String(name));
        row->addWidget(button);
        return button;
    };
    auto* fresh = add("sweep_new", "add", tr("New sweep…"));
    m_resume = add("sweep_resume", "resume", tr("Resume"));
    m_stop = add("sweep_stop", "stop", tr("Stop"));
    m_use = add("sweep_use", "edit", tr("Use these settings"));
    for (QPushButton* button : {m_use, m_stop, m_resume, fresh}) {
        strip->giveUpText(button);
    }
    connect(m_choice, &QComboBox::currentIndexChanged, this, &SweepsPage::showChosen);
    connect(fresh, &QPushButton::clicked, this, &SweepsPage::ask);
    connect(m_resume, &QPushButton::clicked, this, &SweepsPage::resumeChosen);
    connect(m_stop, &QPushButton::clicked, &m_process, &SweepProcess::stop);
    connect(m_use, &QPushButton::clicked, this, &SweepsPage::useSettings);
    return strip;
}

QList<QAction*> SweepsPage::pageActions() const { return {m_find, m_new}; }

void SweepsPage::activated() {
    m_front = true;
    reload();
}

void SweepsPage::deactivated() {
    m_front = false;
    m_look.stop();
}

void SweepsPage::reload() {
    const quint64 stamp = ++m_stamp;
    if (!workspace().document().isOpen()) {
        m_loading = false;
        take({});
        return;
    }
    m_loading = true;
    runInBackground(
        this, [folder = workspace().document().folder() / "sweeps"]() -> Result<std::vector<SweepEntry>> { return readSweeps(folder); },
        [this, stamp](Result<std::vector<SweepEntry>> sweeps) {
            if (stamp != m_stamp) {
                return;
            }
            m_loading = false;
            if (!sweeps) {
                m_listError = this->workspace().tell(sweeps.error());
                return;
            }
            this->workspace().retract(m_listError);
            take(std::move(*sweeps));
        });
}

void SweepsPage::take(std::vector<SweepEntry> sweeps) {
    QString wanted = m_choice->currentData().toString();
    m_sweeps = std::move(sweeps);
    for (const SweepEntry& entry : m_sweeps) {
        const QString name = text(entry.plan.name);
        if (m_awaited && !m_before.contains(name)) {
            m_awaited = false;
            wanted = name;
        }
        const bool hasRun = std::any_of(entry.trials.begin(), entry.trials.end(), [&](const sweep::Trial& trial) { return text(trial.run) == m_wantedRun; });
        if (!m_wantedRun.isEmpty() && hasRun) {
            wanted = name;
        }
    }
    {
        const QSignalBlocker quiet(m_choice);
        QStringList names, shown;
        for (const SweepEntry& entry : m_sweeps) {
            const QString name = text(entry.plan.name);
            names << name;
            shown << (entry.error       ? tr("%1 (unreadable)").arg(name)
                      : entry.running   ? tr("%1 (running)").arg(name)
                      : entry.isDone()  ? name
                                        : tr("%1 (unfinished)").arg(name));
        }
        bool same = m_choice->count() == names.size();
        for (int i = 0; same && i < names.size(); ++i) {
            same = m_choice->itemData(i).toString() == names[i];
        }
        if (!same) {
            m_choice->clear();
            for (int i = 0; i < names.size(); ++i) {
                m_choice->addItem(shown[i], names[i]);
            }
        }
        for (int i = 0; i < names.size(); ++i) {
            m_choice->setItemText(i, shown[i]);
        }
        // The last one is the newest of those that are called after a number.
        const auto place = names.indexOf(wanted);
        m_choice->setCurrentIndex(place >= 0 ? static_cast<int>(place) : static_cast<int>(names.size()) - 1);
    }
    m_content->setVisible(!m_sweeps.empty());
    m_empty->setVisible(m_sweeps.empty());
    m_empty->setText(m_process.isActive() && isOurs() ? tr("The sweep is being started…") : tr("No sweeps yet. A sweep trains this model with many settings and tells which did best."));
    showChosen();
    const bool on = (m_process.isActive() && isOurs()) || std::any_of(m_sweeps.begin(), m_sweeps.end(), [](const SweepEntry& entry) { return entry.running; });
    on && m_front ? m_look.start() : m_look.stop();
}

const SweepEntry* SweepsPage::chosen() const {
    const int index = m_choice->currentIndex();
    return index < 0 || index >= static_cast<int>(m_sweeps.size()) ? nullptr : &m_sweeps[static_cast<std::size_t>(index)];
}

bool SweepsPage::isOurs() const { return workspace().document().isOpen() && m_process.project() == workspace().document().folder(); }

void SweepsPage::showChosen() {
    const SweepEntry* entry = chosen();
    if (entry == nullptr) {
        m_model->setSweep({});
        m_summary->setText({});
        updateActions();
        return;
    }
    const bool fresh = m_model->sweep().plan.name != entry->plan.name || m_model->rowCount() == 0;
    m_model->setSweep(*entry);
    m_plot->setSweep(*entry);
    m_summary->setText(sweepSummary(*entry));
    if (fresh) {
        m_table->view()->resizeColumnsToContents();
    }
    if (!m_wantedRun.isEmpty()) {
        if (const int row = m_model->rowOfRun(m_wantedRun); row >= 0) {
            m_table->selectRow(row);
        }
        m_wantedRun.clear();
    }
    updateActions();
}

void SweepsPage::updateActions() {
    const SweepEntry* entry = chosen();
    const bool open = workspace().document().isOpen();
    const bool active = m_process.isActive();
    const QString reason = !open ? tr("Open a project first.") : active ? tr("One sweep at a time: that of the project %1 is on.").arg(text(m_process.project().filename())) : QString();
    m_new->setEnabled(reason.isEmpty());
    m_new->setToolTip(reason.isEmpty() ? tr("Train with many settings, each trial a run of its own") : reason);
    auto* fresh = findChild<QPushButton*>(QStringLiteral("sweep_new"));
    fresh->setEnabled(reason.isEmpty());
    fresh->setToolTip(m_new->toolTip());
    m_empty->setButtonEnabled(reason.isEmpty(), reason);
    m_resume->setEnabled(entry && !entry->error && !entry->running && !entry->isDone() && !active);
    m_resume->setToolTip(!entry || entry->error    ? QString()
                         : entry->running          ? tr("A process runs its trials.")
                         : entry->isDone()         ? tr("All of its trials have ended.")
                         : active                  ? tr("Another sweep is on.")
                                                   : tr("Go on with the trials that are left"));
    m_stop->setEnabled(active && !m_process.isStopping());
    m_stop->setToolTip(active && !isOurs()          ? tr("Stop the sweep of the project %1; its trials are saved").arg(text(m_process.project().filename()))
                       : active                     ? tr("Stop after the batch that each trial is at, and save; the sweep can be resumed")
                       : entry && entry->running    ? tr("Another program runs this sweep: stop it there.")
                                                    : tr("No sweep is on."));
    const QList<int> rows = m_table->selectedRows();
    const bool free = entry && !entry->running && entry->isDone();
    m_use->setEnabled(rows.size() == 1 && free);
    m_use->setToolTip(!free               ? tr("While the sweep can go on, the project stays as it is: a change would keep it from being resumed.")
                      : rows.size() == 1 ? tr("Write the values of this trial into the project; one undo step")
                                         : tr("Select one trial to write its values into the project."));
}

void SweepsPage::ask() {
    if (m_process.isActive() || !workspace().document().isOpen() || !workspace().requireWritable([this] { ask(); })) {
        return;
    }
    auto* dialog = new SweepDialog(workspace().document().snapshot(), workspace().document().isDirty(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { begin(*dialog); });
    dialog->open();
}

void SweepsPage::begin(const SweepDialog& dialog) {
    ProjectDocument& document = workspace().document();
    if (document.isDirty()) {
        if (document.isChangedOutside()) {
            workspace().tell(Severity::Critical, tr("project.json was changed by another program since it was read, and trials read it."), tr("Save or reload the project first."));
            return;
        }
        if (const Status saved = document.save(); !saved) {
            workspace().tell(saved.error());
            return;
        }
    }
    workspace().quiet();
    m_before.clear();
    for (const SweepEntry& entry : m_sweeps) {
        m_before << text(entry.plan.name);
    }
    m_awaited = true;
    m_process.start(document.folder(), dialog.arguments());
    workspace().showPage(id());
    reload();
    m_look.start();
}

void SweepsPage::resumeChosen() {
    if (const SweepEntry* entry = chosen(); entry != nullptr && !m_process.isActive()) {
        if (workspace().document().isDirty()) {
            workspace().tell(Severity::Warning, tr("The project has changes that are not saved, and trials read project.json as it was saved."),
                             tr("Save them or undo them first. A sweep goes on only with the project that it began with."));
            return;
        }
        workspace().quiet();
        m_process.start(workspace().document().folder(), {QStringLiteral("--resume"), text(entry->plan.name)});
        reload();
        m_look.start();
    }
}

void SweepsPage::useSettings() {
    const QList<int> rows = m_table->selectedRows();
    if (rows.size() != 1) {
        return;
    }
    ProjectDocument& document = workspace().document();
    const sweep::Trial& trial = m_model->trial(rows.first());
    Result<project::Project> changed = document.project();
    for (const auto& [path, value] : trial.settings) {
        changed = project::withSetting(*changed, path, value);
        if (!changed) {
            workspace().tell(changed.error());
            return;
        }
    }
    if (document.setJson(tr("Use the settings of trial %1").arg(trial.number), changed->json)) {
        workspace().tell(Severity::Good, tr("The project has the settings of trial %1 now.").arg(trial.number), tr("Ctrl+Z takes them back."));
    }
}

bool SweepsPage::showRun(const QString& run) {
    m_wantedRun = run;
    m_table->filterField()->clear();
    reload();
    return true;
}

bool SweepsPage::askBeforeEnd(const std::function<void()>& then) {
    if (!m_process.isActive()) {
        return false;
    }
    const auto afterwards = [this, then] {
        m_afterEnd = then;  // the newest one alone, however often it is asked for
        workspace().tell(Severity::Info, tr("The window closes once the trials are saved."));
    };
    if (m_process.isStopping()) {
        afterwards();
        return true;
    }
    if (m_question) {
        m_question->raise();
        return true;
    }
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("A sweep is on"), tr("To close the program, the sweep that is on has to stop. Its trials are saved first and can be resumed."),
                                QMessageBox::NoButton, this);
    m_question = box;
    box->setObjectName(QStringLiteral("dialog_sweep_is_on"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QAbstractButton* stopButton = box->addButton(tr("Stop the sweep"), QMessageBox::AcceptRole);
    box->addButton(tr("Keep training"), QMessageBox::RejectRole);
    connect(box, &QMessageBox::buttonClicked, this, [this, stopButton, then, afterwards](QAbstractButton* clicked) {
        if (clicked != stopButton) {
            return;
        }
        if (!m_process.isActive()) {
            then();
            return;
        }
        afterwards();
        m_process.stop();
    });
    nameDialogButtons(*box);
    box->open();
    return true;
}

QByteArray SweepsPage::saveLayout() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << m_splitter->saveState();
    return state;
}

void SweepsPage::restoreLayout(const QByteArray& state) {
    QDataStream stream(state);
    QByteArray splitter;
    stream >> splitter;
    m_splitter->restoreState(splitter);
}

void SweepsPage::resetLayout() { m_splitter->setSizes({320, 320}); }

}  // namespace plumbline::gui
