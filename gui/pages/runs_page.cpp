// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/runs_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/pages/matrix_dialog.h"
#include "gui/pages/run_comparison.h"
#include "gui/pages/run_profile_dialog.h"
#include "gui/pages/run_series.h"
#include "gui/pages/run_table_model.h"
#include "gui/pages/try_panel.h"
#include "gui/project_memory.h"
#include "gui/sweeps/sweep_filter.h"
#include "gui/sweeps/sweep_list.h"
#include "gui/workspace.h"
#include "plan/loss_traits.h"
#include "store/compare_runs.h"
#include "widgets/empty_state.h"
#include "widgets/filter_table.h"
#include "widgets/icons.h"
#include "widgets/plot_widget.h"
#include "widgets/shrinking_row.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kMaxOverlaid = 12;
constexpr int kLookMs = 1000;
constexpr int kMaxNamed = 8;  ///< runs named in a question
const QString kColors = QStringLiteral("run_colors");

/// Points of one run for the overlay.
struct OverlaidRun {
    QString id, name;
    SeriesChunk chunk;
    QStringList series;  ///< all that the run has
};

Result<std::vector<OverlaidRun>> readOverlay(const std::filesystem::path& runs, const QStringList& ids,
                                             const QString& series) {
    std::vector<OverlaidRun> overlay;
    for (const QString& id : ids) {
        PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(runs / filePath(id)));
        PLUMBLINE_ASSIGN(const auto info, reader->info());
        PLUMBLINE_ASSIGN(const auto all, reader->series());
        OverlaidRun run;
        run.id = id;
        run.name = info.name.empty() ? id : text(info.name);
        for (const store::StoredSeries& stored : all) {
            run.series.append(text(stored.name));
        }
        PLUMBLINE_ASSIGN(StoredRun stored, readStoredRun(runs / filePath(id), series));
        if (!stored.series.isEmpty()) {
            run.chunk = std::move(stored.series.first());
        }
        overlay.push_back(std::move(run));
    }
    return overlay;
}

/// What changes when a run goes on or ends: what was read of it before is old then.
QString stateOf(const store::RunInfo& run) {
    return QStringList{text(run.status), QString::number(run.stepsAttempted), QString::number(run.epochs),
                       QString::number(run.seconds, 'g', 17),
                       run.best ? QString::number(*run.best, 'g', 17) : QString()}
        .join(QLatin1Char(' '));
}

}  // namespace

RunsPage::RunsPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
    m_model = new RunTableModel(this);
    m_table = new FilterTable(this);
    m_table->setObjectName(QStringLiteral("runs_table"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(m_model);
    m_table->setFilterPlaceholder(tr("Filter runs"));
    m_find = makeFindAction(tr("Find a run…"), m_table->filterField());
    m_table->setEmptyText(tr("No run matches the filter."));
    m_table->view()->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->view()->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->view()->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    m_table->view()->sortByColumn(RunTableModel::Started, Qt::DescendingOrder);
    m_sweeps = new SweepFilter(m_table);
    m_sweeps->setObjectName(QStringLiteral("runs_sweep"));
    m_table->addBesideFilter(m_sweeps);
    m_table->setRowFilter([this](int row) { return m_sweeps->accepts(m_model->trialOf(row)); });
    connect(m_sweeps, &SweepFilter::changed, this,
            [this] { m_table->setRowFilter([this](int row) { return m_sweeps->accepts(m_model->trialOf(row)); }); });
    makeParentAction();
    m_empty = new EmptyState(QStringLiteral("runs"), tr("No runs yet. Press F5 to train this model."), tr("Run"), this);
    m_empty->setObjectName(QStringLiteral("runs_empty"));

    auto* upper = new QWidget(this);
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, 0);
    upperLayout->setSpacing(space::kSmall);
    upperLayout->addWidget(m_table, 1);
    upperLayout->addWidget(makeButtons());
    m_try = new TryPanel(workspace, this);
    m_lower = new QSplitter(Qt::Horizontal, this);
    m_lower->setObjectName(QStringLiteral("runs_lower"));
    m_lower->addWidget(makeOverlay());
    m_lower->addWidget(m_try);
    m_lower->setChildrenCollapsible(false);
    m_outer = new QSplitter(Qt::Vertical, this);
    m_outer->setObjectName(QStringLiteral("runs_outer"));
    m_outer->addWidget(upper);
    m_outer->addWidget(m_lower);
    m_outer->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_outer, 1);
    layout->addWidget(m_empty, 1);
    m_outer->hide();
    resetLayout();

    connect(m_empty, &EmptyState::buttonClicked, this, [this] { this->workspace().requestRun(); });
    connect(m_table, &FilterTable::selectionChanged, this, &RunsPage::updateSelection);
    connect(m_table, &FilterTable::rowActivated, this,
            [this](int row) { this->workspace().showRun(text(m_model->run(row).id), QStringLiteral("train")); });
    connect(m_model, &RunTableModel::noteEdited, this, &RunsPage::writeNote);
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, [this] {
        m_sweeps->clear();  // the choice was about the runs of another project
        reload();
    });
    connect(&workspace.bridge(), &RunBridge::runOpened, this, &RunsPage::reload);
    connect(&workspace.bridge(), &RunBridge::resumed, this, &RunsPage::reload);
    connect(&workspace.bridge(), &RunBridge::finished, this, [this] {
        this->workspace().retract(m_stillOn);
        m_drawn.clear();
        updateSelection();  // it can be deleted now
        reload();
    });
    m_look = new QTimer(this);
    m_look->setInterval(kLookMs);
    connect(m_look, &QTimer::timeout, this, [this] {
        if (!m_loading && !m_drawing) {
            reload();
        }
    });
    reload();
}

