// SPDX-License-Identifier: GPL-3.0-or-later
// What an experiment before a run is given: the fields of its kind, Start and Stop.
#pragma once

#include "session/probe.h"
#include "widgets/shrinking_row.h"

class QLineEdit;
class QPushButton;
class QSpinBox;

namespace plumbline::gui {

class ProbeFields : public widgets::ShrinkingRow {
    Q_OBJECT

public:
    explicit ProbeFields(QWidget* parent);

    /// Its fields with their usual values; the others are hidden.
    void setKind(session::ProbeKind kind);
    /// What the fields say; the project is for the caller to put in.
    session::ProbeRequest request() const;
    QPushButton* startButton() const { return m_start; }
    QPushButton* stopButton() const { return m_stop; }

private:
    QSpinBox* spinBox(const QString& name, const QString& label, int least, int most);
    QLineEdit* rateField(const QString& name, const QString& label);
    void addField(QWidget* field, const QString& name, const QString& label);
    void setField(QWidget* field, bool shown);

    session::ProbeKind m_kind = session::ProbeKind::kPreflight;
    QSpinBox* m_batches;
    QLineEdit* m_lowest;
    QLineEdit* m_highest;
    QSpinBox* m_largest;
    QSpinBox* m_budget;
    QSpinBox* m_steps;
    QPushButton* m_start;
    QPushButton* m_stop;
};

}  // namespace plumbline::gui
