// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs a table shows: all, those of one sweep, or those of none.
#pragma once

#include <QComboBox>

namespace plumbline::gui {

struct TrialOrigin;

/// Hidden while there is no sweep to choose.
class SweepFilter : public QComboBox {
    Q_OBJECT

public:
    explicit SweepFilter(QWidget* parent = nullptr);

    /// The choice stays, while its sweep is there.
    void setSweeps(const QStringList& names);
    /// Back to all runs.
    void clear();
    bool isOff() const { return currentIndex() <= 0; }
    /// Whether a run is shown; null: it is no trial.
    bool accepts(const TrialOrigin* trial) const;

Q_SIGNALS:
    void changed();
};

}  // namespace plumbline::gui