QWidget* RunsPage::makeButtons() {
    auto* strip = new ShrinkingRow(this);
    QHBoxLayout* row = strip->row();
    row->setSpacing(space::kSmall);
    const auto add = [&](const char* name, const char* iconName, const QString& label) {
        auto* button = new QPushButton(icon(QLatin1String(iconName)), label, strip);
        button->setObjectName(QLatin1String(name));
        row->addWidget(button);
        return button;
    };
    m_open = add("runs_open", "chart", tr("Show plots"));
    m_resume = add("runs_resume", "resume", tr("Resume"));
    m_matrix = add("runs_matrix", "grid", tr("Confusion matrix…"));
    m_compare = add("runs_compare", "compare", tr("Compare…"));
    m_profiles = add("runs_profiles", "clock", tr("Profiles…"));
    m_delete = add("runs_delete", "delete", tr("Delete…"));
    row->addStretch(1);
    for (QPushButton* button : {m_delete, m_profiles, m_compare, m_matrix, m_resume, m_open}) {
        strip->giveUpText(button);
    }
    connect(m_open, &QPushButton::clicked, this, [this] {
        const QStringList runs = selectedRuns();
        if (!runs.isEmpty()) {
            this->workspace().showRun(runs.first(), QStringLiteral("train"));
        }
    });
    connect(m_resume, &QPushButton::clicked, this, &RunsPage::resumeSelected);
    connect(m_matrix, &QPushButton::clicked, this, &RunsPage::showMatrix);
    connect(m_compare, &QPushButton::clicked, this, &RunsPage::compareSelected);
    connect(m_profiles, &QPushButton::clicked, this, [this] {
        const QStringList runs = selectedRuns();
        if (runs.size() != 1) {
            return;
        }
        if (m_profileDialog == nullptr) {
            m_profileDialog = new RunProfileDialog(this->workspace(), this);
        }
        m_profileDialog->showRun(runs.first());
    });
    connect(m_delete, &QPushButton::clicked, this, &RunsPage::deleteSelected);
    return strip;
}

QWidget* RunsPage::makeOverlay() {
    auto* box = new QWidget(this);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    layout->setSpacing(space::kSmall);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("&Series"), box);
    m_series = new QComboBox(box);
    m_series->setObjectName(QStringLiteral("runs_series"));
    m_series->setAccessibleName(tr("Series of the overlay"));
    m_series->setMinimumWidth(200);
    m_series->addItem(QStringLiteral("train.loss"));
    label->setBuddy(m_series);
    row->addWidget(label);
    row->addWidget(m_series);
    auto* log = new QCheckBox(tr("Log scale"), box);
    log->setObjectName(QStringLiteral("runs_log"));
    row->addWidget(log);
    row->addStretch(1);
    m_overlay = new PlotWidget(box);
    connect(log, &QCheckBox::toggled, this, [this](bool on) { m_overlay->setYLog(on); });
    m_overlay->setObjectName(QStringLiteral("runs_overlay"));
    m_overlay->setTitle(tr("Selected runs"));
    m_overlay->setAccessibleName(tr("Selected runs over each other"));
    m_overlay->setEmptyText(tr("Select runs in the table to see them over each other."));
    connect(m_overlay, &PlotWidget::exportFailed, this,
            [this](const QString& sentence) { workspace().tell(Severity::Critical, sentence); });
    layout->addLayout(row);
    layout->addWidget(m_overlay, 1);
    connect(m_series, &QComboBox::activated, this, &RunsPage::drawOverlay);
    return box;
}

