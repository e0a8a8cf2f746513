// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/setting_form.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSet>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "gui/convert.h"
#include "gui/engine_sentence.h"
#include "gui/engine_text.h"
#include "gui/pages/list_setting.h"
#include "gui/pages/phase_form.h"
#include "gui/workspace.h"
#include "plan/condition.h"
#include "plan/setting_reader.h"
#include "project/model_parameters.h"
#include "widgets/icons.h"
#include "widgets/search_field.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

constexpr int kMinimumWidth = 264;  ///< the longest choice beside its buttons; a page too narrow for it scrolls

FieldType fieldType(const std::string& type) {
    if (type == "int") {
        return FieldType::Integer;
    }
    if (type == "float" || type == "float_or_inf") {
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
    return type == "list" ? FieldType::List : FieldType::Text;
}

/// The nearest field at, below or above a pointer: "/training/optimizer/betas/0" is in "training.optimizer.betas".
QString settingOfPointer(const QString& pointer, const QList<FieldSpec>& fields) {
    QString path = pointer.mid(1).replace(QLatin1Char('/'), QLatin1Char('.'));
    while (!path.isEmpty()) {
        for (const FieldSpec& field : fields) {
            if (field.path == path) {
                return path;
            }
        }
        for (const FieldSpec& field : fields) {
            if (field.path.startsWith(path + QLatin1Char('.'))) {
                return field.path;
            }
        }
        path = path.contains(QLatin1Char('.')) ? path.section(QLatin1Char('.'), 0, -2) : QString();
    }
    return {};
}

/// The last part of a path says enough where all settings under the heading lie in one object; elsewhere "clip.type"
/// stays so.
void shortenLabels(QList<FieldSpec>& fields) {
    QHash<QString, QSet<QString>> objects;
    const auto object = [](const FieldSpec& field) { return field.path.section(QLatin1Char('.'), 0, -2); };
    const auto isOwn = [](const FieldSpec& field) {
        return !field.nested && !field.removable && field.type != FieldType::Add;
    };
    for (const FieldSpec& field : std::as_const(fields)) {
        if (isOwn(field)) {
            objects[field.group].insert(object(field));
        }
    }
    for (FieldSpec& field : fields) {
        if (isOwn(field) && objects.value(field.group).size() == 1) {
            field.label = field.path.section(QLatin1Char('.'), -1);
        }
    }
}

}  // namespace

bool settingApplies(const std::string& when, const std::function<QJsonValue(const QString&)>& valueOf) {
    const plan::Condition condition = plan::conditionOf(when);
    if (condition.kind == plan::Condition::Kind::kAlways) {
        return true;
    }
    const QJsonValue value = valueOf(text(condition.setting));
    return condition.holds(value.isDouble()   ? Json(value.toDouble())
                           : value.isString() ? Json(value.toString().toStdString())
                                              : Json());
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
    field.unit = engineText(spec.unit);
    field.help = engineText(spec.help);
    field.group = engineText(spec.group);
    if (spec.type == "auto_int") {
        field.words = {QStringLiteral("auto")};
        field.minimum = 1;
    }
    if (spec.type == "float_or_inf") {
        field.words = {QStringLiteral("inf")};
    }
    if (spec.defaultValue.is_null()) {
        field.optional = true;
        field.defaultValue = QJsonValue::Undefined;
        field.placeholder = SettingForm::tr("not set");
    }
    field.when = spec.applies == "live" ? SettingForm::tr("It can change while a run is on.")
                                        : SettingForm::tr("A change applies to the next run.");
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
    setMinimumWidth(kMinimumWidth);
    m_filter = new SearchField(this);
    m_filter->setObjectName(name + QStringLiteral("_filter"));
    m_filter->setAccessibleName(tr("Find a setting"));
    m_filter->setPlaceholderText(tr("Find a setting"));
    m_filter->setClearButtonEnabled(true);
    m_form = new FormWidget(this);
    m_form->setObjectName(name);
    m_form->setAccessibleName(tr("Settings"));
    makeFolds(name);
    setTabOrder(m_filter, m_fold);
    m_form->setFieldsAfter(m_fold);
    auto* top = new QHBoxLayout;
    top->setSpacing(space::kTiny);
    top->addWidget(m_filter, 1);
    top->addWidget(m_fold);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, 0);
    layout->setSpacing(space::kSmall);
    layout->addLayout(top);
    layout->addWidget(m_form, 1);

    connect(m_filter, &QLineEdit::textChanged, m_form, &FormWidget::setFilter);
    connect(m_form, &FormWidget::edited, this, &SettingForm::edit);
    connect(m_form, &FormWidget::addRequested, this, &SettingForm::addElement);
    connect(m_form, &FormWidget::removeRequested, this, &SettingForm::removeElement);
    connect(m_form, &FormWidget::moveRequested, this, &SettingForm::moveElement);
    ProjectDocument& document = m_workspace.document();
    connect(&document, &ProjectDocument::projectChanged, this, &SettingForm::follow);
    connect(&document, &ProjectDocument::projectChanged, m_filter, &QLineEdit::clear);  // another project is open
    connect(&document, &ProjectDocument::projectChanged, m_form, &FormWidget::dropRefused);
    connect(&document, &ProjectDocument::rewound, m_form, &FormWidget::dropRefused);
    connect(&document, &ProjectDocument::changed, this, [this](Parts parts) {
        if (parts & (Parts(Part::Training) | Part::Data | Part::Monitor | Part::Model)) {
            follow();
        }
    });
    connect(&document, &ProjectDocument::checked, this, [this] {
        if (!m_stale && isVisible()) {
            showProblems();
        } else {
            follow();
        }
    });
    readValues();
}

