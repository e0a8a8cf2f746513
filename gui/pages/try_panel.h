// SPDX-License-Identifier: GPL-3.0-or-later
// A trained model asked about one input: a sample of a split with its true label, an image file, or typed values.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/error.h"
#include "gui/data_reader.h"
#include "project/project.h"
#include "session/engine.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableWidget;

namespace plumbline::widgets {
class BarChart;
class ImageGrid;
class StatusChip;
}  // namespace plumbline::widgets

namespace plumbline::gui {

class Workspace;

class TryPanel : public QWidget {
    Q_OBJECT

public:
    explicit TryPanel(Workspace& workspace, QWidget* parent = nullptr);
    /// Empty: none is chosen. `state` differs when the run has gone on: its answer is then asked for again, once no run
    /// is on.
    void setRun(const QString& run, const QString& state = {});

private:
    QWidget* makeInputs();
    QWidget* makeAnswer();
    /// The data as the run's own project says.
    void openData();
    void readData(const data::DataSpec& spec);
    void takeData();
    void stopOpening(const Error& error);
    void chooseSplit();
    void chooseSample();
    void chooseRandom();
    void showSample(const data::HostBatch& batch);
    void browse();
    void predict();
    void predictAgain();
    void lookAtCheckpoint();
    void show(const Result<std::vector<session::Prediction>>& predictions);
    void showNumbers(const session::Prediction& prediction);
    /// The target that an output is compared with, as the losses say; else the first.
    std::size_t targetOf(const std::string& output) const;
    void say(const QString& sentence);
    void update();
    /// Nothing while "File or values" is chosen.
    std::optional<data::Split> split() const;
    QString input() const;

    Workspace& m_workspace;
    QString m_run;
    QString m_state;       ///< of the run whose model answers
    QString m_checkpoint;  ///< the one that answered, and of when it is
    QComboBox* m_source;
    QStackedWidget* m_inputs;
    QSpinBox* m_index;
    QLabel* m_count;
    QPushButton* m_random;
    QLineEdit* m_text;
    QPushButton* m_predict;
    QLabel* m_answer;
    QPushButton* m_reread;  ///< stops reading the data, or reads again
    widgets::StatusChip* m_verdict;
    QStackedWidget* m_preview;
    widgets::ImageGrid* m_picture;
    QTableWidget* m_row;
    widgets::BarChart* m_chart;

    DataReader::Reading m_reading;
    DatasetPointer m_dataset;
    QString m_truth;                       ///< of the sample that is shown
    std::vector<double> m_trueNumbers;     ///< a target, as the data have it; NaN where it is no number
    std::vector<plan::LossSpec> m_losses;  ///< of the run
    quint64 m_dataStamp = 0;
    quint64 m_sampleStamp = 0;
    quint64 m_stamp = 0;
    bool m_opening = false;
    bool m_stopped = false;  ///< reading the data was
    bool m_busy = false;
    bool m_noCheckpoint = false;  ///< the run had none when it was asked
    bool m_unanswered = false;    ///< the last answer was an error
    bool m_again = false;         ///< another sample was chosen while the model computed
};

}  // namespace plumbline::gui
