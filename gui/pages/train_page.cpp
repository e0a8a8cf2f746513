// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/train_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/background.h"
#include "gui/convert.h"
#include "gui/finding_count.h"
#include "gui/pages/memory_table.h"
#include "gui/pages/probe_menu.h"
#include "gui/pages/run_profile_dialog.h"
#include "gui/pages/run_series.h"
#include "gui/pages/setting_form.h"
#include "gui/pages/train_plots.h"
#include "gui/workspace.h"
#include "project/project.h"
#include "session/run_files.h"
#include "widgets/icons.h"
#include "widgets/labels.h"
#include "widgets/number_tile.h"
#include "widgets/shrinking_row.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kCaptionChars = 12;  ///< of the run that is shown, before buttons lose their text
constexpr int kFormWidth = 330;
constexpr qint32 kLayoutVersion = 2;
constexpr int kPlotRow = 150;  ///< one row of plots is always seen; a low window scrolls to the others

/// 0 … 100 of the slider as a smoothing factor: even steps where the curve changes visibly.
double smoothingOf(int position) {
    return position == 0 ? 0.0 : 1.0 - std::pow(10.0, -position / 40.0);
}

NumberTile* tile(const QString& name, const QString& caption, QHBoxLayout* layout, QWidget* parent) {
    auto* made = new NumberTile(caption, parent);
    made->setObjectName(name);
    layout->addWidget(made, 1);
    return made;
}

}  // namespace

