// SPDX-License-Identifier: GPL-3.0-or-later
// What the model will get: sources (their options can be changed) and splits, class counts, samples after their
// transforms.
#pragma once

#include <atomic>
#include <memory>

#include "gui/data_reader.h"
#include "gui/page.h"
#include "gui/pages/sample_view.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTableWidget;

namespace plumbline::widgets {
class BarChart;
class EmptyState;
class ImageGrid;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class SettingForm;

class DataPage : public Page {
    Q_OBJECT

public:
    explicit DataPage(Workspace& workspace, QWidget* parent = nullptr);
    ~DataPage() override;

    QString id() const override { return QStringLiteral("data"); }
    QString title() const override { return tr("Data"); }
    QString iconName() const override { return QStringLiteral("data"); }
    void activated() override;
    void commitPending() override;
    QString refusedText() const override;
    void revealRefused() override;
    QList<QAction*> pageActions() const override { return {m_find}; }
    bool revealPointer(const QString& pointer) override;
    bool isSettled() const override { return !m_loading && !m_waitsForHistogram; }
    QByteArray saveLayout() const override;
    void restoreLayout(const QByteArray& state) override;
    void resetLayout() override;

private:
    QWidget* makeSummary();
    QWidget* makeSamples();
    void openIfStale();
    void read();
    /// Reads the data again that were stopped, or stops what is being read.
    void stopOrReadAgain();
    void show(const Result<DatasetPointer>& dataset);
    void showSummary();
    void showStatistics();
    void showClasses();
    /// Where there are no classes: how the numbers are spread.
    void loadHistogram();
    void loadSamples();
    void showBatch(const data::HostBatch& batch);
    void showTable();
    data::Split split() const;
    Values values() const;
    void turnPage(int direction);

    SettingForm* m_form;
    QAction* m_find;
    QSplitter* m_splitter;
    QLabel* m_source;
    QLabel* m_counts;
    QTableWidget* m_statistics;
    widgets::BarChart* m_classes;
    QComboBox* m_split;
    QComboBox* m_values;  ///< as in the data, as the model gets them, both
    QLabel* m_position;
    QPushButton* m_previous;
    QPushButton* m_next;
    QStackedWidget* m_stack;
    widgets::ImageGrid* m_grid;
    QTableWidget* m_table;
    widgets::EmptyState* m_empty;
    DataReader::Reading m_reading;
    DatasetPointer m_dataset;
    data::HostBatch m_batch;                       ///< of the table
    std::shared_ptr<std::atomic<bool>> m_abandon;  ///< of the histogram that is being made
    std::string m_openedFor;                       ///< the data section that m_dataset is of
    quint64 m_sampleStamp = 0;
    std::int64_t m_first = 0;
    bool m_loading = false;
    bool m_waitsForHistogram = false;
    bool m_front = false;
};

}  // namespace plumbline::gui