void SettingForm::makeFolds(const QString& name) {
    m_fold = new QToolButton(this);
    m_fold->setObjectName(name + QStringLiteral("_fold"));
    m_fold->setAutoRaise(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_form->setFoldable(true);
    const QString key = QStringLiteral("folded_groups/") + name;
    m_form->setFoldedGroups(QSettings().value(key).toStringList());
    connect(m_fold, &QToolButton::clicked, this, [this] {
        m_form->setFoldedGroups(m_form->foldedGroups().isEmpty() ? m_form->groups() : QStringList());
        Q_EMIT m_form->foldsChanged();
    });
    connect(m_form, &FormWidget::foldsChanged, this, [this, key] {
        QSettings().setValue(key, m_form->foldedGroups());
        updateFoldButton();
    });
    updateFoldButton();
}

void SettingForm::updateFoldButton() {
    const bool any = !m_form->foldedGroups().isEmpty();
    m_fold->setIcon(icon(any ? QStringLiteral("chevron-down") : QStringLiteral("chevron-up")));
    m_fold->setToolTip(any ? tr("Show all groups of settings") : tr("Fold all groups of settings"));
    m_fold->setAccessibleName(m_fold->toolTip());
}

namespace {

constexpr std::size_t kMostOffered = 3000;  ///< names of parameters and blocks to complete by

/// Patterns of whole blocks, outer ones first, then the parameters; and the blocks.
void offerNames(const graph::ResolvedModel& model, ListChoices& choices) {
    QSet<QString> seen;
    QStringList parameters;
    for (const project::ModelParameter& parameter : project::parametersOf(model)) {
        if (parameters.size() + choices.blocks.size() > static_cast<qsizetype>(kMostOffered)) {
            break;
        }
        const QString name = text(parameter.name);
        for (auto dot = name.indexOf(QLatin1Char('.')); dot > 0; dot = name.indexOf(QLatin1Char('.'), dot + 1)) {
            if (const QString block = name.left(dot); !seen.contains(block)) {
                seen.insert(block);
                choices.blocks << block;
                choices.parameters << block + QStringLiteral(".*");
            }
        }
        parameters << name;
    }
    choices.parameters += parameters;
    if (!choices.parameters.isEmpty()) {
        choices.parameters.prepend(QStringLiteral("*"));
    }
}

ListChoices choicesIn(const project::Project& project) {
    ListChoices choices;
    for (const plan::PhaseSpec& phase : project.training.phases) {
        choices.phases << text(phase.name);
    }
    for (const graph::GraphOutput& output : project.model.root.outputs) {
        choices.outputs << text(output.name);
    }
    for (const data::FeedSpec& target : project.data.targets) {
        choices.targets << text(target.name);
    }
    return choices;
}

const Json& valueAt(const Json& json, const std::string& dottedPath) {
    static const Json none;
    const Json::json_pointer pointer(pointerOfDottedPath(dottedPath));
    return json.contains(pointer) ? json.at(pointer) : none;
}

}  // namespace

QList<FieldSpec> SettingForm::makeFields() const {
    const ProjectDocument& document = m_workspace.document();
    const bool open = document.isOpen();
    ListChoices choices = open ? choicesIn(document.project()) : ListChoices();
    if (open) {
        offerNames(document.report().model, choices);
    }
    static const std::set<std::string> ofBlocks{"training.fp32_blocks", "training.activation_checkpointing.blocks",
                                                "training.no_grad"};
    QList<FieldSpec> fields;
    for (const plan::SettingSpec& spec : m_specs) {
        if (isListSetting(spec)) {
            QList<FieldSpec> rows =
                spec.path == kPhases
                    ? phaseRows(spec, open ? document.project().json : Json(), choices)
                    : listRows(spec, open ? valueAt(document.project().json, spec.path) : Json(), choices);
            for (FieldSpec& row : rows) {
                const auto element = elementPath(row.path);
                for (const plan::SettingSpec& key : elementKeys(spec.path)) {
                    if (element && element->key == key.path && !key.unit.empty()) {
                        plan::SettingSpec placed = key;
                        placed.path = bytes(row.path);
                        row.unit = unitOf(placed);
                    }
                }
            }
            fields += rows;
        } else if (spec.path == "monitor.detectors") {
            fields += detectorRows(text(spec.path));
        } else {
            fields.append(settingField(spec));
            fields.last().unit = unitOf(spec);
            if (ofBlocks.contains(spec.path)) {
                fields.last().completions = choices.blocks;
            }
            if (open && !spec.otherDefaults.empty()) {
                fields.last().defaultValue = toQt(plan::defaultOf(spec, document.project().json));
            }
        }
    }
    shortenLabels(fields);
    return fields;
}

QString SettingForm::unitOf(const plan::SettingSpec& spec) const {
    const ProjectDocument& document = m_workspace.document();
    const auto valueOf = [&](const std::string& path) -> Json {
        if (document.isOpen()) {
            if (const Json& stated = valueAt(document.project().json, path); !stated.is_null()) {
                return stated;
            }
        }
        const plan::SettingSpec* each = plan::findSetting(path);
        return each == nullptr     ? Json()
               : document.isOpen() ? plan::defaultOf(*each, document.project().json)
                                   : each->defaultValue;
    };
    std::string unit = spec.unit;
    if (unit == "units") {  // those that the setting beside it, or beside the list it is in, names
        Json chosen;
        for (std::string around = spec.path; !chosen.is_string() && around.rfind('.') != std::string::npos;) {
            around.resize(around.rfind('.'));
            chosen = valueOf(around + ".unit");
        }
        unit = chosen.is_string() ? chosen.get<std::string>() + "s" : unit;
    }
    const Json value = valueOf(spec.path);
    const int count = value.is_number() && value.get<double>() == 1.0 ? 1 : 2;
    if (unit == "epochs") {
        return tr("epoch(s)", nullptr, count);
    }
    if (unit == "steps") {
        return tr("step(s)", nullptr, count);
    }
    if (unit == "samples") {
        return tr("sample(s)", nullptr, count);
    }
    if (unit == "threads") {
        return tr("thread(s)", nullptr, count);
    }
    if (unit == "batches") {
        return tr("batch(es)", nullptr, count);
    }
    return engineText(unit);
}

void SettingForm::follow() {
    m_stale = true;
    if (isVisible()) {
        readValues();
    }
}

void SettingForm::showEvent(QShowEvent* event) {
    if (m_stale) {
        readValues();
    }
    QWidget::showEvent(event);
}

void SettingForm::readValues() {
    m_stale = false;
    ProjectDocument& document = m_workspace.document();
    m_form->setFields(makeFields());
    m_form->setReadOnly(!document.isOpen());
    if (!document.isOpen()) {
        return;
    }
    QHash<QString, QJsonValue> values;
    const QList<FieldSpec> fields = m_form->fields();
    for (const FieldSpec& field : fields) {
        const auto loss = phaseLoss(field.path);
        const QJsonValue value = loss ? QJsonValue(minimises(document.project().json, *loss))
                                 : field.type == FieldType::Add && !field.optional ? QJsonValue(QJsonValue::Undefined)
                                                                                   : document.setting(field.path);
        if (!value.isUndefined() && !(value.isNull() && field.optional)) {
            values.insert(field.path, value);
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
                return toQt(plan::defaultOf(spec, document.project().json));
            }
        }
        return stated;
    };
    // What is stated and changes nothing is warned of, and can be taken back where it is.
    const std::vector<std::string>& withoutEffect = document.project().training.withoutEffect;
    const auto isToldOf = [&](const std::string& path) {
        return std::find(withoutEffect.begin(), withoutEffect.end(), pointerOfDottedPath(path)) != withoutEffect.end();
    };
    for (const plan::SettingSpec& spec : m_specs) {
        if (!spec.when.empty()) {
            m_form->setFieldVisible(text(spec.path), settingApplies(spec.when, valueOf) || isToldOf(spec.path));
        }
    }
    // The thresholds of a detector that is off mean nothing.
    const QString detectors = QStringLiteral("monitor.detectors.");
    const QList<FieldSpec> fields = m_form->fields();
    for (const FieldSpec& field : fields) {
        if (field.nested && field.path.startsWith(detectors)) {
            const QString enabled = detectors + field.path.section(QLatin1Char('.'), 2, 2) + QStringLiteral(".enabled");
            m_form->setFieldVisible(field.path, document.setting(enabled) != QJsonValue(false));
        }
    }
}

