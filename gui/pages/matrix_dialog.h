// SPDX-License-Identifier: GPL-3.0-or-later
// The confusion matrices of a run: a heat map, epoch by epoch, and what is confused most.
#pragma once

#include <QDialog>
#include <filesystem>

#include "gui/pages/matrix_events.h"

class QComboBox;
class QLabel;
class QStandardItemModel;
class QTableView;

namespace plumbline::widgets {
class EmptyState;
class FilterTable;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class MatrixModel;

class MatrixDialog : public QDialog {
    Q_OBJECT

public:
    MatrixDialog(const QString& runName, QWidget* parent);

    void setMatrices(RunMatrices matrices);
    /// Instead of matrices.
    void setSentence(const QString& sentence, const QString& detail = {});

private:
    QWidget* makeChoices();
    QWidget* makeViews();
    void listEpochs();
    void showChosen();
    void fitCells();
    void listConfusions();

    RunMatrices m_matrices;
    MatrixModel* m_model;
    QStandardItemModel* m_confused;
    QComboBox* m_metric;
    QComboBox* m_epoch;
    QComboBox* m_cells;
    QLabel* m_summary;
    QTableView* m_view;
    widgets::FilterTable* m_pairs;
    widgets::EmptyState* m_empty;
    QWidget* m_content;
};

/// Reads the run beside the window and shows what it has.
void openMatrixDialog(const std::filesystem::path& runFolder, const QString& runName, QWidget* parent);

}  // namespace plumbline::gui
