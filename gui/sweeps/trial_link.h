// SPDX-License-Identifier: GPL-3.0-or-later
// Table and lines of a sweep's trials show, select and point at the same ones.
#pragma once

#include <QList>
#include <QObject>

namespace plumbline::widgets {
class FilterTable;
}

namespace plumbline::gui {

class TrialModel;
class TrialViews;

/// Each outlives it.
class TrialLink : public QObject {
    Q_OBJECT

public:
    TrialLink(widgets::FilterTable& table, TrialModel& model, TrialViews& views, QObject* parent);

Q_SIGNALS:
    /// A line was opened.
    void activated(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The table leaves out what lies outside the marked ranges.
    void filter();
    void selectRows(const QList<int>& rows);

    widgets::FilterTable& m_table;
    TrialModel& m_model;
    TrialViews& m_views;
    bool m_filtered = false;
};

}  // namespace plumbline::gui
