// SPDX-License-Identifier: GPL-3.0-or-later
// Taking a model away: format, weights, folder, and proof that the numbers are the same.
#pragma once

#include <memory>

#include "core/run_control.h"
#include "gui/page.h"
#include "session/engine.h"

class QVBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace plumbline::gui {

class ExportPage : public Page {
    Q_OBJECT

public:
    explicit ExportPage(Workspace& workspace, QWidget* parent = nullptr);
    ~ExportPage() override;

    QString id() const override { return QStringLiteral("export"); }
    QString title() const override { return tr("Export"); }
    QString iconName() const override { return QStringLiteral("export"); }
    void activated() override;
    bool showRun(const QString& run) override;

private:
    void showFiles();
    void makeForm(QVBoxLayout* layout);
    void loadRuns();
    /// The folder follows the format until a person writes one.
    void suggestFolder();
    void updateState();
    /// Critical findings of the chosen run are said before its weights are taken away.
    void judgeWeights();
    /// Log and the way to the folder, where there are any.
    void showResult();
    void chooseFolder();
    void start();
    void show(const Result<session::ExportReport>& report);

    QComboBox* m_format;
    QLabel* m_formatHelp;
    QComboBox* m_weights;
    QLineEdit* m_folder;
    QCheckBox* m_verify;
    QPushButton* m_export;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QLabel* m_state;
    QLabel* m_verdict;
    QListWidget* m_files;
    QLabel* m_noFiles;
    QLabel* m_warning;
    QPlainTextEdit* m_log;
    QPushButton* m_openFolder;
    QString m_written;            ///< folder of the last export
    QString m_suggested;          ///< folder that the page itself wrote into the field
    bool m_chosenByHand = false;  ///< the weights; else the best run is taken
    quint64 m_listStamp = 0;
    quint64 m_judgeStamp = 0;
    std::shared_ptr<RunControl> m_control;  ///< of the export that is on; null otherwise
    QString m_wantedRun;
    quint64 m_stamp = 0;
};

}  // namespace plumbline::gui