void RunsPage::activated() {
    m_front = true;
    m_foundOf.clear();
    reload();
}

void RunsPage::deactivated() {
    m_front = false;
    m_look->stop();
    ++m_findingStamp;
    if (workspace().bridge().isActive()) {
        workspace().showLiveRun();  // what it finds is not to be missed
    }
}

void RunsPage::reload() {
    const quint64 stamp = ++m_listStamp;
    if (!workspace().document().isOpen()) {
        m_model->setRuns({});
        m_coloured.clear();
        return;
    }
    m_loading = true;
    const std::filesystem::path folder = workspace().document().runsFolder();
    runInBackground(
        this, [project = workspace().document().folder()] { return readRunList(project); },
        [this, stamp, folder](Result<RunList> list) {
            if (stamp != m_listStamp) {
                return;
            }
            m_loading = false;
            if (!list) {
                m_listError = workspace().tell(list.error());
                return;
            }
            workspace().retract(m_listError);
            take(std::move(*list), folder);
        });
}

void RunsPage::take(RunList list, const std::filesystem::path& folder) {
    const QStringList selected = selectedRuns();
    const bool first = m_model->rowCount() == 0;
    ProjectMemory memory(folder);
    if (std::exchange(m_coloured, folder) != folder) {
        m_model->setColors(memory.value(kColors).toMap());
    }
    const QVariantMap before = m_model->colors();
    m_model->setRuns(std::move(list.runs), std::move(list.trials));
    if (m_model->colors() != before) {
        memory.setValue(kColors, m_model->colors());
    }
    m_sweeps->setSweeps(list.sweeps);
    if (!m_sweeps->isOff()) {
        Q_EMIT m_sweeps->changed();  // a run may have become a trial
    }
    const std::pair<int, bool> ofSome[] = {{RunTableModel::Parent, m_model->hasParents()},
                                           {RunTableModel::Objective, m_model->hasTrials()}};
    for (const auto& [place, shown] : ofSome) {
        if (m_table->view()->isColumnHidden(place) == shown) {
            m_table->view()->setColumnHidden(place, !shown);
            m_table->view()->resizeColumnToContents(place);
        }
    }
    m_outer->setVisible(m_model->rowCount() > 0);
    m_empty->setVisible(m_model->rowCount() == 0);
    const int row = m_model->rowOf(m_wanted);
    if (row >= 0) {
        if (!m_sweeps->accepts(m_model->trialOf(row))) {
            m_sweeps->clear();
        }
        m_table->selectRow(row);
    } else if (!selected.isEmpty()) {
        if (selectedRuns() != selected) {
            selectRuns(selected);
        }
    } else if (first && m_model->rowCount() > 0) {
        m_table->selectRow(0);
    }
    m_wanted.clear();
    bool on = workspace().bridge().isActive();
    for (int each = 0; each < m_model->rowCount() && !on; ++each) {
        on = m_model->run(each).status == "running";
    }
    if (!on || !m_front) {
        m_look->stop();
    } else if (!m_look->isActive()) {
        m_look->start();
    }
    updateSelection();
    if (first) {
        m_table->view()->resizeColumnsToContents();  // with the colours of what is drawn
    }
}

void RunsPage::makeParentAction() {
    m_toParent = new QAction(icon(QStringLiteral("leave")), tr("Go to parent"), this);
    m_toParent->setObjectName(QStringLiteral("action_run_parent"));
    m_toParent->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_U));
    m_toParent->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_toParent->setToolTip(tr("To the run that this one was branched from, or to the sweep of this trial"));
    addAction(m_toParent);
    m_table->view()->addAction(m_toParent);
    connect(m_toParent, &QAction::triggered, this, &RunsPage::goToParent);
}

