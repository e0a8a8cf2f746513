// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/setting_form.h"

#include <QLineEdit>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/engine_text.h"
#include "gui/workspace.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

FieldType fieldType(const std::string& type) {
    if (type == "int") {
        return FieldType::Integer;
    }
    if (type == "float") {
        return FieldType::Real;
    }
    if (type == "bool") {
        return FieldType::Boolean;
    }
    if (type == "choice") {
        return FieldType::Choice;
    }
    if (type == "auto_int") {
        return FieldType::Integer;
    }
    return type == "list" || type == "object" ? FieldType::Json : FieldType::Text;
}

/// The nearest setting at or above a pointer: "/training/losses/0/type" is inside "training.losses".
QString settingOfPointer(const QString& pointer, const std::vector<plan::SettingSpec>& specs) {
    QString path = pointer.mid(1).replace(QLatin1Char('/'), QLatin1Char('.'));
    while (!path.isEmpty()) {
        for (const plan::SettingSpec& spec : specs) {
            const QString known = text(spec.path);
            if (known == path || known.startsWith(path + QLatin1Char('.'))) {
                return known;
            }
        }
        path = path.contains(QLatin1Char('.')) ? path.section(QLatin1Char('.'), 0, -2) : QString();
    }
    return {};
}

/// The last part of a path says enough under its heading, unless two settings there end alike.
void shortenLabels(QList<FieldSpec>& fields) {
    QHash<QString, int> endings;
    const auto ending = [](const FieldSpec& field) { return field.path.section(QLatin1Char('.'), -1); };
    for (const FieldSpec& field : std::as_const(fields)) {
        ++endings[field.group + ending(field)];
    }
    for (FieldSpec& field : fields) {
        if (endings.value(field.group + ending(field)) == 1) {
            field.label = ending(field);
        }
    }
}

}  // namespace

bool settingApplies(const std::string& when, const std::function<QJsonValue(const QString&)>& valueOf) {
    const QString condition = text(when);
    if (condition.isEmpty()) {
        return true;
    }
    const bool equals = condition.contains(QLatin1String(" == "));
    const QString separator = equals ? QStringLiteral(" == ") : QStringLiteral(" in ");
    const QString value = valueOf(condition.section(separator, 0, 0)).toString();
    const QStringList wanted = condition.section(separator, 1).split(QStringLiteral(", "));
    return wanted.contains(value);
}

FieldSpec settingField(const plan::SettingSpec& spec) {
    FieldSpec field;
    field.path = text(spec.path);
    field.label = field.path.section(QLatin1Char('.'), 1);
    field.type = fieldType(spec.type);
    field.defaultValue = toQt(spec.defaultValue);
    field.minimum = spec.min;
    field.maximum = spec.max;
    for (const std::string& choice : spec.choices) {
        field.choices.append({text(choice), {}, {}});
    }
    field.unit = engineWord(spec.unit);
    field.help = engineText(spec.help);
    field.group = engineText(spec.group);
    if (spec.type == "auto_int") {
        field.words = {QStringLiteral("auto")};
        field.minimum = 1;
    }
    if (spec.defaultValue.is_null()) {
        field.optional = true;
        field.defaultValue = QJsonValue::Undefined;
        field.placeholder = SettingForm::tr("not set");
    }
    if (spec.applies == "live") {
        field.applies = SettingForm::tr("also applies to the run that is on");
    }
    return field;
}

SettingForm::SettingForm(Workspace& workspace, const QString& name, const QStringList& prefixes, QWidget* parent)
    : QWidget(parent), m_workspace(workspace) {
    for (const plan::SettingSpec& spec : plan::settings()) {
        for (const QString& prefix : prefixes) {
            if (text(spec.path).startsWith(prefix)) {
                m_specs.push_back(spec);
                break;
            }
        }
    }
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(name + QStringLiteral("_filter"));
    m_filter->setAccessibleName(tr("Find a setting"));
    m_filter->setPlaceholderText(tr("Find a setting"));
    m_filter->setClearButtonEnabled(true);
    m_form = new FormWidget(this);
    m_form->setObjectName(name);
    m_form->setAccessibleName(tr("Settings"));
    QList<FieldSpec> fields;
    for (const plan::SettingSpec& spec : m_specs) {
        fields.append(settingField(spec));
    }
    shortenLabels(fields);
    m_form->setFields(fields);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kSmall, space::kSmall, 0, 0);
    layout->setSpacing(space::kSmall);
    layout->addWidget(m_filter);
    layout->addWidget(m_form, 1);

    connect(m_filter, &QLineEdit::textChanged, m_form, &FormWidget::setFilter);
    connect(m_form, &FormWidget::edited, this, &SettingForm::edit);
    ProjectDocument& document = m_workspace.document();
    connect(&document, &ProjectDocument::projectChanged, this, &SettingForm::readValues);
    connect(&document, &ProjectDocument::changed, this, [this](Parts parts) {
        if (parts & (Parts(Part::Training) | Part::Data | Part::Monitor)) {
            readValues();
        }
    });
    connect(&document, &ProjectDocument::checked, this, &SettingForm::showProblems);
    readValues();
}

void SettingForm::readValues() {
    ProjectDocument& document = m_workspace.document();
    m_form->setReadOnly(!document.isOpen());
    if (!document.isOpen()) {
        return;
    }
    QHash<QString, QJsonValue> values;
    for (const plan::SettingSpec& spec : m_specs) {
        const QString path = text(spec.path);
        const QJsonValue value = document.setting(path);
        if (!value.isUndefined() && !(value.isNull() && spec.defaultValue.is_null())) {
            values.insert(path, value);
        }
    }
    m_form->setValues(values);
    updateConditions();
    showProblems();
}

void SettingForm::updateConditions() {
    ProjectDocument& document = m_workspace.document();
    const auto valueOf = [&](const QString& path) {
        const QJsonValue stated = document.setting(path);
        if (!stated.isUndefined()) {
            return stated;
        }
        for (const plan::SettingSpec& spec : plan::settings()) {
            if (text(spec.path) == path) {
                return toQt(spec.defaultValue);
            }
        }
        return stated;
    };
    for (const plan::SettingSpec& spec : m_specs) {
        if (!spec.when.empty()) {
            m_form->setFieldVisible(text(spec.path), settingApplies(spec.when, valueOf));
        }
    }
}

void SettingForm::showProblems() {
    QHash<QString, FieldProblem> problems;
    for (const graph::Problem& problem : m_workspace.document().report().problems) {
        const QString path = settingOfPointer(text(problem.pointer), m_specs);
        if (!path.isEmpty() && !problems.contains(path)) {
            problems.insert(path, {toWidget(problem.severity), text(problem.message)});
        }
    }
    m_form->setProblems(problems);
}

void SettingForm::edit(const QString& path, const QJsonValue& value) {
    if (!m_workspace.document().setSetting(path, value)) {
        readValues();  // refused: the document's value is shown again
    }
}

bool SettingForm::revealPointer(const QString& pointer) {
    const QString path = settingOfPointer(pointer, m_specs);
    if (path.isEmpty()) {
        return false;
    }
    m_filter->clear();
    return m_form->focusField(path);
}

}  // namespace plumbline::gui