void SettingForm::showProblems() {
    QHash<QString, FieldProblem> problems;
    const QList<FieldSpec> fields = m_form->fields();
    for (const graph::Problem& problem : m_workspace.document().report().problems) {
        const QString path = settingOfPointer(text(problem.pointer), fields);
        if (!path.isEmpty() && !problems.contains(path)) {
            problems.insert(path, {toWidget(problem.severity), engineSentence(problem.message)});
        }
    }
    m_form->setProblems(problems);
}

void SettingForm::edit(const QString& path, const QJsonValue& value) {
    ProjectDocument& document = m_workspace.document();
    const Json& json = document.project().json;
    const auto element = elementPath(path);
    const auto loss = phaseLoss(path);
    const bool retyped = element && element->key == "type" && value.isString();
    const bool renamed = element && element->list == kPhases && element->key == "name" && value.isString();
    const Status done = loss      ? document.applyPatch(tr("Set %1").arg(QStringLiteral("phase")),
                                                        minimisePatch(json, *loss, value.toBool()))
                        : renamed ? document.applyPatch(tr("Set %1").arg(QStringLiteral("name")),
                                                        renamePhasePatch(json, element->index, bytes(value.toString())))
                        : retyped ? document.applyPatch(tr("Set %1").arg(QStringLiteral("type")),
                                                        changeTypePatch(json, *element, bytes(value.toString())))
                                  : document.setSetting(path, value);
    if (!done) {
        readValues();  // refused: the document's value is shown again
    }
}

