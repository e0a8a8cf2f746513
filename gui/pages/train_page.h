// SPDX-License-Identifier: GPL-3.0-or-later
// Settings on the left, the run's plots on the right, its newest numbers below.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "graph/resolve.h"
#include "gui/page.h"
#include "gui/pages/run_series.h"

class QCheckBox;
class QComboBox;
class QSlider;
class QSplitter;

namespace plumbline::project {
struct Project;
}

namespace plumbline::widgets {
class ElidedLabel;
class StatusChip;
class NumberTile;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class MemoryTable;
class ProbeMenu;
class RunProfileDialog;
class SettingForm;
class TrainPlots;

class TrainPage : public Page {
    Q_OBJECT

public:
    explicit TrainPage(Workspace& workspace, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("train"); }
    QString title() const override { return tr("Train"); }
    QString iconName() const override { return QStringLiteral("train"); }
    void activated() override;
    void deactivated() override;
    void commitPending() override;
    QString refusedText() const override;
    void revealRefused() override;
    QList<QAction*> pageActions() const override;
    QList<QAction*> runActions() const override;
    bool showRun(const QString& run) override;
    bool revealPointer(const QString& pointer) override;
    bool isSettled() const override { return !m_loading; }
    QByteArray saveLayout() const override;
    void restoreLayout(const QByteArray& state) override;
    void resetLayout() override;

private:
    QWidget* makeStrip();
    QWidget* makeTiles();
    void startOver();
    void takeMetrics(const QList<SeriesChunk>& chunks);
    /// Reads what the store has of the run that is shown.
    void loadStored();
    void showStored(StoredRun stored);
    void end(const RunOutcome& outcome);
    void updateTiles();
    /// Of a stored run.
    void showLastValues(const QList<SeriesChunk>& series);
    void updateCaption();
    /// The rates that the settings of the run that is shown plan; of the project where none is.
    void updatePlannedRate();
    void showMarks();
    void noteChange(const LiveChange& change);
    /// Of the run that is shown.
    const std::vector<diagnostics::Finding>& findings() const;
    /// What a run was made of, which the project may have left since.
    struct RunPlan {
        std::shared_ptr<const project::Project> project;
        graph::ResolvedModel model;
        std::int64_t trainSamples = -1;
    };
    static std::shared_ptr<RunPlan> readPlan(const std::filesystem::path& runFolder,
                                             const std::filesystem::path& projectFolder);

    SettingForm* m_form;
    QAction* m_find;
    ProbeMenu* m_probes;
    QAction* m_profile;                           ///< of the run that is shown
    RunProfileDialog* m_profileDialog = nullptr;  ///< made when it is first wanted
    TrainPlots* m_plots;
    QSplitter* m_splitter;
    QSlider* m_smoothing;
    QComboBox* m_axis;
    QCheckBox* m_log;
    widgets::ElidedLabel* m_caption;
    widgets::StatusChip* m_health;  ///< open findings of the run that is shown
    widgets::NumberTile* m_loss;
    widgets::NumberTile* m_throughput;
    widgets::NumberTile* m_wait;
    widgets::NumberTile* m_tensors;
    widgets::NumberTile* m_resident;
    widgets::NumberTile* m_eta;
    MemoryTable* m_memory;
    QList<SeriesChunk> m_pending;  ///< arrived while the store was being read
    quint64 m_readError = 0;       ///< the sentence about the run that is shown
    quint64 m_stamp = 0;
    quint64 m_loadStamp = 0;  ///< m_stamp of the newest loadStored()
    bool m_loading = false;
    bool m_front = false;
    QString m_shownRun;
    std::shared_ptr<RunPlan> m_plan;  ///< of m_shownRun, or of the run that is being made; null while it is not known
    std::vector<diagnostics::Finding> m_storedFindings;  ///< of m_shownRun where it is an older one
    QList<LiveChange> m_changes;                         ///< of settings, while the run went on
};

}  // namespace plumbline::gui