void RunsPage::goToParent() {
    const QList<int> rows = m_table->selectedRows();
    if (rows.size() != 1) {
        return;
    }
    const store::RunInfo& run = m_model->run(rows.first());
    if (m_model->trialOf(rows.first()) != nullptr) {
        workspace().showRun(text(run.id), QStringLiteral("sweeps"));
        return;
    }
    const int parent = m_model->rowOf(text(run.parent));
    if (parent < 0) {
        workspace().tell(Severity::Info,
                         tr("Run %1, which this one was branched from, is not there any more.").arg(text(run.parent)),
                         tr("It was deleted; what this run took over from it is in its own first checkpoint."));
        return;
    }
    m_table->filterField()->clear();
    m_sweeps->clear();
    m_table->selectRow(parent);
    m_table->view()->setFocus();
}

namespace {

/// The metric that draws a project's classes against each other; nothing where it is there, or nothing tells classes
/// apart.
std::optional<Json> matrixMetricFor(const plan::TrainingPlan& plan) {
    for (const plan::MetricSpec& metric : plan.metrics) {
        if (metric.type == "confusion_matrix") {
            return std::nullopt;
        }
    }
    const auto loss = std::find_if(plan.losses.begin(), plan.losses.end(), plan::tellsClasses);
    return loss == plan.losses.end()
               ? std::nullopt
               : std::optional(Json{{"type", "confusion_matrix"}, {"output", loss->output}, {"target", loss->target}});
}

}  // namespace

bool RunsPage::addMatrixMetric() {
    ProjectDocument& document = workspace().document();
    const auto metric = document.isOpen() ? matrixMetricFor(document.project().training) : std::nullopt;
    if (!metric) {
        return false;
    }
    const bool hasList = document.project().json.contains(Json::json_pointer("/training/metrics"));
    const Json patch{{"op", "add"},
                     {"path", hasList ? "/training/metrics/-" : "/training/metrics"},
                     {"value", hasList ? *metric : Json::array({*metric})}};
    const Status added = document.applyPatch(tr("Add confusion_matrix"), Json::array({patch}));
    if (!added) {
        workspace().tell(Severity::Warning, errorSentence(added.error()));
    }
    return added.has_value();
}

void RunsPage::showMatrix() {
    const QStringList runs = selectedRuns();
    if (runs.size() == 1) {
        MatrixDialog* dialog = openMatrixDialog(workspace().document().runsFolder() / filePath(runs.first()),
                                                runNameOf(runs.first()), this);
        if (matrixMetricFor(workspace().document().project().training)) {
            dialog->offerMetric([this] { return addMatrixMetric(); });
        }
    }
}

void RunsPage::selectRuns(const QStringList& runs) {
    QTableView* view = m_table->view();
    QItemSelection selection;
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        const QModelIndex index = view->model()->index(row, RunTableModel::Name);
        if (runs.contains(index.data(RunTableModel::IdRole).toString())) {
            selection.select(index, index);
        }
    }
    view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

QStringList RunsPage::selectedRuns() const {
    QStringList runs;
    for (const int row : m_table->selectedRows()) {
        runs.append(text(m_model->run(row).id));
    }
    return runs;
}

void RunsPage::updateSelection() {
    const QList<int> rows = m_table->selectedRows();
    m_open->setEnabled(rows.size() == 1);
    const bool noneIsOn =
        std::none_of(rows.begin(), rows.end(), [this](int row) { return isOn(text(m_model->run(row).id)); });
    m_delete->setEnabled(!rows.isEmpty() && noneIsOn);
    m_delete->setToolTip(!noneIsOn        ? tr("A run that is on cannot be deleted. Stop it first.")
                         : rows.isEmpty() ? tr("Select the runs that are to be deleted.")
                                          : tr("Delete the selected runs with their checkpoints, after a question"));
    m_compare->setEnabled(rows.size() == 2);
    m_compare->setToolTip(rows.size() == 2 ? tr("What differs between the two runs")
                                           : tr("Select two runs to see what differs between them."));
    const bool one = rows.size() == 1;
    m_profiles->setEnabled(one);
    m_profiles->setToolTip(tr("Where the time and the memory of the run's steps went"));
    const std::string status = one ? m_model->run(rows.first()).status : std::string();
    m_matrix->setEnabled(one && status != "unreadable");
    m_matrix->setToolTip(one ? tr("Which classes the model took for which, epoch by epoch")
                             : tr("Select one run to see its confusion matrices."));
    m_toParent->setEnabled(one &&
                           (m_model->trialOf(rows.first()) != nullptr || !m_model->run(rows.first()).parent.empty()));
    m_resume->setEnabled(one && (status == "interrupted" || status == "stopped" || status == "failed") &&
                         !workspace().bridge().isActive());
    if (one) {
        const store::RunInfo& run = m_model->run(rows.first());
        m_try->setRun(text(run.id), stateOf(run));
    } else {
        m_try->setRun({});
    }
    drawOverlay();
    showFindings();
}

