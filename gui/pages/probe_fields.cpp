// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/probe_fields.h"

#include <QDoubleValidator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include "widgets/accent_icon.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;
using session::ProbeKind;

namespace {

constexpr int kMost = 1'000'000, kMostProfiled = 10'000, kFewestRates = 10;
constexpr int kOverfitSteps = 200, kProfileSteps = 20;
constexpr double kBytesInMegabyte = 1e6;

session::ProbeRequest usual(ProbeKind kind) {
    session::ProbeRequest request;
    request.kind = kind;
    request.steps = kind == ProbeKind::kOverfit   ? kOverfitSteps
                    : kind == ProbeKind::kProfile ? kProfileSteps
                                                  : request.steps;
    return request;
}

}  // namespace

ProbeFields::ProbeFields(QWidget* parent) : ShrinkingRow(parent) {
    row()->setContentsMargins(0, 0, 0, 0);
    row()->setSpacing(space::kSmall);
    m_batches = spinBox(QStringLiteral("probe_batches"), tr("Batches of each split"), 1, kMost);
    m_lowest = rateField(QStringLiteral("probe_lowest"), tr("From rate"));
    m_highest = rateField(QStringLiteral("probe_highest"), tr("to rate"));
    m_largest = spinBox(QStringLiteral("probe_largest"), tr("Largest batch"), 1, kMost);
    m_budget = spinBox(QStringLiteral("probe_budget"), tr("Memory for tensors"), 0, kMost);
    m_budget->setSuffix(tr(" MB"));
    m_budget->setSpecialValueText(tr("four fifths of what is free"));
    m_steps = spinBox(QStringLiteral("probe_steps"), tr("Steps"), 1, kMost);
    row()->addStretch(1);
    m_start = new QPushButton(tr("Start"), this);
    setAccentIcon(*m_start, QStringLiteral("run"));
    m_start->setObjectName(QStringLiteral("probe_start"));
    m_start->setDefault(true);
    m_stop = new QPushButton(icon(QStringLiteral("stop")), tr("Stop"), this);
    m_stop->setObjectName(QStringLiteral("probe_stop"));
    m_stop->setAutoDefault(false);
    row()->addWidget(m_start);
    row()->addWidget(m_stop);
}

void ProbeFields::addField(QWidget* field, const QString& name, const QString& label) {
    field->setObjectName(name);
    field->setAccessibleName(label);
    auto* caption = new QLabel(label, this);
    caption->setObjectName(name + QStringLiteral("_label"));
    row()->addWidget(caption);
    row()->addWidget(field);
}

QSpinBox* ProbeFields::spinBox(const QString& name, const QString& label, int least, int most) {
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setGroupSeparatorShown(true);
    addField(box, name, label);
    return box;
}

QLineEdit* ProbeFields::rateField(const QString& name, const QString& label) {
    auto* field = new QLineEdit(this);
    auto* validator = new QDoubleValidator(0, kMost, 15, field);
    validator->setLocale(QLocale::c());
    validator->setNotation(QDoubleValidator::ScientificNotation);
    field->setValidator(validator);
    field->setMaximumWidth(field->fontMetrics().horizontalAdvance(QStringLiteral("0.00000000")) + 2 * space::kSmall);
    addField(field, name, label);
    return field;
}

void ProbeFields::setField(QWidget* field, bool shown) {
    field->setVisible(shown);
    findChild<QLabel*>(field->objectName() + QStringLiteral("_label"))->setVisible(shown);
}

void ProbeFields::setKind(ProbeKind kind) {
    m_kind = kind;
    const session::ProbeRequest values = usual(kind);
    const bool rate = kind == ProbeKind::kLearningRate, batch = kind == ProbeKind::kBatchSize;
    setField(m_batches, kind == ProbeKind::kPreflight);
    setField(m_lowest, rate);
    setField(m_highest, rate);
    setField(m_largest, batch);
    setField(m_budget, batch);
    setField(m_steps, kind != ProbeKind::kPreflight && !batch);
    m_steps->setRange(rate ? kFewestRates : 1, kind == ProbeKind::kProfile ? kMostProfiled : kMost);
    m_batches->setValue(static_cast<int>(values.batches));
    m_lowest->setText(QString::number(values.lowest));
    m_highest->setText(QString::number(values.highest));
    m_largest->setValue(static_cast<int>(values.largest));
    m_budget->setValue(0);
    m_steps->setValue(static_cast<int>(values.steps));
}

session::ProbeRequest ProbeFields::request() const {
    session::ProbeRequest made = usual(m_kind);
    made.batches = m_batches->value();
    made.lowest = m_lowest->text().toDouble();
    made.highest = m_highest->text().toDouble();
    made.steps = m_steps->value();
    made.largest = m_largest->value();
    made.budgetBytes = static_cast<std::int64_t>(m_budget->value() * kBytesInMegabyte);
    return made;
}

}  // namespace plumbline::gui
