// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/new_project_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/dialog_buttons.h"
#include "gui/engine_sentence.h"
#include "gui/engine_text.h"
#include "gui/project_place.h"
#include "gui/screen_room.h"
#include "project/project.h"
#include "widgets/form_widget.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

FieldSpec fieldOf(const std::string& name, const Json& defaultValue) {
    FieldSpec field;
    field.path = text(name);
    field.label = engineWord(name);
    field.defaultValue = toQt(defaultValue);
    field.type = defaultValue.is_number_integer() ? FieldType::Integer
                 : defaultValue.is_number()       ? FieldType::Real
                 : defaultValue.is_boolean()      ? FieldType::Boolean
                 : defaultValue.is_array()        ? FieldType::List
                                                  : FieldType::Text;
    return field;
}

}  // namespace

NewProjectDialog::NewProjectDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("dialog_new_project"));
    setWindowTitle(tr("New project"));
    resize(withinScreen(QSize(760, 520)));

    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("new_template_list"));
    m_list->setAccessibleName(tr("Templates"));
    m_list->setMinimumWidth(200);
    for (const project::TemplateInfo& info : project::templates()) {
        auto* item = new QListWidgetItem(widgets::icon(QStringLiteral("model")), engineText(info.title), m_list);
        item->setData(Qt::UserRole, text(info.id));
        item->setToolTip(engineText(info.summary));
        item->setSizeHint(QSize(0, fontMetrics().height() + space::kLarge));
    }

    m_summary = new QLabel(this);
    m_summary->setObjectName(QStringLiteral("new_summary"));
    m_summary->setWordWrap(true);
    m_form = new FormWidget(this);
    m_form->setObjectName(QStringLiteral("new_parameters"));
    m_form->setAccessibleName(tr("Parameters of the template"));
    m_form->setEmptyText(tr("This template has no parameters."));

    m_place = new ProjectPlace(this);

    m_buttons = ProjectPlace::makeButtons(this);
    nameDialogButtons(*this);

    auto* right = new QVBoxLayout;
    right->setSpacing(space::kMedium);
    right->addWidget(m_summary);
    right->addWidget(m_form, 1);
    right->addWidget(m_place);
    auto* top = new QHBoxLayout;
    top->setSpacing(space::kLarge);
    top->addWidget(m_list);
    top->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space::kLarge, space::kLarge, space::kLarge, space::kLarge);
    layout->setSpacing(space::kLarge);
    layout->addLayout(top, 1);
    layout->addWidget(m_buttons);

    connect(m_list, &QListWidget::currentRowChanged, this, &NewProjectDialog::showTemplate);
    connect(m_form, &FormWidget::edited, this, [this](const QString& path, const QJsonValue& value) {
        m_values.insert(path, value);
        update();
    });
    connect(m_place, &ProjectPlace::changed, this, &NewProjectDialog::update);
    connect(m_buttons, &QDialogButtonBox::accepted, this, [this] {
        m_form->commitPending();
        if (m_buttons->button(QDialogButtonBox::Ok)->isEnabled()) {
            m_place->remember();
            accept();
        }
    });
    m_list->setCurrentRow(0);
    m_list->setFocus();
}

std::filesystem::path NewProjectDialog::folder() const {
    return m_place->folder();
}

void NewProjectDialog::selectTemplate(const QString& id) {
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(Qt::UserRole).toString() == id) {
            m_list->setCurrentRow(row);
        }
    }
}

QString NewProjectDialog::templateId() const {
    return m_list->currentItem() ? m_list->currentItem()->data(Qt::UserRole).toString() : QString();
}

void NewProjectDialog::showTemplate() {
    m_values.clear();
    QList<FieldSpec> fields;
    for (const project::TemplateInfo& info : project::templates()) {
        if (text(info.id) == templateId()) {
            m_summary->setText(engineText(info.summary));
            for (const auto& [name, value] : info.parameters.items()) {
                fields << fieldOf(name, value);
            }
        }
    }
    m_form->setFields(fields);
    m_form->setValues({});
    update();
}

void NewProjectDialog::update() {
    m_form->setValues(m_values);
    Json parameters = Json::object();
    for (auto it = m_values.cbegin(); it != m_values.cend(); ++it) {
        if (!it.value().isUndefined()) {
            parameters[bytes(it.key())] = fromQt(it.value());
        }
    }
    QString refusal = m_place->refusal();
    if (auto made = project::makeFromTemplate(bytes(templateId()), parameters, bytes(m_place->name())); made) {
        m_project = std::move(*made);
    } else {
        refusal = engineSentence(made.error().message) + QLatin1Char(' ') + engineSentence(made.error().hint);
    }
    m_place->showRefusal(refusal);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(refusal.isEmpty());
}

}  // namespace plumbline::gui
