// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/new_project_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "gui/convert.h"
#include "gui/engine_text.h"
#include "project/project.h"
#include "widgets/form_widget.h"
#include "widgets/icons.h"
#include "widgets/theme.h"

namespace plumbline::gui {

using namespace widgets;

namespace {

const QString kFolderKey = QStringLiteral("new_project_folder");

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
    resize(760, 520);

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

    m_name = new QLineEdit(tr("my-model"), this);
    m_name->setObjectName(QStringLiteral("new_name"));
    m_name->setAccessibleName(tr("Project name"));
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    m_parent = new QLineEdit(QSettings().value(kFolderKey, documents).toString(), this);
    m_parent->setObjectName(QStringLiteral("new_folder"));
    m_parent->setAccessibleName(tr("Folder"));
    auto* browse = new QPushButton(tr("Browse…"), this);
    browse->setObjectName(QStringLiteral("new_browse"));
    browse->setAccessibleName(tr("Choose the folder"));
    browse->setAutoDefault(false);
    m_where = new QLabel(this);
    m_where->setObjectName(QStringLiteral("new_where"));
    m_where->setWordWrap(true);

    m_buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("Create"));
    m_buttons->button(QDialogButtonBox::Ok)->setObjectName(QStringLiteral("new_create"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));

    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(m_parent, 1);
    folderRow->addWidget(browse);
    auto* place = new QFormLayout;
    place->addRow(tr("Name"), m_name);
    place->addRow(tr("Folder"), folderRow);
    place->addRow(QString(), m_where);
    auto* right = new QVBoxLayout;
    right->setSpacing(space::kMedium);
    right->addWidget(m_summary);
    right->addWidget(m_form, 1);
    right->addLayout(place);
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
    connect(m_name, &QLineEdit::textChanged, this, &NewProjectDialog::update);
    connect(m_parent, &QLineEdit::textChanged, this, &NewProjectDialog::update);
    connect(browse, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Folder for the new project"), m_parent->text());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, m_parent, &QLineEdit::setText);
        dialog->open();
    });
    connect(m_buttons, &QDialogButtonBox::accepted, this, [this] {
        m_form->commitPending();
        if (m_buttons->button(QDialogButtonBox::Ok)->isEnabled()) {
            QSettings().setValue(kFolderKey, m_parent->text());
            accept();
        }
    });
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_list->setCurrentRow(0);
    m_list->setFocus();
}

std::filesystem::path NewProjectDialog::folder() const {
    return filePath(QDir(m_parent->text()).absoluteFilePath(m_name->text().trimmed()));
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
    const QString name = m_name->text().trimmed();
    QString refusal;
    auto made = project::makeFromTemplate(bytes(templateId()), parameters, bytes(name));
    if (!made) {
        refusal = text(made.error().message) + QLatin1Char(' ') + text(made.error().hint);
    } else if (name.isEmpty() || name.contains(QLatin1Char('/'))) {
        refusal = tr("The name becomes a folder: it has at least one character and no slash.");
    } else if (std::error_code ignored; std::filesystem::exists(folder() / "project.json", ignored)) {
        refusal = tr("%1 already holds a project. Choose another name.").arg(text(folder()));
    } else {
        m_project = std::move(*made);
    }
    m_where->setText(refusal.isEmpty() ? tr("Is made in %1").arg(text(folder())) : refusal);
    QPalette palette = m_where->palette();
    palette.setColor(QPalette::WindowText, refusal.isEmpty() ? Theme::instance().colors().muted
                                                             : Theme::instance().colors().critical);
    m_where->setPalette(palette);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(refusal.isEmpty());
}

}  // namespace plumbline::gui
