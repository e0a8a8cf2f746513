// SPDX-License-Identifier: GPL-3.0-or-later
// The confusion matrices of a run: a heat map, epoch by epoch, and what is confused most.
#pragma once

#include <QDialog>
#include <filesystem>
#include <functional>

#include "gui/pages/matrix_events.h"

class QComboBox;
class QLabel;
class QSplitter;
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
    /// A button for a run without a matrix, which adds the metric to the project; not yet shown.
    void offerMetric(std::function<bool()> add);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeChoices();
    QWidget* makeViews();
    void listEpochs();
    void showChosen();
    void fitCells();
    /// The splitter gives the matrix what it takes, and the list of what is confused the rest.
    void shareRoom();
    int headerWidth() const;
    void listConfusions();

    RunMatrices m_matrices;
    MatrixModel* m_model;
    QStandardItemModel* m_confused;
    QComboBox* m_metric;
    QComboBox* m_epoch;
    QComboBox* m_cells;
    QLabel* m_summary;
    QTableView* m_view;
    QSplitter* m_splitter = nullptr;
    QSize m_least, m_usual;  ///< of a cell: that what it says is read, and that its column's name is
    std::function<bool()> m_addMetric;
    widgets::FilterTable* m_pairs;
    widgets::EmptyState* m_empty;
    QWidget* m_content;
};

/// Reads the run beside the window and shows what it has. The dialog deletes itself.
MatrixDialog* openMatrixDialog(const std::filesystem::path& runFolder, const QString& runName, QWidget* parent);

}  // namespace plumbline::gui
