// SPDX-License-Identifier: GPL-3.0-or-later
// What the model will get: sources (their options can be changed) and splits, class counts, samples after their transforms.
#pragma once

#include <memory>

#include "gui/data_reader.h"
#include "gui/page.h"

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
}

namespace plumbline::gui {

class SettingForm;

class DataPage : public Page {
    Q_OBJECT

public:
    explicit DataPage(Workspace& workspace, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("data"); }
    QString title() const override { return tr("Data"); }
    QString iconName() const override { return QStringLiteral("data"); }
    void activated() override;
    void commitPending() override;
    QList<QAction*> pageActions() const override { return {m_find}; }
    bool revealPointer(const QString& pointer) override;
    bool isSettled() const override { return !m_loading; }
    QByteArray saveLayout() const override;
    void restoreLayout(const QByteArray& state) override;
    void resetLayout() override;

private:
    QWidget* makeSummary();
    QWidget* makeSamples();
    void openIfStale();
    void show(const Result<DatasetPointer>& dataset);
    void showSummary();
    void showClasses();
    void loadSamples();
    void showBatch(const data::HostBatch& batch);
    data::Split split() const;
    void turnPage(int direction);

    SettingForm* m_form;
    QAction* m_find;
    QSplitter* m_splitter;
    QLabel* m_source;
    QLabel* m_counts;
    QTableWidget* m_statistics;
    widgets::BarChart* m_classes;
    QComboBox* m_split;
    QLabel* m_position;
    QPushButton* m_previous;
    QPushButton* m_next;
    QStackedWidget* m_stack;
    widgets::ImageGrid* m_grid;
    QTableWidget* m_table;
    widgets::EmptyState* m_empty;
    DataReader::Reading m_reading;
    DatasetPointer m_dataset;
    std::string m_openedFor;  ///< the data section that m_dataset is of
    quint64 m_sampleStamp = 0;
    std::int64_t m_first = 0;
    bool m_loading = false;
    bool m_front = false;
};

}  // namespace plumbline::gui