TrainPage::TrainPage(Workspace& workspace, QWidget* parent) : Page(workspace, parent) {
    m_form = new SettingForm(workspace, QStringLiteral("training_settings"),
                             {QStringLiteral("training."), QStringLiteral("data.loader."), QStringLiteral("monitor.")},
                             this);
    m_find = makeFindAction(tr("Find a setting…"), m_form->filterField());
    m_probes = new ProbeMenu(*this);
    m_profile = new QAction(icon(QStringLiteral("clock")), tr("Profile this run…"), this);
    m_profile->setObjectName(QStringLiteral("action_profile_run"));
    connect(m_profile, &QAction::triggered, this, [this] {
        if (m_profileDialog == nullptr) {
            m_profileDialog = new RunProfileDialog(this->workspace(), this);
        }
        m_profileDialog->showRun(m_shownRun);
    });
    m_plots = new TrainPlots(this);
    auto* right = new QWidget(this);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
    column->setSpacing(space::kSmall);
    column->addWidget(makeStrip());
    auto* scroll = new QScrollArea(right);
    scroll->setObjectName(QStringLiteral("train_plots"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumSize(m_plots->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent),
                           kPlotRow);
    scroll->setWidget(m_plots);
    column->addWidget(scroll, 1);
    column->addWidget(makeTiles());
    m_memory = new MemoryTable(right);
    column->addWidget(m_memory);
    m_splitter = new QSplitter(this);
    m_splitter->setObjectName(QStringLiteral("train_splitter"));
    m_splitter->addWidget(m_form);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    resetLayout();

    RunBridge& bridge = workspace.bridge();
    connect(&bridge, &RunBridge::runStarting, this, &TrainPage::startOver);
    connect(&bridge, &RunBridge::runStarting, this, [this] {
        const ProjectDocument& document = this->workspace().document();
        if (!this->workspace().bridge().isResume()) {  // one that goes on has its own, in the store
            m_plan = std::make_shared<RunPlan>(
                RunPlan{document.snapshot(), document.report().model, this->workspace().trainSamples()});
        }
    });
    connect(&bridge, &RunBridge::eventArrived, this, [this](const session::Event& event) {
        if (event.event == "command" && m_shownRun == this->workspace().bridge().runId() &&
            event.data.contains("value")) {
            noteChange(liveChange(event.data.value("step", std::int64_t{0}), event.data.value("path", std::string()),
                                  event.data["value"]));
            showMarks();
        }
    });
    connect(&bridge, &RunBridge::runOpened, this, [this](const QString& run) {
        m_shownRun = run;
        m_loading = this->workspace().bridge().isResume();  // what it had before comes from the store, once that is cut
        updateCaption();
    });
    connect(&bridge, &RunBridge::resumed, this, [this] {
        if (m_shownRun == this->workspace().bridge().runId()) {
            m_plots->clear();
            m_changes.clear();
            loadStored();
        }
    });
    connect(&bridge, &RunBridge::metricsArrived, this, &TrainPage::takeMetrics);
    connect(&bridge, &RunBridge::progressChanged, this, &TrainPage::updateTiles);
    connect(&bridge, &RunBridge::stateChanged, this, &TrainPage::updateCaption);
    const auto tellPlots = [this] { m_plots->setRunning(this->workspace().bridge().isActive()); };
    connect(&bridge, &RunBridge::stateChanged, this, tellPlots);
    connect(&bridge, &RunBridge::finished, this, tellPlots);
    connect(&bridge, &RunBridge::finished, this, &TrainPage::end);
    connect(&workspace, &Workspace::findingsChanged, this, [this] {
        showMarks();
        updateCaption();
    });
    connect(&workspace.document(), &ProjectDocument::projectChanged, this, &TrainPage::startOver);
    connect(&workspace.document(), &ProjectDocument::changed, this, &TrainPage::updatePlannedRate);
    connect(&workspace.document(), &ProjectDocument::checked, this,
            &TrainPage::updatePlannedRate);  // which groups there are, the model tells
    connect(&workspace, &Workspace::trainSamplesChanged, this, &TrainPage::updatePlannedRate);
    connect(m_plots, &TrainPlots::exportFailed, &workspace,
            [&workspace](const QString& sentence) { workspace.tell(Severity::Critical, sentence); });
    connect(m_plots, &TrainPlots::findingActivated, &workspace, &Workspace::showFinding);
    updateCaption();
}

QWidget* TrainPage::makeStrip() {
    auto* strip = new ShrinkingRow(this);
    QHBoxLayout* row = strip->row();
    row->setSpacing(space::kMedium);
    m_caption = new ElidedLabel({}, strip);
    m_caption->setObjectName(QStringLiteral("train_caption"));
    m_caption->setFont(Theme::instance().titleFont());
    m_caption->setElideMode(Qt::ElideMiddle);  // runs of one day differ at the end
    m_caption->setMinimumWidth(kCaptionChars * m_caption->fontMetrics().averageCharWidth());
    row->addWidget(m_caption, 1);
    m_health = new StatusChip(strip);
    m_health->setObjectName(QStringLiteral("train_findings"));
    m_health->setToolTip(tr("Show the findings of this run"));
    m_health->setClickable(true);
    m_health->hide();
    connect(m_health, &StatusChip::clicked, this, [this] { workspace().showFinding(countFindings(findings()).first); });
    row->addWidget(m_health);

    auto* smoothingLabel = new QLabel(tr("S&moothing"), strip);
    m_smoothing = new QSlider(Qt::Horizontal, strip);
    m_smoothing->setObjectName(QStringLiteral("train_smoothing"));
    m_smoothing->setAccessibleName(tr("Smoothing of the curves"));
    m_smoothing->setRange(0, 100);
    m_smoothing->setFixedWidth(80);
    smoothingLabel->setBuddy(m_smoothing);
    connect(m_smoothing, &QSlider::valueChanged, this,
            [this](int position) { m_plots->group().setSmoothing(smoothingOf(position)); });
    row->addWidget(smoothingLabel);
    row->addWidget(m_smoothing);

    m_axis = new QComboBox(strip);
    m_axis->setObjectName(QStringLiteral("train_axis"));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_axis->addItems({tr("Step"), tr("Epoch"), tr("Seconds")});
    connect(m_axis, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_plots->group().setXAxis(static_cast<PlotXAxis>(index)); });
    row->addWidget(m_axis);

    m_log = new QCheckBox(tr("Log scale"), strip);
    m_log->setObjectName(QStringLiteral("train_log"));
    connect(m_log, &QCheckBox::toggled, this, [this](bool on) { m_plots->setYLog(on); });
    row->addWidget(m_log);

    auto* all = new QPushButton(icon(QStringLiteral("fit")), tr("Show all plots"), strip);
    all->setObjectName(QStringLiteral("train_show_all"));
    connect(all, &QPushButton::clicked, this, [this] {
        m_plots->showAll();
        m_plots->group().resetZoom();
    });
    row->addWidget(all);
    auto* profile = new QPushButton(m_profile->icon(), tr("Profile"), strip);
    profile->setObjectName(QStringLiteral("train_profile"));
    profile->setToolTip(tr("Where the time and the memory of this run's steps go"));
    connect(profile, &QPushButton::clicked, m_profile, &QAction::trigger);
    connect(m_profile, &QAction::changed, profile, [this, profile] { profile->setEnabled(m_profile->isEnabled()); });
    row->addWidget(profile);
    QPushButton* before = m_probes->makeButton(strip);
    row->addWidget(before);
    strip->giveUpText(all);
    strip->giveUpText(profile);
    strip->giveUpText(before);
    strip->giveUp(smoothingLabel);  // each plot's menu has it as well
    strip->giveUp(m_smoothing);
    return strip;
}

