// SPDX-License-Identifier: GPL-3.0-or-later
// Looking back: all runs as a table, the selected ones over each other, and a trained model to try.
#pragma once

#include <filesystem>

#include "gui/page.h"

class QComboBox;
class QPushButton;
class QSplitter;
class QTimer;

namespace plumbline::widgets {
class EmptyState;
class FilterTable;
class PlotWidget;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class RunProfileDialog;
class RunTableModel;
class SweepFilter;
class TryPanel;
struct RunList;

class RunsPage : public Page {
    Q_OBJECT

public:
    explicit RunsPage(Workspace& workspace, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("runs"); }
    QString title() const override { return tr("Runs"); }
    QString iconName() const override { return QStringLiteral("runs"); }
    void activated() override;
    void deactivated() override;
    QList<QAction*> pageActions() const override { return {m_find, m_toParent}; }
    bool showRun(const QString& run) override;
    bool isSettled() const override { return !m_loading; }
    QByteArray saveLayout() const override;
    void restoreLayout(const QByteArray& state) override;
    void resetLayout() override;

private:
    QWidget* makeButtons();
    QWidget* makeOverlay();
    void makeParentAction();
    void reload();
    void take(RunList list, const std::filesystem::path& folder);
    void goToParent();
    void showMatrix();
    /// Puts it into the project; false, and told, where that cannot be.
    bool addMatrixMetric();
    void updateSelection();
    /// The findings of the one selected run, in the dock.
    void showFindings();
    bool isOn(const QString& run) const;
    void drawOverlay();
    QStringList selectedRuns() const;
    void selectRuns(const QStringList& runs);
    QString runNameOf(const QString& run) const;
    void resumeSelected();
    void deleteSelected();
    void deleteRuns(const QStringList& runs);
    void compareSelected();
    void writeNote(const QString& run, const QString& name, const QString& note);

    RunTableModel* m_model;
    widgets::FilterTable* m_table;
    QAction* m_find;
    QAction* m_toParent;
    SweepFilter* m_sweeps;
    widgets::EmptyState* m_empty;
    widgets::PlotWidget* m_overlay;
    QComboBox* m_series;
    TryPanel* m_try;
    RunProfileDialog* m_profileDialog = nullptr;  ///< made when it is first wanted
    QSplitter* m_outer;
    QSplitter* m_lower;
    QPushButton* m_open;
    QPushButton* m_resume;
    QPushButton* m_matrix;
    QPushButton* m_compare;
    QPushButton* m_profiles;
    QPushButton* m_delete;
    std::filesystem::path m_coloured;  ///< the runs folder whose colours the model has
    QString m_wanted;                  ///< run to select once the table is there
    QString m_drawn;                   ///< what the overlay shows: the series, and the runs with the state they had
    quint64 m_listError = 0, m_plotError = 0, m_stillOn = 0;  ///< sentences that go with their cause
    quint64 m_listStamp = 0;
    quint64 m_plotStamp = 0;
    quint64 m_findingStamp = 0;
    QString m_overlaid;  ///< the series that the overlay shows
    QString m_foundOf;   ///< the run whose findings are in the dock, with the state it had
    QTimer* m_look;      ///< while a run is on and the page is in front
    bool m_front = false;
    bool m_loading = false;
    bool m_drawing = false;
};

}  // namespace plumbline::gui
