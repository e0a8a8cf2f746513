// SPDX-License-Identifier: GPL-3.0-or-later
// Many settings tried: a sweep is begun here, watched, stopped and gone on with, and its trials are compared.
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <functional>

#include "gui/page.h"
#include "gui/sweeps/sweep_list.h"
#include "gui/sweeps/sweep_process.h"

class QComboBox;
class QMessageBox;
class QPushButton;
class QSplitter;

namespace plumbline::widgets {
class ElidedLabel;
class EmptyState;
class FilterTable;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class SweepDialog;
class TrialModel;
class TrialViews;

class SweepsPage : public Page {
    Q_OBJECT

public:
    explicit SweepsPage(Workspace& workspace, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("sweeps"); }
    QString title() const override { return tr("Sweeps"); }
    QString iconName() const override { return QStringLiteral("sweeps"); }
    void activated() override;
    void deactivated() override;
    QList<QAction*> pageActions() const override;
    QList<QAction*> runActions() const override { return {m_new}; }
    /// The sweep that the run is a trial of.
    bool showRun(const QString& run) override;
    bool askBeforeEnd(const std::function<void()>& then) override;
    bool isSettled() const override;
    QByteArray saveLayout() const override;
    void restoreLayout(const QByteArray& state) override;
    void resetLayout() override;

    SweepProcess& process() { return m_process; }
    /// How long another process has to answer that it is to stop.
    void setAnswerWait(int milliseconds) { m_answerWaitMs = milliseconds; }

private:
    QWidget* makeStrip();
    void reload();
    void take(std::vector<SweepEntry> sweeps);
    void showChosen();
    void updateActions();
    /// To the status bar and the toolbar, how far the sweep is that this window began.
    void tellSweep();
    /// False, and a sentence, while a run is on.
    bool requireNoRun();
    void ask();
    void begin(const SweepDialog& dialog);
    void resumeChosen();
    void useSettings();
    void openRun(int row);
    void stopChosen();
    /// What was asked of another process and is not answered is told and taken back.
    void followStop();
    const SweepEntry* chosen() const;
    /// Some process runs it, and not the one that this window began.
    bool runsElsewhere(const SweepEntry& entry) const;
    /// The process that this window began runs a sweep of the project that is open.
    bool isOurs() const;

    /// A request to stop that this window has made.
    struct Asked {
        std::filesystem::path sweeps;
        std::string name, ticket;
    };

    SweepProcess m_process;
    std::vector<SweepEntry> m_sweeps;
    TrialModel* m_model;
    widgets::FilterTable* m_table;
    TrialViews* m_views;
    widgets::EmptyState* m_empty;
    widgets::ElidedLabel* m_summary;
    QComboBox* m_choice;
    QSplitter* m_splitter;
    QWidget* m_content;
    QAction* m_new;
    QAction* m_find;
    QPushButton* m_stop;
    QPushButton* m_resume;
    QPushButton* m_use;
    QPointer<QMessageBox> m_question;
    QTimer m_look;         ///< while some process runs a sweep
    QStringList m_before;  ///< sweeps that were there when one was begun; the new one is shown
    QString m_own;         ///< the sweep that m_process runs; empty until it is known
    QString m_wantedRun;
    Asked m_asked;  ///< of another process, until it is heard or taken back
    QElapsedTimer m_sinceAsked;
    int m_answerWaitMs = 10'000;
    std::function<void()> m_afterEnd;  ///< of the sweep that is being stopped
    quint64 m_listError = 0;
    quint64 m_stamp = 0;
    bool m_awaited = false;  ///< one was begun and is not in the list yet
    bool m_loading = false;
    bool m_front = false;
};

}  // namespace plumbline::gui