QWidget* TrainPage::makeTiles() {
    auto* strip = new ShrinkingRow(this);
    QHBoxLayout* row = strip->row();
    row->setSpacing(space::kSmall);
    m_loss = tile(QStringLiteral("tile_loss"), tr("Loss"), row, strip);
    m_throughput = tile(QStringLiteral("tile_throughput"), tr("Throughput"), row, strip);
    m_wait = tile(QStringLiteral("tile_wait"), tr("Loader wait"), row, strip);
    m_tensors = tile(QStringLiteral("tile_tensors"), tr("Tensors"), row, strip);
    m_resident = tile(QStringLiteral("tile_resident"), tr("Process memory"), row, strip);
    m_eta = tile(QStringLiteral("tile_eta"), tr("Time left"), row, strip);
    // What stands in its plot or in the status bar as well goes first.
    strip->giveUp(m_resident);
    strip->giveUp(m_wait);
    strip->giveUp(m_tensors);
    return strip;
}

QList<QAction*> TrainPage::pageActions() const {
    return QList<QAction*>{m_find, nullptr} + m_probes->actions() + QList<QAction*>{m_profile};
}

QList<QAction*> TrainPage::runActions() const {
    return m_probes->actions();
}

void TrainPage::commitPending() {
    m_form->commitPending();
}

QString TrainPage::refusedText() const {
    return m_form->refusedText();
}

void TrainPage::revealRefused() {
    m_form->revealRefused();
}

void TrainPage::startOver() {
    workspace().retract(std::exchange(m_readError, 0));
    ++m_stamp;
    m_loading = false;
    m_shownRun.clear();
    m_pending.clear();
    m_storedFindings.clear();
    m_plan.reset();
    m_changes.clear();
    m_plots->clear();
    m_memory->clear();
    for (NumberTile* tile : {m_loss, m_throughput, m_wait, m_tensors, m_resident, m_eta}) {
        tile->clear();
    }
    updatePlannedRate();
    updateCaption();
}

void TrainPage::updatePlannedRate() {
    const ProjectDocument& document = workspace().document();
    if (!document.isOpen()) {
        m_plots->setPlannedRate({});
        return;
    }
    if (m_plan) {
        const project::Project& own = *m_plan->project;
        const std::filesystem::path& folder = document.folder();
        if (m_plan->trainSamples < 0 &&
            DataReader::keyOf(own.data, folder) == DataReader::keyOf(document.project().data, folder)) {
            m_plan->trainSamples = workspace().trainSamples();
        }
        m_plots->setPlannedRate(plannedRate(own.training, m_plan->model, own.data.loader, m_plan->trainSamples));
        return;
    }
    m_plots->setPlannedRate(m_shownRun.isEmpty()
                                ? plannedRate(document.project().training, document.report().model,
                                              document.project().data.loader, workspace().trainSamples())
                                : PlannedRate());
}

std::shared_ptr<TrainPage::RunPlan> TrainPage::readPlan(const std::filesystem::path& runFolder,
                                                        const std::filesystem::path& projectFolder) {
    auto project = session::projectOfRun(runFolder, projectFolder);
    if (!project) {
        return nullptr;
    }
    graph::ResolvedModel model = project::checkProject(*project, ProjectDocument::registry()).model;
    return std::make_shared<RunPlan>(
        RunPlan{std::make_shared<const project::Project>(std::move(*project)), std::move(model), -1});
}

void TrainPage::noteChange(const LiveChange& change) {
    if (!m_changes.contains(change)) {
        m_changes << change;
    }
}

void TrainPage::showMarks() {
    m_plots->setMarks(findings(), m_changes);
}

void TrainPage::takeMetrics(const QList<SeriesChunk>& chunks) {
    if (m_shownRun != workspace().bridge().runId()) {
        return;  // an older run is being looked at
    }
    m_loading ? m_pending.append(chunks) : m_plots->append(chunks);
    updateTiles();
}

