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
#include "gui/sweeps/trial_link.h"
#include "gui/sweeps/trial_model.h"
#include "gui/sweeps/trial_views.h"
#include "gui/workspace.h"
#include "sweep/sweep_queue.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/labels.h"
#include "widgets/parallel_plot.h"
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
    m_table->view()->setAccessibleName(tr("Trials"));
    m_table->view()->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_find = makeFindAction(tr("Find a trial…"), m_table->filterField());
    m_views = new TrialViews(this);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setObjectName(QStringLiteral("sweep_splitter"));
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_views);
    m_splitter->setChildrenCollapsible(false);
    m_summary = new ElidedLabel({}, this);
    m_summary->setObjectName(QStringLiteral("sweep_summary"));
    m_table->addBesideFilter(m_summary);
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    column->setSpacing(space::kSmall);
    column->addWidget(makeStrip());
    column->addWidget(m_splitter, 1);
    m_empty =
        new EmptyState(QStringLiteral("sweeps"),
                       tr("No sweeps yet. A sweep trains this model with many settings and tells which did best."),
                       tr("New sweep…"), this);
    m_empty->setObjectName(QStringLiteral("sweeps_empty"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_content, 1);
    layout->addWidget(m_empty, 1);
    m_content->hide();
    resetLayout();

    connect(m_empty, &EmptyState::buttonClicked, this, &SweepsPage::ask);
    connect(m_table, &FilterTable::selectionChanged, this, &SweepsPage::updateActions);
    connect(m_table, &FilterTable::rowActivated, this, &SweepsPage::openRun);
    auto* link = new TrialLink(*m_table, *m_model, *m_views, this);
    connect(link, &TrialLink::activated, this, &SweepsPage::openRun);
    connect(m_views, &TrialViews::exportFailed, this,
            [this](const QString& sentence) { this->workspace().tell(Severity::Critical, sentence); });
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        m_sweeps.clear();
        m_awaited = false;
        m_model->setSweep({});
        reload();
    });
    connect(&m_process, &SweepProcess::activeChanged, this, &SweepsPage::updateActions);
    connect(&m_process, &SweepProcess::activeChanged, this, &SweepsPage::tellSweep);
    connect(&workspace, &Workspace::sweepStopWanted, this, [this] {
        if (m_process.isActive() && !m_process.isStopping()) {
            m_process.stop();
        }
    });
    connect(&m_process, &SweepProcess::failed, this, [this](const Error& error) { this->workspace().tell(error); });
    connect(&m_process, &SweepProcess::ended, this, [this] {
        m_awaited = false;
        m_own.clear();
        reload();
        if (m_afterEnd) {
            QMetaObject::invokeMethod(
                this, [then = std::exchange(m_afterEnd, {})] { then(); }, Qt::QueuedConnection);
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
    connect(m_stop, &QPushButton::clicked, this, &SweepsPage::stopChosen);
    connect(m_use, &QPushButton::clicked, this, &SweepsPage::useSettings);
    return strip;
}

QList<QAction*> SweepsPage::pageActions() const {
    return {m_find, m_new};
}

void SweepsPage::activated() {
    m_front = true;
    reload();
}

void SweepsPage::deactivated() {
    m_front = false;
    if (!m_process.isActive()) {
        m_look.stop();
    }
}

void SweepsPage::tellSweep() {
    QString said;
    if (m_process.isActive()) {
        const auto own = std::find_if(m_sweeps.begin(), m_sweeps.end(), [this](const SweepEntry& entry) {
            return !m_own.isEmpty() && isOurs() && text(entry.plan.name) == m_own;
        });
        said = m_process.isStopping() ? tr("the sweep is stopping: trials are saved")
               : own == m_sweeps.end() || own->error
                   ? tr("a sweep is on")
                   : tr("sweep %1 · %2 of %3 trials").arg(m_own).arg(own->finished()).arg(own->planned);
    }
    workspace().setSweep(said, m_process.isStopping());
}

bool SweepsPage::requireNoRun() {
    if (!workspace().bridge().isActive()) {
        return true;
    }
    workspace().tell(Severity::Warning, tr("A run is on, and both would share processor and memory."),
                     tr("Stop the run or wait for its end, then start the sweep."));
    return false;
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
        this,
        [folder = workspace().document().folder() / "sweeps"]() -> Result<std::vector<SweepEntry>> {
            return readSweeps(folder);
        },
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
            m_own = wanted = name;
        }
        const bool hasRun = std::any_of(entry.trials.begin(), entry.trials.end(),
                                        [&](const sweep::Trial& trial) { return text(trial.run) == m_wantedRun; });
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
            shown << (entry.error                                                ? tr("%1 (unreadable)").arg(name)
                      : entry.running && entry.stop != sweep::StopRequest::kNone ? tr("%1 (stopping)").arg(name)
                      : entry.running                                            ? tr("%1 (running)").arg(name)
                      : entry.isDone()                                           ? name
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
    m_empty->setText(m_process.isActive() && isOurs()
                         ? tr("The sweep is being started…")
                         : tr("No sweeps yet. A sweep trains this model with many settings and tells which did best."));
    showChosen();
    followStop();
    const bool on =
        (m_process.isActive() && isOurs()) ||
        std::any_of(m_sweeps.begin(), m_sweeps.end(), [](const SweepEntry& entry) { return entry.running; });
    if (!on || !(m_front || m_process.isActive())) {
        m_look.stop();
    } else if (!m_look.isActive()) {
        m_look.start();
    }
    tellSweep();
}

const SweepEntry* SweepsPage::chosen() const {
    const int index = m_choice->currentIndex();
    return index < 0 || index >= static_cast<int>(m_sweeps.size()) ? nullptr
                                                                   : &m_sweeps[static_cast<std::size_t>(index)];
}

bool SweepsPage::isOurs() const {
    return workspace().document().isOpen() && m_process.project() == workspace().document().folder();
}

void SweepsPage::showChosen() {
    const SweepEntry* entry = chosen();
    if (entry == nullptr) {
        m_model->setSweep({});
        m_views->setSweep({});
        m_summary->setText({});
        updateActions();
        return;
    }
    const bool fresh = m_model->sweep().plan.name != entry->plan.name || m_model->rowCount() == 0;
    m_model->setSweep(*entry);
    m_views->setSweep(*entry);
    m_summary->setText(sweepSummary(*entry));
    if (fresh) {
        m_table->view()->resizeColumnsToContents();
    }
    if (!m_wantedRun.isEmpty()) {
        if (const int row = m_model->rowOfRun(m_wantedRun); row >= 0) {
            m_table->selectRow(row);
        }
        m_wantedRun.clear();
    } else if (fresh && entry->isDone()) {
        // Whose settings one wants is asked with the best one at hand.
        const auto best = sweep::bestTrial(entry->plan, entry->trials);
        if (const int row = best ? m_model->rowOfRun(text(best->run)) : -1; row >= 0) {
            m_table->selectRow(row);
        }
    }
    updateActions();
}

void SweepsPage::updateActions() {
    const SweepEntry* entry = chosen();
    const bool open = workspace().document().isOpen();
    const bool active = m_process.isActive();
    const QString reason =
        !open    ? tr("Open a project first.")
        : active ? tr("One sweep at a time: that of the project %1 is on.").arg(text(m_process.project().filename()))
                 : QString();
    m_new->setEnabled(reason.isEmpty());
    m_new->setToolTip(reason.isEmpty() ? tr("Train with many settings, each trial a run of its own") : reason);
    auto* fresh = findChild<QPushButton*>(QStringLiteral("sweep_new"));
    fresh->setEnabled(reason.isEmpty());
    fresh->setToolTip(m_new->toolTip());
    m_empty->setButtonEnabled(reason.isEmpty(), reason);
    m_resume->setEnabled(entry && !entry->error && !entry->running && !entry->isDone() && !active);
    m_resume->setToolTip(!entry || entry->error ? QString()
                         : entry->running       ? tr("A process runs its trials.")
                         : entry->isDone()      ? tr("All of its trials have ended.")
                         : active               ? tr("Another sweep is on.")
                                                : tr("Go on with the trials that are left"));
    const bool elsewhere = entry && runsElsewhere(*entry);
    m_stop->setEnabled(elsewhere ? entry->stop == sweep::StopRequest::kNone : active && !m_process.isStopping());
    m_stop->setToolTip(
        elsewhere && entry->stop == sweep::StopRequest::kAsked ? tr("The program that runs it has been asked to stop.")
        : elsewhere && entry->stop == sweep::StopRequest::kHeard
            ? tr("It is being stopped: its trials are saved first.")
        : elsewhere
            ? tr("Another program runs this sweep: ask it to save its trials and stop; the sweep can be resumed")
        : active && !isOurs()
            ? tr("Stop the sweep of the project %1; its trials are saved").arg(text(m_process.project().filename()))
        : active ? tr("Stop after the batch that each trial is at, and save; the sweep can be resumed")
                 : tr("No sweep is on."));
    const QList<int> rows = m_table->selectedRows();
    const bool free = entry && !entry->running && entry->isDone();
    m_use->setEnabled(rows.size() == 1 && free);
    m_use->setToolTip(
        !free ? tr("While the sweep can go on, the project stays as it is: a change would keep it from being resumed.")
        : rows.size() == 1 ? tr("Write the values of this trial into the project; one undo step")
                           : tr("Select one trial to write its values into the project."));
}

void SweepsPage::ask() {
    if (m_process.isActive() || !workspace().document().isOpen() || !requireNoRun() || !workspace().commitFields() ||
        !workspace().requireWritable([this] { ask(); })) {
        return;
    }
    auto* dialog = new SweepDialog(workspace().document().snapshot(), workspace().document().isDirty(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { begin(*dialog); });
    dialog->open();
}

void SweepsPage::begin(const SweepDialog& dialog) {
    if (!requireNoRun()) {
        return;
    }
    ProjectDocument& document = workspace().document();
    if (document.isDirty()) {
        if (document.isChangedOutside()) {
            workspace().tell(Severity::Critical,
                             tr("project.json was changed by another program since it was read, and trials read it."),
                             tr("Save or reload the project first."));
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
    m_own.clear();
    m_process.start(document.folder(), dialog.arguments());
    workspace().showPage(id());
    reload();
    m_look.start();
}

void SweepsPage::resumeChosen() {
    if (const SweepEntry* entry = chosen(); entry != nullptr && !m_process.isActive() && requireNoRun()) {
        if (workspace().document().isDirty()) {
            workspace().tell(
                Severity::Warning,
                tr("The project has changes that are not saved, and trials read project.json as it was saved."),
                tr("Save them or undo them first. A sweep goes on only with the project that it began with."));
            return;
        }
        workspace().quiet();
        m_own = text(entry->plan.name);
        m_process.start(workspace().document().folder(), {QStringLiteral("--resume"), m_own});
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
        workspace().tell(Severity::Good, tr("The project has the settings of trial %1 now.").arg(trial.number),
                         tr("Ctrl+Z takes them back."));
    }
}

bool SweepsPage::runsElsewhere(const SweepEntry& entry) const {
    const bool own = m_process.isActive() && isOurs() && (m_own.isEmpty() || m_own == text(entry.plan.name));
    return entry.running && !own;
}

void SweepsPage::stopChosen() {
    const SweepEntry* entry = chosen();
    if (entry == nullptr || !runsElsewhere(*entry)) {
        m_process.stop();
        return;
    }
    m_stop->setEnabled(false);
    const std::filesystem::path folder = workspace().document().folder() / "sweeps";
    const std::string name = entry->plan.name;
    runInBackground(
        this,
        [folder, name]() -> Result<std::string> {
            PLUMBLINE_ASSIGN(const sweep::SweepFile file, sweep::SweepFile::open(folder, name));
            return file.requestStop();
        },
        [this, folder, name](const Result<std::string>& ticket) {
            if (ticket) {
                m_asked = {folder, name, *ticket};
                m_sinceAsked.start();
            } else {
                this->workspace().tell(ticket.error());
            }
            reload();
        });
}

void SweepsPage::followStop() {
    if (m_asked.ticket.empty() || m_sinceAsked.elapsed() < m_answerWaitMs) {
        return;
    }
    // A request that nobody has heard would stop the sweep at some later time.
    runInBackground(
        this,
        [asked = std::exchange(m_asked, {})]() -> Result<QString> {
            PLUMBLINE_ASSIGN(const sweep::SweepFile file, sweep::SweepFile::open(asked.sweeps, asked.name));
            const bool isOpen = file.isRunning() && file.stopRequest(asked.ticket) == sweep::StopRequest::kAsked;
            return isOpen && file.withdrawStop(asked.ticket) ? text(asked.name) : QString();
        },
        [this](const Result<QString>& unheard) {
            if (unheard && !unheard->isEmpty()) {
                this->workspace().tell(
                    Severity::Warning, tr("The program that runs the sweep %1 does not answer.").arg(*unheard),
                    tr("It is suspended, or of an earlier version: press Ctrl-C where it was started."));
                reload();
            }
        });
}

void SweepsPage::openRun(int row) {
    if (const std::string& run = m_model->trial(row).run; !run.empty()) {
        workspace().showRun(text(run));
    }
}

bool SweepsPage::isSettled() const {
    return !m_loading && m_views->isSettled();
}

bool SweepsPage::showRun(const QString& run) {
    m_wantedRun = run;
    m_table->filterField()->clear();
    m_views->lines().clearRanges();
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
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("A sweep is on"),
        tr("To close the program, the sweep that is on has to stop. Its trials are saved first and can be resumed."),
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
    stream << m_splitter->saveState() << static_cast<qint32>(m_views->view());
    return state;
}

void SweepsPage::restoreLayout(const QByteArray& state) {
    QDataStream stream(state);
    QByteArray splitter;
    stream >> splitter;
    m_splitter->restoreState(splitter);
    if (qint32 view = 0; !stream.atEnd()) {
        stream >> view;
        m_views->setView(view == TrialViews::Dots ? TrialViews::Dots : TrialViews::Lines);
    }
}

void SweepsPage::resetLayout() {
    m_splitter->setSizes({320, 320});
    m_views->setView(TrialViews::Lines);
}

}  // namespace plumbline::gui