void SettingForm::addElement(const QString& path, const QJsonValue& type) {
    ProjectDocument& document = m_workspace.document();
    const Json& json = document.project().json;
    const Json patch = path == QLatin1String(kPhases)
                           ? addPhasePatch(document.project(), document.report().model)
                           : addElementPatch(json, bytes(path), type, choicesIn(document.project()));
    if (document.applyPatch(tr("Add to %1").arg(path.section(QLatin1Char('.'), -1)), patch)) {
        const Json& list = valueAt(document.project().json, bytes(path));
        m_form->focusField(
            QStringLiteral("%1.%2.%3").arg(path).arg(list.size() - 1).arg(text(elementKeys(bytes(path)).front().path)));
    }
}

void SettingForm::removeElement(const QString& path) {
    if (const auto element = elementPath(path)) {
        ProjectDocument& document = m_workspace.document();
        const Json patch = element->list == kPhases ? removePhasePatch(document.project().json, element->index)
                                                    : removeElementPatch(*element);
        if (document.applyPatch(tr("Remove from %1").arg(text(element->list).section(QLatin1Char('.'), -1)), patch)) {
            m_form->focusField(text(element->list));
        }
    }
}

void SettingForm::moveElement(const QString& path, int places) {
    const auto element = elementPath(path);
    ProjectDocument& document = m_workspace.document();
    const Json patch = element ? moveElementPatch(document.project().json, *element, places) : Json::array();
    if (!patch.empty() &&
        document.applyPatch(tr("Move in %1").arg(text(element->list).section(QLatin1Char('.'), -1)), patch)) {
        m_form->focusField(QStringLiteral("%1.%2.%3")
                               .arg(text(element->list))
                               .arg(static_cast<qsizetype>(element->index) + places)
                               .arg(text(element->key)));
    }
}

void SettingForm::revealRefused() {
    m_filter->clear();
    m_form->focusField(m_form->refusedField());
}

bool SettingForm::revealPointer(const QString& pointer) {
    if (m_stale) {
        readValues();
    }
    const QString path = settingOfPointer(pointer, m_form->fields());
    if (path.isEmpty()) {
        return false;
    }
    m_filter->clear();
    return m_form->focusField(path);
}

}  // namespace plumbline::gui