void TrainPage::end(const RunOutcome& outcome) {
    updateCaption();
    updateTiles();
    if (m_shownRun.isEmpty()) {  // it never began: the next one follows the project again
        m_plan.reset();
        updatePlannedRate();
    }
    if (m_shownRun.isEmpty() || m_shownRun != outcome.run) {
        return;
    }
    if (outcome.summary) {
        session::MemorySummary memory = memoryOfSummary(
            {{"memory", outcome.summary->memory}, {"peak_memory_bytes", outcome.summary->peakMemoryBytes}});
        memory.tensors.current = workspace().bridge().progress().memory.tensors.current;
        m_memory->setSummary(memory);
    }
    if (m_loading && m_stamp != m_loadStamp) {
        loadStored();  // it was to go on and never came to its checkpoint
    }
}

void TrainPage::updateTiles() {
    RunBridge& bridge = workspace().bridge();
    if (m_shownRun != bridge.runId()) {
        return;
    }
    if (const auto loss = bridge.latest(QStringLiteral("train.loss"))) {
        m_loss->setValue(metricText(*loss));
        m_loss->appendHistory(*loss);
    }
    const auto& progress = bridge.progress();
    if (progress.samplesPerSecond > 0) {
        m_throughput->setValue(countText(progress.samplesPerSecond), tr("samples/s"));
    }
    const auto wait = bridge.latest(QStringLiteral("loader.wait_ms"));
    if (wait) {
        m_wait->setValue(QString::number(*wait, 'f', 2), tr("ms"));
    }
    if (const auto tensors = bridge.latest(QStringLiteral("memory.tensors_bytes"))) {
        m_tensors->setValue(bytesText(*tensors));
    }
    if (const auto resident = bridge.latest(QStringLiteral("memory.rss_bytes"))) {
        m_resident->setValue(bytesText(*resident));
    }
    m_eta->setValue(bridge.isActive() && progress.etaSeconds > 0 ? durationText(progress.etaSeconds) : QString());
    if (bridge.isActive() && progress.step > 0) {
        m_memory->setSummary(progress.memory);
    }
}

void TrainPage::showLastValues(const QList<SeriesChunk>& series) {
    for (const SeriesChunk& chunk : series) {
        if (chunk.value.empty()) {
            continue;
        }
        const double last = chunk.value.back();
        if (chunk.series == QLatin1String("train.loss")) {
            m_loss->setValue(metricText(last));
        } else if (chunk.series == QLatin1String("throughput.samples_per_second")) {
            m_throughput->setValue(countText(last), tr("samples/s"));
        } else if (chunk.series == QLatin1String("loader.wait_ms")) {
            m_wait->setValue(QString::number(last, 'f', 2), tr("ms"));
        } else if (chunk.series == QLatin1String("memory.tensors_bytes")) {
            m_tensors->setValue(bytesText(last));
        } else if (chunk.series == QLatin1String("memory.rss_bytes")) {
            m_resident->setValue(bytesText(last));
        }
    }
}

void TrainPage::updateCaption() {
    RunBridge& bridge = workspace().bridge();
    if (m_shownRun.isEmpty()) {
        m_caption->setText(bridge.isActive() ? tr("Preparing…") : tr("No run shown"));
    } else if (m_shownRun == bridge.runId()) {
        m_caption->setText(tr("Run %1 · %2").arg(m_shownRun, stateText(bridge.state())));
    } else {
        m_caption->setText(tr("Run %1").arg(m_shownRun));
    }
    const FindingCount found = m_shownRun.isEmpty() ? FindingCount() : countFindings(findings());
    m_profile->setEnabled(!m_shownRun.isEmpty());
    m_health->setVisible(found.open > 0);
    m_health->setStatus(found.worst, findingsText(found.open));
}

bool TrainPage::showRun(const QString& run) {
    if (!workspace().document().isOpen() || (run == workspace().bridge().runId() && run == m_shownRun)) {
        return true;
    }
    startOver();
    m_shownRun = run;
    updatePlannedRate();
    workspace().showLiveRun();
    updateCaption();
    loadStored();
    return true;
}

void TrainPage::loadStored() {
    m_loading = true;
    const quint64 stamp = m_loadStamp = ++m_stamp;
    const std::filesystem::path folder = workspace().document().runsFolder() / filePath(m_shownRun);
    const auto plan = std::make_shared<std::shared_ptr<RunPlan>>();
    runInBackground(
        this,
        [folder, plan, project = workspace().document().folder()] {
            *plan = readPlan(folder, project);
            return readStoredRun(folder);
        },
        [this, stamp, plan](Result<StoredRun> stored) {
            if (stamp != m_stamp) {
                return;
            }
            m_loading = false;
            m_plan = *plan;
            updatePlannedRate();
            if (!stored) {
                m_readError = workspace().tell(stored.error());
            }
            showStored(stored ? std::move(*stored) : StoredRun());
        });
}