bool RunsPage::isOn(const QString& run) const {
    if (run == workspace().bridge().runId()) {
        return workspace().bridge().isActive();  // the table may not have heard of its end yet
    }
    const int row = m_model->rowOf(run);
    return row >= 0 && m_model->run(row).status == "running";
}

void RunsPage::showFindings() {
    const QList<int> rows = m_table->selectedRows();
    if (!m_front || rows.size() != 1) {
        return;
    }
    const store::RunInfo& info = m_model->run(rows.first());
    const QString run = text(info.id), state = run + QLatin1Char(' ') + stateOf(info);
    if (run == workspace().bridge().runId()) {
        ++m_findingStamp;
        m_foundOf = state;
        workspace().showLiveRun();
        return;
    }
    if (info.status == "unreadable" || std::exchange(m_foundOf, state) == state) {
        return;
    }
    const quint64 stamp = ++m_findingStamp;
    runInBackground(
        this,
        [folder = workspace().document().runsFolder() / filePath(run)]() -> Result<std::vector<diagnostics::Finding>> {
            PLUMBLINE_ASSIGN(const auto reader, store::RunReader::open(folder));
            return reader->findings();
        },
        [this, stamp, run](Result<std::vector<diagnostics::Finding>> findings) {
            if (stamp == m_findingStamp && m_front && findings) {
                workspace().showStoredRun(run, std::move(*findings));
            }
        });
}

void RunsPage::drawOverlay() {
    const QStringList runs = selectedRuns().mid(0, kMaxOverlaid);
    const QString series = m_series->currentText();
    QString key = series;
    for (const QString& run : runs) {
        const int row = m_model->rowOf(run);
        key += QLatin1Char('|') + run + QLatin1Char(' ') + (row >= 0 ? stateOf(m_model->run(row)) : QString());
    }
    if (key == m_drawn && !workspace().bridge().isActive()) {
        return;
    }
    m_drawn = key;
    m_model->setDrawn(runs);
    const quint64 stamp = ++m_plotStamp;
    m_drawing = !runs.isEmpty();
    if (runs.isEmpty()) {
        m_overlay->clearSeries();
        return;
    }
    const std::filesystem::path folder = workspace().document().runsFolder();
    runInBackground(
        this, [=] { return readOverlay(folder, runs, series); },
        [this, stamp, series](Result<std::vector<OverlaidRun>> overlay) {
            if (stamp != m_plotStamp) {
                return;
            }
            m_drawing = false;
            if (!overlay) {
                m_plotError = workspace().tell(overlay.error());
                return;
            }
            workspace().retract(m_plotError);
            QStringList ids, names;
            for (const OverlaidRun& run : *overlay) {
                ids << run.id;
            }
            // The same curves, further on: they grow, and the zoom stays.
            const bool grows = m_overlay->seriesIds() == ids && m_overlaid == series;
            m_overlaid = series;
            if (!grows) {
                m_overlay->clearSeries();
            }
            const bool validation = m_series->currentText().startsWith(QLatin1String("val."));
            for (const OverlaidRun& run : *overlay) {
                PlotSeriesSpec spec;
                spec.id = run.id;
                spec.name = run.name;
                spec.curve = m_model->colorOf(run.id);
                if (validation) {
                    spec.style = Qt::DashLine;
                    spec.points = true;
                }
                m_overlay->addSeries(spec);  // one that is there takes the new looks
                m_overlay->setData(run.id, {run.chunk.step, run.chunk.epoch, run.chunk.seconds, run.chunk.value});
                for (const QString& name : run.series) {
                    if (!names.contains(name)) {
                        names.append(name);
                    }
                }
            }
            m_overlay->setYLabel(m_series->currentText());
            // A series that a run does not have yet stays chosen.
            const QString current = m_series->currentText();
            if (!names.contains(current)) {
                names.append(current);
            }
            names.sort();
            QStringList offered;
            for (int i = 0; i < m_series->count(); ++i) {
                offered << m_series->itemText(i);
            }
            if (names != offered) {
                m_series->clear();
                m_series->addItems(names);
                m_series->setCurrentText(current);
            }
        });
}

bool RunsPage::showRun(const QString& run) {
    m_wanted = run;
    reload();
    return true;
}

