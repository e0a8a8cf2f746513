// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project_place.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>

#include "gui/convert.h"
#include "widgets/theme.h"

namespace plumbline::gui {

namespace {
const QString kFolderKey = QStringLiteral("new_project_folder");
}

ProjectPlace::ProjectPlace(QWidget* parent) : QWidget(parent) {
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
    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(m_parent, 1);
    folderRow->addWidget(browse);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("Folder"), folderRow);
    form->addRow(QString(), m_where);
    connect(m_name, &QLineEdit::textChanged, this, &ProjectPlace::changed);
    connect(m_parent, &QLineEdit::textChanged, this, &ProjectPlace::changed);
    connect(browse, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Folder for the new project"), m_parent->text());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, m_parent, &QLineEdit::setText);
        dialog->open();
    });
}

QString ProjectPlace::name() const {
    return m_name->text().trimmed();
}

void ProjectPlace::setName(const QString& name) {
    m_name->setText(name);
}

std::filesystem::path ProjectPlace::folder() const {
    return filePath(QDir(m_parent->text()).absoluteFilePath(name()));
}

QString ProjectPlace::refusal() const {
    if (name().isEmpty() || name().contains(QLatin1Char('/'))) {
        return tr("The name becomes a folder: it has at least one character and no slash.");
    }
    if (std::error_code ignored; std::filesystem::exists(folder() / "project.json", ignored)) {
        return tr("%1 already holds a project. Choose another name.").arg(text(folder()));
    }
    return {};
}

void ProjectPlace::showRefusal(const QString& sentence) {
    m_where->setText(sentence.isEmpty() ? tr("Is made in %1").arg(text(folder())) : sentence);
    QPalette palette = m_where->palette();
    const auto& colors = widgets::Theme::instance().colors();
    palette.setColor(QPalette::WindowText, sentence.isEmpty() ? colors.muted : colors.critical);
    m_where->setPalette(palette);
}

QDialogButtonBox* ProjectPlace::makeButtons(QDialog* dialog) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Create"));
    buttons->button(QDialogButtonBox::Ok)->setObjectName(QStringLiteral("new_create"));
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    const QList<QAbstractButton*> all = buttons->buttons();
    for (QAbstractButton* button : all) {
        button->setIcon(QIcon());  // not the desktop's
    }
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    return buttons;
}

void ProjectPlace::remember() const {
    QSettings().setValue(kFolderKey, m_parent->text());
}

}  // namespace plumbline::gui
