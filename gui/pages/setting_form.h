// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a part of project.json, built from the plan's list of settings and bound to the document.
#pragma once

#include <QHash>
#include <QWidget>
#include <functional>

#include "plan/plan.h"
#include "widgets/form_widget.h"

class QLineEdit;
class QToolButton;

namespace plumbline::gui {

class Workspace;

/// Whether a setting means something: SettingSpec::when ("training.scheduler.type == step", "… in Adam, AdamW") against
/// the values as they are.
bool settingApplies(const std::string& when, const std::function<QJsonValue(const QString&)>& valueOf);
/// How a form shows a setting.
widgets::FieldSpec settingField(const plan::SettingSpec& spec);

/// Every commit is one undoable edit; what applies live also goes to the run that is on.
class SettingForm : public QWidget {
    Q_OBJECT

public:
    /// `prefixes`: which settings, as "training." and "data.loader.".
    SettingForm(Workspace& workspace, const QString& name, const QStringList& prefixes, QWidget* parent = nullptr);

    void commitPending() { m_form->commitPending(); }
    /// Why the first field that shows refused text does; empty when none does.
    QString refusedText() const { return m_form->refusal(m_form->refusedField()); }
    /// Focuses that field.
    void revealRefused();
    /// Where a setting is searched by name.
    QLineEdit* filterField() const { return m_filter; }
    /// Focuses the setting that a JSON pointer names; false when it is not here.
    bool revealPointer(const QString& pointer);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// Reads the document again: now, or while nobody sees the form, when it is shown.
    void follow();
    void makeFolds(const QString& name);
    void updateFoldButton();
    QList<widgets::FieldSpec> makeFields() const;
    /// "1 epoch", "3 steps": of what the value counts.
    QString unitOf(const plan::SettingSpec& spec) const;
    void readValues();
    void updateConditions();
    void showProblems();
    void edit(const QString& path, const QJsonValue& value);
    void addElement(const QString& path, const QJsonValue& type);
    void removeElement(const QString& path);
    void moveElement(const QString& path, int places);

    Workspace& m_workspace;
    QLineEdit* m_filter;
    QToolButton* m_fold;  ///< folds all groups, or unfolds them
    widgets::FormWidget* m_form;
    std::vector<plan::SettingSpec> m_specs;
    bool m_stale = false;  ///< the document went on since it was read
};

}  // namespace plumbline::gui