void RunsPage::resumeSelected() {
    const QStringList runs = selectedRuns();
    if (runs.size() == 1) {
        workspace().requestResume(runs.first());
    }
}

void RunsPage::deleteSelected() {
    const QStringList runs = selectedRuns();
    if (runs.isEmpty()) {
        return;
    }
    QStringList names;
    for (const QString& run : runs.mid(0, kMaxNamed)) {
        const QString name = runNameOf(run);
        names << (name == run ? run : tr("%1 (%2)").arg(name, run));
    }
    if (runs.size() > kMaxNamed) {
        names << tr("and %n more", nullptr, static_cast<int>(runs.size()) - kMaxNamed);
    }
    auto* box = new QMessageBox(
        QMessageBox::Warning, tr("Delete runs"),
        runs.size() == 1 ? tr("Delete run %1 with its checkpoints?").arg(names.first())
                         : tr("Delete these %n runs with their checkpoints?", nullptr, static_cast<int>(runs.size())) +
                               QLatin1Char('\n') + names.join(QLatin1Char('\n')),
        QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("dialog_delete_runs"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("This cannot be undone."));
    box->setDefaultButton(QMessageBox::Cancel);
    QAbstractButton* confirm = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
    connect(box, &QMessageBox::buttonClicked, this, [this, runs, confirm](QAbstractButton* clicked) {
        if (clicked == confirm) {
            deleteRuns(runs);
        }
    });
    nameDialogButtons(*box);
    box->open();
}

void RunsPage::deleteRuns(const QStringList& runs) {
    std::vector<std::filesystem::path> folders;
    for (const QString& run : runs) {
        if (workspace().bridge().isActive() && run == workspace().bridge().runId()) {
            m_stillOn = workspace().tell(Severity::Warning, tr("Run %1 is still on.").arg(run), tr("Stop it first."));
            continue;
        }
        folders.push_back(workspace().document().runsFolder() / filePath(run));
    }
    if (folders.empty()) {
        return;
    }
    m_loading = true;
    runInBackground(
        this,
        [folders]() -> Status {
            Status status;
            for (const std::filesystem::path& folder : folders) {
                if (Status deleted = store::deleteRun(folder); !deleted && status) {
                    status = std::move(deleted);
                }
            }
            return status;
        },
        [this](const Status& status) {
            if (!status) {
                workspace().tell(status.error());
            }
            m_drawn.clear();
            reload();
        });
}

void RunsPage::compareSelected() {
    const QStringList runs = selectedRuns();
    if (runs.size() != 2) {
        return;
    }
    const std::filesystem::path folder = workspace().document().runsFolder();
    const QString names[] = {runNameOf(runs[0]), runNameOf(runs[1])};
    runInBackground(
        this,
        [folder, runs]() -> Result<store::RunComparison> {
            PLUMBLINE_ASSIGN(const auto first, store::RunReader::open(folder / filePath(runs[0])));
            PLUMBLINE_ASSIGN(const auto second, store::RunReader::open(folder / filePath(runs[1])));
            return store::compareRuns(*first, *second);
        },
        [this, first = names[0], second = names[1]](const Result<store::RunComparison>& comparison) {
            if (!comparison) {
                workspace().tell(comparison.error());
                return;
            }
            showComparison(*comparison, first, second, this);
        });
}

QString RunsPage::runNameOf(const QString& run) const {
    const int row = m_model->rowOf(run);
    return row >= 0 && !m_model->run(row).name.empty() ? text(m_model->run(row).name) : run;
}

void RunsPage::writeNote(const QString& run, const QString& name, const QString& note) {
    const Status status =
        store::setRunNote(workspace().document().runsFolder() / filePath(run), bytes(name), bytes(note));
    if (!status) {
        workspace().tell(status.error());
        reload();
    }
}

QByteArray RunsPage::saveLayout() const {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    stream << m_outer->saveState() << m_lower->saveState() << m_table->saveColumns();
    return state;
}

void RunsPage::restoreLayout(const QByteArray& state) {
    QDataStream stream(state);
    QByteArray outer, lower, columns;
    stream >> outer >> lower >> columns;
    m_outer->restoreState(outer);
    m_lower->restoreState(lower);
    m_table->restoreColumns(columns);
}

void RunsPage::resetLayout() {
    m_outer->setSizes({320, 360});
    m_lower->setSizes({620, 380});
}

}  // namespace plumbline::gui
