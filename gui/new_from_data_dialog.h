// SPDX-License-Identifier: GPL-3.0-or-later
// New project from a person's own data: what was found, what is predicted from it, a name and a folder.
#pragma once

#include <QDialog>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/json.h"
#include "core/run_control.h"
#include "project/from_data.h"

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QLabel;
class QStackedWidget;
class QTableWidget;

namespace plumbline::widgets {
class ElidedLabel;
class EmptyState;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class ProjectPlace;

/// First asks for a file or folder (or takes a dropped one), then shows a proposal whose every part can be changed.
/// Looking into the data happens beside the window; Cancel ends it. Create is enabled while the proposal holds and the
/// folder is free.
class NewFromDataDialog : public QDialog {
    Q_OBJECT

public:
    explicit NewFromDataDialog(QWidget* parent = nullptr);
    ~NewFromDataDialog() override;

    /// Looks into these; the proposal follows, or a sentence why there is none.
    void inspect(const QStringList& paths);
    /// The project, its paths absolute; valid after accepted().
    const Json& project() const { return m_project; }
    std::filesystem::path folder() const;
    bool copiesData() const;

Q_SIGNALS:
    /// A folder that already is a project was given.
    void projectFound(const QString& folder);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeChoices();
    void chooseFile();
    void chooseFolder();
    void show(Result<data::FoundData> found);
    void propose();
    void showProposal();
    void showColumns();
    void showImages();
    void ask(const QString& sentence, const QString& detail);
    void update();
    void create();
    project::DataChoices choices() const;

    QStackedWidget* m_stack;
    widgets::EmptyState* m_start;
    QWidget* m_choices;
    widgets::ElidedLabel* m_path;
    QLabel* m_summary;
    QLabel* m_targetLabel;
    QComboBox* m_target;
    QComboBox* m_task;
    QComboBox* m_template;
    QComboBox* m_splits;
    QTableWidget* m_columns;
    QLabel* m_classes;
    QCheckBox* m_copy;
    ProjectPlace* m_place;
    QDialogButtonBox* m_buttons;

    std::shared_ptr<RunControl> m_control;  ///< of what is being read
    data::FoundData m_found;
    project::DataProposal m_proposal;
    QStringList m_leftOut;
    Json m_project;
    quint64 m_stamp = 0;
    std::optional<Error> m_refused;  ///< why these choices make no project
    bool m_busy = false;
    bool m_filling = false;
};

}  // namespace plumbline::gui
