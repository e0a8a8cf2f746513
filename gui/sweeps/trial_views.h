// SPDX-License-Identifier: GPL-3.0-or-later
// The trials of a sweep drawn: as parallel coordinates, or the objective over one parameter.
#pragma once

#include <QWidget>

#include "gui/sweeps/sweep_list.h"

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace plumbline::widgets {
class ElidedLabel;
class ParallelPlot;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class TrialPlot;

class TrialViews : public QWidget {
    Q_OBJECT

public:
    enum View { Lines, Dots };

    explicit TrialViews(QWidget* parent = nullptr);
    /// What is looked at, selected and marked stays, where the sweep is the same.
    void setSweep(const SweepEntry& sweep);
    View view() const;
    void setView(View view);
    widgets::ParallelPlot& lines() { return *m_lines; }

    /// Whether ranges are marked and seen; then isKept() says which trials lie in them.
    bool isFiltering() const;
    bool isKept(int row) const;
    bool isSettled() const;

Q_SIGNALS:
    void filterChanged();
    void exportFailed(const QString& sentence);

private:
    void showFilter();

    QString m_sweep;
    QComboBox* m_choice;
    QStackedWidget* m_choosers;
    QStackedWidget* m_views;
    widgets::ParallelPlot* m_lines;
    TrialPlot* m_dots;
    widgets::ElidedLabel* m_filter;
    QPushButton* m_clear;
};

}  // namespace plumbline::gui