void TrainPage::showStored(StoredRun stored) {
    for (const LiveChange& change : std::as_const(stored.changes)) {
        noteChange(change);
    }
    m_plots->append(stored.series);
    showLastValues(stored.series);
    QHash<QString, double> last;
    for (const SeriesChunk& chunk : std::as_const(stored.series)) {
        if (!chunk.step.empty()) {
            last.insert(chunk.series, chunk.step.back());
        }
    }
    // What arrived meanwhile follows, without what the store had of it already.
    for (SeriesChunk& chunk : m_pending) {
        const auto known = last.constFind(chunk.series);
        const auto from =
            known == last.cend() ? chunk.step.begin() : std::upper_bound(chunk.step.begin(), chunk.step.end(), *known);
        const auto count = from - chunk.step.begin();
        for (auto* column : {&chunk.step, &chunk.epoch, &chunk.seconds, &chunk.value}) {
            column->erase(column->begin(), column->begin() + count);
        }
    }
    m_plots->append(std::exchange(m_pending, {}));
    const bool newest = m_shownRun == workspace().bridge().runId();
    if (stored.summary.is_object() && !(newest && workspace().bridge().isActive())) {
        session::MemorySummary memory = memoryOfSummary(stored.summary);
        for (const SeriesChunk& chunk : std::as_const(stored.series)) {
            if (chunk.series == QLatin1String("memory.tensors_bytes") && !chunk.value.empty()) {
                memory.tensors.current = static_cast<std::int64_t>(chunk.value.back());
            }
        }
        m_memory->setSummary(memory);
    }
    if (newest) {
        showMarks();
        updateTiles();
        return;
    }
    m_storedFindings = std::move(stored.findings);
    if (m_front) {
        workspace().showStoredRun(m_shownRun, m_storedFindings);
    }
    showMarks();
    updateCaption();
}

const std::vector<diagnostics::Finding>& TrainPage::findings() const {
    return m_shownRun == workspace().bridge().runId() ? workspace().bridge().findings() : m_storedFindings;
}

void TrainPage::deactivated() {
    m_front = false;
}

void TrainPage::activated() {
    m_front = true;
    // Another page may have shown those of another run.
    if (m_shownRun.isEmpty() || m_shownRun == workspace().findingsRun()) {
        return;
    }
    if (m_shownRun == workspace().bridge().runId()) {
        workspace().showLiveRun();
    } else if (!m_loading) {
        workspace().showStoredRun(m_shownRun, m_storedFindings);
    }
}

bool TrainPage::revealPointer(const QString& pointer) {
    return m_form->revealPointer(pointer);
}

QByteArray TrainPage::saveLayout() const {
    const QVariantMap state{{QStringLiteral("splitter"), m_splitter->saveState()},
                            {QStringLiteral("plots"), m_plots->layoutState()},
                            {QStringLiteral("smoothing"), m_smoothing->value()},
                            {QStringLiteral("axis"), m_axis->currentIndex()},
                            {QStringLiteral("log"), m_log->isChecked()}};
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << kLayoutVersion << state;
    return bytes;
}

void TrainPage::restoreLayout(const QByteArray& bytes) {
    QDataStream stream(bytes);
    qint32 version = 0;
    QVariantMap state;
    stream >> version;
    if (version != kLayoutVersion) {
        return;
    }
    stream >> state;
    m_splitter->restoreState(state.value(QStringLiteral("splitter")).toByteArray());
    m_plots->restoreLayout(state.value(QStringLiteral("plots")).toMap());
    m_smoothing->setValue(state.value(QStringLiteral("smoothing")).toInt());
    m_axis->setCurrentIndex(std::max(0, state.value(QStringLiteral("axis")).toInt()));
    m_log->setChecked(state.value(QStringLiteral("log")).toBool());
}

void TrainPage::resetLayout() {
    m_splitter->setSizes({kFormWidth, 900});
    m_plots->resetLayout();
    m_smoothing->setValue(0);
    m_axis->setCurrentIndex(0);
    m_log->setChecked(false);
}

}  // namespace plumbline::gui
