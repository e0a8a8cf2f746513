// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/sweeps/sweep_filter.h"

#include <QSignalBlocker>

#include "gui/sweeps/sweep_list.h"

namespace plumbline::gui {

namespace {

constexpr int kNoTrials = 1, kFirstSweep = 2;
constexpr int kLetters = 16;  ///< of the choice that are seen in any case

}  // namespace

SweepFilter::SweepFilter(QWidget* parent) : QComboBox(parent) {
    setAccessibleName(tr("Runs that are shown"));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(kLetters);
    addItems({tr("All runs"), tr("Without trials")});
    hide();
    connect(this, &QComboBox::currentIndexChanged, this, &SweepFilter::changed);
}

void SweepFilter::setSweeps(const QStringList& names) {
    QStringList shown;
    for (int i = kFirstSweep; i < count(); ++i) {
        shown << itemData(i).toString();
    }
    if (shown != names) {
        const QString chosen = currentData().toString();
        const bool choseSweep = currentIndex() >= kFirstSweep;
        {
            const QSignalBlocker quiet(this);
            const int before = currentIndex();
            while (count() > kFirstSweep) {
                removeItem(count() - 1);
            }
            for (const QString& name : names) {
                addItem(tr("Sweep: %1").arg(name), name);
            }
            setCurrentIndex(!choseSweep              ? (names.isEmpty() ? 0 : before)
                            : names.contains(chosen) ? kFirstSweep + static_cast<int>(names.indexOf(chosen))
                                                     : 0);
        }
        Q_EMIT changed();
    }
    setVisible(!names.isEmpty());
}

void SweepFilter::clear() {
    setCurrentIndex(0);
}

bool SweepFilter::accepts(const TrialOrigin* trial) const {
    return isOff() || (currentIndex() == kNoTrials ? trial == nullptr
                                                   : trial != nullptr && trial->sweep == currentData().toString());
}

}  // namespace plumbline::gui
