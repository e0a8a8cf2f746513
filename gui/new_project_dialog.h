// SPDX-License-Identifier: GPL-3.0-or-later
// New project: a template, its parameters, a name and a folder.
#pragma once

#include <QDialog>
#include <QHash>
#include <QJsonValue>
#include <filesystem>

#include "core/json.h"

class QDialogButtonBox;
class QLabel;
class QListWidget;

namespace plumbline::widgets {
class FormWidget;
}

namespace plumbline::gui {

class ProjectPlace;

/// Create is enabled only while the template gives a readable project and the folder is free.
class NewProjectDialog : public QDialog {
    Q_OBJECT

public:
    explicit NewProjectDialog(QWidget* parent = nullptr);

    /// The project as the template makes it; valid after accepted().
    const Json& project() const { return m_project; }
    std::filesystem::path folder() const;
    void selectTemplate(const QString& id);

private:
    void showTemplate();
    void update();
    QString templateId() const;

    QListWidget* m_list;
    QLabel* m_summary;
    widgets::FormWidget* m_form;
    ProjectPlace* m_place;
    QDialogButtonBox* m_buttons;
    QHash<QString, QJsonValue> m_values;
    Json m_project;
};

}  // namespace plumbline::gui
